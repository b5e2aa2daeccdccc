package sealedblock

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/face"
	"boulier/internal/gamefile"
)

// A Report is what an audit counted.
type Report struct {
	Header Header
	Game   instant.Game
	Counts []int64           // units by outcome, losers first
	Order  []instant.Outcome // of every unit, in the order of sale
}

// ErrAudit is wrapped by every refusal of an audit.
var ErrAudit = errors.New("the block is not what its header says")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrAudit}, args...)...)
}

// Audit recomputes a block from its game file and its secret and compares it with the
// header: digests, commitment, the order dealt a second time by package instant, counts
// by prize, the face of every unit on every board, which the evaluator must find to win what
// was sold, and the root. It uses all processors and calls done, perhaps from several goroutines,
// with the number of units checked so far. Every refusal wraps ErrAudit.
func Audit(f gamefile.File, h Header, s draw.Secret, done func(units int64)) (Report, error) {
	g := f.Game
	if faults := g.Check(); len(faults) > 0 {
		return Report{}, refuse("the game is faulty: %w", faults[0])
	}
	table, boards := draw.Hash(g.TableDigest()), draw.Hash(g.WordsDigest())
	switch {
	case f.Digest != h.Game:
		return Report{}, refuse("the game file has digest %s, the header says %s",
			draw.Hash(f.Digest), h.Game)
	case table != h.Table:
		return Report{}, refuse("the table has digest %s, the header says %s", table, h.Table)
	case boards != h.Boards:
		return Report{}, refuse("the boards have digest %s, the header says %s", boards, h.Boards)
	case g.Block != h.Units || g.Kind != h.Kind:
		return Report{}, refuse("size or kind of face differ from those of the game")
	case draw.Commit(draw.InstantBlock, h.Block, s) != h.Commitment:
		return Report{}, refuse("the secret is not the one that was committed to")
	}
	order := instant.Deal(g, draw.NewStream(draw.InstantOrder, h.Block, s, h.salt()))
	counts, ok := instant.Count(order, len(g.Table))
	if !ok {
		return Report{}, refuse("a unit has an outcome that is not in the table")
	}
	for i, p := range g.Table {
		if counts[i+1] != p.Count {
			return Report{}, refuse("line %d has %d prizes, the table %d", i+1, counts[i+1], p.Count)
		}
	}
	leaves, err := auditUnits(g, h, s, order, done)
	if err != nil {
		return Report{}, err
	}
	root := draw.NewTree(len(leaves), func(i int) draw.Hash { return leaves[i] }).Root()
	if root != h.Root {
		return Report{}, refuse("the root of its units is %s, the header says %s", root, h.Root)
	}
	return Report{h, g, counts, order}, nil
}

// chunk is how many units an auditor takes at once.
const chunk = 4096

// auditUnits starts one auditor a processor: each makes the faces of chunks of units,
// has the evaluator read them, and returns their leaves.
func auditUnits(g instant.Game, h Header, s draw.Secret, order []instant.Outcome,
	done func(units int64)) ([]draw.Hash, error) {
	maker, err := face.New(g)
	if err != nil {
		return nil, refuse("%w", err)
	}
	leaves := make([]draw.Hash, len(order))
	seeds := draw.NewSeeds(draw.InstantSeeds, h.Block, s, h.salt())
	var next, checked atomic.Int64
	var failed atomic.Pointer[error]
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			list := make([]draw.Seed, chunk)
			for failed.Load() == nil {
				from := int(next.Add(chunk) - chunk)
				if from >= len(order) {
					return
				}
				part := order[from:min(from+chunk, len(order))]
				seeds.Fill(list[:len(part)], uint64(from))
				for k, o := range part {
					u := draw.Unit{Index: from + k, Outcome: uint16(o), Seed: list[k]}
					if err := maker.Check(u); err != nil {
						err = refuse("unit %d: %w", u.Index, err)
						failed.Store(&err)
						return
					}
					leaves[u.Index] = draw.UnitLeaf(h.Block, u)
				}
				done(checked.Add(int64(len(part))))
			}
		})
	}
	work.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return leaves, nil
}
