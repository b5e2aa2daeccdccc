package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/pgtest"
)

// TestNotify_AnotherNodeHearsWhatChanged opens two nodes on one PostgreSQL: what one
// commits, the other is told, with the names and not the values.
func TestNotify_AnotherNodeHearsWhatChanged(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	url := pgtest.New(t, nothing)
	heard := make(chan app.Committed, 100)
	open := func(node int, committed func(app.Committed)) *Store {
		s, err := Open(ctx, Config{URL: url, Node: node, Now: time.Now, Entropy: app.RandomBytes, Committed: committed})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	open(1, func(c app.Committed) { heard <- c })
	wait := func(want func(app.Committed) bool) {
		t.Helper()
		deadline := time.After(20 * time.Second)
		for {
			select {
			case c := <-heard:
				if want(c) {
					return
				}
			case <-deadline:
				t.Fatal("the other node heard nothing")
			}
		}
	}
	wait(func(c app.Committed) bool { return c.All }) // it listens now
	two := open(2, nil)
	err := two.Update(ctx, app.Keys{States: []string{"wallet/7", "wallet/8"}}, func(tx app.Tx) error {
		tx.Put("wallet/7", 1, func(any) ([]byte, error) { return []byte("1"), nil })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wait(func(c app.Committed) bool {
		return slices.ContainsFunc(c.States, func(s app.Changed) bool { return s.Name == "wallet/7" && s.Value == nil })
	})
}

func TestParseNotice(t *testing.T) {
	t.Parallel()
	if _, ok := parseNotice("3 wallet/7", 3); ok {
		t.Error("a node listened to itself")
	}
	c, ok := parseNotice("3 wallet/7 instant/issue/1", 4)
	if !ok || len(c.States) != 2 || c.States[1].Name != "instant/issue/1" || c.All {
		t.Errorf("two names: %+v, %t", c, ok)
	}
	if c, _ := parseNotice("3 *", 4); !c.All || len(c.States) != 0 {
		t.Errorf("everything: %+v", c)
	}
}
