package app_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/player"
	"boulier/regs/regstest"
)

func TestArt93_3_TerminalsAreAuthorizedByACodeShownOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	hall, err := h.Bingo.AddHall(ctx, h.as(h.manager), " Salle des fêtes ", "Saint-Rémy")
	h.ok(err)
	_, err = h.Bingo.AddHall(ctx, h.as(h.manager), "salle des fêtes", "Saint-Rémy")
	h.refused("the same hall again", err, app.ErrBingoHallName)
	_, err = h.Bingo.AddHall(ctx, h.as(h.cashier), "Autre", "")
	h.refused("a cashier describes a hall", err, app.ErrForbidden)
	if list, err := h.Bingo.Halls(ctx); err != nil || len(list) != 1 || list[0] != (app.BingoHall{ID: hall, Name: "Salle des fêtes", Place: "Saint-Rémy"}) {
		t.Errorf("halls %+v, %v", list, err)
	}
	a := h.as(h.manager)
	id, code, err := h.Bingo.AddTerminal(ctx, a, "Salle des fêtes", "T3")
	h.ok(err)
	if again, none, err := h.Bingo.AddTerminal(ctx, a, "Salle des fêtes", "T3"); err != nil || again != id || none != "" {
		t.Errorf("the form sent again gives terminal %d and code %q, %v", again, none, err)
	}
	ada := h.guest(0, 5_00)
	enter := func() error {
		return h.Bingo.Enter(ctx, app.BingoEntry{Terminal: id, Account: ada, Card: 1, PIN: h.pins[ada]})
	}
	h.refused("revoked by a cashier", h.Bingo.RevokeTerminal(ctx, h.as(h.cashier), id, "vol"), app.ErrForbidden)
	h.refused("no reason", h.Bingo.RevokeTerminal(ctx, h.as(h.manager), id, " "), bingo.ErrReason)
	h.ok(h.Bingo.RevokeTerminal(ctx, h.as(h.manager), id, "volé"))
	h.refused("revoked twice", h.Bingo.RevokeTerminal(ctx, h.as(h.manager), id, "volé"), app.ErrBingoRevoked)
	_, err = h.Bingo.Terminal(ctx, code)
	h.refused("the code of a revoked terminal", err, app.ErrBingoTerminal)
	h.refused("an account at a revoked terminal", enter(), app.ErrBingoRevoked)
	fresh, err := h.Bingo.RenewTerminal(ctx, h.as(h.manager), id)
	h.ok(err)
	if got, err := h.Bingo.Terminal(ctx, fresh); err != nil || got.ID != id {
		t.Errorf("the new code gives %+v, %v", got, err)
	}
	_, err = h.Bingo.Terminal(ctx, code)
	h.refused("the old code", err, app.ErrBingoTerminal)
	h.ok(enter())
	_, err = h.Bingo.RenewTerminal(ctx, h.as(h.manager), 99)
	h.refused("no terminal", err, app.ErrBingoTerminal)
}

// TestArt93_3_ARevokedTerminalSellsNothing: whoever sits at a terminal that is revoked keeps the
// credits, and plays on at another one.
func TestArt93_3_ARevokedTerminalSellsNothing(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	ada := h.guest(0, 5_00)
	round := h.sale()
	h.ok(h.Bingo.RevokeTerminal(ctx, h.as(h.manager), h.terminals[0], "volé"))
	_, err := h.buy(round, 0, ada, 1_00, 2)
	h.refused("a purchase at a revoked terminal", err, app.ErrBingoRevoked)
	if h.has(ada) != 5_00 {
		t.Errorf("a refused purchase leaves %s of 5.00", h.has(ada))
	}
	h.ok(h.Bingo.Enter(ctx, app.BingoEntry{Terminal: h.terminals[1], Account: ada, Card: 1, PIN: h.pins[ada]}))
	if _, err := h.buy(round, 1, ada, 1_00, 2); err != nil || h.has(ada) != 3_00 {
		t.Errorf("at another terminal: %v, %s left", err, h.has(ada))
	}
}

func TestArt93_3_PINOfTheSessionDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	ada := h.guest(0, 0)
	enter := func() error {
		return h.Bingo.Enter(ctx, app.BingoEntry{Terminal: h.terminals[1], Account: ada, Card: 1, PIN: h.pins[ada]})
	}
	h.play(h.sale(), 99)
	h.due()
	h.Clock.Move(14*time.Hour - h.Now().Sub(time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)))
	h.ok(enter()) // past midnight, the session goes on
	h.ok(h.Bingo.CloseSession(ctx, h.as(h.manager)))
	h.refused("the day after", enter(), bingo.ErrPINDay)
	var err error
	h.pins[ada], err = h.Bingo.IssuePIN(ctx, h.as(h.cashier), ada)
	h.ok(err)
	h.ok(enter()) // given before the session opens, for the day that is about to begin
	h.ok(h.Bingo.OpenSession(ctx, h.as(h.manager), []bingo.Proposal{bingoProposal()}))
	h.ok(enter())
}

// TestArt93_11_ChangesOfPrizesAreNotified: what changes the prizes applies five days after it
// was notified, and is announced all that time.
func TestArt93_11_ChangesOfPrizesAreNotified(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.5", "bingo:93.11", "bingo:93.15")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	h.play(h.sale(), 99)
	h.due()
	h.ok(h.Bingo.CloseSession(ctx, h.as(h.manager)))

	save := func(id int64, p bingo.Proposal) int64 {
		t.Helper()
		id, err := h.Bingo.SaveProposal(ctx, h.as(h.manager), id, p, "CRAJ 2026-118")
		h.ok(err)
		return id
	}
	usual := save(0, bingoProposal())
	_, err := h.Bingo.SaveProposal(ctx, h.as(h.cashier), 0, bingoProposal(), "CRAJ")
	h.refused("a cashier", err, app.ErrForbidden)
	_, err = h.Bingo.SaveProposal(ctx, h.as(h.manager), 0, bingoProposal(), " ")
	h.refused("not authorized (bingo:93.5)", err, app.ErrBingoAuthorization)
	dear := bingoProposal()
	dear.Tracks[1].Price = 2_01
	_, err = h.Bingo.SaveProposal(ctx, h.as(h.manager), 0, dear, "CRAJ")
	h.refused("a card beyond the highest price (bingo:93.5)", err, bingo.ErrProposalPrice)
	_, err = h.Bingo.SaveProposal(ctx, h.as(h.manager), 7, bingoProposal(), "CRAJ")
	h.refused("a version of nothing", err, app.ErrBingoProposal)

	quick := bingoProposal()
	quick.Title, quick.Rhythm = "Rapide", time.Second
	save(0, quick)
	rich := bingoProposal()
	rich.Prizes = append(slices.Clone(rich.Prizes), bingo.Prize{Name: "deux lignes", Pattern: ninety.TwoLines, Rate: 5 * bingo.Percent})
	notified := h.Now()
	save(usual, rich)
	list, err := h.Bingo.Notices(ctx, h.Now())
	h.ok(err)
	if len(list) != 1 || list[0].ID != usual || !list[0].Notified.Equal(notified) || !list[0].Before.SamePrizes(bingoProposal()) ||
		!list[0].Applies.Equal(notified.AddDate(0, 0, 5)) || !list[0].Proposal.SamePrizes(rich) {
		t.Errorf("announced %+v", list)
	}
	_, err = h.Bingo.SaveProposal(ctx, h.as(h.manager), usual, quick, "CRAJ")
	h.refused("a change while a notice runs", err, app.ErrBingoNoticeRuns)
	other := save(0, rich)
	if p, err := h.Bingo.Proposal(ctx, other); err != nil || !p.At(h.Now()).Applies.IsZero() || !p.Newest().Change {
		t.Errorf("another proposal that gives more is a change, too: %+v, %v", p, err)
	}

	plan := app.BingoPlan{Parts: []app.BingoPlanPart{{Proposal: usual, Rounds: 2}, {Proposal: 2, Rounds: 1}}}
	h.refused("a cashier", h.Bingo.SavePlan(ctx, h.as(h.cashier), plan), app.ErrForbidden)
	h.refused("too many", h.Bingo.SavePlan(ctx, h.as(h.manager), app.BingoPlan{Parts: []app.BingoPlanPart{{1, app.MaxBingoRounds + 1}}}), app.ErrBingoPlan)
	h.refused("nothing", h.Bingo.SavePlan(ctx, h.as(h.manager), app.BingoPlan{Parts: []app.BingoPlanPart{{9, 1}}}), app.ErrBingoProposal)
	h.ok(h.Bingo.SavePlan(ctx, h.as(h.manager), app.BingoPlan{Parts: []app.BingoPlanPart{{other, 1}}}))
	h.Clock.Move(14 * time.Hour) // the next day
	h.refused("a proposal whose notice runs", h.Bingo.OpenPlanned(ctx, h.as(h.manager)), app.ErrBingoNotInForce)
	h.ok(h.Bingo.SavePlan(ctx, h.as(h.manager), app.BingoPlan{}))
	h.refused("no rounds at all", h.Bingo.OpenPlanned(ctx, h.as(h.manager)), bingo.ErrLastRound)
	h.ok(h.Bingo.SavePlan(ctx, h.as(h.manager), plan))
	h.ok(h.Bingo.OpenPlanned(ctx, h.as(h.manager)))
	s, err := h.Bingo.Session(ctx)
	h.ok(err)
	if len(s.Programme) != 3 || s.Last != 3 || !s.Programme[1].SamePrizes(bingoProposal()) || s.Programme[2].Rhythm != time.Second {
		t.Errorf("played before the notice is over: %+v", s.Programme)
	}
	h.refused("a change that is not notified", h.Bingo.ChangePlanned(ctx, h.as(h.manager), 1,
		app.BingoPlan{Parts: []app.BingoPlanPart{{other, 1}}}), app.ErrBingoNotInForce)
	h.ok(h.Bingo.ChangePlanned(ctx, h.as(h.manager), 1, app.BingoPlan{Parts: []app.BingoPlanPart{{2, 4}}}))

	h.Clock.Move(notified.AddDate(0, 0, 5).Sub(h.Now()) - time.Microsecond)
	h.refused("a microsecond early", h.Bingo.ChangePlanned(ctx, h.as(h.manager), 1,
		app.BingoPlan{Parts: []app.BingoPlanPart{{other, 1}}}), app.ErrBingoNotInForce)
	h.Clock.Move(time.Microsecond)
	h.ok(h.Bingo.ChangePlanned(ctx, h.as(h.manager), 1, app.BingoPlan{Parts: []app.BingoPlanPart{{usual, 2}, {other, 1}}}))
	if s, err = h.Bingo.Session(ctx); err != nil || s.Last != 3 || !s.Programme[0].SamePrizes(rich) {
		t.Errorf("five days later: %+v, %v", s.Programme, err)
	}
	if list, err := h.Bingo.Notices(ctx, h.Now().AddDate(0, 0, 4)); err != nil || len(list) != 2 {
		t.Errorf("a change that has applied lately is announced: %+v, %v", list, err)
	}
	if list, err := h.Bingo.Notices(ctx, h.Now().AddDate(0, 0, 5)); err != nil || len(list) != 0 {
		t.Errorf("and not for ever: %+v, %v", list, err)
	}
	h.ok(h.Bingo.WithdrawProposal(ctx, h.as(h.manager), other))
	h.refused("withdrawn twice", h.Bingo.WithdrawProposal(ctx, h.as(h.manager), other), app.ErrBingoProposal)
	h.refused("a withdrawn one", h.Bingo.SavePlan(ctx, h.as(h.manager), app.BingoPlan{Parts: []app.BingoPlanPart{{other, 1}}}), app.ErrBingoProposal)
	h.ok(h.Bingo.ReplayHouse(ctx))
	if days, err := h.Bingo.Days(ctx); err != nil || !slices.Equal(days, []string{"2026-12-02", "2026-12-01"}) {
		t.Errorf("days %v, %v", days, err)
	}
}

// TestArt93_7_TheRecordOfARound: all that was charged and paid, as an inspector reads it.
func TestArt93_7_TheRecordOfARound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.7", "bingo:93.14")
	h := newBingoHall(t, 2)
	ctx := t.Context()
	ada, bob := h.guest(0, 20_00), h.guest(1, 20_00)
	id := h.sale()
	for i := range 2 {
		_, err := h.buy(id, 0, ada, 1_00, 3+i)
		h.ok(err)
		_, err = h.buy(id, 1, bob, 2_00, 2)
		h.ok(err)
	}
	h.play(id, 3)
	h.ok(h.Bingo.RecordFault(ctx, h.as(h.cashier), id, h.terminals[0], "écran noir"))
	h.ok(h.Bingo.RefundFault(ctx, h.as(h.manager), id, h.terminals[0], player.ID(ada)))
	h.play(id, 99)
	r, err := h.Bingo.Record(ctx, id)
	h.ok(err)
	if len(r.Sold) != 4 || len(r.Gone) != 2 || r.Sold[2].Rank != 3 || r.Sold[0].At.IsZero() || r.Flow("bingo_stake") != 15_00 {
		t.Errorf("the record has %d purchases, %d refunds, stakes of %s EUR", len(r.Sold), len(r.Gone), r.Flow("bingo_stake"))
	}
	if got := r.Flow("bingo_stake") + r.Flow("bingo_settle") + r.Flow("bingo_prize"); got != 0 || r.Flow("bingo_prize") != -r.Prizes() {
		t.Errorf("the movements leave %s EUR, prizes %s", got, r.Prizes())
	}
	second := h.sale()
	h.ok(h.Bingo.VoidRound(ctx, h.as(h.manager), second, "panne"))
	h.play(second, 99)
	h.due()
	h.ok(h.Bingo.CloseSession(ctx, h.as(h.manager)))
	day, err := h.Bingo.Day(ctx, "2026-12-01")
	h.ok(err)
	if len(day.Rounds) != 2 || !day.Rounds[1].Void || !day.Rounds[1].Last || day.Rounds[0].Void || !day.Rounds[0].Ended ||
		day.OpenedAt.IsZero() || day.ClosedAt.IsZero() || day.Closer != h.manager {
		t.Errorf("the minutes say %+v", day)
	}
	if _, err := h.Bingo.Day(ctx, "2026-12-02"); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("a day without play: %v", err)
	}

	h.Clock.Move(time.Second)
	idle, err := h.Bingo.Idle(ctx, h.Now())
	h.ok(err)
	if len(idle) != 2 || idle[0].MovedAt.After(idle[1].MovedAt) || !idle[0].Anonymous() || idle[0].Balance+idle[1].Balance != h.has(ada)+h.has(bob) {
		t.Errorf("idle: %+v", idle)
	}
	_, err = h.Desk.PayOut(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: h.cashier, Player: player.ID(ada), Amount: h.has(ada) + 1})
	h.refused("a cent more than there is", err, app.ErrBalanceShort)
	_, err = h.Desk.PayOut(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: h.cashier, Player: player.ID(ada), Amount: h.has(ada)})
	h.ok(err)
	if idle, err = h.Bingo.Idle(ctx, h.Now().Add(time.Hour)); err != nil || len(idle) != 1 || idle[0].ID != bob {
		t.Errorf("after a pay-out: %+v, %v", idle, err)
	}
	p, err := h.Bingo.Purse(ctx, bob)
	h.ok(err)
	if p.Balance != h.has(bob) || p.Held != 0 || !p.Anonymous() {
		t.Errorf("purse %+v", p)
	}
	report, err := h.DayReport(ctx, h.Now())
	h.ok(err)
	if report.Other != 0 || report.BingoStakes != 15_00 || report.BingoRefunds == 0 || report.BingoPrizes != r.Prizes() {
		t.Errorf("the day: other %s, stakes %s, refunds %s, prizes %s EUR", report.Other, report.BingoStakes, report.BingoRefunds, report.BingoPrizes)
	}
}
