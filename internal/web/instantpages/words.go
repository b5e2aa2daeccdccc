package instantpages

import (
	"context"
	"strconv"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
)

// outcomeText says in words what wins an amount: the word of how many letters, times what.
func outcomeText(ctx context.Context, amount money.Cents) string {
	return outcomeOf(locales.From(ctx), amount)
}

func outcomeOf(say *locales.Words, amount money.Cents) string {
	o, ok := words.OutcomeOf(amount)
	if !ok {
		return ""
	}
	text := say.T("words.letters", "Count", o.Letters)
	if o.Factor > 1 {
		text += "\u00a0× " + strconv.Itoa(o.Factor)
	}
	return text
}

// prizeSpan is how many columns stand before the numbers of a prize table.
func prizeSpan(g instant.Game) string {
	if g.Kind == instant.Words {
		return "2"
	}
	return "1"
}

// wonText says why a unit has won.
func wonText(ctx context.Context, u app.UnitView) string {
	if u.Words == nil {
		return ui.T(ctx, "unit.won.text")
	}
	return ui.T(ctx, "words.won", "Word", completed(u).Text, "What", outcomeText(ctx, u.Prize))
}

// lostText says why a unit has lost.
func lostText(ctx context.Context, u app.UnitView) string {
	if u.Words == nil {
		return ui.T(ctx, "unit.lost.text")
	}
	return ui.T(ctx, "words.lost")
}
