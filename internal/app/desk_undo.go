package app

import (
	"context"

	"boulier/player"
	"boulier/regs"
)

// What an undo refuses.
var (
	ErrNothingToUndo = &regs.Violation{Ref: "std:50", Code: "nothing_to_undo"}
	ErrUndoUndone    = &regs.Violation{Ref: "std:50", Code: "undo_undone"}
	ErrNotTheLast    = &regs.Violation{Ref: "std:50", Code: "not_the_last"}
	ErrSpent         = &regs.Violation{Ref: "std:14", Code: "already_spent"}
)

// An UndoOrder takes back an entry that was a mistake.
type UndoOrder struct {
	Request RequestID
	Cashier player.ID
	Number  int64 // of the entry, as the cashier saw it
}

// undoable decides whether the entry may be taken back: only the last one of the open
// drawer, and an undo stays.
func (s DeskState) undoable(number int64) (DeskEntry, error) {
	switch {
	case s.Last == nil:
		return DeskEntry{}, ErrNothingToUndo.With("the drawer has no entry")
	case s.Last.Number != number:
		return DeskEntry{}, ErrNotTheLast.With("the last entry is %d, not %d", s.Last.Number, number)
	case s.Last.Act == Undo:
		return DeskEntry{}, ErrUndoUndone.With("entry %d takes back entry %d", number, s.Last.Undoes)
	}
	return *s.Last, nil
}

// Undo takes back the last entry of the open drawer by a movement of its own that names it
// (std:50). It is refused, and nothing is done, if the player has spent the money.
func (d Desk) Undo(ctx context.Context, o UndoOrder) (DeskEntry, error) {
	request := NewRequest(o.Request, "person/"+o.Cashier.String(), "desk/undo", o.Number)
	return again(func() (DeskEntry, error) {
		desk, err := d.held(ctx, o.Cashier)
		if err != nil {
			return DeskEntry{}, err
		}
		before, _, err := deskCell(desk).Read(ctx, d.Store)
		if err != nil {
			return DeskEntry{}, err
		}
		last := DeskEntry{Means: Cash}
		if before.Last != nil {
			last = *before.Last
		}
		keys := deskKeys(request, desk, last.Means, o.Cashier, last.Player)
		return Do(ctx, d.Store, keys, func(tx Tx) (DeskEntry, error) {
			s, err := openDesk(tx, desk, o.Cashier)
			if err != nil {
				return DeskEntry{}, err
			}
			e, err := s.undoable(o.Number)
			if err != nil {
				return DeskEntry{}, err
			}
			if e.Number != last.Number {
				return DeskEntry{}, errMoved
			}
			return takeBack(tx, s, e, o.Cashier)
		})
	})
}

func takeBack(tx Tx, s DeskState, e DeskEntry, cashier player.ID) (DeskEntry, error) {
	if e.Act == Load {
		account, err := tx.Account(playerAccount(e.Player))
		if err != nil {
			return DeskEntry{}, err
		}
		if account.Balance < int64(e.Amount) {
			return DeskEntry{}, ErrSpent.With("player %d no longer has the %s EUR", e.Player, e.Amount)
		}
		if err := takeBackDeposit(tx, e.Player, e.Amount); err != nil {
			return DeskEntry{}, err
		}
	}
	return write(tx, s, DeskEntry{Desk: e.Desk, Act: Undo, Undoes: e.Number, Was: e.Act, Means: e.Means,
		Player: e.Player, Amount: e.Amount, Cashier: cashier})
}
