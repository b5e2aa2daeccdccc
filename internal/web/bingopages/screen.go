package bingopages

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
)

// screenWords are the sentences that a screen of the bingo says by itself; what stands in
// braces is filled in there.
func screenWords(ctx context.Context) string {
	words := map[string]string{}
	for _, key := range []string{"start", "start.prize", "prize", "pot", "last", "paused", "resumed", "closed", "programme",
		"void", "sale", "missing.1", "missing", "reached", "near.0", "near.1", "near", "winners.1", "winners", "cards.1", "cards",
		"own", "zero", "number", "notice"} {
		words[key] = ui.T(ctx, "bingo.say."+key)
	}
	b, err := json.Marshal(words)
	if err != nil {
		panic(err) // texts only
	}
	return string(b)
}

// A prizeView is a prize or a pot as a screen shows it.
type prizeView struct {
	Index   int
	Pot     bool
	Goal    ninety.Goal
	Name    string
	Amount  money.Cents
	Within  int // balls, of a pot
	Won     *bingo.Win
	Near    int
	Reading string // how near the prize is, in words
}

// prizeViews are the prizes and pots of a round as they stand: before the sale closes, what
// they would be worth if it closed now (bingo:93.9).
func (b bingoVisit) prizeViews(ctx context.Context, near []int) (list []prizeView) {
	r := b.Round
	amounts := r.Amounts
	if amounts == nil {
		amounts = r.Proposal.Amounts(b.Sale.Takings - b.Sale.Back)
	}
	for i, p := range r.Proposal.Prizes {
		v := prizeView{Index: i, Goal: p.Pattern, Name: prizeName(ctx, p), Won: wonIn(r, i, false)}
		if i < len(amounts) {
			v.Amount = amounts[i]
		}
		if i < len(near) {
			v.Near = near[i]
		}
		list = append(list, v)
	}
	pots := r.Pots
	if pots == nil {
		pots = fedPots(r.Proposal, b.Session.Pots, b.Sale)
	}
	for i, rule := range r.Proposal.Pots {
		v := prizeView{Index: i, Pot: true, Goal: rule.Pattern, Name: ui.T(ctx, "bingo.pot", "Name", rule.Name),
			Within: rule.Within, Won: wonIn(r, i, true)}
		if i < len(pots) {
			v.Amount = pots[i].Amount
		}
		list = append(list, v)
	}
	return list
}

// fedPots are the pots as they would be played for if the sale closed now.
func fedPots(p bingo.Proposal, pots []bingo.Pot, sale bingo.Sale) []bingo.Pot {
	fed := make([]bingo.Pot, len(p.Pots))
	copy(fed, pots)
	for i, rule := range p.Pots {
		fed[i] = fed[i].Fed(rule, sale.Takings-sale.Back)
	}
	return fed
}

func wonIn(r bingo.Round, i int, pot bool) *bingo.Win {
	k := slices.IndexFunc(r.Wins, func(w bingo.Win) bool { return w.Prize == i && w.Pot == pot })
	if k < 0 {
		return nil
	}
	return &r.Wins[k]
}

// goalNumber writes a goal for scripts.
func goalNumber(g ninety.Goal) string { return strconv.FormatUint(uint64(g), 10) }

// cardText writes the numbers of a card for scripts: its lines, top to bottom.
func cardText(c ninety.Card) string {
	var b strings.Builder
	for _, line := range c.Lines {
		for n := range line.All() {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(int(n)))
		}
	}
	return b.String()
}

// nearText says how many cards lack one number.
func nearText(ctx context.Context, n int) string {
	if n == 0 {
		return ui.T(ctx, "bingo.say.near.0")
	}
	return counted(ctx, "bingo.say.near", n)
}

// counted fills in one of two sentences that scripts fill in, too.
func counted(ctx context.Context, key string, n int) string {
	if n == 1 {
		key += ".1"
	}
	return strings.ReplaceAll(ui.T(ctx, key), "{n}", locales.From(ctx).Count(int64(n)))
}

// missingText says what a card lacks for the prize that is next.
func missingText(ctx context.Context, r bingo.Round, c cardView) string {
	for _, i := range openPrizes(r) {
		text := strings.ReplaceAll(ui.T(ctx, missingKey(c.Missing[i])), "{prize}", prizeName(ctx, r.Proposal.Prizes[i]))
		return strings.ReplaceAll(text, "{n}", strconv.Itoa(c.Missing[i]))
	}
	return ""
}

func missingKey(n int) string {
	switch n {
	case 0:
		return "bingo.say.reached"
	case 1:
		return "bingo.say.missing.1"
	}
	return "bingo.say.missing"
}

// nearest is how many numbers the card lacks for what is nearest; 99 when nothing is open.
func (c cardView) nearest(r bingo.Round) int {
	least := 99
	for _, i := range openPrizes(r) {
		least = min(least, c.Missing[i])
	}
	return least
}

// lastBalls are the balls before the last one, latest first.
func lastBalls(balls []ninety.Ball, most int) (list []int) {
	for i := len(balls) - 2; i >= 0 && len(list) < most; i-- {
		list = append(list, int(balls[i]))
	}
	return list
}

// screenPhase is what a screen shows: the phase of the round, or that nothing is played.
func screenPhase(b bingoVisit) string {
	switch {
	case !b.Session.Open:
		return "closed"
	case b.Session.Playing == 0 && b.Session.Paused:
		return "paused"
	case b.Round.ID == 0:
		return "committed"
	}
	return string(b.Round.Phase)
}

// bingoWonText says on which ball a prize was won, and by how many cards.
func bingoWonText(ctx context.Context, w bingo.Win) string {
	text := counted(ctx, "bingo.say.winners", len(w.Winners))
	return strings.ReplaceAll(text, "{ball}", strconv.Itoa(w.Ball))
}
