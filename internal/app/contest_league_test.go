package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
)

// TestRemind: a day before the last limit, once, to registered players without a slip who did
// not refuse; to nobody else, whatever is moved afterwards.
func TestRemind(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	ctx := t.Context()
	p := f.matches()
	for i := range p.Fixtures {
		p.Fixtures[i].StartsAt = f.Now().Add(48 * time.Hour)
		p.Fixtures[i].Limit = p.Fixtures[i].StartsAt
	}
	leg := f.add(p)
	soon := f.add(f.matches()) // opens less than a day before its limit
	ann, bob, cyd := f.Player("ann", 0), f.Player("bob", 0), f.Player("cyd", 0)
	f.House.Player("dan", 0) // not registered
	f.mustSubmit(leg, ann, "1-0", "1-0")
	quiet := apptest.ProfileOf("cyd")
	quiet.NoReminders = true
	if err := f.Contests.CorrectProfile(ctx, app.ProfileChange{Request: app.NewRequestID(), Player: cyd, Profile: quiet}); err != nil {
		t.Fatal(err)
	}
	names := func() string {
		t.Helper()
		var box apptest.Box
		f.Post(&box)
		var out []string
		for name := range box.Letters {
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	f.tick(24*time.Hour - time.Second)
	if got := names(); got != "" {
		t.Errorf("too early: %s", got)
	}
	f.tick(time.Second)
	if got, want := names(), "reminder/1/"+bob.String(); got != want {
		t.Errorf("the letters are %q, want %q", got, want)
	}
	later := f.Now().Add(72 * time.Hour)
	if err := f.Contests.MoveLimit(ctx, f.legOrder(leg), 1, later, later, "report"); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		f.tick(24 * time.Hour)
	}
	if got := names(); got != "" {
		t.Errorf("a second time: %s", got)
	}
	if sent, done, err := f.Contests.Reminded(ctx, leg); sent != 1 || done.IsZero() || err != nil {
		t.Errorf("%d reminders, done at %s (%v)", sent, done, err)
	}
	if sent, _, _ := f.Contests.Reminded(ctx, soon); sent != 0 {
		t.Errorf("%d reminders of a leg that was hardly open", sent)
	}
}

// TestLeague: friends create a league, invite by a link, rank among themselves, leave; nobody
// else sees it, and the link can be made void.
func TestLeague(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	ann, bob, cyd := f.Player("ann", 0), f.Player("bob", 0), f.Player("cyd", 0)
	for i, who := range []player.ID{cyd, ann, bob} {
		f.mustSubmit(leg, who, []contest.Pick{"2-1", "1-0", "0-3"}[i], "0-0")
	}
	order := func(by player.ID, id app.LeagueID) app.LeagueOrder {
		return app.LeagueOrder{Request: app.NewRequestID(), By: by, League: id}
	}
	_, err := f.Contests.CreateLeague(ctx, order(ann, 0), " ")
	wantErr(t, "no name", err, app.ErrLeagueName)
	_, err = f.Contests.CreateLeague(ctx, order(f.House.Player("dan", 0), 0), "x")
	wantErr(t, "not registered", err, app.ErrNotEntered)
	id, err := f.Contests.CreateLeague(ctx, order(ann, 0), "Les amis")
	if err != nil {
		t.Fatal(err)
	}
	l, err := f.Contests.League(ctx, id, ann, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Contests.League(ctx, id, bob, "")
	wantErr(t, "a stranger looks", err, app.ErrNotFound)
	wantErr(t, "a wrong link", f.Contests.JoinLeague(ctx, order(bob, id), "x"), app.ErrLeagueUnknown)
	for range 2 { // twice is once
		if err := f.Contests.JoinLeague(ctx, order(bob, id), l.Token); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, "renewed by a member", f.Contests.RenewLink(ctx, order(bob, id)), app.ErrLeagueOwner)
	if err := f.Contests.RenewLink(ctx, order(ann, id)); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "by the old link", f.Contests.JoinLeague(ctx, order(cyd, id), l.Token), app.ErrLeagueUnknown)
	f.tick(2 * time.Hour)
	f.enter(leg, "", played(2, 1), played(0, 0))
	f.proclaim(leg)
	s, _, err := f.Contests.Contest(ctx, f.contest)
	if err == nil {
		l, err = f.Contests.League(ctx, id, bob, "")
	}
	if err != nil || len(l.Members) != 2 {
		t.Fatalf("the league is %+v (%v)", l, err)
	}
	page, err := f.Contests.LeagueRanking(ctx, l, s)
	if err != nil || len(page.Rows) != 2 || page.Rows[0].Player != ann || page.Rows[0].Rank != 1 || page.Rows[1].Rank != 2 {
		t.Errorf("the ranking is %+v (%v)", page.Rows, err)
	}
	wantErr(t, "sent away by a member", f.Contests.LeaveLeague(ctx, order(bob, id), ann), app.ErrLeagueOwner)
	if err := f.Contests.LeaveLeague(ctx, order(ann, id), ann); err != nil {
		t.Fatal(err)
	}
	if l, err = f.Contests.League(ctx, id, bob, ""); err != nil || l.Owner != bob {
		t.Errorf("after the owner left: %+v (%v)", l, err)
	}
	if err := f.Contests.LeaveLeague(ctx, order(bob, id), bob); err != nil {
		t.Fatal(err)
	}
	if own, err := f.Contests.Leagues(ctx, bob); err != nil || len(own) != 0 {
		t.Errorf("bob is in %+v (%v)", own, err)
	}
	f.Sound()
}

// A cut is a store that stops for good after some transactions, as a killed program does.
type cut struct {
	app.Store
	left int
}

var errCut = errors.New("the program is stopped")

func (c *cut) Update(ctx context.Context, keys app.Keys, fn func(app.Tx) error) error {
	if c.left == 0 {
		return errCut
	}
	c.left--
	return c.Store.Update(ctx, keys, fn)
}

// TestPayments_CutAnywhere stops the program after each transaction of a proclamation and of its
// correction in turn; the next start carries on: nothing is paid twice, nothing is lost, and the
// rankings of leg and contest are those of the results.
func TestPayments_CutAnywhere(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	var crowd []player.ID
	for _, name := range []string{"ann", "bob", "cyd", "dan", "eve"} {
		who := f.Player(name, 0)
		crowd = append(crowd, who)
		f.mustSubmit(leg, who, contest.Pick([]string{"2-1", "1-0", "0-0", "0-3", "2-2"}[len(crowd)-1]), "0-0")
	}
	f.tick(2*time.Hour - time.Second)
	store, closing := f.Ground.Store, f.Now()
	results := [][2]contest.Ending{{played(2, 1), played(0, 0)}, {played(0, 3), played(0, 0)}}
	for cutAfter := 0; cutAfter < 12; cutAfter++ {
		endings := results[cutAfter%2]
		if cutAfter == 0 {
			f.tick(time.Second) // closes
		}
		f.Ground.Store = &cut{store, cutAfter}
		stopped := app.NewContests(f.Ground)
		reason := "correction"
		if cutAfter == 0 {
			reason = ""
		}
		first := stopped.EnterResults(ctx, f.legOrder(leg), endings[:], reason, false)
		order := f.legOrder(leg)
		second := stopped.ProclaimLeg(ctx, order)
		f.Ground.Store = store
		f.Contests = app.NewContests(f.Ground) // the next start
		if errors.Is(first, errCut) {
			if l, _, err := f.Contests.Leg(ctx, leg); err == nil && (l.Version == 0 || l.Endings[0].Score != endings[0].Score) {
				f.enter(leg, reason, endings[:]...)
			}
		}
		if err := f.Contests.Resume(ctx); err != nil {
			t.Fatal(err)
		}
		f.tick(2 * time.Minute)
		if errors.Is(second, errCut) { // the manager asks again, with the same form
			if err := f.Contests.ProclaimLeg(ctx, order); err != nil && !errors.Is(err, contest.ErrNothingToDo) {
				t.Fatalf("cut after %d: %v", cutAfter, err)
			}
		}
		f.checkPaid(leg, crowd, endings[0])
	}
	if f.Now().Sub(closing) > 14*24*time.Hour {
		t.Fatal("the days for disputes are over")
	}
	f.tick(2 * time.Hour) // the lines of rankings that are no longer shown go
	runs := 0
	for run := range int64(60) {
		for _, scope := range []string{"leg/1/", "contest/1/"} {
			rows, err := f.Store.Ranks(ctx, scope+player.ID(run).String(), 0, 10)
			if err != nil {
				t.Fatal(err)
			}
			runs += min(len(rows), 1)
		}
	}
	if runs != 2 {
		t.Errorf("%d rankings are kept, want that of the leg and that of the contest", runs)
	}
	f.Sound()
}

// checkPaid checks that what is pending is what the ranking of these results pays: 55 nuggets.
func (f *fair) checkPaid(leg contest.LegID, crowd []player.ID, ending contest.Ending) {
	f.T.Helper()
	ctx := context.Background()
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil || l.Endings[0].Score != ending.Score || l.Scored.Version != l.Version || l.Proclaimed.Run != l.Scored.Run {
		f.T.Fatalf("the leg is %+v (%v)", l, err)
	}
	s, _, err := f.Contests.Contest(ctx, l.Contest)
	if err != nil {
		f.T.Fatal(err)
	}
	own, err := f.Contests.LegRanking(ctx, l, 0, 10, 0)
	all, err2 := f.Contests.ContestRanking(ctx, s, 0, 10, 0)
	if err := errors.Join(err, err2); err != nil || len(own.Rows) != len(crowd) || len(all.Rows) != len(crowd) {
		f.T.Fatalf("the rankings have %d and %d lines (%v)", len(own.Rows), len(all.Rows), err)
	}
	for i, r := range own.Rows {
		if pending, _ := f.nuggets(r.Player); pending != r.Share {
			f.T.Errorf("player %d has %d pending, the ranking pays %d", r.Player, pending, r.Share)
		}
		if all.Rows[i].Points != r.Points {
			f.T.Errorf("place %d of the contest has %d points, of its only leg %d", i+1, all.Rows[i].Points, r.Points)
		}
	}
	f.Sound()
}

// TestRotateKeys_ResealsSlips: after a rotation no slip is sealed by an older key, and every
// one reads as before.
func TestRotateKeys_ResealsSlips(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	ann := f.Player("ann", 0)
	f.mustSubmit(leg, ann, "1-0", "0-0")
	admin := f.Staff("ada", app.Administrator)
	office := app.NewOffice(f.Ground, f.Vault, nil)
	if err := office.RotateKeys(ctx, app.Order{Request: app.NewRequestID(), By: admin}); err != nil {
		t.Fatal(err)
	}
	rec, err := f.Store.State(ctx, "contest/slip/1/"+ann.String())
	keys := f.Vault.Keys()
	if err != nil || !contains(rec.Body, `"key":"`+keys[len(keys)-1]+`"`) {
		t.Errorf("the slip is sealed as %s (%v), the key is %s", rec.Body, err, keys[len(keys)-1])
	}
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := f.Contests.Slip(ctx, l, ann, ann); err != nil || s.Picks[0] != "1-0" {
		t.Errorf("the slip reads %v (%v)", s.Picks, err)
	}
}
