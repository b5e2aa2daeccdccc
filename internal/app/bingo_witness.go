package app

import (
	"context"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/internal/proof"
	"boulier/journal"
	"boulier/player"
	"boulier/regs"
)

// A BingoWitness is a second machine, of a hall or the regulator, whose secret is mixed into
// the draws (reading B13): named by the key by which it signs. Between two rounds it commits
// to the secret of the next one.
type BingoWitness struct {
	Key    string        `json:"key,omitempty"`    // verifier key; empty where there is no witness
	SeenAt time.Time     `json:"seen_at,omitzero"` // when it last committed or opened
	Next   bingo.RoundID `json:"next,omitempty"`   // the round of its commitment
	Signed string        `json:"signed,omitempty"`

	// WaitedFor is the round that waits for its commitment, since WaitsAt.
	WaitedFor bingo.RoundID `json:"waited_for,omitempty"`
	WaitsAt   time.Time     `json:"waits_at,omitzero"`
}

const bingoWitness Cell[BingoWitness] = "bingo/witness"

// WitnessPatience is how long a round waits for the commitment of a named witness before its
// sale opens without one, which every screen and the proof of the round then say.
const WitnessPatience = 10 * time.Second

// What is refused about a witness.
var (
	ErrWitnessKey   = &regs.Violation{Ref: "bingo:93.10", Code: "witness_key"}
	ErrNoWitness    = &regs.Violation{Ref: "bingo:93.10", Code: "witness_unnamed"}
	ErrWitnessRound = &regs.Violation{Ref: "bingo:93.10", Code: "witness_round"}
	ErrWitnessTwice = &regs.Violation{Ref: "bingo:93.10", Code: "witness_twice"}
)

// witnessNamed says which witness takes part from the next round on, or none.
type witnessNamed struct {
	Key string    `json:"key"`
	By  player.ID `json:"by"`
}

// Witness returns the witness that takes part in the next rounds.
func (b *Bingo) Witness(ctx context.Context) (BingoWitness, error) {
	w, _, err := bingoWitness.Read(ctx, b.Store)
	return w, err
}

// NameWitness names the witness by its verifier key, or none by an empty one.
func (b *Bingo) NameWitness(ctx context.Context, a BingoAct, key string) error {
	if key != "" {
		if _, err := journal.ParseKey(key); err != nil || key == b.Sealer.VerifierKey() {
			return ErrWitnessKey.With("%q", key)
		}
	}
	_, err := Do(ctx, b.Store, a.keys("witness", key, string(bingoWitness)), func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		bingoWitness.Put(tx, BingoWitness{Key: key})
		return struct{}{}, bingoWitness.Append(tx, "witness_named", witnessNamed{key, a.By})
	})
	return err
}

// CommitWitness takes the commitment of the witness to the next round. What it signed is what
// authenticates it; the same sent again changes nothing, another one is refused.
func (b *Bingo) CommitWitness(ctx context.Context, signed string) error {
	seen, err := b.Witness(ctx)
	if err != nil {
		return err
	}
	if seen.Key == "" {
		return ErrNoWitness
	}
	id, w, err := proof.OpenWitness(signed, seen.Key)
	if err != nil {
		return ErrWitnessKey.With("%v", err)
	}
	keys := Keys{States: []string{string(bingoWitness), string(nextBingo)}}
	return b.Store.Update(ctx, keys, func(tx Tx) error {
		now, err := bingoWitness.Get(tx)
		if err != nil {
			return err
		}
		last, err := nextBingo.Get(tx)
		if err != nil {
			return err
		}
		switch {
		case now.Key != w.Key:
			return ErrNoWitness
		case id != bingo.RoundID(last+1):
			return ErrWitnessRound.With("round %d, the next one is %d", id, last+1)
		case now.Next == id && now.Signed != signed:
			return ErrWitnessTwice.With("round %d", id)
		}
		if now.WaitedFor == id {
			dueStep(tx, tx.Now())
		}
		bingoWitness.Put(tx, BingoWitness{Key: now.Key, SeenAt: tx.Now(), Next: id, Signed: signed})
		return nil
	})
}

// awaitWitness returns what the witness has committed to for a round. Where one is named that
// has not committed yet, it says to wait, for a time.
func awaitWitness(tx Tx, id bingo.RoundID) (w bingo.Witness, wait bool, err error) {
	now, err := bingoWitness.Get(tx)
	if err != nil || now.Key == "" {
		return w, false, err
	}
	if now.Next == id {
		_, w, err = proof.OpenWitness(now.Signed, now.Key)
		return w, false, err
	}
	if now.WaitedFor != id {
		now.WaitedFor, now.WaitsAt = id, tx.Now()
		bingoWitness.Put(tx, now)
	}
	until := now.WaitsAt.Add(WitnessPatience)
	if tx.Now().Before(until) {
		dueStep(tx, until)
		return w, true, nil
	}
	return w, false, nil
}

// OpenWitness takes the secret of the witness once the sale is closed (bingo:93.10). It
// authenticates itself: nobody else knows a secret of that commitment.
func (b *Bingo) OpenWitness(ctx context.Context, id bingo.RoundID, secret string) error {
	s, err := draw.ParseSecret(secret)
	if err != nil {
		return bingo.ErrSecret.With("%v", err)
	}
	commitment := draw.Commit(draw.BingoWitness, bingoDraw(id), s).String()
	cell := bingoRoundCell(id)
	keys := Keys{States: []string{string(cell), string(bingoWitness)}}
	return b.Store.Update(ctx, keys, func(tx Tx) error {
		r, err := cell.Get(tx)
		if err != nil {
			return err
		}
		if r.Mixed == secret {
			return nil
		}
		events, err := r.OpenWitness(secret, commitment)
		if err != nil {
			return err
		}
		w, err := bingoWitness.Get(tx)
		if err != nil {
			return err
		}
		if w.Key == r.WitnessKey {
			w.SeenAt = tx.Now()
			bingoWitness.Put(tx, w)
		}
		return b.tell(tx, r, events, r.Apply(events[0]).Due())
	})
}

// WitnessWork says what the witness is wanted for, to one that holds a checkpoint of so many
// leaves: everything in it can be checked by the key of this house.
func (b *Bingo) WitnessWork(ctx context.Context, since int64) (w proof.WitnessWork, err error) {
	named, err := b.Witness(ctx)
	if err != nil || named.Key == "" {
		return w, err
	}
	w.Key, w.Witness = b.Sealer.VerifierKey(), named.Key
	last, _, err := nextBingo.Read(ctx, b.Store)
	if err != nil {
		return w, err
	}
	if next := bingo.RoundID(last + 1); named.Next != next {
		w.Next = next
	}
	r, number, err := b.Round(ctx, bingo.RoundID(last))
	if err == ErrNotFound {
		err = nil
	}
	if err != nil || !r.Waits() || r.WitnessKey != named.Key {
		return w, err
	}
	checkpoint, err := b.CheckpointNow(ctx)
	if err != nil {
		return w, err
	}
	head, _, err := b.heads(checkpoint.Note, checkpoint.Note)
	if err != nil {
		return w, err
	}
	w.Round, w.Checkpoint = r.ID, checkpoint.Note
	if since > 0 && since < head.Size {
		path, err := journal.ProveConsistency(since, head, tileReader{ctx, b.Store})
		if err != nil {
			return w, err
		}
		w.Consistency = proof.PathOf(path)
	}
	if w.Committed, err = b.prove(ctx, string(bingoRoundCell(r.ID)), 2, head); err != nil {
		return w, err
	}
	closed := uint64(0)
	err = b.eachEvent(ctx, string(bingoRoundCell(r.ID)), 0, func(l journal.Leaf, _ []byte) error {
		if string(l.Kind) == (bingo.SaleClosed{}).Kind() {
			closed = uint64(l.Number)
		}
		return nil
	})
	if err != nil || closed == 0 || closed > number {
		return w, err
	}
	w.Closed, err = b.prove(ctx, string(bingoRoundCell(r.ID)), closed, head)
	return w, err
}
