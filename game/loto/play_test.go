package loto

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

func TestLoto12_CallsAreShownOnceAndNeverRepeated(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:11", "loto:12", "loto:17")
	h := &hall{t: t}
	h.do(h.Change(plan()))
	h.do(h.OpenDay([]string{"c"}, nil))
	h.do(h.OpenSale())
	_, err := h.OpenRound(RoundOpened{Round: 1})
	refuses(t, "a round before the rules are recalled", err, ErrNotRecalled)
	h.do(h.Recall())
	_, err = h.Call(1, 0)
	refuses(t, "a number before the prize is announced", err, ErrNoRound)
	_, err = h.OpenRound(RoundOpened{Round: 2})
	refuses(t, "a round out of order", err, ErrRoundOrder)
	h.round(1)
	if _, prize, ok := h.Current(); !ok || prize.Name != "Bon d'achat" || prize.Amount != 20_00 {
		t.Errorf("announced %v", prize)
	}
	h.call(42)
	_, err = h.Call(42, 1)
	refuses(t, "a number again", err, ErrCalled)
	_, err = h.Call(7, 0)
	refuses(t, "a key pressed twice", err, ErrStale)
	_, err = h.Call(91, 1)
	refuses(t, "a number that is none", err, ErrNumber)
	h.do(h.Stop())
	_, err = h.Call(7, 1)
	refuses(t, "a number while the draw is stopped", err, ErrStopped)
	h.do(h.Resume())
	for b := ninety.Ball(1); b <= 90; b++ {
		if b != 42 {
			h.call(b)
		}
	}
	_, err = h.Call(1, 90)
	refuses(t, "a 91st number", err, ErrCageEmpty)
}

func TestLoto17_TheLastCallCanBeCorrected(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:17")
	h := openHall(t, func(p *Plan) { p.Rounds[0].Cage = true })
	h.call(1, 2, 3, 4, 15)
	_, err := h.Correct(15, 5, " ")
	refuses(t, "without a reason", err, ErrReason)
	_, err = h.Correct(4, 5, "mal lu")
	refuses(t, "another than the last", err, ErrStale)
	_, err = h.Correct(15, 3, "mal lu")
	refuses(t, "into a number that is out", err, ErrCalled)
	h.do(h.Correct(15, 5, "mal lu"))
	if !slices.Equal(h.Play.Calls, []ninety.Ball{1, 2, 3, 4, 5}) {
		t.Errorf("calls %v", h.Play.Calls)
	}
	_, err = h.Correct(15, 5, "mal lu")
	refuses(t, "the same correction twice", err, ErrStale)
	h.do(h.Repeat(5, "dit cinquante"))
	if h.Play.Repeat != 1 || len(h.Play.Calls) != 5 {
		t.Errorf("said again %d times, %v", h.Play.Repeat, h.Play.Calls)
	}
	h.win(1, "A")
	_, err = h.Correct(5, 6, "mal lu")
	refuses(t, "while a prize is awarded", err, ErrCorrection)
	h.do(h.HandOver())
	_, err = h.Correct(5, 6, "mal lu")
	refuses(t, "once a prize was handed over on it", err, ErrCorrection)
	h.call(60)
	h.do(h.Correct(60, 0, "tombée deux fois"))
	if h.Play.last() != 5 {
		t.Errorf("taken back: %v", h.Play.Calls)
	}

	drawn := openHall(t)
	drawn.call(42)
	_, err = drawn.Correct(42, 41, "mal lu")
	refuses(t, "a ball that the program drew", err, ErrDrawnBall)
}

func TestLoto17_ACorrectionVoidsVerdicts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:17")
	h := openHall(t, func(p *Plan) { p.Rounds[0].Cage = true })
	h.call(1, 2, 3, 4, 5)
	h.claims(serial("A", 1), serial("A", 2))
	h.do(h.Check(0, good(card(0)), ""))
	h.do(h.Correct(5, 6, "mal lu"))
	if h.Play.Mode != Stopped || h.Play.Claims[0].Checked {
		t.Fatalf("mode %s, claims %v", h.Play.Mode, h.Play.Claims)
	}
	h.do(h.BeginCheck())
	h.do(h.Check(0, good(card(0)), ""))
	h.do(h.Check(1, good(card(0)), ""))
	if h.Play.Mode != Drawing {
		t.Errorf("mode %s: the line lacks 5", h.Play.Mode)
	}
}

func TestLoto15_Check(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:8", "loto:10", "loto:13", "loto:15", "loto:16", "loto:car.3")
	fact := func(change func(*CardFact)) CardFact {
		f := good(card(0))
		change(&f)
		return f
	}
	for _, tc := range []struct {
		name   string
		serial ninety.Serial
		calls  []ninety.Ball
		fact   CardFact
		loose  bool
		want   Reason
	}{
		{"a line with the last number", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5}, good(card(0)), false, ""},
		{"a number that is not out", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 6}, good(card(0)), false, ReasonMissing},
		{"a full line, but not on the last number", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5, 60}, good(card(0)),
			false, ReasonLast},
		{"the last number on another line", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5, 11}, good(card(0)),
			false, ReasonLast},
		{"the same where the organizer allows it", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5, 60}, good(card(0)),
			true, ""},
		{"an unstamped card", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5},
			fact(func(f *CardFact) { f.Stamped = false }), false, ReasonUnstamped},
		{"an unsold card", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5},
			fact(func(f *CardFact) { f.Sold = false }), false, ReasonUnsold},
		{"a card of somebody excluded", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5},
			fact(func(f *CardFact) { f.Void = true }), false, ReasonVoid},
		{"a card of another series", serial("B", 1), []ninety.Ball{1, 2, 3, 4, 5}, good(card(0)), false, ReasonSeries},
		{"a special card where it does not play", serial("V", 1), []ninety.Ball{1, 2, 3, 4, 5}, good(card(0)), false,
			ReasonSeries},
		{"a card that nobody knows", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5}, CardFact{}, false, ReasonUnknown},
		{"a card sold after the round was opened", serial("A", 1), []ninety.Ball{1, 2, 3, 4, 5},
			fact(func(f *CardFact) { f.Sale = SaleRef{1, 101} }), false, ReasonLateSale},
	} {
		h := openHall(t, func(p *Plan) { p.LooseLast = tc.loose })
		h.call(tc.calls...)
		if v, ok := h.Look(tc.serial, tc.fact); !ok || v.Reason != tc.want {
			t.Errorf("%s: a look says %q, want %q", tc.name, v.Reason, tc.want)
		}
		h.claims(tc.serial)
		h.do(h.Check(0, tc.fact, ""))
		v := verdict(h)
		if v.Reason != tc.want || v.Valid != (tc.want == "") {
			t.Errorf("%s: %+v, want %q", tc.name, v, tc.want)
		}
		if (h.Play.Mode == Awarding) != (tc.want == "") {
			t.Errorf("%s: mode %s", tc.name, h.Play.Mode)
		}
	}
}

// verdict is the last verdict that was given.
func verdict(h *hall) Verdict {
	for _, e := range slices.Backward(h.events) {
		if c, ok := e.(ClaimChecked); ok {
			return c.Verdict
		}
	}
	h.t.Fatal("no verdict")
	return Verdict{}
}

func TestLoto15_TheLastNumberIsReadFirst(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:15")
	h := openHall(t)
	h.call(1, 2, 5, 4, 3)
	h.claims(serial("A", 1))
	h.do(h.Check(0, good(card(0)), ""))
	if v := verdict(h); !slices.Equal(v.Read, []ninety.Ball{3, 1, 2, 4, 5}) {
		t.Errorf("read %v", v.Read)
	}
}

func TestLoto15_LateClaims(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:13", "loto:15")
	h := openHall(t)
	_, err := h.Stop()
	refuses(t, "a shout before the first number", err, ErrNoClaimNow)
	h.call(1, 2, 3, 4, 5)
	_, err = h.Claim(Claim{Serial: serial("A", 1)})
	refuses(t, "a claim while the draw runs", err, ErrNoClaimNow)
	h.do(h.Stop())
	_, err = h.BeginCheck()
	refuses(t, "a check of nobody", err, ErrNoClaims)
	h.do(h.Claim(Claim{Serial: serial("A", 1), Sale: SaleRef{1, 5}}))
	_, err = h.Claim(Claim{Serial: serial("A", 1)})
	refuses(t, "a card claimed twice", err, ErrClaimTwice)
	h.do(h.BeginCheck())
	_, err = h.Claim(Claim{Serial: serial("A", 2)})
	refuses(t, "a claim after the check began (reading L6)", err, ErrClaimLate)
	h.do(h.Check(0, good(card(0)), ""))
	_, err = h.Claim(Claim{Serial: serial("A", 2)})
	refuses(t, "a claim after the verdict", err, ErrClaimLate)
	_, err = h.Check(0, good(card(0)), "")
	refuses(t, "a claim checked twice", err, ErrNoClaims)
}

func TestLoto15_ACardCheckedByItsNumbers(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:15", "loto:22")
	h := openHall(t)
	h.call(1, 2, 3, 4, 5)
	h.do(h.Stop())
	typed := [][]ninety.Ball{{1, 2, 3, 4, 5}}
	_, err := h.Claim(Claim{Serial: serial("A", 999), Typed: [][]ninety.Ball{{1, 1, 2, 3, 4}}})
	refuses(t, "a line with a number twice", err, ErrTypedLines)
	h.do(h.Claim(Claim{Serial: serial("A", 999), Typed: typed}))
	h.do(h.BeginCheck())
	_, err = h.Check(0, good(card(0)), "vu par deux contrôleurs")
	refuses(t, "a known card taken on its numbers", err, ErrVouch)
	h.do(h.Check(0, CardFact{}, "vu par deux contrôleurs"))
	if v := verdict(h); !v.Valid || v.Vouched == "" {
		t.Errorf("verdict %+v", v)
	}
}

// TestLoto16_StagesOfARound plays a round on one card, which wins all three (reading L7).
func TestLoto16_StagesOfARound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:16", "loto:17")
	h := openHall(t)
	h.call(1, 2, 3, 4, 5)
	_, err := h.HandOver()
	refuses(t, "a prize that nobody won", err, ErrNotAwarded)
	h.win(1, "A")
	h.do(h.HandOver())
	_, err = h.HandOver()
	refuses(t, "a prize handed over twice", err, ErrNotAwarded)
	if len(h.Play.Calls) != 5 || h.Play.Prize != 1 || h.Play.Mode != Drawing {
		t.Errorf("after the line: %+v", h.Play)
	}
	// Two lines of two cards are not two lines.
	h.call(11, 12, 13, 14)
	h.win(1, "A")
	if v := verdict(h); h.Play.Mode != Drawing || v.Reason != ReasonMissing || !slices.Equal(v.Missing, []ninety.Ball{15}) {
		t.Errorf("nine of ten numbers: mode %s, %+v", h.Play.Mode, v)
	}
	h.call(15)
	_, err = h.CloseRound("")
	refuses(t, "a round closed before its last stage", err, ErrNotOver)
	h.win(1, "A")
	h.do(h.HandOver())
	h.call(21, 22, 23, 24, 25)
	h.win(1, "A")
	_, err = h.CloseRound("")
	refuses(t, "a round closed before the prize is handed over", err, ErrNotOver)
	h.do(h.HandOver())
	_, err = h.Call(60, len(h.Play.Calls))
	refuses(t, "a number after the last stage", err, ErrStopped)
	h.do(h.CloseRound(""))
	if len(h.Results) != 1 || len(h.Results[0].Won) != 3 || h.NextRound() != 2 {
		t.Errorf("results %+v", h.Results)
	}
}

// TestLoto14_SharedBy holds the regulation's example first (reading L2).
func TestLoto14_SharedBy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:14", "loto:20")
	for _, tc := range []struct {
		name             string
		amount, smallest money.Cents
		n                int
		two              bool
		want             int
	}{
		{"20 EUR for 3: by two", 20_00, 1_00, 3, false, 2},
		{"30 EUR for 3: by three", 30_00, 1_00, 3, false, 3},
		{"100 EUR for 2: by two", 100_00, 1_00, 2, false, 2},
		{"20 EUR for 5 in vouchers of 5: by four", 20_00, 5_00, 5, false, 4},
		{"the same with two at most", 20_00, 5_00, 5, true, 2},
		{"30 EUR for 3 with two at most: it divides", 30_00, 1_00, 3, true, 3},
		{"25 EUR for 2 in whole euros: by one", 25_00, 1_00, 2, false, 1},
		{"25 EUR for 2 in halves: by two", 25_00, 50, 2, false, 2},
		{"20 EUR in one voucher: by one", 20_00, 20_00, 4, false, 1},
	} {
		if got := SharedBy(tc.amount, tc.smallest, tc.n, tc.two); got != tc.want {
			t.Errorf("%s: %d", tc.name, got)
		}
	}
}

func TestLoto14_Ties(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:14", "loto:18", "loto:20", "loto:21")
	type gets struct {
		amount      money.Cents
		consolation bool
	}
	for _, tc := range []struct {
		name    string
		amount  money.Cents // 0: an object
		winners int
		consent bool
		refuse  bool
		tokens  []ninety.Ball
		want    []gets
		how     How
	}{
		{"20 EUR for 3", 20_00, 3, false, false, []ninety.Ball{12, 80, 45},
			[]gets{{0, true}, {10_00, false}, {10_00, false}}, ByTokens},
		{"30 EUR for 3", 30_00, 3, false, false, nil, []gets{{10_00, false}, {10_00, false}, {10_00, false}}, Shared},
		{"100 EUR for 2", 100_00, 2, false, false, nil, []gets{{50_00, false}, {50_00, false}}, Shared},
		{"100 EUR for 2, both agree", 100_00, 2, true, false, nil, []gets{{50_00, false}, {50_00, false}}, Shared},
		{"100 EUR for 2, one does not agree", 100_00, 2, true, true, []ninety.Ball{3, 2},
			[]gets{{100_00, false}, {0, true}}, ByTokens},
		{"an object for 3", 0, 3, false, false, []ninety.Ball{90, 1, 89},
			[]gets{{0, false}, {0, true}, {0, true}}, ByTokens},
	} {
		h := openHall(t, func(p *Plan) {
			prize := &p.Rounds[0].Prizes[0]
			prize.Amount, p.Consent = tc.amount, tc.consent
			if tc.amount == 0 {
				prize.Kind = Object
			}
		})
		h.call(1, 2, 3, 4, 5)
		h.win(tc.winners, "A")
		if tc.consent {
			_, err := h.Draw(9)
			refuses(t, tc.name+": a token before the answer", err, ErrNoTie)
			h.do(h.Answer(!tc.refuse))
		}
		for i, token := range tc.tokens {
			if i > 0 {
				_, err := h.Draw(tc.tokens[0])
				refuses(t, tc.name+": a token put back", err, ErrTokenTaken)
			}
			h.do(h.Draw(token))
		}
		if h.Play.Mode != Awarding || h.Play.How != tc.how {
			t.Fatalf("%s: mode %s, %s", tc.name, h.Play.Mode, h.Play.How)
		}
		var got []gets
		for _, a := range h.Play.Awards {
			got = append(got, gets{a.Amount, a.Consolation})
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
		_, err := h.Draw(50)
		refuses(t, tc.name+": one more token", err, ErrNoTie)
	}
}

// TestLoto14_NothingIsLostInATie: whatever the prize and the number of winners, what is
// shared is the prize, everyone receives something, and shares are whole vouchers.
func TestLoto14_NothingIsLostInATie(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:14", "loto:18", "house:4")
	rapid.Check(t, func(rt *rapid.T) {
		smallest := money.Cents(rapid.SampledFrom([]int64{50, 100, 500, 1000}).Draw(rt, "smallest"))
		amount := smallest * money.Cents(rapid.Int64Range(1, 100).Draw(rt, "vouchers"))
		n := rapid.IntRange(2, 12).Draw(rt, "winners")
		h := openHall(t, func(p *Plan) {
			p.Rounds[0].Prizes[0].Amount, p.Rounds[0].Prizes[0].Smallest = amount, smallest
			p.FixedTwo = rapid.Bool().Draw(rt, "two")
		})
		h.call(1, 2, 3, 4, 5)
		h.win(n, "A")
		for b := range rapid.Permutation(ninety.Draw(first{})).Draw(rt, "bag") {
			if h.Play.Mode != Tied {
				break
			}
			h.do(h.Draw(ninety.Ball(b + 1)))
		}
		var sum money.Cents
		for _, a := range h.Play.Awards {
			sum += a.Amount
			if a.Consolation == (a.Amount > 0) || a.Amount%smallest != 0 {
				rt.Errorf("award %+v in vouchers of %s", a, smallest)
			}
		}
		if sum != amount || len(h.Play.Awards) != n {
			rt.Errorf("%d awards sum to %s, want %s", len(h.Play.Awards), sum, amount)
		}
	})
}

// first always gives 0.
type first struct{}

func (first) Uint64n(uint64) uint64 { return 0 }

func TestLoto_DayAround(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:1", "loto:9", "loto:22", "loto:24")
	h := openHall(t)
	_, err := h.Change(plan())
	refuses(t, "another plan once the day has opened", err, ErrDayPhase)
	now := h.Plan.Start
	_, err = h.Rest("Repas", now, now)
	refuses(t, "a break that ends now", err, ErrPauseTime)
	h.do(h.Rest("Repas", now.Add(time.Hour), now))
	_, err = h.Call(1, 0)
	refuses(t, "a number during the break", err, ErrPaused)
	h.do(h.Continue())
	h.call(1)
	_, err = h.Decide("carton mouillé", "")
	refuses(t, "a dispute without a decision", err, ErrReason)
	h.do(h.Decide("carton mouillé", "échangé par l'organisateur"))
	_, err = h.Postpone(now.Add(24*time.Hour), now.Add(25*time.Hour), now, "peu de monde")
	refuses(t, "a postponement inside a round", err, ErrPostpone)
	_, err = h.CloseDay("")
	refuses(t, "the end inside a round", err, ErrNotOver)
	h.do(h.CloseRound("salle évacuée"))
	_, err = h.Postpone(now.Add(24*time.Hour), now.Add(25*time.Hour), now, "")
	refuses(t, "a postponement without a reason", err, ErrReason)
	lunch := h.Plan.Breaks[0].At.Sub(h.Plan.Start)
	h.do(h.Postpone(now.Add(24*time.Hour), now.Add(25*time.Hour), now, "peu de monde"))
	if h.Phase != Planning || h.Recalled || h.Plan.Breaks[0].At.Sub(h.Plan.Start) != lunch {
		t.Errorf("postponed: %+v", h.Session)
	}
	_, err = h.Change(plan())
	refuses(t, "another plan for a postponed day", err, ErrDayPhase)
	h.do(h.OpenDay([]string{"other"}, nil))
	if h.Day != 2 || h.Commitments[0] != "c1" {
		t.Errorf("day %d, commitments %v: what was committed to stays", h.Day, h.Commitments)
	}
	h.do(h.OpenSale())
	_, err = h.CloseDay("")
	refuses(t, "the end before the last round without a reason", err, ErrReason)
	h.do(h.CloseDay("panne"))
	if got := Replay(h.events); !reflect.DeepEqual(got, h.Session) {
		t.Errorf("replayed %+v, want %+v", got, h.Session)
	}
}
