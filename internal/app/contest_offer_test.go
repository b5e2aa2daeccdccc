package app_test

import (
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
	"boulier/regs/regstest"
)

// TestArt11_SpecialGift: a gift announced before the contest opens is offered by e-mail to the
// best; a tie goes to the earliest prediction of the last leg; a refusal, a refusal to be named,
// or fifteen days of silence ask the next; nothing is sent without a proof.
func TestArt11_SpecialGift(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11", "contest:16", "contest:4.identity")
	f := newFair(t)
	ctx := t.Context()
	gift := contest.SpecialGift{Title: "Deux places", Count: 1}
	if err := f.Contests.AnnounceGift(ctx, f.order(), gift); err != nil {
		t.Fatal(err)
	}
	leg := f.add(f.matches())
	wantErr(t, "announced once it is open", f.Contests.AnnounceGift(ctx, f.order(), gift), contest.ErrGiftLate)
	ann, bob, cyd, dan := f.Player("ann", 0), f.Player("bob", 0), f.Player("cyd", 0), f.Player("dan", 0)
	for _, who := range []player.ID{cyd, ann, bob} { // three of equal points, cyd the earliest
		f.mustSubmit(leg, who, "2-1", "0-0")
		f.tick(time.Second)
	}
	f.mustSubmit(leg, dan, "0-3", "0-0")
	offer := func() error { return f.Contests.OfferGifts(ctx, f.order(), 0) }
	wantErr(t, "before the contest is proclaimed", offer(), app.ErrOfferEarly)
	f.tick(2 * time.Hour)
	f.enter(leg, "", played(2, 1), played(0, 0))
	f.proclaim(leg)
	if err := f.Contests.ProclaimContest(ctx, f.order()); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "offered by an editor", f.Contests.OfferGifts(ctx, app.ContestOrder{Request: app.NewRequestID(), By: f.editor,
		Contest: f.contest}, 0), app.ErrForbidden)
	for range 2 {
		if err := offer(); err != nil {
			t.Fatal(err)
		}
	}
	var box apptest.Box
	latest := func(want player.ID) app.Offer {
		t.Helper()
		all, err := f.Contests.Offers(ctx, 0)
		if err != nil || len(all) == 0 || all[len(all)-1].Player != want {
			t.Fatalf("the offers are %+v (%v), the last should be to %d", all, err, want)
		}
		return all[len(all)-1]
	}
	first := latest(cyd)
	f.Post(&box)
	if l := box.Letters["offer/1"]; l.To != "cyd@example.org" || l.Path != "/offers/1" || len(box.Letters) != 1 {
		t.Errorf("the letters are %+v", box.Letters)
	}
	answer := func(o app.Offer, who player.ID, accept, publish bool) (string, error) {
		return f.Contests.AnswerOffer(ctx, app.OfferAnswer{Request: app.NewRequestID(), Player: who, Offer: o.ID, Accept: accept, Publish: publish})
	}
	_, err := answer(first, ann, true, true)
	wantErr(t, "somebody else answers", err, app.ErrOfferUnknown)
	if status, err := answer(first, cyd, true, false); err != nil || status != app.OfferRefused {
		t.Errorf("who refuses to be named is %s (%v)", status, err)
	}
	_, err = answer(first, cyd, true, true)
	wantErr(t, "a second answer", err, app.ErrOfferState)
	second := latest(ann)
	f.tick(second.Until.Sub(f.Now()) - time.Microsecond)
	latest(ann) // the last microsecond of day fifteen
	f.tick(time.Microsecond)
	third := latest(bob)
	_, err = answer(second, ann, true, true)
	wantErr(t, "after the fifteen days", err, app.ErrOfferState)
	if status, err := answer(third, bob, true, true); err != nil || status != app.OfferAccepted {
		t.Errorf("accepted is %s (%v)", status, err)
	}
	if w, err := f.Contests.Winner(ctx, third.ID); err != nil || w.Given != "bob" || w.Family != "Martin" || w.Town != "Lyon" {
		t.Errorf("published is %+v (%v)", w, err)
	}
	step := func(to string) error {
		return f.Contests.StepOffer(ctx, app.NewRequestID(), f.manager, third.ID, to)
	}
	wantErr(t, "sent without a proof", step(app.OfferSent), app.ErrNotProved)
	for _, to := range []string{app.OfferProved, app.OfferSent} {
		if err := step(to); err != nil {
			t.Fatal(err)
		}
	}
	f.tick(20 * 24 * time.Hour)
	latest(bob) // nobody else is asked once it is taken
	f.Sound()
}

// TestArt14_Claims: two minutes for each started three slips validated in the seven days before
// the postmark, once for a name and address in a contest; an incomplete claim is not considered.
func TestArt14_Claims(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:14")
	f := newFair(t)
	ctx, ann := t.Context(), f.Player("ann", 0)
	old := f.add(f.matches())
	f.mustSubmit(old, ann, "1-0", "1-0")
	f.tick(8 * 24 * time.Hour)
	for range 4 {
		f.mustSubmit(f.add(f.matches()), ann, "1-0", "1-0")
	}
	f.tick(24 * time.Hour)
	record := func(who player.ID, daysAgo int, pieces ...string) (app.Claim, error) {
		return f.Contests.RecordClaim(ctx, app.ClaimLetter{Request: app.NewRequestID(), By: f.manager, Contest: f.contest, Player: who,
			PostedOn: f.Now().AddDate(0, 0, -daysAgo), Pieces: pieces})
	}
	_, err := record(f.manager, 0, app.ClaimPieces...)
	wantErr(t, "who is not registered", err, app.ErrNotEntered)
	_, err = record(f.Player("bob", 0), 0, app.ClaimPieces...)
	wantErr(t, "who played nothing", err, app.ErrClaimNothing)
	_, err = record(ann, -30, app.ClaimPieces...)
	wantErr(t, "posted in the future", err, contest.ErrClaimLate)
	for _, piece := range app.ClaimPieces {
		var without []string
		for _, p := range app.ClaimPieces {
			if p != piece {
				without = append(without, p)
			}
		}
		if k, err := record(ann, 0, without...); err != nil || k.Accepted || k.Minutes != 0 || len(k.Missing) != 1 || k.Missing[0] != piece {
			t.Errorf("without %s: %+v (%v)", piece, k, err)
		}
	}
	if k, err := record(ann, 0, app.ClaimPieces...); err != nil || !k.Accepted || k.Slips != 4 || k.Minutes != 4 {
		t.Errorf("four slips in time: %+v (%v), want 4 minutes", k, err)
	}
	_, err = record(ann, 0, app.ClaimPieces...)
	wantErr(t, "a second refund", err, app.ErrClaimTwice)
	f.tick(8 * 24 * time.Hour)
	cyd := f.Player("cyd", 0)
	f.mustSubmit(f.add(f.matches()), cyd, "1-0", "1-0")
	f.tick(8 * 24 * time.Hour)
	_, err = record(cyd, 0, app.ClaimPieces...)
	wantErr(t, "posted on the eighth day", err, contest.ErrClaimLate)
	if k, err := record(cyd, 1, app.ClaimPieces...); err != nil || k.Minutes != 2 {
		t.Errorf("posted on the seventh day: %+v (%v)", k, err)
	}
	if all, err := f.Contests.Claims(ctx, ann); err != nil || len(all) != len(app.ClaimPieces)+1 {
		t.Errorf("%d claims of ann (%v)", len(all), err)
	}
}

// TestArt15_Data: players correct their data, keep them, and have them removed; what is
// proclaimed keeps a line without a name, ranks and pots as they were.
func TestArt15_Data(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:15")
	f, leg, ann := rich(t)
	ctx := t.Context()
	f.tick(16 * 24 * time.Hour)
	bob := f.Player("bob", 0)
	p := apptest.ProfileOf("ann")
	p.Town = "Metz"
	correct := func(who player.ID, p app.Profile) error {
		return f.Contests.CorrectProfile(ctx, app.ProfileChange{Request: app.NewRequestID(), Player: who, Profile: p})
	}
	if err := correct(ann, p); err != nil {
		t.Fatal(err)
	}
	if v, err := f.Contests.Entry(ctx, ann); err != nil || v.Profile.Town != "Metz" || v.Profile.Address == "" {
		t.Errorf("corrected to %+v (%v)", v.Profile, err)
	}
	wantErr(t, "the name and address of another", correct(bob, p), app.ErrSamePerson)
	p.Town = ""
	wantErr(t, "an incomplete correction", correct(ann, p), app.ErrEntryData)
	mug, err := f.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: f.manager,
		Gift: app.ShopGift{Title: "Tasse", Price: 5 * contest.Nugget, Stock: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Contests.Acquire(ctx, app.Acquisition{Request: app.NewRequestID(), Player: ann, Gift: mug, Shown: 5 * contest.Nugget,
		Delivery: "ann, 1 rue ann, Metz", Publish: true}); err != nil {
		t.Fatal(err)
	}
	league, err := f.Contests.CreateLeague(ctx, app.LeagueOrder{Request: app.NewRequestID(), By: ann}, "Amis")
	if err != nil {
		t.Fatal(err)
	}
	own, err := f.Contests.Own(ctx, ann)
	if err != nil || own.Profile.Town != "Metz" || len(own.Orders) != 1 || len(own.Leagues) != 1 {
		t.Errorf("what ann may keep is %+v (%v)", own, err)
	}
	f.Give(ann, 100)
	remove := func(account bool) error {
		return f.Contests.RemoveData(ctx, app.Removal{Request: app.NewRequestID(), Player: ann, Account: account})
	}
	wantErr(t, "an account that holds money", remove(true), app.ErrMoneyLeft)
	if err := remove(false); err != nil {
		t.Fatal(err)
	}
	if v, err := f.Contests.Entry(ctx, ann); err != nil || v.Status != app.EntryRemoved || v.Profile != (app.Profile{}) {
		t.Errorf("after the removal: %+v (%v)", v, err)
	}
	if to, err := f.Contests.Delivery(ctx, 1); err != nil || to != "" {
		t.Errorf("the order goes to %q (%v)", to, err)
	}
	if _, free := f.nuggets(ann); free != 1275 {
		t.Errorf("the order that was not sent cost %d", 1275-free)
	}
	if l, err := f.Contests.League(ctx, league, ann, ""); err == nil {
		t.Errorf("still in the league %+v", l)
	}
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil {
		t.Fatal(err)
	}
	page, err := f.Contests.LegRanking(ctx, l, 0, 10, bob)
	if err != nil || len(page.Rows) != 1 || page.Rows[0].Player != ann || page.Rows[0].Share != 1275 || page.Names[ann] != "" {
		t.Errorf("the ranking shows %+v (%v)", page, err)
	}
	recs, err := f.Store.States(ctx, "contest/", "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs {
		for _, personal := range []string{"1 rue ann", "Metz", "ann@example.org"} {
			if contains(r.Body, personal) {
				t.Errorf("state %s still holds %q", r.Name, personal)
			}
		}
	}
	wantErr(t, "removed twice", remove(false), app.ErrNotEntered)
	if status, err := f.join(ann, apptest.ProfileOf("ann")); err != nil || status != app.EntryAdmitted {
		t.Errorf("registered again: %q (%v)", status, err)
	}
	leo := f.Junior("leo")
	q := apptest.ProfileOf("leo")
	q.Parent, q.ParentEmail = "Zoé", "zoe@example.org"
	if _, err := f.join(leo, q); err != nil {
		t.Fatal(err)
	}
	if err := f.Contests.RemoveData(ctx, app.Removal{Request: app.NewRequestID(), Player: leo}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Store.Person(ctx, leo); err == nil {
		t.Error("the account of a minor stays")
	}
	f.Sound()
}

func contains(b []byte, s string) bool {
	for i := 0; i+len(s) <= len(b); i++ {
		if string(b[i:i+len(s)]) == s {
			return true
		}
	}
	return false
}

// TestArt18_MailRules: whoever asks is sent the rules as a file, once a day at most.
func TestArt18_MailRules(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:18")
	f := newFair(t)
	ask := func(email string) error {
		return f.Contests.MailRules(t.Context(), app.RulesLetter{Request: app.NewRequestID(), Email: email, Locale: "en"})
	}
	wantErr(t, "no address", ask("nobody"), app.ErrEmail)
	sent := func() int {
		t.Helper()
		if err := ask("zoe@example.org"); err != nil {
			t.Fatal(err)
		}
		var box apptest.Box
		n := f.Post(&box)
		for _, l := range box.Letters {
			if l.To != "zoe@example.org" || !l.Rules || l.Kind != "rules" || l.Locale != "en" {
				t.Errorf("the letter is %+v", l)
			}
		}
		return n
	}
	if n := sent(); n != 1 {
		t.Errorf("%d letters", n)
	}
	if n := sent(); n != 0 {
		t.Errorf("%d letters more within the day", n)
	}
	f.tick(25 * time.Hour)
	if n := sent(); n != 1 {
		t.Errorf("%d letters a day later", n)
	}
}
