package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/proof"
	"boulier/internal/store"
	"boulier/journal"
	"boulier/money"
	"boulier/regs/regstest"
)

// TestLoto_AWholeDay plays a day from the doors to the car.
func TestLoto_AWholeDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2", "loto:3", "loto:4", "loto:5", "loto:7.tariff", "loto:7.payment", "loto:8",
		"loto:10", "loto:12", "loto:13", "loto:14", "loto:15", "loto:16", "loto:17", "loto:20", "loto:22", "loto:23",
		"loto:24", "loto:car.3", "loto:car.4", "house:1", "house:5", "house:6")
	for engine, c := range map[string]store.Config{"SQLite": {Folder: t.TempDir()}, "PostgreSQL": {URL: pgtest.New(t, apptest.Migrate)}} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			lotoHallIn(t, apptest.On(t, c)).wholeDay(t)
		})
	}
}

// wholeDay plays the day.
func (h *lotoHall) wholeDay(t *testing.T) {
	ctx := t.Context()

	// Before the doors.
	code, err := h.Loto.Reserve(ctx, h.as(h.manager), "Famille Le Goff")
	h.ok(err)
	_, err = h.Loto.Sell(ctx, h.order(1, loto.OneCard))
	h.refused("a sale before the doors", err, loto.ErrSaleShut)
	h.Clock.Move(time.Minute)
	h.ok(h.Loto.OpenDay(ctx, h.as(h.manager)))
	week := 7 * 24 * time.Hour // the hall is flooded: nothing that was reserved is lost
	doors := h.Now().Add(week)
	h.ok(h.Loto.Postpone(ctx, h.as(h.manager), app.Postponement{Doors: doors, Start: doors.Add(3 * time.Hour), Reason: "inondation"}))
	_, err = h.Loto.Sell(ctx, h.order(1, loto.OneCard))
	h.refused("a sale while the day is postponed", err, loto.ErrSaleShut)
	h.Clock.Move(week)
	h.ok(h.Loto.OpenDay(ctx, h.as(h.manager)))
	if s := h.session(); s.Phase != loto.Open || len(s.Commitments) != 5 || s.Commitments[0] != "" || s.Commitments[1] == "" {
		t.Fatalf("phase %s, commitments %v", s.Phase, s.Commitments)
	}

	// Desks.
	var sold []ninety.Serial
	for range 20 {
		for _, lot := range h.sell(1, loto.SheetOf6).Cards {
			for n := lot.First.Number; n <= lot.Last.Number; n++ {
				sold = append(sold, ninety.Serial{Series: lot.First.Series, Number: n})
			}
		}
	}
	o := h.order(2, loto.OneCard)
	o.Inside, o.Reservation = false, "http://192.168.1.2/loto/1/r/"+code
	entry, err := h.Loto.Sell(ctx, o)
	h.ok(err)
	if entry.Total != 5_00 || len(entry.Cards) != 2 || !entry.Cards[1].Free {
		t.Errorf("with a reservation: %+v", entry)
	}
	o.Request = app.NewRequestID()
	_, err = h.Loto.Sell(ctx, o)
	h.refused("a reservation shown twice", err, loto.ErrRedeemed)
	if r, err := h.Loto.Reservation(ctx, h.day, code); err != nil || r.Desk != 2 || r.Sale != 1 || r.At.IsZero() {
		t.Errorf("when and where the first was: %+v, %v", r, err)
	}
	o.Request, o.Reservation = app.NewRequestID(), ""
	_, err = h.Loto.Sell(ctx, o)
	h.refused("entry without a reservation", err, loto.ErrEntry)
	o = h.order(2, loto.OneCard)
	o.Means = app.Cheque
	_, err = h.Loto.Sell(ctx, o)
	h.refused("a cheque without identity", err, loto.ErrIdentity)
	o.Request, o.Document = app.NewRequestID(), "identity_card"
	_, err = h.Loto.Sell(ctx, o)
	h.ok(err)
	again, err := h.Loto.Sell(ctx, o)
	if err != nil || again.Sale != 2 {
		t.Errorf("the same request: %+v, %v", again, err)
	}
	o = h.order(2, loto.OneCard)
	o.Unstamped = true
	unstamped, err := h.Loto.Sell(ctx, o)
	h.ok(err)
	var special []ninety.Serial
	for range 12 {
		special = append(special, h.sell(3, loto.SpecialCard).Cards[0].First)
	}
	_, err = h.Loto.Sell(ctx, h.order(1, loto.SpecialCard))
	h.refused("a special card at an ordinary desk", err, loto.ErrUnitHere)
	wrong := h.sell(2, loto.OneCard)
	h.ok(h.Loto.TakeBackSale(ctx, h.as(h.cashiers[1]), wrong.Sale))
	disturber := h.sell(2, loto.OneCard).Cards[0].First
	if disturber != wrong.Cards[0].First {
		t.Errorf("the card taken back was %s, the next one sold %s", wrong.Cards[0].First, disturber)
	}

	// The caller.
	h.refused("a caller who is not in control", h.Loto.Recall(ctx, h.as(h.caller)), loto.ErrNotCaller)
	h.refused("a checker who calls", h.Loto.TakeControl(ctx, h.as(h.checker)), app.ErrForbidden)
	h.ok(h.Loto.TakeControl(ctx, h.as(h.manager)))
	h.ok(h.Loto.TakeControl(ctx, h.as(h.caller))) // takes over
	h.refused("the one who called before", h.Loto.Recall(ctx, h.as(h.manager)), loto.ErrNotCaller)
	h.refused("a round before the rules", h.Loto.OpenRound(ctx, h.as(h.caller), 1), loto.ErrNotRecalled)
	h.ok(h.Loto.Recall(ctx, h.as(h.caller)))
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 1))
	late := h.sell(2, loto.OneCard).Cards[0].First
	h.refused("a number drawn beside a real cage", h.Loto.CallNext(ctx, h.as(h.caller), 0), loto.ErrCageRound)

	h.tiesOnVouchers(sold, late, unstamped.Cards[0].First)
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))

	// A break, a dispute, an exclusion.
	h.ok(h.Loto.Rest(ctx, h.as(h.caller), "Repas", 75*time.Minute))
	h.refused("a round during the break", h.Loto.OpenRound(ctx, h.as(h.caller), 2), loto.ErrPaused)
	h.Clock.Move(75 * time.Minute)
	h.ok(h.Loto.Continue(ctx, h.as(h.caller)))
	h.ok(h.Loto.Decide(ctx, h.as(h.caller), "Deux mains levées ensemble", "Les deux sont retenues"))
	refund, err := h.Loto.Exclude(ctx, app.Exclusion{LotoAct: h.as(h.caller), Cards: []string{disturber.String()},
		Desk: 2, Reason: "trouble la partie"})
	if err != nil || refund != 5_00 {
		t.Errorf("exclusion: %s, %v", refund, err)
	}

	h.drawnRound(sold, disturber)
	h.tieOnAnObject(sold)
	h.lastRound(sold, special)
	h.car(special)

	h.refused("a proof of a day that goes on", h.Loto.Export(ctx, h.day, 0, nil), app.ErrLotoRunning)
	h.ok(h.Loto.CloseDay(ctx, h.as(h.manager), ""))
	h.afterwards(special)
	h.proved()
}

// tiesOnVouchers plays the first round: 20 EUR for 3, 30 EUR for 3, 100 EUR for 2.
func (h *lotoHall) tiesOnVouchers(sold []ninety.Serial, late, unstamped ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	three := h.alike(3, loto.StageQuine, sold)
	last := h.session().Play.Calls[len(h.session().Play.Calls)-1]
	h.ok(h.Loto.Repeat(ctx, h.as(h.caller), last, "mal dit"))
	h.ok(h.Loto.Stop(ctx, h.as(h.caller)))
	for _, s := range []ninety.Serial{late, unstamped, {Series: "B", Number: 1}, {Series: "A", Number: 179}} {
		h.ok(h.Loto.Claim(ctx, h.as(h.checker), app.LotoClaim{Serial: s.String()}))
	}
	h.ok(h.Loto.BeginCheck(ctx, h.as(h.caller)))
	h.refused("a claim after the check began", h.Loto.Claim(ctx, h.as(h.checker),
		app.LotoClaim{Serial: three[0].String()}), loto.ErrClaimLate)
	want := []loto.Reason{loto.ReasonLateSale, loto.ReasonUnstamped, loto.ReasonSeries, loto.ReasonUnsold}
	for i := range want[:3] {
		h.ok(h.Loto.Check(ctx, h.as(h.caller), i, ""))
		if v := h.session().Play.Claims[i].Verdict; v.Reason != want[i] {
			h.t.Errorf("claim %d: %q, want %q", i, v.Reason, want[i])
		}
	}
	// A power cut in the middle of the check: another process goes on.
	h.Loto = app.NewLoto(h.Ground, app.NewCards(h.Ground))
	h.ok(h.Loto.Check(ctx, h.as(h.caller), 3, ""))
	if p := h.session().Play; p.Mode != loto.Drawing {
		h.t.Errorf("after a false claim: %s", p.Mode)
	}
	// The draw goes on where it was; those who were not heard shout now.
	if d, _, _ := h.Loto.Day(ctx, h.day); true {
		if n, err := h.Loto.Winning(ctx, d); err != nil || n < 3 {
			h.t.Errorf("%d sold cards have won, %v", n, err)
		}
	}
	h.claim(three...)
	if p := h.session().Play; p.Mode != loto.Tied || p.Tie.Keep != 2 {
		h.t.Fatalf("20 EUR for 3: %s, %+v", p.Mode, p.Tie)
	}
	for i, token := range []ninety.Ball{12, 80, 45} {
		h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), token, i))
	}
	p := h.session().Play
	if !slices.Equal(amounts(p.Awards), []money.Cents{-1, 10_00, 10_00}) || p.Awards[0].Token != 12 || !p.Awards[0].Consolation {
		h.t.Errorf("20 EUR for 3: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.refused("a number corrected after the prize", h.Loto.Correct(ctx, h.as(h.caller), last, 0, "mal tapé"), loto.ErrCorrection)

	// A wrong number typed, and corrected.
	free := ninety.Ball(1)
	for slices.Contains(h.session().Play.Calls, free) {
		free++
	}
	h.typed(free)
	other := free%90 + 1
	for slices.Contains(h.session().Play.Calls, other) {
		other = other%90 + 1
	}
	h.ok(h.Loto.Correct(ctx, h.as(h.caller), free, other, "mal tapé"))
	if calls := h.session().Play.Calls; calls[len(calls)-1] != other || slices.Contains(calls, free) {
		h.t.Errorf("corrected to %d: %v", other, calls)
	}
	h.ok(h.Loto.Correct(ctx, h.as(h.caller), other, 0, "tombé à côté"))

	h.claim(h.alike(3, loto.StageTwoLines, sold)...)
	if p := h.session().Play; p.How != loto.Shared || !slices.Equal(amounts(p.Awards), []money.Cents{10_00, 10_00, 10_00}) {
		h.t.Errorf("30 EUR for 3: %s %+v", p.How, p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.claim(h.alike(2, loto.StageFullCard, sold)...)
	if p := h.session().Play; !slices.Equal(amounts(p.Awards), []money.Cents{50_00, 50_00}) {
		h.t.Errorf("100 EUR for 2: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
}

// next draws numbers until a card of those given has won the stage, and returns all that
// have won on that number.
func (h *lotoHall) next(stage loto.Stage, among []ninety.Serial) (won []ninety.Serial) {
	h.t.Helper()
	for {
		p := h.session().Play
		h.ok(h.Loto.CallNext(h.t.Context(), h.as(h.caller), len(p.Calls)))
		calls := h.session().Play.Calls
		called := ninety.BallSet{}.With(calls...)
		for _, s := range among {
			if stage.Wins(h.cards[s], called) && h.cards[s].Numbers().Has(calls[len(calls)-1]) &&
				!stage.Wins(h.cards[s], ninety.BallSet{}.With(calls[:len(calls)-1]...)) {
				won = append(won, s)
			}
		}
		if len(won) > 0 {
			return won
		}
	}
}

// settle ends a stage, whatever the number of its winners.
func (h *lotoHall) settle() {
	h.t.Helper()
	ctx := h.t.Context()
	for h.session().Play.Mode == loto.Tied {
		h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 0, len(h.session().Play.Tie.Tokens)))
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
}

// drawnRound plays the object: balls and tokens by the program; a card of somebody excluded
// does not win.
func (h *lotoHall) drawnRound(sold []ninety.Serial, excluded ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 2))
	h.refused("a number typed where the program draws", h.Loto.CallTyped(ctx, h.as(h.caller), 5, 0), loto.ErrCageRound)
	h.ok(h.Loto.CallNext(ctx, h.as(h.caller), 0))
	h.refused("a key pressed twice", h.Loto.CallNext(ctx, h.as(h.caller), 0), loto.ErrStale)
	h.claim(excluded)
	h.Clock.Move(time.Second)
	h.Loto = app.NewLoto(h.Ground, app.NewCards(h.Ground)) // a power cut: the order is the same
	h.claim(h.next(loto.StageFullCard, sold)...)
	h.settle()
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// tieOnAnObject plays a round that three cards win: an object cannot be shared, the highest
// token has it and the others are consoled.
func (h *lotoHall) tieOnAnObject(sold []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 3))
	h.claim(h.alike(3, loto.StageFullCard, sold)...)
	if p := h.session().Play; p.Mode != loto.Tied || p.Tie.Keep != 1 {
		h.t.Fatalf("an object for 3: %s, %+v", p.Mode, p.Tie)
	}
	for i, token := range []ninety.Ball{31, 88, 4} {
		h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), token, i))
	}
	var have []bool
	for _, a := range h.session().Play.Awards {
		have = append(have, !a.Consolation)
	}
	if !slices.Equal(have, []bool{false, true, false}) {
		h.t.Errorf("an object for 3: %+v", h.session().Play.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// lastRound plays the last three prizes, for which special cards play too.
func (h *lotoHall) lastRound(sold, special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 4))
	both := slices.Concat(sold, special)
	for _, stage := range []loto.Stage{loto.StageQuine, loto.StageTwoLines, loto.StageFullCard} {
		h.claim(h.next(stage, both)...)
		h.settle()
	}
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// car plays for the car, with a tie that tokens out of a real bag settle.
func (h *lotoHall) car(special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 5))
	two := h.alike(2, loto.StageFullCard, special)
	h.claim(ninety.Serial{Series: "A", Number: 1})
	h.claim(two...)
	h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 7, 0))
	h.refused("a token put back", h.Loto.DrawToken(ctx, h.as(h.caller), 7, 1), loto.ErrTokenTaken)
	h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 70, 1))
	if p := h.session().Play; !p.Awards[0].Consolation || p.Awards[1].Consolation || p.Awards[1].Serial != two[1] {
		h.t.Errorf("the car: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// proved exports the day and each of its rounds, and checks them as a stranger does, who has
// the files alone.
func (h *lotoHall) proved() {
	h.t.Helper()
	for round, want := range []string{"day 1 of loto, « Grand loto »: 5 of 5 rounds played", "round 1, 125 cards: its [0-9]+ numbers came out of a real cage",
		"round 2, 125 cards: its secret is the one committed to", "Vélo, .*the prize by token 88", "round 4, 137 cards: its secret is the one",
		"round 5, 12 cards: .*real cage"} {
		var file bytes.Buffer
		h.ok(h.Loto.Export(h.t.Context(), h.day, round, func() io.Writer { return &file }))
		if text := file.String(); strings.Contains(text, "trouble la partie") || strings.Contains(text, "mains levées") {
			h.t.Errorf("round %d: what is said of people is in the file", round)
		}
		r, err := proof.Verify("loto.jsonl", &file, proof.Options{Key: h.Vault.VerifierKey()})
		h.ok(err)
		if said := strings.Join(r.Lines, "\n"); !regexp.MustCompile(want).MatchString(said) {
			h.t.Errorf("round %d: %q is not in\n%s", round, want, said)
		}
	}
}

// afterwards checks the money, the replay, and the draws as a stranger would.
func (h *lotoHall) afterwards(special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	account, err := h.Store.Account(ctx, "loto:1")
	h.ok(err)
	// 20 sheets of 6; cards: reservation, cheque, unstamped, late; 12 special ones. The card of
	// whoever was excluded was paid back.
	if want := money.Cents(20*20_00 + 4*5_00 + 12*6_00); money.Cents(account.Balance) != want {
		h.t.Errorf("the day took %s, want %s", money.Cents(account.Balance), want)
	}
	sums, err := h.Store.Sums(ctx)
	h.ok(err)
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 {
			h.t.Errorf("the ledger: %+v", s)
		}
	}
	d, _, err := h.Loto.Day(ctx, h.day)
	h.ok(err)
	var events []loto.Event
	revealed := map[int]string{}
	entries, err := h.Store.Stream(ctx, app.LotoPrefix+h.day.String(), 0, 10_000)
	h.ok(err)
	for _, e := range entries {
		leaf, err := journal.ParseLeaf(e.Leaf)
		h.ok(err)
		event, _, err := app.ReadLotoEvent(string(leaf.Kind), e.Payload)
		h.ok(err)
		if event != nil {
			events = append(events, event)
			continue
		}
		var secret struct {
			Round  int
			Secret string
		}
		h.ok(json.Unmarshal(e.Payload, &secret))
		revealed[secret.Round] = secret.Secret
	}
	if got := loto.Replay(events); !reflect.DeepEqual(got, d.Session) {
		h.t.Errorf("the journal replays to\n%+v\nstored is\n%+v", got, d.Session)
	}
	for _, r := range d.Session.Results {
		if d.Session.Plan.Rounds[r.Round-1].Cage {
			continue
		}
		secret, err := draw.ParseSecret(revealed[r.Round])
		h.ok(err)
		id := draw.ID(fmt.Sprintf("%d/%d", h.day, r.Round))
		if draw.Commit(draw.LotoRound, id, secret).String() != d.Session.Commitments[r.Round-1] {
			h.t.Errorf("round %d: not the secret that was committed to", r.Round)
		}
		salt, err := hex.DecodeString(r.Salt)
		h.ok(err)
		order := ninety.Draw(draw.NewStream(draw.LotoRound, id, secret, salt))
		if !slices.Equal(order[:len(r.Calls)], r.Calls) {
			h.t.Errorf("round %d: called %v, the proof gives %v", r.Round, r.Calls, order[:len(r.Calls)])
		}
	}
	stocks, err := h.Loto.Stocks(ctx, d)
	h.ok(err)
	_, lines := loto.Playing(stocks, []ninety.Series{"A", "V"})
	if sum := sha256.Sum256(lines); hex.EncodeToString(sum[:]) != d.Session.Results[3].Salt {
		h.t.Error("the salt of the last round is not the digest of the cards sold")
	}
	report, err := h.Desk.Close(ctx, app.DrawerClosing{Request: app.NewRequestID(), Cashier: h.cashiers[2],
		Counted: app.Count{Cash: 100_00 + money.Cents(len(special))*6_00}})
	h.ok(err)
	if report.Lines[0].Difference != 0 {
		h.t.Errorf("the special desk: %+v", report.Lines)
	}
}
