package app_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
	"boulier/regs/regstest"
)

func (f *fair) join(who player.ID, p app.Profile, change ...func(*app.Joining)) (string, error) {
	j := app.Joining{Request: app.NewRequestID(), Player: who, Profile: p, Rules: f.Rules, Decency: true}
	for _, c := range change {
		c(&j)
	}
	return f.Contests.Join(f.T.Context(), j)
}

// TestArt4_Register: nobody predicts before a complete registration, the rules and the
// netiquette accepted; it is made once.
func TestArt4_Register(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.register")
	f := newFair(t)
	leg := f.add(f.matches())
	ann := f.House.Player("ann", 0)
	_, err := f.submit(leg, ann, "1-0", "1-0")
	wantErr(t, "not registered", err, app.ErrNotEntered)
	whole := apptest.ProfileOf("ann")
	for what, spoil := range map[string]func(*app.Profile){
		"no first name": func(p *app.Profile) { p.Given = "" }, "no name": func(p *app.Profile) { p.Family = "" },
		"a name without letters": func(p *app.Profile) { p.Family = "…" }, "no street": func(p *app.Profile) { p.Street = "" },
		"no postcode": func(p *app.Profile) { p.Postcode = "" }, "no town": func(p *app.Profile) { p.Town = "" },
		"two lines": func(p *app.Profile) { p.Street = "a\nb" },
	} {
		p := whole
		spoil(&p)
		_, err := f.join(ann, p)
		wantErr(t, what, err, app.ErrEntryData)
	}
	for _, email := range []string{"", "ann", "ann@", "Ann <ann@example.org>", "ann@example", "a@b.c\r\nBcc: x@y.z"} {
		p := whole
		p.Email = email
		_, err := f.join(ann, p)
		wantErr(t, "e-mail "+email, err, app.ErrEmail)
	}
	_, err = f.join(ann, whole, func(j *app.Joining) { j.Decency = false })
	wantErr(t, "without the netiquette", err, app.ErrNetiquette)
	_, err = f.join(ann, whole, func(j *app.Joining) { j.Rules = 0 })
	wantErr(t, "without the rules", err, app.ErrRulesVersion)
	_, err = f.join(f.manager, whole)
	wantErr(t, "staff", err, app.ErrNotPlayer)
	if status, err := f.join(ann, whole); err != nil || status != app.EntryAdmitted {
		t.Fatalf("a complete registration is %q (%v)", status, err)
	}
	f.mustSubmit(leg, ann, "1-0", "1-0")
	_, err = f.join(ann, whole)
	wantErr(t, "twice", err, app.ErrRegistered)
	f.Sound()
}

// TestArt3_Age: a minor has an account for the contests alone, and predicts once a parent
// has consented by the signed link; the parent can take it back; no other link is good.
func TestArt3_Age(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:3.age")
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	_, err := f.People.Register(ctx, app.Registration{Request: app.NewRequestID(), SignIn: "max", Password: "a long password",
		Name: "max", Rules: f.Rules, Born: f.Now().AddDate(-18, 0, 1)})
	wantErr(t, "a minor registers to play for money", err, app.ErrUnderAge)
	leo := f.Junior("leo")
	_, err = f.Instant.BuyUnit(ctx, app.Purchase{Request: app.NewRequestID(), Player: leo, Issue: 1})
	if err == nil {
		t.Error("a minor buys a unit")
	}
	p := apptest.ProfileOf("leo")
	_, err = f.join(leo, p)
	wantErr(t, "no parent", err, app.ErrParent)
	p.Parent, p.ParentEmail = "Zoé Martin", p.Email
	_, err = f.join(leo, p)
	wantErr(t, "the parent's address is the child's own", err, app.ErrParent)
	p.ParentEmail = "zoe@example.org"
	if status, err := f.join(leo, p); err != nil || status != app.EntryParent {
		t.Fatalf("a minor is %q (%v)", status, err)
	}
	_, err = f.submit(leg, leo, "1-0", "1-0")
	wantErr(t, "before the consent", err, app.ErrNoConsentYet)
	var box apptest.Box
	f.Post(&box)
	first := box.Letters["consent/"+leo.String()]
	if first.To != "zoe@example.org" || !first.Rules || first.Values["Child"] != "leo Martin" {
		t.Fatalf("the letter is %+v", first)
	}
	token := strings.TrimPrefix(first.Path, "/consent/")
	answer := func(token string, given bool) error {
		return f.Contests.AnswerConsent(ctx, app.ConsentAnswer{Request: app.NewRequestID(), Token: token, Given: given})
	}
	other := "A"
	if token[30] == 'A' {
		other = "B"
	}
	wantErr(t, "a forged link", answer(token[:30]+other+token[31:], true), app.ErrLink)
	wantErr(t, "no link", answer("", true), app.ErrLink)
	if err := answer(token, true); err != nil {
		t.Fatal(err)
	}
	f.mustSubmit(leg, leo, "1-0", "1-0")
	if err := answer(token, false); err != nil {
		t.Fatal(err)
	}
	_, err = f.submit(leg, leo, "2-0", "1-0")
	wantErr(t, "after the consent was taken back", err, app.ErrNoConsentYet)
	if err := f.Contests.AskParent(ctx, app.ConsentReminder{Request: app.NewRequestID(), Player: leo, Parent: "Zoé Martin",
		Email: "zoe2@example.org"}); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "the link before", answer(token, true), app.ErrLink)
	f.Post(&box)
	if err := answer(strings.TrimPrefix(box.Letters["consent/"+leo.String()].Path, "/consent/"), true); err != nil {
		t.Fatal(err)
	}
	f.mustSubmit(leg, leo, "2-0", "1-0")
	grown := f.Player("ann", 0) // an adult needs nobody
	f.mustSubmit(leg, grown, "1-0", "1-0")
	f.Sound()
}

// TestArt3_OneAccount: the same first name, name and address, however they are spelt, are
// refused; a true namesake waits and is admitted on proof; somebody else from the same
// network is taken, with a case file.
func TestArt3_OneAccount(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:3.one")
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	home := app.Profile{Given: "Élodie", Family: "Lefèvre-Œuvrard", Street: "12, rue de l’Église", Postcode: "69001",
		Town: "Lyon", Email: "e@example.org", Address: "192.0.2.7"}
	ann, bob, cyd := f.House.Player("ann", 0), f.House.Player("bob", 0), f.House.Player("cyd", 0)
	if _, err := f.join(ann, home); err != nil {
		t.Fatal(err)
	}
	again := home
	again.Given, again.Family, again.Street, again.Town = "elodie", "LEFEVRE OEUVRARD", "12 Rue de l'eglise", " LYON"
	again.Email, again.Address = "other@example.org", "198.51.100.9"
	_, err := f.join(bob, again)
	wantErr(t, "the same person, spelt otherwise", err, app.ErrSamePerson)
	namesake := func(j *app.Joining) { j.Namesake = true }
	if status, err := f.join(bob, again, namesake); err != nil || status != app.EntryProof {
		t.Fatalf("a namesake is %q (%v)", status, err)
	}
	_, err = f.submit(leg, bob, "1-0", "1-0")
	wantErr(t, "before the proof", err, app.ErrProofAwaited)
	brother := home
	brother.Given, brother.Email = "Paul", "p@example.org"
	if status, err := f.join(cyd, brother); err != nil || status != app.EntryAdmitted {
		t.Fatalf("a brother is %q (%v)", status, err)
	}
	files, err := f.Contests.Cases(ctx, 0)
	if err != nil || len(files) != 2 || files[0].Kind != app.CaseNamesake || files[1].Kind != app.CaseNetwork ||
		!strings.Contains(files[1].Evidence[0].Text, "192.0.2.7") || files[1].Evidence[0].At.IsZero() {
		t.Fatalf("the case files are %+v (%v)", files, err)
	}
	decide := func(id app.CaseID, away ...player.ID) error {
		return f.Contests.DecideCase(ctx, app.CaseDecision{Request: app.NewRequestID(), By: f.manager, Case: id, Reason: "pièce vue", Away: away})
	}
	wantErr(t, "decided by an editor", f.Contests.DecideCase(ctx, app.CaseDecision{Request: app.NewRequestID(), By: f.editor,
		Case: 1, Reason: "x"}), app.ErrForbidden)
	if err := decide(1); err != nil {
		t.Fatal(err)
	}
	f.mustSubmit(leg, bob, "1-0", "1-0")
	wantErr(t, "decided twice", decide(1), app.ErrCaseDecided)
	wantErr(t, "everybody is sent away", decide(2, ann, cyd), app.ErrCasePlayers)
	if err := decide(2); err != nil {
		t.Fatal(err)
	}
	f.mustSubmit(leg, cyd, "1-0", "1-0")
	f.Sound()
}

// TestArt3_Multiple: the accounts of one person are closed without a warning, the player is
// shown the dated proof, and their slips do not count if decided before the proclamation.
func TestArt3_Multiple(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:3.multiple", "contest:4.conduct")
	f := newFair(t)
	leg, ctx := f.add(f.matches()), t.Context()
	ann, bob, cyd, dan := f.Player("ann", 0), f.Player("bob", 0), f.Player("cyd", 0), f.Player("dan", 0)
	for _, who := range []player.ID{ann, bob, cyd, dan} {
		f.mustSubmit(leg, who, "2-1", "0-0")
	}
	open := func(kind, text string, who ...player.ID) (app.CaseID, error) {
		return f.Contests.OpenCase(ctx, app.CaseOpening{Request: app.NewRequestID(), By: f.manager, Kind: kind, Players: who, Text: text})
	}
	_, err := open(app.CaseMultiple, "", ann, bob)
	wantErr(t, "no evidence", err, app.ErrCaseReason)
	_, err = open(app.CaseMultiple, "x", ann)
	wantErr(t, "one account alone", err, app.ErrCasePlayers)
	id, err := open(app.CaseMultiple, "même adresse 192.0.2.7 le 1er décembre", ann, bob)
	if err != nil {
		t.Fatal(err)
	}
	f.mustSubmit(leg, bob, "2-1", "1-1") // until it is decided
	if err := f.Contests.DecideCase(ctx, app.CaseDecision{Request: app.NewRequestID(), By: f.manager, Case: id,
		Reason: "une seule personne", Away: []player.ID{bob}}); err != nil {
		t.Fatal(err)
	}
	_, err = f.submit(leg, bob, "2-1", "0-0")
	wantErr(t, "closed as multiple", err, app.ErrMultiple)
	v, err := f.Contests.Entry(ctx, bob)
	if err != nil || v.Status != app.EntryClosed || len(v.Cases) != 1 || v.Cases[0].Evidence[0].Text != "même adresse 192.0.2.7 le 1er décembre" ||
		!v.Cases[0].DecidedAt.Equal(f.Now()) {
		t.Errorf("bob is shown %+v (%v)", v, err)
	}
	f.mustSubmit(leg, ann, "2-1", "1-1") // the account that stays
	if _, err := open(app.CaseConduct, "injures", cyd); err != nil {
		t.Fatal(err)
	}
	_, err = f.submit(leg, cyd, "2-1", "1-1")
	wantErr(t, "excluded at once", err, app.ErrSentAway)
	f.tick(2 * time.Hour)
	f.enter(leg, "", played(2, 1), played(1, 1))
	f.proclaim(leg)
	l, _, err := f.Contests.Leg(ctx, leg)
	if err != nil || l.Scored.Slips != 2 || l.Proclaimed.Pot != 52*contest.Nugget {
		t.Errorf("%d slips count, the pot is %s (%v); want ann's and dan's", l.Scored.Slips, l.Proclaimed.Pot, err)
	}
	if _, err := f.Store.RankOf(ctx, app.LegScope(l, l.ShownRun()), cyd); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("an excluded player is ranked: %v", err)
	}
	f.Sound()
}

// TestSendLetters: a letter is sent once; one that cannot be sent is tried again later, and
// given up after some days.
func TestSendLetters(t *testing.T) {
	t.Parallel()
	f := newFair(t)
	leo := f.Junior("leo")
	p := apptest.ProfileOf("leo")
	p.Parent, p.ParentEmail = "Zoé", "zoe@example.org"
	if _, err := f.join(leo, p); err != nil {
		t.Fatal(err)
	}
	box := apptest.Box{Fails: errors.New("down")}
	if n := f.Post(&box); n != 0 || box.Tries != 1 {
		t.Errorf("%d sent, %d tries", n, box.Tries)
	}
	if f.Post(&box); box.Tries != 1 {
		t.Errorf("tried again at once: %d tries", box.Tries)
	}
	f.Clock.Move(time.Minute)
	box.Fails = nil
	if n := f.Post(&box); n != 1 {
		t.Errorf("%d sent once the server is back", n)
	}
	if n := f.Post(&box); n != 0 || box.Tries != 2 {
		t.Errorf("%d sent again, %d tries", n, box.Tries)
	}
	if err := f.Contests.AskParent(t.Context(), app.ConsentReminder{Request: app.NewRequestID(), Player: leo, Parent: "Zoé",
		Email: "zoe@example.org"}); err != nil {
		t.Fatal(err)
	}
	box = apptest.Box{Fails: errors.New("down")}
	for range 100 {
		f.Post(&box)
		f.Clock.Move(12 * time.Hour)
	}
	if waiting, lost, err := f.Letters(t.Context()); waiting != 0 || lost != 1 || err != nil || box.Tries != 8 {
		t.Errorf("%d waiting, %d given up after %d tries (%v)", waiting, lost, box.Tries, err)
	}
}
