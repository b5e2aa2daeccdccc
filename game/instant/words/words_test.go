package words

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"boulier/money"
	"boulier/regs/regstest"
)

// sound is a board without fault: FROMAGE across, FIGUE… as the program ships it.
var sound = Grid{
	"FROMAGE",
	"I.....C",
	"G..MIEL",
	"U.....A",
	"EPI...I",
	"......R",
	".......",
}

// chance is a seeded source for tests.
type chance struct{ *rand.Rand }

func (c chance) Uint64n(n uint64) uint64 { return c.Uint64N(n) }

// script is a source that answers its numbers in turn.
type script struct {
	t    *testing.T
	list []uint64
	of   []uint64 // below what each was asked
}

func (s *script) Uint64n(n uint64) uint64 {
	at := s.list[len(s.of)]
	if at >= n {
		s.t.Fatalf("number %d asked below %d", at, n)
	}
	s.of = append(s.of, n)
	return at
}

func board(t testing.TB) Board {
	t.Helper()
	b, faults := ParseBoard(sound)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return b
}

func TestArt4_2_Board(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2")
	b := board(t)
	var got []string
	for i, w := range b.Words() {
		got = append(got, w.Text)
		if w != b.Word(i+3) || len(w.Text) != i+3 {
			t.Errorf("word %d is %v", i, w)
		}
		for k, c := range w.Cells() {
			if b.Letter(c) != w.Text[k] {
				t.Errorf("square %d of %s holds %q", k, w.Text, b.Letter(c))
			}
		}
	}
	if want := []string{"EPI", "MIEL", "FIGUE", "ECLAIR", "FROMAGE"}; !slices.Equal(got, want) {
		t.Errorf("the words are %v, want %v", got, want)
	}
	if b.Letter(8) != 0 || b.Grid() != sound {
		t.Error("the board is not what was written")
	}
}

// TestArt4_2_SpoiltBoards spoils a sound board in each possible way.
func TestArt4_2_SpoiltBoards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2")
	with := func(rows ...any) Grid {
		g := sound
		for i := 0; i < len(rows); i += 2 {
			g[rows[i].(int)] = rows[i+1].(string)
		}
		return g
	}
	for _, tc := range []struct {
		name string
		grid Grid
		code string
		row  int
	}{
		{"a row too short", with(6, "......"), "board_size", 7},
		{"a row too long", with(6, "........"), "board_size", 7},
		{"a small letter", with(0, "FROMAGe"), "board_letter", 1},
		{"an accent", with(6, "É....."), "board_letter", 7},
		{"two letters that touch", with(5, ".A....R"), "accidental_word", 5},
		{"two words of one length", with(6, "ROI...."), "word_length_twice", 7},
		{"no word of four", with(2, "G.....L"), "word_length_missing", 0},
		{"a letter twice", with(2, "G..MEEL"), "letter_twice", 3},
		{"a letter alone", with(6, "...X..."), "letter_alone", 7},
		{"nothing", Grid{".......", ".......", ".......", ".......", ".......", ".......", "......."}, "word_length_missing", 0},
	} {
		_, faults := ParseBoard(tc.grid)
		if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Code == tc.code && f.Row == tc.row }) {
			t.Errorf("%s: the faults are %+v, want %s in row %d", tc.name, faults, tc.code, tc.row)
		}
	}
}

// TestArt4_2_BoardsThatCannotShowAPrize holds the faults that need all words.
func TestArt4_2_BoardsThatCannotShowAPrize(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.6")
	// MEL stands within EMIL.
	within := Grid{"FROMAGE", "I..E..C", "G..L..L", "U.....A", "EMIL..I", "......R", "......."}
	if _, faults := ParseBoard(within); !slices.ContainsFunc(faults, func(f Fault) bool { return f.Code == "outcome_unreachable" }) {
		t.Errorf("letters of one word within another: %+v", faults)
	}
	apart := Grid{"JOURNAL", "......U", "ROI...M", "......I", "BLEU..E", "......R", "CHIEN.."}
	if _, faults := ParseBoard(apart); !slices.ContainsFunc(faults, func(f Fault) bool { return f.Code == "words_apart" }) {
		t.Errorf("words apart: %+v", faults)
	}
	// A word of three letters that lies within a longer one has no square of its own.
	b := board(t)
	barred := b
	barred.words[0] = Word{"ROM", 0, 1, false} // within FROMAGE
	var fs faults
	barred.checkReach(&fs)
	if !slices.ContainsFunc(fs, func(f Fault) bool { return f.Code == "no_place_for_symbol" }) {
		t.Errorf("no place for a symbol: %+v", fs)
	}
}

// TestArt4_5_Amounts holds every prize of the regulation.
func TestArt4_5_Amounts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.5", "instant:4.6")
	want := map[Outcome]money.Cents{
		{3, 1}: 200, {3, 2}: 400, {3, 3}: 600,
		{4, 1}: 1200, {4, 2}: 2400, {4, 3}: 3600,
		{5, 1}: 15000, {5, 2}: 30000,
		{6, 1}: 150000, {7, 1}: 1500000,
	}
	for letters := 0; letters <= 8; letters++ {
		for factor := 0; factor <= 4; factor++ {
			o := Outcome{letters, factor}
			if got := o.Amount(); got != want[o] {
				t.Errorf("%v wins %s, want %s", o, got, want[o])
			}
		}
	}
	if len(Outcomes()) != len(want) {
		t.Errorf("%d outcomes", len(Outcomes()))
	}
	for o, amount := range want {
		if got, ok := OutcomeOf(amount); !ok || got != o {
			t.Errorf("%s is of %v", amount, got)
		}
	}
	for _, none := range []money.Cents{0, 100, 800, 45000, 300000} {
		if o, ok := OutcomeOf(none); ok {
			t.Errorf("%s is won by %v", none, o)
		}
	}
}

// everyRack calls fn with each of the 657 800 racks in the order of a dictionary.
func everyRack(fn func([RackSize]byte)) {
	var rack [RackSize]byte
	var fill func(k int, from byte)
	fill = func(k int, from byte) {
		if k == RackSize {
			fn(rack)
			return
		}
		for l := from; l <= 'Z'; l++ {
			rack[k] = l
			fill(k+1, l+1)
		}
	}
	fill(0, 'A')
}

// TestArt4_3_RacksAreUniform compares the maker with all racks there are, sorted by what
// they complete: each legal rack of an outcome has exactly one rank (reading I4).
func TestArt4_3_RacksAreUniform(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "instant:4.5")
	b := board(t)
	m := NewMaker(b, Weights{1, 1, 1})
	next := make([]uint64, count+1) // racks seen of each outcome
	everyRack(func(rack [RackSize]byte) {
		have, complete, at := lettersOf(string(rack[:])), 0, 0
		for i, w := range b.words {
			if lettersOf(w.Text)&^have == 0 {
				complete, at = complete+1, i+1
			}
		}
		if complete > 1 {
			return
		}
		if got := m.racks[at].unrank(&m.with, next[at]); got != rack {
			t.Fatalf("rack %d of word %d is %s, want %s", next[at], at, got[:], rack[:])
		}
		next[at]++
	})
	for i, n := range next {
		if got := m.racks[i].total(); got != n || n == 0 {
			t.Errorf("word %d has %d racks, want %d", i, got, n)
		}
	}
	if m.Racks(Outcome{7, 1}) != 1 || m.Racks(Outcome{6, 2}) != 0 || m.Racks(Outcome{}) != next[0] {
		t.Error("the numbers of racks are those of other outcomes")
	}
}

// legal lists the arrangements that the rules allow, by trying all (instant:4.6, I5).
func legal(b Board, f Face, o Outcome, n int) (list [][]Symbol) {
	var all []Symbol
	for c := range cells {
		all = append(all, Symbol{c, 2}, Symbol{c, 3})
	}
	through := func(s Symbol) (lengths []int) {
		for _, w := range b.words {
			if slices.Contains(w.Cells(), s.Cell) {
				lengths = append(lengths, len(w.Text))
			}
		}
		return lengths
	}
	try := func(symbols ...Symbol) {
		factor, carried := 1, map[int]bool{}
		for _, s := range symbols {
			if b.Letter(s.Cell) == 0 || !f.Uncovers(b.Letter(s.Cell)) {
				return
			}
			for _, length := range through(s) {
				if carried[length] || length > 5 || length == 5 && s.Factor == 3 {
					return
				}
				carried[length] = true
				if length == o.Letters {
					factor = s.Factor
				}
			}
		}
		if o.Factor > 0 && factor != o.Factor {
			return
		}
		list = append(list, symbols)
	}
	switch n {
	case 0:
		try()
	case 1:
		for _, s := range all {
			try(s)
		}
	case 2:
		for i, s := range all {
			for _, r := range all[i+1:] {
				try(s, r)
			}
		}
	}
	return list
}

// TestArt4_6_ArrangementsAreUniform compares, for racks of every outcome, the maker with
// every arrangement that the rules allow: each has exactly one rank.
func TestArt4_6_ArrangementsAreUniform(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.3", "instant:4.6")
	b := board(t)
	m := NewMaker(b, Weights{1, 1, 1})
	src := chance{rand.New(rand.NewPCG(4, 6))}
	two := 0
	for _, o := range append(Outcomes(), Outcome{}) {
		for range 12 {
			f, err := m.Make(o, src)
			if err != nil {
				t.Fatal(err)
			}
			of := m.symbols.offer(&f.Rack, o)
			for n := range 3 {
				want := legal(b, f, o, n)
				if got := m.symbols.arrangements(of, n); got != uint64(len(want)) {
					t.Fatalf("%v, rack %s: %d arrangements of %d, want %d", o, f.Rack[:], got, n, len(want))
				}
				for rank, symbols := range want {
					got := m.symbols.arrange(of, n, uint64(rank))
					if !slices.Equal(got, symbols) {
						t.Fatalf("%v, rack %s: arrangement %d of %d is %v, want %v", o, f.Rack[:], rank, n, got, symbols)
					}
				}
				if n == 2 {
					two += len(want)
				}
			}
		}
	}
	if two == 0 {
		t.Error("no face had room for two symbols")
	}
}

// TestArt4_6_NumberOfSymbols holds which numbers draw from the weights, in what order.
func TestArt4_6_NumberOfSymbols(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.6")
	m := NewMaker(board(t), Weights{60, 30, 10})
	// The rack of FROMAGE: places on the letters of the shorter words that it uncovers.
	for _, tc := range []struct {
		o    Outcome
		at   uint64 // the second number
		want int
	}{
		{Outcome{3, 1}, 0, 0}, {Outcome{3, 1}, 59, 0}, {Outcome{3, 1}, 60, 1},
		{Outcome{3, 2}, 0, 1}, {Outcome{3, 2}, 29, 1}, {Outcome{3, 3}, 0, 1},
	} {
		src := &script{t: t, list: []uint64{0, tc.at, 0}}
		f, err := m.Make(tc.o, src)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Symbols) != tc.want || len(src.of) != 3 {
			t.Errorf("%v with %d shows %v after %v", tc.o, tc.at, f.Symbols, src.of)
		}
		if tc.o.Factor > 1 && (src.of[1] != 30 && src.of[1] != 40) {
			t.Errorf("%v: the weights sum to %d", tc.o, src.of[1])
		}
	}
	if _, err := NewMaker(board(t), Weights{1, 0, 0}).Make(Outcome{3, 2}, chance{rand.New(rand.NewPCG(1, 1))}); err == nil {
		t.Error("a multiplied prize was shown without a symbol")
	}
	if _, err := m.Make(Outcome{6, 2}, &script{t: t}); err == nil {
		t.Error("a word of 6 letters was multiplied")
	}
}

// TestArt4_3_LettersChiSquare counts the letters of losing racks: with fixed seeds, the
// chi-square over what exact counting expects stays below its 1e-6 bound.
func TestArt4_3_LettersChiSquare(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.3")
	b := board(t)
	m := NewMaker(b, Weights{1, 0, 0})
	expected, all := [alphabet]float64{}, 0.0
	everyRack(func(rack [RackSize]byte) {
		have := lettersOf(string(rack[:]))
		for _, w := range b.words {
			if lettersOf(w.Text)&^have == 0 {
				return
			}
		}
		all++
		for x := uint32(have); x != 0; x &= x - 1 {
			expected[bits.TrailingZeros32(x)]++
		}
	})
	const racks = 20_000
	seen := [alphabet]float64{}
	src := chance{rand.New(rand.NewPCG(2, 2006))}
	for range racks {
		f, err := m.Make(Outcome{}, src)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range f.Rack {
			seen[l-'A']++
		}
	}
	chi := 0.0
	for i, e := range expected {
		e *= racks / all
		chi += (seen[i] - e) * (seen[i] - e) / e
	}
	if chi > 80 { // 25 degrees of freedom, p < 1e-6 from 76 on
		t.Errorf("chi-square is %.1f", chi)
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add(sound[0], sound[1], sound[2], sound[3], sound[4], sound[5], sound[6])
	f.Add("", "É", "ABC", ".......", "AAAAAAA", "A.A.A.A", "\x00")
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, h string) {
		grid := Grid{a, b, c, d, e, g, h}
		board, faults := ParseBoard(grid)
		if len(faults) > 0 {
			if !reflect.DeepEqual(board, Board{}) {
				t.Error("a faulty board was returned")
			}
			return
		}
		m := NewMaker(board, Weights{1, 1, 1})
		for _, o := range append(Outcomes(), Outcome{}) {
			if m.Racks(o) == 0 {
				t.Errorf("%v has no rack", o)
			}
			if _, err := m.Make(o, chance{rand.New(rand.NewPCG(1, 2))}); err != nil {
				t.Error(err)
			}
		}
	})
}
