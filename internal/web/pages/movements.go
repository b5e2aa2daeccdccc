package pages

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/ledger"
	"boulier/money"
)

// PageSize is how many rows a list shows at once.
const PageSize = 25

// CursorOf reads what CursorText wrote; anything else begins at the newest.
func CursorOf(text string) app.Cursor {
	at, line, ok := strings.Cut(text, "-")
	a, err1 := strconv.ParseInt(at, 10, 64)
	l, err2 := strconv.ParseInt(line, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return app.Cursor{}
	}
	return app.Cursor{At: a, Line: l}
}

// CursorText writes the place of a movement for an address.
func CursorText(at, line int64) string {
	return strconv.FormatInt(at, 10) + "-" + strconv.FormatInt(line, 10)
}

// signed returns what a movement did to the person's account, and the balance after it.
func signed(p ui.Person, m app.Movement) (amount, after money.Cents) {
	if m.To == ledger.Path("player:"+p.ID.String()) {
		return money.Cents(m.Amount.Count), money.Cents(m.ToAfter)
	}
	return -money.Cents(m.Amount.Count), money.Cents(m.FromAfter)
}

// StatementRows are movements as rows: when, what, how much, and the balance after.
func StatementRows(words *locales.Words, p ui.Person, moves []app.Movement) [][]templ.Component {
	rows := make([][]templ.Component, 0, len(moves))
	for _, m := range moves {
		amount, after := signed(p, m)
		rows = append(rows, []templ.Component{ui.Moment(m.At), movementLabel(words.T("movement."+m.Kind), m),
			ui.Movement(amount), ui.Amount(after)})
	}
	return rows
}

// unitOfMovement is the unit that a movement is for, or the zero one.
func unitOfMovement(m app.Movement) app.UnitRef {
	ref, _ := app.ParseUnitRef(m.Ref)
	if m.Kind != "stake" && m.Kind != "prize" {
		return app.UnitRef{}
	}
	return ref
}
