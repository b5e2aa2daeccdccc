package pages

import (
	"testing"
	"time"

	"boulier/internal/app"
)

// TestWhoCache_ForgettingKeepsTheRequestUnderWay: a change that is told between the moment
// a request says who it is and the moment it asks for the roles does not take them away.
func TestWhoCache_ForgettingKeepsTheRequestUnderWay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	c := newWhoCache(func() time.Time { return now })
	c.all[7] = whoEntry{app.Member{Standing: app.Standing{Roles: []app.Role{app.Player}}}, now}
	c.Forget(7)
	c.ForgetAll()
	if got := c.Roles(7); len(got) != 1 || got[0] != app.Player {
		t.Errorf("the request under way has roles %v", got)
	}
	if c.now().Sub(c.all[7].at) < whoFor {
		t.Error("the next request would not read anew")
	}
}
