package proof

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/regs/regstest"
)

func TestLoto12_VerifyDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "loto:14", "loto:15", "loto:16", "loto:23", "std:40")
	files := lotoFiles(t)
	for name, file := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, file) {
			t.Errorf("%s is not what is written today: %v", name, err)
		}
		if strings.Contains(string(file), "Untel") || strings.Contains(string(file), "mains levées") {
			t.Errorf("%s says what stays with the operator", name)
		}
	}
	o := Options{Key: newBook(t, "hall.example", 1).key}
	holds(t, files["loto.jsonl"], o, "2 of 3 rounds played")
	holds(t, files["loto.jsonl"], o, "round 2, 15 cards: its 15 numbers came out of a real cage, which nothing proves")
	holds(t, files["loto-round.jsonl"], o, "round 1, 15 cards: its secret is the one committed to")
	holds(t, files["loto-round.jsonl"], o, "round 1, two lines on number")
	more := map[string][]byte{
		"postponed":  lotoPostponed(t).first().file(1, nil),
		"asked":      lotoAsked(t).file(1, nil),
		"late claim": lotoLoose(t).file(1, nil),
		"nothing won": func() []byte {
			d := newLotoDay(t, nil, nil)
			d.sell(2, loto.OneCard, 1)
			d.do(d.session.Recall())
			d.open()
			d.do(d.session.CloseRound("la salle est fermée"))
			d.reveal(1)
			return d.file(1, nil)
		}(),
	}
	stranger(t, more, true)
	stranger(t, files, true)
	for name, file := range more {
		if _, err := Verify(name, bytes.NewReader(file), o); err != nil {
			t.Error(err)
		}
	}
}

// lotoPostponed is a day that was moved before its first round.
func lotoPostponed(t *testing.T) *lotoDay {
	d := newLotoDay(t, nil, nil)
	week := 7 * 24 * time.Hour
	d.do(d.session.Postpone(d.now.Add(week), d.now.Add(week+3*time.Hour), d.now, "peu de monde"))
	d.now = d.now.Add(week)
	d.do(d.session.OpenDay(nil, nil))
	d.do(d.session.OpenSale())
	return d
}

// lotoAsked is a round in which the winners are asked: once they share, once tokens decide.
func lotoAsked(t *testing.T) *lotoDay {
	d := newLotoDay(t, nil, func(p *loto.Plan) { p.Consent = true })
	d.sell(1, loto.SheetOf3, 1)
	d.do(d.session.Recall())
	d.open()
	for _, agreed := range []bool{false, true} {
		d.call()
		d.claim(lotoA(1, 2, 3)...)
		d.do(d.session.Answer(agreed))
		d.settle()
	}
	d.call()
	d.claim(lotoA(2)...)
	d.settle()
	d.close("")
	return d
}

// lotoLoose is a round in which a line may be claimed on a later number.
func lotoLoose(t *testing.T) *lotoDay {
	d := newLotoDay(t, nil, func(p *loto.Plan) { p.LooseLast = true })
	d.sell(1, loto.SheetOf3, 1)
	d.do(d.session.Recall())
	d.open()
	d.call()
	n := len(d.session.Play.Calls)
	d.do(d.session.Call(d.drawn(draw.LotoRound, "3/1", d.session.Play.Salt)[n], n))
	d.claim(lotoA(3)...)
	d.settle()
	d.close("assez pour aujourd’hui")
	return d
}

// TestLoto12_VerifyDay_Refusals changes the file of an honest operator.
func TestLoto12_VerifyDay_Refusals(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10", "loto:12")
	all := map[string][]byte{}
	for _, tc := range []struct {
		name   string
		change func(p lotoParts)
		words  string
	}{
		{"a card sold less", func(p lotoParts) { *p.sold = (*p.sold)[1:] }, "not those of the file"},
		{"two cards sold exchanged", func(p lotoParts) { (*p.sold)[0], (*p.sold)[1] = (*p.sold)[1], (*p.sold)[0] }, "not those of the file"},
		{"a card sold twice", func(p lotoParts) { *p.sold = append(*p.sold, (*p.sold)[0]) }, "is sold twice"},
		{"a card sold that is none", func(p lotoParts) { (*p.sold)[0].Number = 31 }, "not of its series"},
		{"another price", func(p lotoParts) { (*p.sold)[0].Price++ }, "not those of the file"},
		{"another sale", func(p lotoParts) { (*p.sold)[0].Sale = 9 }, "not those of the file"},
		{"a card with other numbers", func(p lotoParts) { (*p.cards)[4].Lines = LinesOf(lotoFace(6)) }, "not those that were registered"},
		{"a card that is none", func(p lotoParts) { (*p.cards)[4].Lines[0] = (*p.cards)[4].Lines[1] }, "stands twice"},
		{"cards exchanged", func(p lotoParts) { (*p.cards)[4], (*p.cards)[5] = (*p.cards)[5], (*p.cards)[4] }, "comes after card"},
		{"a series less", func(p lotoParts) { *p.series = nil }, "the counts are of no day"},
		{"a fact less", func(p lotoParts) { *p.facts = slices.Delete(*p.facts, 20, 21) }, "not ball_called number 21 of"},
		{"the last fact less", func(p lotoParts) { *p.facts = (*p.facts)[:len(*p.facts)-1] }, "secret is not revealed"},
		{"a fact withheld that must not be", func(p lotoParts) { (*p.facts)[20].Salt, (*p.facts)[20].Payload = Salt{}, "" }, "not the one of its leaf"},
		{"words withheld with a salt", func(p lotoParts) {
			i := slices.IndexFunc(*p.facts, func(f Proved) bool { return f.Payload == "" })
			(*p.facts)[i].Salt[0] = 1
		}, "not the one of its leaf"},
		{"a checkpoint of after the sale", func(p lotoParts) { p.head.Before, p.head.Consistency = p.head.Checkpoint, nil }, "the sale opened, leaf"},
		{"no checkpoint before the sale", func(p lotoParts) { p.head.Before, p.head.Consistency = "", nil }, "the counts are of no day"},
		{"another day", func(p lotoParts) { p.head.Day = 4 }, "not planned number 1 of loto/day/4"},
		{"another round", func(p lotoParts) { p.head.Round = 2 }, "does not end with round 2"},
		{"the whole day", func(p lotoParts) { p.head.Round = 0 }, "the day is not over"},
		{"another operator", func(p lotoParts) { p.head.Key = newBook(t, "other.example", 2).key }, "not signed by the operator's key"},
	} {
		all[tc.name] = newLotoDay(t, nil, nil).first().file(1, tc.change)
		refused(t, tc.name, all[tc.name], Options{}, tc.words)
	}
	stranger(t, all, false)
}

// changed changes the n-th event of a type, from 1.
func changed[E loto.Event](n int, change func(e *E)) func(e loto.Event) loto.Event {
	return func(e loto.Event) loto.Event {
		x, ok := e.(E)
		if !ok {
			return e
		}
		if n--; n == 0 {
			change(&x)
		}
		return x
	}
}

// TestLoto12_VerifyDay_DishonestOperator checks files whose proofs and signatures all hold,
// of an operator who records what the rules do not give.
func TestLoto12_VerifyDay_DishonestOperator(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "loto:14", "loto:15", "loto:16", "loto:17", "loto:18", "loto:20", "loto:23")
	all := map[string][]byte{}
	calls := newLotoDay(t, nil, nil).first().session.Results[0].Calls
	for _, tc := range []struct {
		name   string
		tamper func(e loto.Event) loto.Event
		words  string
	}{
		{"two numbers exchanged", func(e loto.Event) loto.Event {
			if b, ok := e.(loto.BallCalled); ok && (b.Number == 3 || b.Number == 4) {
				b.Ball = calls[6-b.Number]
				return b
			}
			return e
		}, "not the one that the secret gives"},
		{"another number", changed(3, func(e *loto.BallCalled) { e.Ball = e.Ball%90 + 1 }), "not the one that the secret gives"},
		{"a number skipped", changed(3, func(e *loto.BallCalled) { e.Number++ }), "not the one that the secret gives"},
		{"other cards that play", changed(1, func(e *loto.RoundOpened) { e.Cards++ }), "not those of the file"},
		{"another salt", changed(1, func(e *loto.RoundOpened) { e.Salt = strings.Repeat("00", 32) }), "not those of the file"},
		{"another token", changed(1, func(e *loto.TokenDrawn) { e.Token.Ball = e.Token.Ball%90 + 1 }), "not the one that the secret gives"},
		{"a token for another claim", changed(1, func(e *loto.TokenDrawn) { e.Token.Claim++ }), "here should stand token_drawn"},
		{"a false claim that wins", changed(1, func(e *loto.ClaimChecked) { e.Verdict = loto.Verdict{Valid: true} }), "here should stand claim_checked"},
		{"a card sold said to be unsold", changed(1, func(e *loto.ClaimChecked) { e.Verdict = loto.Verdict{Reason: loto.ReasonUnsold} }), "here should stand claim_checked"},
		{"a card sold said to be late", changed(1, func(e *loto.ClaimChecked) { e.Verdict = loto.Verdict{Reason: loto.ReasonLateSale} }), "here should stand claim_checked"},
		{"an unsold card said to be void", changed(2, func(e *loto.ClaimChecked) { e.Verdict.Reason = loto.ReasonVoid }), "here should stand claim_checked"},
		{"a void card that plays", changed(4, func(e *loto.ClaimChecked) { e.Verdict.Reason = loto.ReasonMissing }), "here should stand claim_checked"},
		{"a known card said to be unknown", changed(8, func(e *loto.ClaimChecked) { e.Verdict = loto.Verdict{Reason: loto.ReasonUnknown} }), "here should stand claim_checked"},
		{"another reading", changed(8, func(e *loto.ClaimChecked) { slices.Reverse(e.Verdict.Read) }), "here should stand claim_checked"},
		{"a claim of another sale", changed(1, func(e *loto.ClaimMade) { e.Claim.Sale.Sale = 1 }), "claimed as sold in another sale"},
		{"another part of a voucher", changed(1, func(e *loto.PrizeAwarded) { e.Awards[0].Amount += 1_00 }), "here should stand prize_awarded"},
		{"another winner", changed(3, func(e *loto.PrizeAwarded) {
			for i := range e.Awards {
				e.Awards[i].Consolation = !e.Awards[i].Consolation
			}
		}), "here should stand prize_awarded"},
		{"shared by fewer", changed(1, func(e *loto.TieFound) { e.Tie.Keep = 1 }), "here should stand tie_found"},
		{"another salt of the tokens", changed(1, func(e *loto.TieFound) { e.Tie.Salt = strings.Repeat("00", 32) }), "here should stand tie_found"},
		{"a refund too small", changed(1, func(e *loto.PersonExcluded) { e.Refund-- }), "EUR were paid back"},
		{"a number said again that was not last", changed(1, func(e *loto.CallRepeated) { e.Ball = e.Ball%90 + 1 }), "call_stale"},
		{"a consolation left blank", changed(1, func(e *loto.Planned) { e.Plan.Rounds[0].Prizes[0].Consolation = "néant" }), "loto_consolation"},
		{"a card in two piles", changed(1, func(e *loto.Planned) { e.Plan.Piles[1].From = 18 }), "loto_pile"},
		{"a commitment of a cage", changed(1, func(e *loto.DayOpened) { e.Commitments[1] = e.Commitments[0] }), "a commitment and a cage"},
		{"a commitment less", changed(1, func(e *loto.DayOpened) { e.Ties = e.Ties[1:] }), "commitments for"},
		{"another commitment", changed(1, func(e *loto.DayOpened) { e.Commitments[0] = strings.Repeat("00", 32) }), "the secret is not the one committed to"},
	} {
		all[tc.name] = newLotoDay(t, tc.tamper, nil).first().file(1, nil)
		refused(t, tc.name, all[tc.name], Options{}, tc.words)
	}
	for name, change := range map[string]func(e loto.Event) loto.Event{
		"a correction without a reason": changed(1, func(e *loto.CallCorrected) { e.Reason = " " }),
		"a break in the past":           changed(1, func(e *loto.Paused) { e.Until = e.Until.Add(-24 * time.Hour) }),
		"a known card that is vouched for": changed(1, func(e *loto.ClaimMade) {
			e.Claim.Serial = ninety.Serial{Series: "A", Number: 77}
		}),
		"a day that ends without a reason": changed(1, func(e *loto.DayClosed) { e.Reason = "" }),
	} {
		all[name] = newLotoDay(t, change, nil).first().second().file(0, nil)
		refused(t, name, all[name], Options{}, "the day cannot have gone so")
	}
	d := newLotoDay(t, nil, nil)
	honest := d.secret
	d.secret = func(id draw.ID) draw.Secret {
		s := honest(id)
		if id == "3/1/1" {
			s[0]++
		}
		return s
	}
	all["another secret of a tie"] = d.first().file(1, nil)
	refused(t, "another secret of a tie", all["another secret of a tie"], Options{}, "the secret is not the one committed to")
	stranger(t, all, false)
}
