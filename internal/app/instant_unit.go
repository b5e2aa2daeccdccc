package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/face"
	"boulier/internal/proof"
	"boulier/journal"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// A UnitView is a sold unit as its buyer sees it.
type UnitView struct {
	Unit    UnitRef
	Issue   instant.IssueID
	Title   string
	Price   money.Cents
	Size    int64 // units of the block; the unit's Number is its position
	Kind    instant.Kind
	Face    instant.Face // of a game of three alike
	Words   *WordsView   // of a word game; nil for others
	Outcome instant.Outcome
	Prize   money.Cents
	SoldAt  time.Time
	Covered bool // still in play: the prize is not shown yet
	Player  player.ID

	blind proof.Blind // of the buyer, for the export
}

// A WordsView is what a unit of a word game shows: its board, its rack and its symbols.
type WordsView struct {
	Number    int // of the board, from 1
	Board     words.Board
	Face      words.Face
	Completed words.Outcome // the word completed and its factor; zero if it loses
}

// ErrUnitOfAnother refuses to show a unit to anybody but its buyer and inspectors.
var ErrUnitOfAnother = &regs.Violation{Ref: "instant:4.4.interrupted", Code: "unit_of_another"}

// Unit returns a sold unit exactly as it was, on the board where it was played (reading
// I10). The face is made from the unit's seed and read again by the evaluator, which must
// find what was sold.
func (i *Instant) Unit(ctx context.Context, who player.ID, unit UnitRef) (UnitView, error) {
	row, err := i.Store.Unit(ctx, int64(unit.Block), unit.Number)
	if err != nil {
		return UnitView{}, err
	}
	if row.Player != who {
		return UnitView{}, ErrUnitOfAnother.With("unit %s is not of person %d", unit, who)
	}
	state, _, err := blockCell(unit.Block).Read(ctx, i.Store)
	if err != nil {
		return UnitView{}, err
	}
	open, err := i.openBlock(ctx, unit.Block, "show")
	if err != nil {
		return UnitView{}, err
	}
	shown, err := open.face(row)
	if err != nil {
		return UnitView{}, fmt.Errorf("app: unit %s: %w", unit, err)
	}
	purse, err := i.Purse(ctx, who)
	if err != nil {
		return UnitView{}, err
	}
	view := UnitView{Unit: unit, Issue: state.Issue, Title: open.game.Title, Price: open.game.Price,
		Size: open.game.Block, Kind: open.game.Kind, Face: shown.Alike,
		Outcome: instant.Outcome(row.Outcome), Prize: row.Prize,
		SoldAt: row.SoldAt, Covered: purse.Covered == unit, Player: row.Player, blind: row.Blind}
	if row.Board > 0 {
		won, _ := words.OutcomeOf(row.Prize) // false for 0, which loses
		view.Words = &WordsView{int(row.Board), open.game.Words.Boards[row.Board-1], shown.Words, won}
	}
	return view, nil
}

// face makes the face of a sold unit on its board. Package face has it read by the
// evaluator, which shares no function with the maker, and refuses what is not the outcome
// of the unit; that must be what was sold (std:37).
func (b *openBlock) face(row UnitRow) (face.Shown, error) {
	u := b.block.Unit(int(row.Number - 1))
	if int64(u.Outcome) != row.Outcome {
		return face.Shown{}, fmt.Errorf("it has outcome %d, it was sold as %d", u.Outcome, row.Outcome)
	}
	return b.faces.Make(u, int(row.Board))
}

// A PlayedUnit is a line of a player's history.
type PlayedUnit struct {
	Unit   UnitRef
	Title  string
	Price  money.Cents
	Prize  money.Cents
	SoldAt time.Time
	Board  int // of a word game, from 1; 0 for others
}

// History returns the units that a player bought before a cursor, newest first, whatever
// became of them (instant:4.4.interrupted, reading I10). The unit in play is uncovered.
func (i *Instant) History(ctx context.Context, who player.ID, before Cursor, limit int) ([]PlayedUnit, error) {
	if err := i.Settle(ctx, who); err != nil {
		return nil, err
	}
	rows, err := i.Store.Units(ctx, who, before, limit)
	if err != nil {
		return nil, err
	}
	titles := map[int64]IssueState{}
	prices := map[int64]money.Cents{}
	out := make([]PlayedUnit, 0, len(rows))
	for _, r := range rows {
		if _, ok := titles[r.Block]; !ok {
			state, _, err := blockCell(BlockID(r.Block)).Read(ctx, i.Store)
			if err != nil {
				return nil, err
			}
			issue, _, err := issueCell(state.Issue).Read(ctx, i.Store)
			if err != nil {
				return nil, err
			}
			titles[r.Block], prices[r.Block] = issue, state.Header.Price
		}
		out = append(out, PlayedUnit{UnitRef{BlockID(r.Block), r.Number}, titles[r.Block].Title,
			prices[r.Block], r.Prize, r.SoldAt, int(r.Board)})
	}
	return out, nil
}

// ExportUnit writes a unit with its proof, for boulier verify. A checkpoint that covers the
// sale is signed first if there is none.
func (i *Instant) ExportUnit(ctx context.Context, who player.ID, unit UnitRef) ([]byte, error) {
	if err := i.Settle(ctx, who); err != nil {
		return nil, err
	}
	view, err := i.Unit(ctx, who, unit)
	if err != nil {
		return nil, err
	}
	open, err := i.openBlock(ctx, unit.Block, "prove")
	if err != nil {
		return nil, err
	}
	state, _, err := blockCell(unit.Block).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	path, err := open.block.Proof(int(unit.Number - 1))
	if err != nil {
		return nil, err
	}
	checkpoint, err := i.CheckpointNow(ctx)
	if err != nil {
		return nil, err
	}
	before, after, err := i.heads(state.Before, checkpoint.Note)
	if err != nil {
		return nil, err
	}
	opening, err := i.prove(ctx, string(blockCell(unit.Block)), 1, before)
	if err != nil {
		return nil, err
	}
	sale, err := i.prove(ctx, string(salesCell(unit.Block)), uint64(unit.Number), after)
	if err != nil {
		return nil, err
	}
	consistency, err := journal.ProveConsistency(before.Size, after, tileReader{ctx, i.Store})
	if err != nil {
		return nil, err
	}
	sold := open.block.Unit(int(unit.Number - 1))
	shown := proof.UnitFace{Index: sold.Index, Outcome: sold.Outcome, Seed: proof.Hash(sold.Seed),
		Proof: proof.Path(path)}
	shown.Show(view.Kind, view.shown(), view.board())
	var buyer *proof.Buyer
	if view.blind != (proof.Blind{}) {
		buyer = &proof.Buyer{Player: view.Player, Blind: view.blind}
	}
	var out bytes.Buffer
	err = proof.WriteUnit(&out, proof.Unit{
		Key: i.Sealer.VerifierKey(), Table: tableRows(open.game.Table), Words: proof.RulesOf(*open.game),
		Unit: shown, Before: state.Before, Opening: opening, Consistency: proof.PathOf(consistency),
		Checkpoint: checkpoint.Note, Sale: sale, Buyer: buyer,
	})
	return out.Bytes(), err
}

// shown returns the face of a view, of either kind.
func (v UnitView) shown() (s face.Shown) {
	s.Alike = v.Face
	if v.Words != nil {
		s.Words = v.Words.Face
	}
	return s
}

// board returns the board of a view, 0 if it has none.
func (v UnitView) board() int {
	if v.Words == nil {
		return 0
	}
	return v.Words.Number
}

// heads opens two signed checkpoints of this house.
func (g *Ground) heads(before, after string) (b, a journal.Head, err error) {
	v, err := journal.ParseKey(g.Sealer.VerifierKey())
	if err != nil {
		return b, a, err
	}
	first, err1 := journal.Open([]byte(before), v)
	second, err2 := journal.Open([]byte(after), v)
	return first.Head, second.Head, errors.Join(err1, err2)
}

// prove returns an event of a stream with its proof that the tree of head holds it.
func (g *Ground) prove(ctx context.Context, stream string, number uint64, head journal.Head) (proof.Proved, error) {
	entries, err := g.Store.Stream(ctx, stream, number-1, 1)
	if err != nil {
		return proof.Proved{}, err
	}
	if len(entries) == 0 || entries[0].Index < 0 || entries[0].Index >= head.Size {
		return proof.Proved{}, fmt.Errorf("app: event %d of %s is not covered by the checkpoint", number, stream)
	}
	return proveEntry(entries[0], head, tileReader{ctx, g.Store})
}

// proveEntry returns an event with its proof that the tree of head holds it.
func proveEntry(e Entry, head journal.Head, tiles journal.TileReader) (proof.Proved, error) {
	path, err := journal.ProveInclusion(head, e.Index, tiles)
	if err != nil {
		return proof.Proved{}, err
	}
	return proof.Proved{Leaf: string(e.Leaf), Salt: proof.Salt(e.Salt), Payload: string(e.Payload),
		Index: e.Index, Proof: proof.PathOf(path)}, nil
}

// tileReader reads the tiles of the journal's tree.
type tileReader struct {
	ctx context.Context
	r   Reader
}

// ReadTiles implements journal.TileReader.
func (t tileReader) ReadTiles(ids []journal.TileID) ([][]byte, error) {
	out := make([][]byte, len(ids))
	for n, id := range ids {
		var err error
		if out[n], err = t.r.Tile(t.ctx, id.Level, id.Index); err != nil {
			return nil, fmt.Errorf("app: tile %d/%d of the journal: %w", id.Level, id.Index, err)
		}
	}
	return out, nil
}

func tableRows(t instant.Table) []proof.Prize {
	rows := make([]proof.Prize, len(t))
	for n, p := range t {
		rows[n] = proof.Prize{Count: p.Count, Amount: p.Amount}
	}
	return rows
}
