package instant

import (
	"errors"
	"slices"
	"testing"
	"time"

	"boulier/money"
	"boulier/regs/regstest"
)

// opened returns a block on sale.
func opened() Block { return Block{}.Apply(BlockOpened{1}) }

// sell sells units of the given outcomes and fails the test if one is refused.
func sell(t *testing.T, g *Game, b Block, outcomes ...Outcome) Block {
	t.Helper()
	for _, o := range outcomes {
		e, err := b.Sell(g, o)
		if err != nil {
			t.Fatal(err)
		}
		b = b.Apply(e)
	}
	return b
}

func TestArt3_WholeBlockGivesItsTable(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "house:3")
	g := small()
	events := []BlockEvent{BlockOpened{1}}
	b := opened()
	for i, o := range Deal(g, seeded(3)) {
		e, err := b.Sell(&g, o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Index != int64(i) || e.Stake != 200 {
			t.Fatalf("unit %d was sold as %+v", i, e)
		}
		events = append(events, e)
		b = b.Apply(e)
	}
	if _, err := b.Sell(&g, 0); !errors.Is(err, ErrBlockExhausted) {
		t.Errorf("a unit after the last: %v", err)
	}
	e, err := b.Close(&g, Exhausted)
	if err != nil {
		t.Fatal(err)
	}
	events = append(events, e)
	b = b.Apply(e)
	want := Block{Number: 1, Status: BlockEnded, Next: 100, Stakes: 20000, Paid: 13000}
	copy(want.Given[:], []uint32{75, 1, 4, 20})
	if b != want {
		t.Errorf("the block ended as %+v, want %+v", b, want)
	}
	if got, err := Replay(&g, slices.Values(events)); err != nil || got != b {
		t.Errorf("replay gives %+v, %v", got, err)
	}
}

func TestArt3_SellNeverExceedsTheTable(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "house:3")
	g := small()
	b := sell(t, &g, opened(), 1)
	for _, o := range []Outcome{1, 4, 65535} {
		if _, err := b.Sell(&g, o); !errors.Is(err, ErrTableBreach) {
			t.Errorf("outcome %d: %v, want a breach", o, err)
		}
	}
	for range g.Losers() {
		b = sell(t, &g, b, 0)
	}
	if _, err := b.Sell(&g, 0); !errors.Is(err, ErrTableBreach) {
		t.Errorf("one loser too many: %v", err)
	}
	if _, err := b.Stop(&g, 2); !errors.Is(err, ErrNoBreach) {
		t.Errorf("stopped although the unit fits: %v", err)
	}
	stop, err := b.Stop(&g, 1)
	if err != nil {
		t.Fatal(err)
	}
	b = b.Apply(stop)
	if _, err := b.Sell(&g, 2); !errors.Is(err, ErrBlockStopped) {
		t.Errorf("a sale of a stopped block: %v", err)
	}
	if _, err := b.Stop(&g, 1); !errors.Is(err, ErrBlockStopped) {
		t.Errorf("stopped twice: %v", err)
	}
	if _, err := b.Close(&g, TableBreach); err != nil {
		t.Errorf("a stopped block cannot be closed: %v", err)
	}
}

func TestArt2_BlockRefusals(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	g := small()
	ready, ended := Block{}, opened().Apply(BlockClosed{1, 0, ByOrder})
	ask := map[string]func(b Block) error{
		"sell":  func(b Block) error { _, err := b.Sell(&g, 0); return err },
		"stop":  func(b Block) error { _, err := b.Stop(&g, 99); return err },
		"close": func(b Block) error { _, err := b.Close(&g, ByOrder); return err },
	}
	for name, fn := range ask {
		if err := fn(ready); !errors.Is(err, ErrBlockNotOpen) {
			t.Errorf("%s before it opens: %v", name, err)
		}
		if err := fn(ended); !errors.Is(err, ErrBlockClosed) {
			t.Errorf("%s after its end: %v", name, err)
		}
	}
	onSale := opened()
	if _, err := onSale.Close(&g, Exhausted); !errors.Is(err, ErrUnitsLeft) {
		t.Errorf("closed as exhausted with units left: %v", err)
	}
}

func TestReplay_RefusesWhatTheRulesWouldNotDecide(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "house:6")
	g := small()
	unit := func(i int64, o Outcome, prize money.Cents) UnitSold { return UnitSold{i, o, 200, prize} }
	for name, events := range map[string][]BlockEvent{
		"a sale before it opens":   {unit(0, 0, 0)},
		"opened twice":             {BlockOpened{1}, BlockOpened{1}},
		"a unit skipped":           {BlockOpened{1}, unit(1, 0, 0)},
		"a unit twice":             {BlockOpened{1}, unit(0, 0, 0), unit(0, 0, 0)},
		"a prize of another line":  {BlockOpened{1}, unit(0, 1, 1000)},
		"another price":            {BlockOpened{1}, UnitSold{0, 0, 199, 0}},
		"a prize beyond the table": {BlockOpened{1}, unit(0, 1, 5000), unit(1, 1, 5000)},
		"an outcome beyond it":     {BlockOpened{1}, unit(0, 9, 5000)},
		"a stop without a breach":  {BlockOpened{1}, BlockStopped{0, 0}},
		"a sale after the end":     {BlockOpened{1}, BlockClosed{1, 0, ByOrder}, unit(0, 0, 0)},
		"a wrong count at the end": {BlockOpened{1}, BlockClosed{1, 1, ByOrder}},
	} {
		if _, err := Replay(&g, slices.Values(events)); err == nil {
			t.Errorf("%s was replayed", name)
		}
	}
}

func TestBlock_SellAllocatesNothing(t *testing.T) {
	g := small()
	g.Block = 1 << 40
	b := opened()
	if n := testing.AllocsPerRun(1000, func() {
		e, err := b.Sell(&g, 0)
		if err != nil {
			t.Fatal(err)
		}
		b = b.Apply(e)
	}); n != 0 {
		t.Errorf("a sale allocates %.1f times", n)
	}
}

func BenchmarkBlock_SellApply(b *testing.B) {
	g := small()
	g.Block = 1 << 31
	block := opened()
	for b.Loop() {
		e, err := block.Sell(&g, 0)
		if err != nil {
			b.Fatal(err)
		}
		block = block.Apply(e)
	}
}

var (
	day    = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	window = Window{day, day.AddDate(0, 1, 0)}
)

func TestArt2_IssueDates(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	open := Issue{}.Apply(IssueOpened{window})
	for _, tc := range []struct {
		name  string
		issue Issue
		at    time.Time
		sold  bool
	}{
		{"before it was opened", Issue{}, day, false},
		{"a moment before its start", open, day.Add(-1), false},
		{"at its start", open, day, true},
		{"a moment before its end", open, window.Closes.Add(-1), true},
		{"at its end", open, window.Closes, false},
		{"closed by order before its end", open.Apply(IssueClosed{day, ByOrder}), day, false},
	} {
		err := tc.issue.CheckSale(tc.at)
		if tc.sold != (err == nil) || (err != nil && !errors.Is(err, ErrIssueClosed)) {
			t.Errorf("%s: %v, want sold %t", tc.name, err, tc.sold)
		}
	}
}

func TestArt2_BlocksFollowEachOther(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	opened, err := Issue{}.Open(small(), window)
	if err != nil {
		t.Fatal(err)
	}
	events := []IssueEvent{opened}
	i := Issue{}.Apply(opened)
	for n := BlockNumber(1); n <= 3; n++ {
		e, err := i.OpenBlock(day)
		if err != nil || e.Number != n {
			t.Fatalf("block %d opened as %+v, %v", n, e, err)
		}
		i = i.Apply(e)
		if _, err := i.OpenBlock(day); !errors.Is(err, ErrBlockOnSale) {
			t.Errorf("a second block beside block %d: %v", n, err)
		}
		end := BlockClosed{n, 100, Exhausted}
		events = append(events, e, end)
		i = i.Apply(end)
	}
	if _, err := i.OpenBlock(window.Closes); !errors.Is(err, ErrIssueClosed) {
		t.Errorf("a block after the closing date: %v", err)
	}
	if _, err := i.Close(day, ByDate); !errors.Is(err, ErrTooEarly) {
		t.Errorf("closed by a date to come: %v", err)
	}
	closed, err := i.Close(window.Closes, ByDate)
	if err != nil {
		t.Fatal(err)
	}
	events = append(events, closed)
	i = i.Apply(closed)
	if _, err := i.Close(day, ByOrder); !errors.Is(err, ErrIssueClosed) {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := i.OpenBlock(day); !errors.Is(err, ErrIssueClosed) {
		t.Errorf("a block after the end: %v", err)
	}
	if got := ReplayIssue(events); got != i || got.Blocks != 3 {
		t.Errorf("replay gives %+v, want %+v", got, i)
	}
}

func TestArt3_OpenRefusesAFaultyGame(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3")
	faulty, bare := small(), small()
	faulty.Declared.Prizes = ptr(int64(24))
	bare.Kind = NoFace
	for name, g := range map[string]Game{"wrong total": faulty, "no face": bare} {
		if _, err := (Issue{}).Open(g, window); !errors.Is(err, ErrGameFaulty) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
	if _, err := (Issue{}).Open(small(), Window{day, day}); !errors.Is(err, ErrIssueDates) {
		t.Errorf("an empty window: %v", err)
	}
	if _, err := (Issue{Opened: true}).Open(small(), window); !errors.Is(err, ErrIssueOpened) {
		t.Errorf("opened twice: %v", err)
	}
}
