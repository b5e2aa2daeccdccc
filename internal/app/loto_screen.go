package app

import (
	"context"

	"boulier/player"
	"boulier/regs"
)

// ErrScreenUnknown refuses a code that no screen shows.
var ErrScreenUnknown = &regs.Violation{Ref: "std:51", Code: "screen_unknown"}

// screenCell says which day a screen shows that has shown this code.
func screenCell(code string) Cell[LotoID] { return Cell[LotoID]("loto/screen/" + code) }

// NewScreenCode returns a code that a projector shows until somebody approves it.
func (l *Loto) NewScreenCode() string {
	code := ""
	for raw := [1]byte{}; len(code) < 6; {
		if l.Entropy(raw[:]); raw[0] < 240 {
			code += string(reservationAlphabet[raw[0]%30])
		}
	}
	return code
}

// ApproveScreen has the screen that shows a code follow a day. Shown reports whether a screen
// shows it now, so that a code typed wrong is refused.
func (l *Loto) ApproveScreen(ctx context.Context, a LotoAct, code string, shown func(string) bool) error {
	code = ReservationCode(code)
	if !shown(code) {
		return ErrScreenUnknown.With("%q", code)
	}
	cell, day := screenCell(code), lotoCell(a.Day)
	keys := Keys{Request: NewRequest(a.Request, "person/"+a.By.String(), "loto/screen", []any{a.Day, code}),
		States: []string{string(cell), string(day), string(standingOf(a.By))}}
	_, err := Do(ctx, l.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, CallLoto); err != nil {
			return struct{}{}, err
		}
		d, err := day.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if d.ID == 0 {
			return struct{}{}, ErrLotoUnknown.With("day %d", a.Day)
		}
		cell.Put(tx, a.Day)
		return struct{}{}, cell.Append(tx, "screen_approved", struct {
			By  player.ID `json:"by"`
			Day LotoID    `json:"day"`
		}{a.By, a.Day})
	})
	return err
}

// ScreenDay returns the day that a screen follows, 0 while nobody has approved its code.
func (l *Loto) ScreenDay(ctx context.Context, code string) (LotoID, error) {
	id, _, err := screenCell(code).Read(ctx, l.Store)
	return id, err
}
