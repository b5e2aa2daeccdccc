//go:build !race

package face

import (
	"testing"

	"boulier/game/instant/wordcheck"
	"boulier/game/instant/words"
	"boulier/internal/games"
	"boulier/regs/regstest"
)

// ranked answers the rank of a rack, then 0: no symbol where there may be none.
type ranked struct{ rank, asked, of uint64 }

func (r *ranked) Uint64n(n uint64) uint64 {
	if r.asked++; r.asked == 1 {
		r.of = n
		return r.rank
	}
	return 0
}

// TestArt4_3_EveryRackOfEveryBoardHeavy lists the 657 800 racks in the order of a dictionary
// for each board of the program and has the evaluator, which shares nothing with the maker,
// say what each completes: the maker gives every legal rack of every word, in that order, one
// rank each and no rank more (reading I4). Racks that complete two words it never gives.
func TestArt4_3_EveryRackOfEveryBoardHeavy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "instant:4.5")
	for number, board := range games.Boards() {
		reader, err := wordcheck.Read(board.Grid())
		if err != nil {
			t.Fatal(err)
		}
		maker := words.NewMaker(board, words.Weights{1, 1, 1})
		var next [8]uint64 // racks seen, by the letters of the word completed
		nearTwo := 0
		var rack [7]byte
		var fill func(k int, from byte)
		fill = func(k int, from byte) {
			if t.Failed() {
				return
			}
			if k < len(rack) {
				for l := from; l <= 'Z'; l++ {
					rack[k] = l
					fill(k+1, l+1)
				}
				return
			}
			won, err := reader.Judge(rack[:], nil)
			if err != nil {
				nearTwo++ // two words complete: no unit shows it
				return
			}
			o := words.Outcome{Letters: won.Letters, Factor: won.Factor}
			src := &ranked{rank: next[won.Letters]}
			face, err := maker.Make(o, src)
			if err != nil || face.Rack != rack || len(face.Symbols) > 0 {
				t.Errorf("board %d: rack %d of %v is %s with %v, want %s (%v)", number+1, next[won.Letters], o, face.Rack, face.Symbols, rack, err)
			}
			next[won.Letters]++
		}
		fill(0, 'A')
		for letters, seen := range next {
			o := words.Outcome{Letters: letters, Factor: min(letters, 1)}
			if letters > 0 && letters < 3 {
				continue
			}
			if got := maker.Racks(o); got != seen || seen == 0 {
				t.Errorf("board %d: %v has %d racks, %d are legal", number+1, o, got, seen)
			}
		}
		if nearTwo == 0 {
			t.Errorf("board %d: no rack completes two words, so that nothing was left out", number+1)
		}
	}
}
