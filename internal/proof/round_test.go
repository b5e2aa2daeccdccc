package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"

	"golang.org/x/mod/sumdb/note"
)

// A hall is a round of bingo whose facts are kept in a book.
type hall struct {
	t       testing.TB
	book    *book
	secret  draw.Secret
	mixed   draw.Secret // of the witness
	round   bingo.Round
	sale    bingo.Sale
	sold    []bingo.Sold
	sales   []bingo.CardsSold
	facts   []int64 // their indices in the book
	refunds []int64
	board   *bingo.Board
	gone    []int // places that were refunded
	now     time.Time
	before  string
	older   journal.Head
	tamper  func(e bingo.Event) bingo.Event // a dishonest operator, before a fact is recorded
}

func hallProposal() bingo.Proposal {
	return bingo.Proposal{Title: "Soirée & nuit", MaxPrice: 2_00, MostCards: 30,
		Tracks:   []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A", "B"}, Size: 12}, {Price: 2_00, Series: []ninety.Series{"C"}, Size: 60}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second,
		Prizes: []bingo.Prize{bingo.BingoPrize, bingo.LinePrize, {Name: "two", Pattern: ninety.TwoLines, Amount: 3_00},
			{Name: "corners", Pattern: 1 | 1<<4 | 1<<10 | 1<<14, Rate: 500}},
		Pots: []bingo.PotRule{{Name: "pot", Pattern: ninety.Line, Within: 90, Rate: 10 * bingo.Percent,
			Keep: 70 * bingo.Percent, Cap: 15_000_00, Refill: 70 * bingo.Percent}}}
}

// newHall plays a round as the plan says: c sells cards, each way of ending it once.
func newHall(t testing.TB, tamper func(e bingo.Event) bingo.Event) *hall {
	h := &hall{t: t, book: newBook(t, "hall.example", 1), secret: sha256.Sum256([]byte("hall")),
		mixed: sha256.Sum256([]byte("witness")), now: at(0), tamper: tamper}
	h.book.clock = func() time.Time { return h.now }
	h.book.record("staff", "signed_in", map[string]string{"who": "manager"})
	h.do(bingo.Plan(17, 2, hallProposal()))
	return h
}

func (h *hall) id() draw.ID { return draw.ID(strconv.Itoa(17)) }

// do applies and records what was decided.
func (h *hall) do(events []bingo.Event, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range events {
		h.round, h.sale = h.round.Apply(e), h.sale.Apply(e)
		if h.tamper != nil {
			e = h.tamper(e)
		}
		body, err := snake.Encode(e)
		if err != nil {
			h.t.Fatal(err)
		}
		stream := RoundStream(17)
		switch e := e.(type) {
		case bingo.CardsSold:
			h.sales = append(h.sales, e)
			h.book.raw(BingoSalesStream(17), journal.Kind(e.Kind()), body)
			continue
		case bingo.CardsRefunded:
			h.gone = append(h.gone, e.Places...)
			if h.board != nil {
				h.board.Leave(e.Places...)
			}
			h.refunds = append(h.refunds, h.book.raw(BingoSalesStream(17), journal.Kind(e.Kind()), body))
			continue
		}
		h.facts = append(h.facts, h.book.raw(stream, journal.Kind(e.Kind()), body))
	}
}

// commit commits, with a witness or without.
func (h *hall) commit(witness bool) *hall {
	var w bingo.Witness
	if witness {
		by := newBook(h.t, "regulator.example", 7)
		c := draw.Commit(draw.BingoWitness, h.id(), h.mixed).String()
		signed, err := note.Sign(&note.Note{Text: WitnessText(17, c)}, by.signer)
		if err != nil {
			h.t.Fatal(err)
		}
		w = bingo.Witness{Commitment: c, Key: by.key, Signed: string(signed)}
	}
	h.do(h.round.Commit(draw.Commit(draw.BingoRound, h.id(), h.secret).String(), w))
	return h
}

// open opens the sale and sells to three players.
func (h *hall) open(counts ...int) *hall {
	h.before, h.older = h.book.sign(), h.book.head
	h.do(h.round.OpenSale(h.now, []bingo.Cursor{{Series: 0, Number: 7}, {Series: 0, Number: 60}}, true))
	prices := []money.Cents{1_00, 2_00}
	for i, n := range counts {
		h.do(h.sale.Sell(bingo.Purchase{Player: player.ID(7 + i%3), Terminal: bingo.TerminalID(1 + i%3), Price: prices[i%2],
			Count: n, At: h.now, Credits: 1_000_00}))
	}
	return h
}

// hallCard returns the face of a serial: any card, the same every time.
func hallCard(s ninety.Serial) ninety.Card {
	numbers := ninety.Draw(draw.NewStream(draw.NinetySheets, draw.ID(s.String()), draw.Secret{}, nil))
	var c ninety.Card
	for i := range c.Lines {
		c.Lines[i] = c.Lines[i].With(numbers[5*i : 5*i+5]...)
	}
	return c
}

func (h *hall) close() *hall {
	h.now = h.round.Sale.Closes
	h.sold = nil
	for _, e := range h.sales {
		for s := range e.Serials() {
			h.sold = append(h.sold, bingo.Sold{Serial: s, Card: hallCard(s), Player: e.Player, Price: e.Price})
		}
	}
	digest, faces := bingo.Digest(slices.Values(h.sales)), bingo.Faces(h.sold)
	h.do(h.round.Close(h.now, h.sale, hex.EncodeToString(digest[:]), hex.EncodeToString(faces[:]), []bingo.Pot{{Amount: 100_00, Reserve: 50_01}}))
	h.board = bingo.NewBoard(h.round.Proposal, h.sold)
	h.board.Leave(h.gone...)
	if h.round.Waits() {
		h.do(h.round.OpenWitness(h.mixed.Reveal(), h.round.Witness))
	}
	return h
}

// draw draws so many balls at most.
func (h *hall) draw(n int) *hall {
	salt, err := h.round.DrawSalt()
	if err != nil {
		h.t.Fatal(err)
	}
	order := ninety.Draw(draw.NewStream(draw.BingoRound, h.id(), h.secret, salt))
	for range n {
		if h.round.Phase != bingo.Drawing {
			break
		}
		h.now = h.round.Due()
		h.do(h.round.Draw(order[len(h.round.Balls)], h.board, h.now))
	}
	return h
}

// refund has the terminal of a purchase fail, and its cards leave.
func (h *hall) refund(purchase int) *hall {
	e := h.sales[purchase]
	h.do(h.round.RecordFault(e.Terminal, "écran noir", 5))
	h.do(h.round.Refund(e, nil, 5))
	return h
}

func (h *hall) void() *hall {
	h.do(h.round.Void(5, "panne de courant", h.sale))
	return h
}

// file reveals the secret and exports the round.
func (h *hall) file(change func(r *Round, facts, refunds *[]Proved, sold *[]bingo.Sold)) []byte {
	h.t.Helper()
	h.do(h.round.Reveal(h.secret.Reveal(), h.round.Commitment))
	h.book.record("staff", "signed_out", map[string]string{"who": "manager"})
	r := Round{Key: h.book.key, Round: 17, Before: h.before, Checkpoint: h.book.sign()}
	if h.before != "" {
		path, err := journal.ProveConsistency(h.older.Size, h.book.head, h.book)
		if err != nil {
			h.t.Fatal(err)
		}
		r.Consistency = PathOf(path)
	}
	var facts, refunds []Proved
	for _, index := range h.facts {
		facts = append(facts, h.book.proved(index, h.book.head))
	}
	for _, index := range h.refunds {
		refunds = append(refunds, h.book.proved(index, h.book.head))
	}
	if h.sold == nil && len(h.sales) > 0 {
		for _, e := range h.sales {
			for s := range e.Serials() {
				h.sold = append(h.sold, bingo.Sold{Serial: s, Card: hallCard(s), Player: e.Player, Price: e.Price})
			}
		}
	}
	sold := slices.Clone(h.sold)
	if change != nil {
		change(&r, &facts, &refunds, &sold)
	}
	var out bytes.Buffer
	if err := WriteRound(&out, r, facts, refunds, slices.Values(sold), len(sold)); err != nil {
		h.t.Fatal(err)
	}
	return out.Bytes()
}

// hallFiles are rounds that end in each way.
func hallFiles(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"round.jsonl":        newHall(t, nil).commit(true).open(4, 1, 3, 1, 5).close().draw(20).refund(2).draw(90).file(nil),
		"round-alone.jsonl":  newHall(t, nil).commit(false).open(2, 1).refund(0).close().draw(90).file(nil),
		"round-void.jsonl":   newHall(t, nil).commit(true).open(3, 1, 2).close().draw(70).void().file(nil),
		"round-unsold.jsonl": newHall(t, nil).commit(false).open().close().file(nil),
	}
}

// askStranger is what Node runs: it says of each file of a folder whether it holds, and if
// not, what does not.
const askStranger = `
import { readdirSync, readFileSync } from "node:fs";
import { verify } from %q;
const folder = process.argv[1];
for (const name of readdirSync(folder)) {
	const { ok, failure } = verify({ file: new Uint8Array(readFileSync(folder + "/" + name)) });
	console.log(JSON.stringify({ name, ok, why: failure ? failure.step + ": " + failure.detail : "" }));
}`

// stranger holds that the second implementation says the same of files: whether each holds.
// scripts/setup.sh installs Node.
func stranger(t *testing.T, files map[string][]byte, hold bool) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("node is needed for the second verifier (make setup installs it): %v", err)
	}
	folder := t.TempDir()
	for name, file := range files {
		path := filepath.Join(folder, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	module, err := filepath.Abs("../../verify/verify.mjs")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "--input-type=module", "-e", fmt.Sprintf(askStranger, "file://"+module), folder).CombinedOutput()
	if err != nil {
		t.Fatalf("the second verifier: %v\n%s", err, out)
	}
	said := 0
	for line := range strings.Lines(string(out)) {
		var v struct {
			Name, Why string
			OK        bool
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("the second verifier says %q", line)
		}
		if said++; v.OK != hold || v.OK != (v.Why == "") {
			t.Errorf("%s: the second verifier says %t, %s", v.Name, v.OK, v.Why)
		}
	}
	if said != len(files) {
		t.Errorf("the second verifier speaks of %d files of %d", said, len(files))
	}
}

func TestArt93_10_VerifyRound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.8", "bingo:93.10", "bingo:93.12", "bingo:93.13", "std:40")
	files := hallFiles(t)
	for name, file := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(want, file) {
			t.Errorf("%s is not what is written today: %v", name, err)
		}
	}
	key := newBook(t, "hall.example", 1).key
	holds(t, files["round.jsonl"], Options{Key: key}, "a witness takes part, by the key")
	holds(t, files["round-alone.jsonl"], Options{Key: key}, "it has no witness")
	holds(t, files["round-void.jsonl"], Options{Key: key}, "it is void after 70 balls")
	holds(t, files["round-unsold.jsonl"], Options{Key: key}, "0 cards in order of sale")
	more := map[string][]byte{
		"void before the sale":       newHall(t, nil).commit(true).void().file(nil),
		"void while cards are sold":  newHall(t, nil).commit(true).open(4, 1).refund(1).void().file(nil),
		"void before the first ball": newHall(t, nil).commit(false).open(4, 1).close().void().file(nil),
		"all cards refunded":         newHall(t, nil).commit(false).open(1).close().draw(3).refund(0).draw(1).file(nil),
		"refunded when it is over":   overRefunded(t),
	}
	stranger(t, more, true)
	for name, file := range more {
		if _, err := Verify(name, bytes.NewReader(file), Options{Key: key}); err != nil {
			t.Error(err)
		}
	}
}

// overRefunded is a round in which the cards of a player who won nothing are refunded at the end.
func overRefunded(t *testing.T) []byte {
	h := newHall(t, nil).commit(false).open(1, 1, 9).close().draw(3)
	for _, e := range h.sales {
		h.do(h.round.RecordFault(e.Terminal, "écran noir", 5))
	}
	h.draw(90)
	for _, e := range h.sales {
		if !slices.ContainsFunc(h.round.Wins, func(w bingo.Win) bool {
			return slices.ContainsFunc(w.Winners, func(x bingo.Winner) bool { return x.Player == e.Player })
		}) {
			h.do(h.round.Refund(e, nil, 5))
			return h.file(nil)
		}
	}
	t.Fatal("everybody won")
	return nil
}

// TestArt93_10_VerifyRound_Refusals changes the file of an honest operator.
func TestArt93_10_VerifyRound_Refusals(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.8", "bingo:93.10", "bingo:93.13")
	all := map[string][]byte{}
	type lists struct {
		r              *Round
		facts, refunds *[]Proved
		sold           *[]bingo.Sold
	}
	for _, tc := range []struct {
		name   string
		change func(l lists)
		words  string
	}{
		{"a card less", func(l lists) { *l.sold = (*l.sold)[:4] }, "wins"},
		{"a card more", func(l lists) { *l.sold = append(*l.sold, (*l.sold)[0]) }, "or none is left"},
		{"two cards exchanged", func(l lists) { (*l.sold)[0], (*l.sold)[1] = (*l.sold)[1], (*l.sold)[0] }, "in order would be"},
		{"a card of other numbers", func(l lists) { (*l.sold)[2].Card = hallCard(ninety.Serial{Series: "Z", Number: 1}) }, "here should stand sale_closed"},
		{"a card that is none", func(l lists) { (*l.sold)[2].Card.Lines[0] = (*l.sold)[2].Card.Lines[1] }, "stands twice"},
		{"a fact less", func(l lists) { *l.facts = slices.Delete(*l.facts, 9, 10) }, "not ball_drawn number 10 of"},
		{"no secret", func(l lists) { *l.facts = (*l.facts)[:len(*l.facts)-1] }, "its secret is not revealed"},
		{"two facts exchanged", func(l lists) { (*l.facts)[8], (*l.facts)[9] = (*l.facts)[9], (*l.facts)[8] }, "not ball_drawn number 9 of"},
		{"a refund twice", func(l lists) { *l.refunds = append(*l.refunds, (*l.refunds)[0]) }, "a refund is missing"},
		{"a checkpoint of after the sale", func(l lists) { l.r.Before, l.r.Consistency = l.r.Checkpoint, nil }, "the sale opened, leaf"},
		{"no checkpoint before the sale", func(l lists) { l.r.Before, l.r.Consistency = "", nil }, "a sale without a checkpoint"},
		{"another round", func(l lists) { l.r.Round = 18 }, "not round_planned number 1 of bingo/round/18"},
		{"another operator", func(l lists) { l.r.Key = newBook(t, "other.example", 2).key }, "not signed by the operator's key"},
	} {
		h := newHall(t, nil).commit(true).open(4, 1, 3, 1, 5).close().draw(20).refund(2).draw(90)
		file := h.file(func(r *Round, facts, refunds *[]Proved, sold *[]bingo.Sold) {
			tc.change(lists{r, facts, refunds, sold})
		})
		refused(t, tc.name, file, Options{}, tc.words)
		all[tc.name] = file
	}
	played := newHall(t, nil).commit(true).open(4, 1, 3, 1, 5).close().draw(90)
	last := played.round.Wins[len(played.round.Wins)-1].Winners[0].Place
	refund := slices.IndexFunc(played.sales, func(e bingo.CardsSold) bool { return last < e.First+e.Count })
	file := newHall(t, nil).commit(true).open(4, 1, 3, 1, 5).close().draw(20).refund(refund).draw(90).file(
		func(_ *Round, _, refunds *[]Proved, _ *[]bingo.Sold) { *refunds = nil })
	refused(t, "the refund of a card that would have won is left out", file, Options{}, "here should stand")
	all["no refund"] = file
	stranger(t, all, false)
}

// TestArt93_10_VerifyRound_DishonestOperator checks files whose proofs and signatures all
// hold, of an operator who records what the rules do not give.
func TestArt93_10_VerifyRound_DishonestOperator(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.9", "bingo:93.10", "bingo:93.12", "bingo:93.13")
	all := map[string][]byte{}
	for _, tc := range []struct {
		name   string
		tamper func(e bingo.Event) bingo.Event
		words  string
	}{
		{"a proposal that gives less than 70 %", func(e bingo.Event) bingo.Event {
			if p, ok := e.(bingo.RoundPlanned); ok {
				p.Proposal.Prizes = []bingo.Prize{{Name: "line", Pattern: ninety.Line, Rate: 100}, {Name: "b", Pattern: ninety.FullCard, Rate: 100}}
				return p
			}
			return e
		}, "proposal_rates"},
		{"a witness that signed nothing", func(e bingo.Event) bingo.Event {
			if c, ok := e.(bingo.RoundCommitted); ok {
				c.Signed = strings.Replace(c.Signed, "round 17", "round 18", 1)
				return c
			}
			return e
		}, "not signed by its key"},
		{"another secret of the witness", func(e bingo.Event) bingo.Event {
			if w, ok := e.(bingo.WitnessOpened); ok {
				w.Secret = strings.Repeat("00", 32)
				return w
			}
			return e
		}, "other_secret"},
		{"another ball", func(e bingo.Event) bingo.Event {
			if b, ok := e.(bingo.BallDrawn); ok && b.Number == 1 {
				b.Ball = b.Ball%90 + 1
				return b
			}
			return e
		}, "here should stand ball_drawn"},
		{"a ball before its time", func(e bingo.Event) bingo.Event {
			if b, ok := e.(bingo.BallDrawn); ok && b.Number == 2 {
				b.At = b.At.Add(-time.Microsecond)
				return b
			}
			return e
		}, "ball_too_soon"},
		{"a cent from one winner to another", func(e bingo.Event) bingo.Event {
			if w, ok := e.(bingo.PrizeWon); ok {
				w.Win.Winners = slices.Clone(w.Win.Winners)
				w.Win.Winners[0].Share--
				return w
			}
			return e
		}, "here should stand prize_won"},
		{"a prize with a smaller amount", func(e bingo.Event) bingo.Event {
			if c, ok := e.(bingo.SaleClosed); ok {
				c.Amounts = slices.Clone(c.Amounts)
				c.Amounts[0]--
				return c
			}
			return e
		}, "here should stand sale_closed"},
		{"another price of its cards", func(e bingo.Event) bingo.Event {
			if c, ok := e.(bingo.SaleOpened); ok {
				c.Tracks = slices.Clone(c.Tracks)
				c.Tracks[0].Size = 11
				return c
			}
			return e
		}, "here should stand sale_opened"},
		{"other pots for the next round", func(e bingo.Event) bingo.Event {
			if x, ok := e.(bingo.RoundEnded); ok {
				x.Pots = []bingo.Pot{{Amount: 1}}
				return x
			}
			return e
		}, "here should stand round_ended"},
		{"another reason", func(e bingo.Event) bingo.Event {
			if x, ok := e.(bingo.RoundEnded); ok {
				x.Reason = bingo.AllWon
				return x
			}
			return e
		}, "here should stand round_ended"},
	} {
		h := newHall(t, tc.tamper).commit(true).open(4, 1, 3, 1, 5).close().draw(90)
		all[tc.name] = h.file(nil)
		refused(t, tc.name, all[tc.name], Options{}, tc.words)
	}
	h := newHall(t, nil).commit(false).open(4, 1)
	h.secret[0]++
	h.close().draw(90)
	all["another secret"] = h.file(nil)
	refused(t, "another secret", all["another secret"], Options{}, "the secret is not the one committed to")
	h = newHall(t, func(e bingo.Event) bingo.Event {
		if v, ok := e.(bingo.RoundVoided); ok {
			v.Refund -= 1_00
			return v
		}
		return e
	}).commit(false).open(4, 1).void()
	all["a refund too small"] = h.file(nil)
	refused(t, "a refund too small", all["a refund too small"], Options{}, "here should stand round_voided")
	stranger(t, all, false)
}
