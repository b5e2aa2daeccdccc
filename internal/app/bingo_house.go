package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"boulier/game/bingo"
	"boulier/player"
	"boulier/regs"
)

// A BingoHall is an establishment that is connected to the central server.
type BingoHall struct {
	ID    int64
	Name  string
	Place string // its town, as terminals and minutes name it
}

const (
	nextBingoHall counter = "next/bingo/hall"
	bingoHallRoot string  = "bingo/hall/"
)

func bingoHallCell(id int64) snakeCell[BingoHall] {
	return snakeCell[BingoHall](bingoHallRoot + number(id))
}

// What the description of halls and terminals refuses.
var (
	ErrBingoHallName = &regs.Violation{Ref: "bingo:93.3", Code: "hall_name"}
	ErrBingoRevoked  = &regs.Violation{Ref: "bingo:93.3", Code: "terminal_revoked"}
)

// AddHall describes a hall.
func (b *Bingo) AddHall(ctx context.Context, a BingoAct, name, place string) (int64, error) {
	name, place = strings.TrimSpace(name), strings.TrimSpace(place)
	if name == "" {
		return 0, ErrBingoHallName
	}
	halls, err := b.Halls(ctx)
	if err != nil {
		return 0, err
	}
	for _, h := range halls {
		if Fold(h.Name) == Fold(name) && h.Place == place {
			return 0, ErrBingoHallName.With("%q is hall %d", name, h.ID)
		}
	}
	return again(func() (int64, error) {
		last, _, err := nextBingoHall.Read(ctx, b.Store)
		if err != nil {
			return 0, err
		}
		cell := bingoHallCell(last + 1)
		keys := a.keys("hall", []any{name, place}, string(nextBingoHall), string(cell))
		return Do(ctx, b.Store, keys, func(tx Tx) (int64, error) {
			if err := requireBy(tx, a.By, ManageGames); err != nil {
				return 0, err
			}
			if n, err := next(tx, nextBingoHall); err != nil || n != last+1 {
				return 0, moved(err)
			}
			cell.Put(tx, BingoHall{last + 1, name, place})
			return last + 1, appendTo(tx, string(cell), "hall_added", struct {
				Name  string    `json:"name"`
				Place string    `json:"place"`
				By    player.ID `json:"by"`
			}{name, place, a.By})
		})
	})
}

// Halls returns the halls, oldest first.
func (b *Bingo) Halls(ctx context.Context) ([]BingoHall, error) {
	return readSnakes[BingoHall](ctx, b.Store, bingoHallRoot)
}

// readSnakes is readCells for domain types.
func readSnakes[T any](ctx context.Context, r Reader, prefix string) ([]T, error) {
	return readNumbered(ctx, r, prefix, func(b []byte) (v T, err error) {
		err = decodeSnake(b, &v)
		return v, err
	})
}

// Terminals returns the terminals, revoked ones too, by number.
func (b *Bingo) Terminals(ctx context.Context) ([]BingoTerminal, error) {
	return readSnakes[BingoTerminal](ctx, b.Store, bingoTerminalRoot)
}

// bingoCodeDigest is what is kept of a terminal's code.
func bingoCodeDigest(code string) string {
	sum := sha256.Sum256([]byte("boulier/terminal/v1\n" + code))
	return hex.EncodeToString(sum[:])
}

// terminalChanged is the event of a terminal that loses its code, or has another.
type terminalChanged struct {
	Reason string    `json:"reason,omitempty"`
	By     player.ID `json:"by"`
}

// RevokeTerminal takes the right to play away from a terminal: its code is good for nothing
// from now on, and no account can be entered there (bingo:93.3).
func (b *Bingo) RevokeTerminal(ctx context.Context, a BingoAct, id bingo.TerminalID, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return bingo.ErrReason
	}
	cell := bingoTerminalCell(id)
	_, err := Do(ctx, b.Store, a.keys("terminal/revoke", []any{id, reason}, string(cell)), func(tx Tx) (struct{}, error) {
		t, err := b.managed(tx, a, id)
		if err != nil {
			return struct{}{}, err
		}
		if t.Revoked {
			return struct{}{}, ErrBingoRevoked.With("terminal %d", id)
		}
		t.Revoked, t.Code = true, ""
		cell.Put(tx, t)
		return struct{}{}, appendTo(tx, string(cell), "terminal_revoked", terminalChanged{reason, a.By})
	})
	return err
}

// managed returns a terminal to a manager.
func (b *Bingo) managed(tx Tx, a BingoAct, id bingo.TerminalID) (BingoTerminal, error) {
	if err := requireBy(tx, a.By, ManageGames); err != nil {
		return BingoTerminal{}, err
	}
	t, err := bingoTerminalCell(id).Get(tx)
	if err == nil && t.ID == 0 {
		err = ErrBingoTerminal.With("terminal %d", id)
	}
	return t, err
}

// RenewTerminal gives a terminal another code, in place of one that was lost or revoked. It is
// shown this once, like the first.
func (b *Bingo) RenewTerminal(ctx context.Context, a BingoAct, id bingo.TerminalID) (string, error) {
	code, fresh := b.newCode(), false
	cell := bingoTerminalCell(id)
	keys := a.keys("terminal/renew", id, string(cell), string(bingoCodeCell(code)))
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		t, err := b.managed(tx, a, id)
		if err != nil {
			return struct{}{}, err
		}
		fresh = true
		t.Revoked, t.Code = false, bingoCodeDigest(code)
		cell.Put(tx, t)
		bingoCodeCell(code).Put(tx, id)
		return struct{}{}, appendTo(tx, string(cell), "terminal_renewed", terminalChanged{By: a.By})
	})
	if !fresh || err != nil {
		code = ""
	}
	return code, err
}

// newCode draws the code of a terminal.
func (b *Bingo) newCode() string {
	var raw [15]byte
	b.Entropy(raw[:])
	return hex.EncodeToString(raw[:])
}
