package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/money"
)

// A lotoDay is a day of loto whose facts are kept in a book. Cards 1, 2 and 3 of series A have
// the same numbers, so that they win together.
type lotoDay struct {
	t       testing.TB
	book    *book
	session loto.Session
	stocks  []loto.Stock
	series  int64   // index of the registration in the book
	facts   []int64 // indices of the facts
	before  string
	older   journal.Head
	now     time.Time
	tamper  func(e loto.Event) loto.Event // a dishonest operator, before a fact is recorded
	secret  func(id draw.ID) draw.Secret  // of a round or tie
}

const lotoCards = 30

// lotoFace returns the numbers of a card.
func lotoFace(number int) ninety.Card {
	if number <= 3 {
		number = 1
	}
	return hallCard(ninety.Serial{Series: "A", Number: number})
}

// lotoPlan has a round that the program draws, one of a real cage, and one that is not played.
func lotoPlan(start time.Time) loto.Plan {
	a := []ninety.Series{"A"}
	voucher := func(s loto.Stage, amount money.Cents) loto.Prize {
		return loto.Prize{Stage: s, Kind: loto.Voucher, Name: "Bon d’achat", Amount: amount, Smallest: 1_00, Series: a,
			Consolation: "Un filet garni"}
	}
	object := loto.Prize{Stage: loto.StageFullCard, Kind: loto.Object, Name: "Vélo « bleu »", Series: a, Consolation: "Un jambon"}
	return loto.Plan{Title: "Loto & fête", Doors: start.Add(-3 * time.Hour), Start: start,
		Breaks:   []loto.Break{{Title: "Repas", At: start.Add(90 * time.Minute), Length: 75 * time.Minute}},
		Ordinary: a, Tariffs: loto.UsualTariffs()[:3], WalkIns: true,
		Desks: []loto.Desk{{Number: 1}, {Number: 2, Mobility: true}},
		Piles: []loto.Pile{{Desk: 1, Unit: loto.SheetOf3, Series: "A", From: 1, To: 18},
			{Desk: 2, Unit: loto.OneCard, Series: "A", From: 19, To: lotoCards}},
		Rounds: []loto.Round{
			{Title: "Première", Prizes: []loto.Prize{voucher(loto.StageQuine, 20_00), voucher(loto.StageTwoLines, 30_00), object}},
			{Title: "Deuxième", Cage: true, Prizes: []loto.Prize{voucher(loto.StageFullCard, 100_00)}},
			{Title: "Dernière", Prizes: []loto.Prize{voucher(loto.StageQuine, 20_00)}},
		}}
}

// newLotoDay plays the day as far as the opening of the sale; plan changes the plan.
func newLotoDay(t testing.TB, tamper func(e loto.Event) loto.Event, plan func(p *loto.Plan)) *lotoDay {
	d := &lotoDay{t: t, book: newBook(t, "hall.example", 1), now: at(0), tamper: tamper,
		secret: func(id draw.ID) draw.Secret { return sha256.Sum256([]byte("loto " + id)) },
		stocks: []loto.Stock{{Desk: 1}, {Desk: 2}}}
	d.book.clock = func() time.Time { return d.now }
	faces := sha256.New()
	for n := range lotoCards {
		for _, line := range LinesOf(lotoFace(n + 1)) {
			for _, b := range line {
				faces.Write([]byte{byte(b)})
			}
		}
	}
	d.series = d.book.record(SeriesStream("A"), KindSeries, RegisteredSeries{Series: "A", Kind: "made", Cards: lotoCards,
		First: 1, Last: lotoCards, Lined: true, Profile: "fr", Value: 5_00, Digest: hex.EncodeToString(make([]byte, 32)),
		Faces: hex.EncodeToString(faces.Sum(nil)), By: 2})
	p := lotoPlan(d.now.Add(4 * time.Hour))
	if plan != nil {
		plan(&p)
	}
	d.do(d.session.Change(p))
	d.do(d.session.Picture(0, 0, "logo"))
	d.do(d.session.Picture(1, 3, "velo"))
	var rounds, ties []string
	for i, r := range p.Rounds {
		id := draw.ID(fmt.Sprintf("3/%d", i+1))
		if r.Cage {
			rounds, ties = append(rounds, ""), append(ties, make([]string, len(r.Prizes))...)
			continue
		}
		rounds = append(rounds, draw.Commit(draw.LotoRound, id, d.secret(id)).String())
		for k := range r.Prizes {
			tie := draw.ID(fmt.Sprintf("%s/%d", id, k+1))
			ties = append(ties, draw.Commit(draw.LotoTie, tie, d.secret(tie)).String())
		}
	}
	d.do([]loto.Event{loto.DayOpened{Commitments: rounds, Ties: ties}}, nil)
	d.before, d.older = d.book.sign(), d.book.head
	d.do(d.session.OpenSale())
	return d
}

// do applies and records what was decided.
func (d *lotoDay) do(events []loto.Event, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range events {
		d.session = d.session.Apply(e)
		if d.tamper != nil {
			e = d.tamper(e)
		}
		body, err := EncodeLoto(2, e)
		if err != nil {
			d.t.Fatal(err)
		}
		d.now = d.now.Add(time.Second)
		d.facts = append(d.facts, d.book.raw(LotoStream(3), journal.Kind(e.Kind()), body))
	}
}

// sell sells units at a desk.
func (d *lotoDay) sell(desk int, unit loto.Unit, times int) {
	d.t.Helper()
	for range times {
		d.now = d.now.Add(time.Second)
		st := &d.stocks[desk-1]
		sold, err := st.Sell(d.session, loto.Order{Items: []loto.Item{{Unit: unit}}, Means: loto.ByCash, At: d.now})
		if err != nil {
			d.t.Fatal(err)
		}
		*st = st.Apply(sold)
	}
}

// open opens the next round over the cards sold.
func (d *lotoDay) open() {
	d.t.Helper()
	n := d.session.NextRound()
	cards, lines := loto.Playing(d.stocks, d.session.Plan.Rounds[n-1].Series())
	sum := sha256.Sum256(lines)
	d.do(d.session.OpenRound(loto.RoundOpened{Round: n, Salt: hex.EncodeToString(sum[:]), Cards: len(cards), Upto: loto.Upto(d.stocks)}))
}

// drawn gives the numbers of the round, or the tokens of its tie.
func (d *lotoDay) drawn(use draw.Use, id string, salt string) []ninety.Ball {
	raw, err := hex.DecodeString(salt)
	if err != nil {
		d.t.Fatal(err)
	}
	return ninety.Draw(draw.NewStream(use, draw.ID(id), d.secret(draw.ID(id)), raw))
}

// call calls numbers until card 1 has won the stage that is being played for.
func (d *lotoDay) call() {
	d.t.Helper()
	r, prize, _ := d.session.Current()
	order := d.drawn(draw.LotoRound, fmt.Sprintf("3/%d", d.session.Play.Round), d.session.Play.Salt)
	if r.Cage {
		order = slices.Concat(slices.Collect(lotoFace(1).Numbers().All()), order)
	}
	for _, b := range order {
		p := d.session.Play
		if slices.Contains(p.Calls, b) {
			continue
		}
		d.do(d.session.Call(b, len(p.Calls)))
		if prize.Stage.Wins(lotoFace(1), ninety.BallSet{}.With(d.session.Play.Calls...)) {
			return
		}
	}
}

// A lotoClaim is a card claimed, and what the checker sees of it.
type lotoClaim struct {
	serial ninety.Serial
	typed  [][]ninety.Ball
	vouch  string
	bare   bool // not stamped
	gone   bool // its holder was excluded
}

// claim stops the draw, has cards claimed and checked.
func (d *lotoDay) claim(claims ...lotoClaim) {
	d.t.Helper()
	d.do(d.session.Stop())
	var facts []loto.CardFact
	for _, c := range claims {
		f := loto.CardFact{Known: c.serial.Series != "A" && c.typed == nil, Lined: true, Stamped: !c.bare, Void: c.gone}
		if c.serial.Series == "A" && c.serial.Number <= lotoCards {
			f.Known, f.Card = true, lotoFace(c.serial.Number)
		}
		for _, st := range d.stocks {
			if lot, ok := st.Find(c.serial); ok {
				f.Sold, f.Sale = true, loto.SaleRef{Desk: st.Desk, Sale: lot.Sale}
			}
		}
		facts = append(facts, f)
		d.do(d.session.Claim(loto.Claim{Serial: c.serial, Sale: f.Sale, Typed: c.typed}))
	}
	d.do(d.session.BeginCheck())
	for i, c := range claims {
		d.do(d.session.Check(i, facts[i], c.vouch))
	}
}

// settle draws the tokens of a tie and hands the prize over.
func (d *lotoDay) settle() {
	d.t.Helper()
	p := d.session.Play
	bag := d.drawn(draw.LotoTie, fmt.Sprintf("3/%d/%d", p.Round, p.Prize+1), p.Tie.Salt)
	for n := 0; d.session.Play.Mode == loto.Tied; n++ {
		d.do(d.session.Draw(bag[n]))
	}
	d.do(d.session.HandOver())
}

// reveal reveals the secrets of a round.
func (d *lotoDay) reveal(round int) {
	d.t.Helper()
	r := d.session.Plan.Rounds[round-1]
	if r.Cage {
		return
	}
	s := LotoSecrets{Round: round, Secret: d.secret(draw.ID(fmt.Sprintf("3/%d", round))).Reveal()}
	for k := range r.Prizes {
		s.Ties = append(s.Ties, d.secret(draw.ID(fmt.Sprintf("3/%d/%d", round, k+1))).Reveal())
	}
	body, err := snake.Encode(s)
	if err != nil {
		d.t.Fatal(err)
	}
	d.facts = append(d.facts, d.book.raw(LotoStream(3), KindSecrets, body))
}

// close closes the round and reveals its secrets.
func (d *lotoDay) close(reason string) {
	d.t.Helper()
	round := d.session.Play.Round
	d.do(d.session.CloseRound(reason))
	d.reveal(round)
}

func lotoA(numbers ...int) (list []lotoClaim) {
	for _, n := range numbers {
		list = append(list, lotoClaim{serial: ninety.Serial{Series: "A", Number: n}})
	}
	return list
}

// first plays the first round, with everything that may happen in one.
func (d *lotoDay) first() *lotoDay {
	d.t.Helper()
	d.sell(1, loto.SheetOf3, 4) // cards 1 to 12
	d.sell(2, loto.OneCard, 3)  // cards 19 to 21
	d.do(d.session.TakeControl(7))
	d.do(d.session.Recall())
	d.open()
	d.sell(2, loto.OneCard, 1) // card 22, too late for this round
	d.call()
	d.do(d.session.Repeat(d.session.Play.Calls[len(d.session.Play.Calls)-1], "mal dit"))
	d.do(d.session.Stop())
	d.do(d.session.Resume())
	d.exclude(2, 2) // card 20
	false5 := lotoA(5, 25, 22, 20, 21, 99)
	false5[3].gone, false5[4].bare = true, true
	false5 = append(false5, lotoClaim{serial: ninety.Serial{Series: "B", Number: 1}})
	d.claim(false5...)
	d.claim(lotoA(2, 1, 3)...) // 20 EUR for 3: tokens
	d.settle()
	d.call()
	d.claim(lotoA(1, 2, 3)...) // 30 EUR for 3: shared
	d.settle()
	d.do(d.session.Decide("Deux mains levées", "Les deux sont retenues"))
	d.call()
	d.claim(lotoA(3, 1)...) // an object: the highest token
	d.settle()
	d.close("")
	return d
}

// exclude excludes who bought a sale.
func (d *lotoDay) exclude(desk, sale int) {
	d.t.Helper()
	st := &d.stocks[desk-1]
	refund, events, err := st.Void(sale)
	if err != nil {
		d.t.Fatal(err)
	}
	*st = st.Apply(events[0])
	d.do([]loto.Event{loto.PersonExcluded{Sales: []loto.SaleRef{{Desk: desk, Sale: sale}}, Refund: refund},
		loto.ExclusionExplained{Reason: "Monsieur Untel a crié"}}, nil)
}

// second plays the round of a real cage, and ends the day before the last one.
func (d *lotoDay) second() *lotoDay {
	d.t.Helper()
	d.do(d.session.Rest("Repas", d.now.Add(time.Hour), d.now))
	d.now = d.now.Add(time.Hour)
	d.do(d.session.Continue())
	d.open()
	d.do(d.session.Call(90, 0))
	d.do(d.session.Correct(90, 0, "mal tapé"))
	d.call()
	var lines [][]ninety.Ball
	for _, l := range LinesOf(lotoFace(1)) {
		lines = append(lines, l[:])
	}
	d.claim(lotoClaim{serial: ninety.Serial{Series: "A", Number: 77}, typed: lines, vouch: "carton d’une autre maison"})
	d.settle()
	d.close("")
	d.do(d.session.CloseDay("il est tard"))
	d.reveal(3)
	return d
}

// A lotoParts is what a file is made of, for whoever changes it.
type lotoParts struct {
	head   *Loto
	facts  *[]Proved
	series *[]Proved
	cards  *[]LotoCard
	sold   *[]LotoSold
}

// file exports the day up to a round, or all of it.
func (d *lotoDay) file(round int, change func(p lotoParts)) []byte {
	d.t.Helper()
	d.book.record("staff", "signed_out", map[string]string{"who": "manager"})
	f := Loto{Key: d.book.key, Day: 3, Round: round, Before: d.before, Checkpoint: d.book.sign()}
	path, err := journal.ProveConsistency(d.older.Size, d.book.head, d.book)
	if err != nil {
		d.t.Fatal(err)
	}
	f.Consistency = PathOf(path)
	var facts []Proved
	for _, index := range d.facts {
		p := d.book.proved(index, d.book.head)
		if l, err := journal.ParseLeaf([]byte(p.Leaf)); err != nil {
			d.t.Fatal(err)
		} else if WithheldFromAll(l.Kind) {
			p.Salt, p.Payload = Salt{}, ""
		}
		facts = append(facts, p)
	}
	series := []Proved{d.book.proved(d.series, d.book.head)}
	var cards []LotoCard
	for n := range lotoCards {
		cards = append(cards, LotoCard{n + 1, LinesOf(lotoFace(n + 1))})
	}
	var sold []LotoSold
	for _, c := range loto.SoldCards(d.stocks) {
		if d.session.Plays(c.Sale) {
			sold = append(sold, LotoSold{c.Serial.Series, c.Serial.Number, c.Price, c.Sale.Desk, c.Sale.Sale})
		}
	}
	if change != nil {
		change(lotoParts{&f, &facts, &series, &cards, &sold})
	}
	var list []LotoSeries
	for _, p := range series {
		list = append(list, LotoSeries{p, func(yield func(LotoCard, error) bool) {
			for _, c := range cards {
				if !yield(c, nil) {
					return
				}
			}
		}})
	}
	var out bytes.Buffer
	if err := WriteLoto(&out, f, facts, list, sold); err != nil {
		d.t.Fatal(err)
	}
	return out.Bytes()
}

// lotoFiles are a day, and its first round alone.
func lotoFiles(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"loto.jsonl":       newLotoDay(t, nil, nil).first().second().file(0, nil),
		"loto-round.jsonl": newLotoDay(t, nil, nil).first().file(1, nil),
	}
}
