package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs/regstest"
)

// A fair is a house with one contest, announced and open.
type fair struct {
	*apptest.House
	manager, editor player.ID
	contest         contest.ID
}

func newFair(t *testing.T) *fair {
	f := &fair{House: apptest.New(t)}
	f.manager, f.editor = f.Staff("manon", app.Manager), f.Staff("edgar", app.Editor)
	var err error
	f.contest, err = f.Contests.CreateContest(t.Context(), app.ContestOrder{Request: app.NewRequestID(), By: f.editor},
		"Coupe", "Le club", contest.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Player registers a player, for the contests too.
func (f *fair) Player(name string, _ int64) player.ID { return f.Predictor(name) }

func (f *fair) order() app.ContestOrder {
	return app.ContestOrder{Request: app.NewRequestID(), By: f.manager, Contest: f.contest}
}

func (f *fair) legOrder(id contest.LegID) app.LegOrder {
	return app.LegOrder{Request: app.NewRequestID(), By: f.manager, Leg: id}
}

// add adds a leg and, the contest being announced, opens it.
func (f *fair) add(p contest.Plan) contest.LegID {
	f.T.Helper()
	ctx := context.Background()
	id, err := f.Contests.AddLeg(ctx, f.order(), p)
	if err == nil {
		err = f.Contests.Announce(ctx, f.order(), f.Now())
	}
	if errors.Is(err, contest.ErrContestAnnounced) {
		err = nil
	}
	if err == nil {
		err = f.Contests.PublishLeg(ctx, f.legOrder(id), f.Now())
	}
	if err != nil {
		f.T.Fatal(err)
	}
	return id
}

// matches is a leg of two matches, an hour and two hours from now.
func (f *fair) matches() contest.Plan {
	p := contest.NewPlan(contest.LegScores)
	p.Title = "Demi-finales"
	for i, sides := range [][2]string{{"Lille", "Brest"}, {"Lens", "Nice"}} {
		at := f.Now().Add(time.Duration(i+1) * time.Hour)
		p.Fixtures = append(p.Fixtures, contest.Fixture{Home: sides[0], Away: sides[1], StartsAt: at, Limit: at})
	}
	return p
}

func (f *fair) submit(leg contest.LegID, who player.ID, picks ...contest.Pick) (app.SlipReceipt, error) {
	return f.Contests.Submit(context.Background(), app.Submission{Request: app.NewRequestID(), Player: who, Leg: leg, Picks: picks})
}

func (f *fair) mustSubmit(leg contest.LegID, who player.ID, picks ...contest.Pick) app.SlipReceipt {
	f.T.Helper()
	r, err := f.submit(leg, who, picks...)
	if err != nil {
		f.T.Fatal(err)
	}
	return r
}

// tick lets the clock do what is due after so long.
func (f *fair) tick(d time.Duration) {
	f.T.Helper()
	f.Clock.Move(d)
	if err := app.DoDue(context.Background(), f.Ground, f.Instant, f.Contests, f.Bingo); err != nil {
		f.T.Fatal(err)
	}
}

func played(home, away int8) contest.Ending {
	return contest.Ending{Status: contest.Played, Score: contest.Score{Home: home, Away: away}}
}

func (f *fair) enter(leg contest.LegID, reason string, endings ...contest.Ending) {
	f.T.Helper()
	if err := f.Contests.EnterResults(context.Background(), f.legOrder(leg), endings, reason, false); err != nil {
		f.T.Fatal(err)
	}
}

func (f *fair) proclaim(leg contest.LegID) {
	f.T.Helper()
	if err := f.Contests.ProclaimLeg(context.Background(), f.legOrder(leg)); err != nil {
		f.T.Fatal(err)
	}
}

func (f *fair) nuggets(who player.ID) (pending, free int64) {
	p, err1 := f.Store.Account(context.Background(), ledger.Path("player:"+who.String()+":nuggets:pending"))
	q, err2 := f.Store.Account(context.Background(), ledger.Path("player:"+who.String()+":nuggets"))
	if err := errors.Join(err1, err2); err != nil {
		f.T.Fatal(err)
	}
	return p.Balance, q.Balance
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// TestArt4_SlipUntilTheLimit: a slip is validated and changed until the limit of each line,
// by the server's time; one slip a player counts for the pot, however often it changed.
func TestArt4_SlipUntilTheLimit(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	f := newFair(t)
	leg := f.add(f.matches())
	ann := f.Player("ann", 0)
	_, err := f.submit(leg, f.manager, "1-0", "1-0")
	wantErr(t, "staff plays", err, app.ErrNotPlayer)
	_, err = f.submit(leg, ann, "1-0", "")
	wantErr(t, "a line is empty", err, contest.ErrLineEmpty)
	_, err = f.submit(leg, ann, "1-0", "1-x")
	wantErr(t, "no score", err, contest.ErrScoreIllegal)
	_, err = f.submit(99, ann, "1-0", "1-0")
	wantErr(t, "no such leg", err, app.ErrLegUnknown)
	first := f.mustSubmit(leg, ann, "1-0", "2-2")
	f.tick(time.Minute)
	if same := f.mustSubmit(leg, ann, "1-0", "2-2"); same.Changed || !same.At.Equal(first.At) || same.Digest != first.Digest {
		t.Errorf("the same slip again is %+v, was %+v", same, first)
	}
	second := f.mustSubmit(leg, ann, "1-1", "2-2")
	if second.Version != 2 || !second.At.After(first.At) || second.Digest == first.Digest {
		t.Errorf("a change is %+v after %+v", second, first)
	}
	if n, err := f.Contests.Slips(t.Context(), leg); n != 1 || err != nil {
		t.Errorf("%d slips (%v), want 1", n, err)
	}
	f.tick(59*time.Minute - time.Microsecond)
	f.mustSubmit(leg, ann, "2-1", "2-2") // the last microsecond
	f.tick(time.Microsecond)             // the limit of the first line
	_, err = f.submit(leg, ann, "0-0", "2-2")
	wantErr(t, "the first line is locked", err, contest.ErrLineLocked)
	f.mustSubmit(leg, ann, "2-1", "3-3")
	bob := f.Player("bob", 0)
	f.mustSubmit(leg, bob, "", "1-0") // the line whose limit has passed stays empty
	f.tick(time.Hour)
	_, err = f.submit(leg, ann, "2-1", "3-2")
	wantErr(t, "every limit has passed", err, contest.ErrLegClosed)
	l, _, err := f.Contests.Leg(t.Context(), leg)
	if err != nil || l.Slips != 2 || l.ClosedAt.IsZero() {
		t.Errorf("after the last limit: %d slips, closed at %s (%v)", l.Slips, l.ClosedAt, err)
	}
	f.Sound()
}

// TestArt4_SlipSealed: before the limit nobody but the player sees a line, on no page, in no
// row of the database and no fact of the journal; after it everybody does, and the digest of
// the receipt proves the slip.
func TestArt4_SlipSealed(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	f := newFair(t)
	leg := f.add(f.matches())
	ann, ctx := f.Player("ann", 0), t.Context()
	receipt := f.mustSubmit(leg, ann, "41-37", "29-31")
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(who player.ID) (lengths int) {
		t.Helper()
		rec, err := f.Store.State(ctx, "contest/slip/1/"+who.String())
		var s struct{ Sealed []byte }
		if err := errors.Join(err, json.Unmarshal(rec.Body, &s)); err != nil {
			t.Fatal(err)
		}
		return len(s.Sealed)
	}
	bob := f.Player("bob", 0)
	f.mustSubmit(leg, bob, "1-0", "0-0")
	if a, b := sealed(ann), sealed(bob); a != b {
		t.Errorf("the length of what is sealed tells the slip: %d and %d bytes", a, b)
	}
	own, err := f.Contests.Slip(ctx, l, ann, ann)
	if err != nil || own.Picks[0] != "41-37" || own.Picks[1] != "29-31" {
		t.Errorf("the player sees %v (%v)", own.Picks, err)
	}
	seen := func() []contest.Pick {
		t.Helper()
		all, err := f.Contests.AllSlips(ctx, l, 0, f.manager, 10)
		if err != nil || len(all) != 2 {
			t.Fatalf("%d slips: %v", len(all), err)
		}
		return all[0].Picks
	}
	if got := seen(); got[0] != "" || got[1] != "" {
		t.Errorf("the organizer sees %v before the limit", got)
	}
	recs, err := f.Store.States(ctx, "", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs {
		if strings.Contains(string(r.Body), "41-37") || strings.Contains(string(r.Body), "29-31") {
			t.Errorf("state %s tells the slip: %s", r.Name, r.Body)
		}
	}
	if _, err := f.CheckpointNow(ctx); err != nil {
		t.Fatal(err)
	}
	entries, err := f.Store.Entries(ctx, 0, 1000)
	if err != nil || len(entries) == 0 {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.Contains(string(e.Payload), "41-37") || strings.Contains(string(e.Leaf), "41-37") {
			t.Errorf("the journal tells the slip: %s", e.Payload)
		}
	}
	f.tick(time.Hour)
	if got := seen(); got[0] != "41-37" || got[1] != "" {
		t.Errorf("after the first limit others see %v", got)
	}
	f.tick(time.Hour)
	open, err := f.Contests.Slip(ctx, l, ann, f.manager)
	if err != nil || open.Picks[1] != "29-31" ||
		app.SlipDigest(leg, ann, receipt.Version, open.Salt, open.Picks) != receipt.Digest {
		t.Errorf("after the limits: %+v (%v), the receipt says %s", open, err, receipt.Digest)
	}
}

// TestArt7_ProclaimCorrectAnnul: results are ranked, the pot is shared and pending for
// fifteen days; a correction recomputes everything and books the difference, its reversal
// restores every balance, an annulment gives everything back.
func TestArt7_ProclaimCorrectAnnul(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:7", "contest:8.leg", "contest:9", "contest:13", "contest:17")
	f := newFair(t)
	leg := f.add(f.matches())
	ann, bob, cyd := f.Player("ann", 0), f.Player("bob", 0), f.Player("cyd", 0)
	f.mustSubmit(leg, ann, "2-1", "0-0")
	f.mustSubmit(leg, bob, "1-0", "0-0")
	f.mustSubmit(leg, cyd, "0-3", "4-0")
	ctx := t.Context()
	wantErr(t, "a result before the limit", f.Contests.EnterResults(ctx, f.legOrder(leg),
		[]contest.Ending{played(2, 1), {}}, "", false), contest.ErrResultEarly)
	f.tick(2 * time.Hour)
	wantErr(t, "proclaimed without results", f.Contests.ProclaimLeg(ctx, f.legOrder(leg)), contest.ErrNotComplete)
	f.enter(leg, "", played(2, 1), contest.Ending{})
	wantErr(t, "proclaimed half", f.Contests.ProclaimLeg(ctx, f.legOrder(leg)), contest.ErrNotComplete)
	f.enter(leg, "", played(2, 1), played(0, 0))
	wantErr(t, "proclaimed by an editor", f.Contests.ProclaimLeg(ctx,
		app.LegOrder{Request: app.NewRequestID(), By: f.editor, Leg: leg}), app.ErrForbidden)
	order := f.legOrder(leg)
	for range 2 { // the second is the same request again
		if err := f.Contests.ProclaimLeg(ctx, order); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, "proclaimed twice", f.Contests.ProclaimLeg(ctx, f.legOrder(leg)), contest.ErrNothingToDo)
	// The pot is 50 + 3: ann 10 points, bob 9, cyd 0.
	want := func(what string, a, b, c int64) {
		t.Helper()
		for i, who := range []player.ID{ann, bob, cyd} {
			if got, _ := f.nuggets(who); got != []int64{a, b, c}[i] {
				t.Errorf("%s: player %d has %d pending, want %d", what, who, got, []int64{a, b, c}[i])
			}
		}
		f.Sound()
	}
	want("proclaimed", 1325, 1060, 795)
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil || l.Proclaimed.Pot != 5300 || l.Proclaimed.Remainder != 2120 {
		t.Errorf("the pot is %d, of which %d remain, %v; want 5300 and 2120", l.Proclaimed.Pot, l.Proclaimed.Remainder, err)
	}
	wantErr(t, "no reason", f.Contests.EnterResults(ctx, f.legOrder(leg),
		[]contest.Ending{played(1, 0), played(0, 0)}, "", false), contest.ErrReason)
	f.enter(leg, "but refusé", played(1, 0), played(0, 0))
	want("before the correction is proclaimed", 1325, 1060, 795)
	f.proclaim(leg)
	want("corrected", 1060, 1325, 795)
	void := contest.Ending{Status: contest.Void}
	wantErr(t, "a proclaimed leg is emptied", f.Contests.EnterResults(ctx, f.legOrder(leg),
		[]contest.Ending{void, void}, "pluie", false), contest.ErrAnnulInstead)
	f.enter(leg, "but validé", played(2, 1), played(0, 0))
	f.proclaim(leg)
	want("corrected back", 1325, 1060, 795)
	f.tick(16 * 24 * time.Hour)
	if pending, free := f.nuggets(ann); pending != 0 || free != 1325 {
		t.Errorf("after the fifteen days: %d pending, %d free", pending, free)
	}
	wantErr(t, "too late", f.Contests.EnterResults(ctx, f.legOrder(leg),
		[]contest.Ending{played(1, 0), played(0, 0)}, "encore", false), contest.ErrNeedsDecision)
	if err := f.Contests.AnnulLeg(ctx, f.legOrder(leg), "match truqué", true); err != nil {
		t.Fatal(err)
	}
	if _, free := f.nuggets(ann); free != 0 {
		t.Errorf("annulled: %d free", free)
	}
	f.Sound()
}

// TestArt10_ContestShared: the contest ranks the sum over its legs, annulled ones left out,
// and its pot is 100 nuggets for each leg that counts.
func TestArt10_ContestShared(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:10", "contest:8.contest")
	f := newFair(t)
	one, two, three := f.add(f.matches()), f.add(f.matches()), f.add(f.matches())
	ann, bob, ctx := f.Player("ann", 0), f.Player("bob", 0), t.Context()
	for _, leg := range []contest.LegID{one, two, three} {
		f.mustSubmit(leg, ann, "1-0", "1-0")
	}
	f.mustSubmit(one, bob, "2-0", "2-0")
	f.mustSubmit(two, bob, "2-0", "2-0")
	f.tick(2 * time.Hour)
	f.enter(one, "", played(1, 0), played(1, 0))
	f.enter(two, "", played(2, 0), played(2, 1))
	f.proclaim(one)
	wantErr(t, "two legs are not proclaimed", f.Contests.ProclaimContest(ctx, f.order()), contest.ErrLegsPending)
	f.proclaim(two)
	if err := f.Contests.AnnulLeg(ctx, f.legOrder(three), "pluie", false); err != nil {
		t.Fatal(err)
	}
	before, _ := f.nuggets(ann)
	if err := f.Contests.ProclaimContest(ctx, f.order()); err != nil {
		t.Fatal(err)
	}
	s, _, err := f.Contests.Contest(ctx, f.contest)
	if err != nil || s.Proclaimed.Pot != 200*contest.Nugget {
		t.Errorf("the pot is %s (%v), want 200 for two legs", s.Proclaimed.Pot, err)
	}
	// ann: 10 + (3 + 4) = 17, bob: 6 + (5 + 3) = 14.
	after, _ := f.nuggets(ann)
	if got := after - before; got != 5000 {
		t.Errorf("the first of the contest got %d, want 25 %% of 200", got)
	}
	page, err := f.Contests.ContestRanking(ctx, s, 0, 10, bob)
	if err != nil || len(page.Rows) != 2 || page.Rows[0].Points != 17 || page.Own == nil || page.Own.Points != 14 {
		t.Errorf("the ranking is %+v (%v)", page, err)
	}
	f.tick(16 * 24 * time.Hour)
	if pending, free := f.nuggets(bob); pending != 0 || free == 0 {
		t.Errorf("bob has %d pending and %d free after the days", pending, free)
	}
	f.Sound()
}

// TestArt13_LimitMoved: a limit moves at any time before it passes, with a reason, and the
// clock follows.
func TestArt13_LimitMoved(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:13")
	f := newFair(t)
	leg := f.add(f.matches())
	ann, ctx := f.Player("ann", 0), t.Context()
	f.mustSubmit(leg, ann, "1-0", "1-0")
	later := f.Now().Add(26 * time.Hour)
	wantErr(t, "no reason", f.Contests.MoveLimit(ctx, f.legOrder(leg), 1, later, later, ""), contest.ErrReason)
	if err := f.Contests.MoveLimit(ctx, f.legOrder(leg), 1, later, later, "report"); err != nil {
		t.Fatal(err)
	}
	f.tick(3 * time.Hour)
	f.mustSubmit(leg, ann, "1-0", "1-1")
	wantErr(t, "a limit that has passed", f.Contests.MoveLimit(ctx, f.legOrder(leg), 0, later, later, "x"), contest.ErrLimitPast)
	f.tick(24 * time.Hour)
	if l, _, err := f.Contests.Leg(ctx, leg); err != nil || l.ClosedAt.IsZero() {
		t.Errorf("not closed at the moved limit: %v", err)
	}
	f.Sound()
}

// TestSnake_RoundTrip: what is written of a domain value is read again.
func TestSnake_RoundTrip(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	leg := f.add(f.matches())
	rec, err := f.Store.State(t.Context(), "contest/leg/1")
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(rec.Body, &fields); err != nil || fields["opens_at"] == nil || fields["fixtures"] == nil {
		t.Errorf("leg %d is kept as %s (%v)", leg, rec.Body, err)
	}
}
