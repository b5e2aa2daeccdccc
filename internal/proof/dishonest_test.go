package proof

import (
	"bytes"
	"testing"

	"boulier/journal"
	"boulier/regs/regstest"
)

// sellLast sells unit 7, a loser, as the operator changes it, and ends the block.
func (s *shop) sellLast(change func(*Sale)) {
	s.book.t.Helper()
	if o := s.block.Outcome(7); o != 0 {
		s.book.t.Fatalf("unit 7 has outcome %d", o)
	}
	sale := Sale{Block: s.header.Block, Index: 7, Stake: 200, Buyer: buyer(7).Digest(), Rules: 1}
	change(&sale)
	s.recordSale(sale)
	s.finish()
}

// dishonestFiles returns exports whose signatures all hold and that must be refused, by
// name, as testdata/refused holds them: the word before the hyphen says what they are.
func dishonestFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for name, change := range map[string]func(*Sale){
		"skipped": func(s *Sale) { s.Index = 8 },
		"twice":   func(s *Sale) { s.Index = 6 },
		"outcome": func(s *Sale) { s.Outcome, s.Prize = 3, 200 },
		"stake":   func(s *Sale) { s.Stake = 100 },
		"prize":   func(s *Sale) { s.Prize = 200 },
	} {
		s := openShop(t, nil)
		s.sellLast(change)
		b, sales := s.closed()
		files["block-"+name+".jsonl"] = blockText(t, b, sales)
		if name == "skipped" {
			files["journal-skipped.jsonl"] = s.book.export(s.checkpoint)
		}
	}
	for name, change := range map[string]func(*Revealed){
		"more":  func(r *Revealed) { r.Sold++ },
		"less":  func(r *Revealed) { r.Sold-- },
		"other": func(r *Revealed) { r.Sales[0]++ },
	} {
		s := openShop(t, nil)
		r := s.revealed()
		change(&r)
		s.finishAs(r)
		files["journal-"+name+".jsonl"] = s.book.export(s.checkpoint)
	}
	for name, after := range map[string]func(*shop){
		"after": func(s *shop) { s.sell(7) },
		"again": func(s *shop) { s.finish() },
		"kept":  func(s *shop) { s.book.record(SalesStream("block-2"), "unit_kept", map[string]int{"index": 0}) },
	} {
		s := newShop(t, nil)
		after(s)
		files["journal-"+name+".jsonl"] = s.book.export(s.book.sign())
	}
	u := newShop(t, nil).unit(2)
	u.Buyer.Player++
	files["unit-buyer.json"] = unitText(t, u)
	return files
}

// TestVerify_RefusesDishonestFiles checks that what testdata holds for other implementations
// to refuse is refused here.
func TestVerify_RefusesDishonestFiles(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:37", "std:52")
	for name, file := range dishonestFiles(t) {
		if _, err := Verify(name, bytes.NewReader(file), Options{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestVerifyBlock_DishonestOperator checks closed blocks whose signatures all hold, made by
// an operator whose last sale is not of the next unit, at its price and for its prize.
func TestVerifyBlock_DishonestOperator(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "std:37")
	for _, tc := range []struct {
		name   string
		change func(s *Sale)
		words  string // none: it holds
	}{
		{"the next unit", func(*Sale) {}, ""},
		{"a unit skipped", func(s *Sale) { s.Index = 8 }, "f: the sales are not those"},
		{"a unit sold twice", func(s *Sale) { s.Index = 6 }, "f: the sales are not those"},
		{"another outcome", func(s *Sale) { s.Outcome = 3; s.Prize = 200 }, "f: the sales are not those"},
		{"another stake", func(s *Sale) { s.Stake = 100 }, "f: the sales are not those"},
		{"another prize", func(s *Sale) { s.Prize = 200 }, "f: the sales are not those"},
		{"another block", func(s *Sale) { s.Block = "block-2" }, "f: the sales are not those"},
		{"a board", func(s *Sale) { s.Board = 1 }, "f:9: a sale on board 1"},
	} {
		s := openShop(t, nil)
		s.sellLast(tc.change)
		b, sales := s.closed()
		if tc.words == "" {
			holds(t, blockText(t, b, sales), Options{}, "8 units were sold, in that order and without a skip")
			continue
		}
		refused(t, tc.name, blockText(t, b, sales), Options{}, tc.words)
	}
}

// TestVerifyJournal_Sales checks that the end of a block is the end of what the journal
// holds of its sales, whether their payloads are shown or not.
func TestVerifyJournal_Sales(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "std:52")
	sale := func(s *shop, kind journal.Kind) {
		s.book.raw(SalesStream(s.header.Block), kind, Sale{s.header.Block, 7, 0, 200, 0, 0, Hash{}, 1}.Append(nil))
	}
	for _, tc := range []struct {
		name   string
		change func(s *shop, r *Revealed) // before the end
		after  func(s *shop)
		words  string // none: it holds
	}{
		{"as it was", nil, nil, ""},
		{"a sale more is revealed", func(_ *shop, r *Revealed) { r.Sold++ }, nil, "f:18: block 01890a5d-ac96-774b-bcce-b302099a8057: the sales are not those recorded at the end of the block: it says 8, the journal holds 7"},
		{"a sale less is revealed", func(_ *shop, r *Revealed) { r.Sold-- }, nil, "it says 6, the journal holds 7"},
		{"other sales are revealed", func(_ *shop, r *Revealed) { r.Sales[0]++ }, nil, "f:18: block 01890a5d-ac96-774b-bcce-b302099a8057: the sales are not those"},
		{"a sale that is not counted", func(s *shop, _ *Revealed) { sale(s, KindSold) }, nil, "it says 7, the journal holds 8"},
		{"a sale withheld that is not counted", func(s *shop, _ *Revealed) {
			sale(s, KindSold)
			s.book.bodies[len(s.book.bodies)-1] = nil
		}, nil, "it says 7, the journal holds 8"},
		{"sales withheld", func(s *shop, _ *Revealed) {
			for _, i := range s.sales {
				s.book.bodies[i] = nil
			}
		}, nil, ""},
		{"something else among the sales", func(s *shop, _ *Revealed) { sale(s, "unit_kept") }, nil, "f:18: a unit_kept is number 8 of instant/sales/01890a5d-ac96-774b-bcce-b302099a8057, where nothing but sales stands"},
		{"a sale after the end", nil, func(s *shop) { sale(s, KindSold) }, "f:19: number 8 of instant/sales/01890a5d-ac96-774b-bcce-b302099a8057 comes after the end of its block"},
		{"a sale withheld after the end withheld", nil, func(s *shop) {
			s.book.bodies[s.end] = nil
			sale(s, KindSold)
			s.book.bodies[len(s.book.bodies)-1] = nil
		}, "f:19: number 8 of instant/sales/01890a5d-ac96-774b-bcce-b302099a8057 comes after the end of its block"},
		{"a second end", nil, func(s *shop) { s.finish() }, "f:19: block 01890a5d-ac96-774b-bcce-b302099a8057 is revealed a second time"},
		{"the end withheld", nil, func(s *shop) { s.book.bodies[s.end] = nil }, ""},
	} {
		s := openShop(t, nil)
		r := s.revealed()
		if tc.change != nil {
			tc.change(s, &r)
		}
		s.finishAs(r)
		if tc.after != nil {
			tc.after(s)
			s.checkpoint = s.book.sign()
		}
		if file := s.book.export(s.checkpoint); tc.words == "" {
			holds(t, file, Options{}, "journal of hall.example")
		} else {
			refused(t, tc.name, file, Options{}, tc.words)
		}
	}
}
