package instant

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"strings"

	"boulier/game/instant/words"
	"boulier/money"
)

// A Prize is a line of a prize table (« lot »): how many units of the block win this
// amount.
type Prize struct {
	Count  int64
	Amount money.Cents
}

// A Table is a prize table (« tableau des lots »). Its lines are counted from 1: line k
// is Table[k-1].
type Table []Prize

// Prizes returns the number of prizes of a block, or an error if it overflows.
func (t Table) Prizes() (int64, error) {
	// Whole numbers, not cents: the type lends its checked sum.
	var n money.Cents
	for _, p := range t {
		var err error
		if n, err = n.Add(money.Cents(p.Count)); err != nil {
			return 0, fmt.Errorf("the number of prizes is out of range")
		}
	}
	return int64(n), nil
}

// Value returns the sum of the prizes of a block, or money.ErrOverflow.
func (t Table) Value() (money.Cents, error) {
	var sum money.Cents
	for _, p := range t {
		line, err := p.Amount.Times(p.Count)
		if err != nil {
			return 0, err
		}
		if sum, err = sum.Add(line); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// A Kind says what the face of a unit shows.
type Kind string

// The kinds of face.
const (
	// NoFace is a bare table, of which only the arithmetic is checked.
	NoFace Kind = ""
	// ThreeAlike shows six amounts; one shown exactly three times is won.
	ThreeAlike Kind = "three-alike"
	// Words shows a rack of seven letters and a board; the word that they complete is won.
	Words Kind = "words"
)

// A Game is a product: what each of its blocks holds and costs.
type Game struct {
	Title string
	Kind  Kind
	Block int64       // units of a block
	Price money.Cents // of a unit
	Table Table
	Words words.Rules // of the kind Words: boards and symbols
	// Declared holds the sums that the source of the table prints beside it.
	Declared Declared
}

// Declared holds sums printed beside a table, against which it is checked; nil where
// nothing is printed.
type Declared struct {
	Prizes *int64         // prizes of a block
	Value  *money.Cents   // value of a block
	Lines  []*money.Cents // value of each line; shorter than the table if the rest has none
}

// Losers returns how many units of a block win nothing. The game must have passed
// Check.
func (g Game) Losers() int64 {
	n := g.Block
	for _, p := range g.Table {
		n -= p.Count
	}
	return n
}

// Return returns what part of the stakes of a block goes back as prizes, exactly; the
// game must have passed Check.
func (g Game) Return() *big.Rat {
	value := new(big.Int)
	for _, p := range g.Table {
		line := new(big.Int).Mul(big.NewInt(p.Count), big.NewInt(int64(p.Amount)))
		value.Add(value, line)
	}
	stakes := new(big.Int).Mul(big.NewInt(g.Block), big.NewInt(int64(g.Price)))
	return new(big.Rat).SetFrac(value, stakes)
}

// TableText is the canonical text of what a block holds and costs: ASCII lines, each
// ended by a line feed, all amounts in cents, the lines of the table in their order.
//
//	boulier/instant/table/v1
//	block 750000
//	price 200
//	2 1500000
//	…
func (g Game) TableText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "boulier/instant/table/v1\nblock %d\nprice %d\n", g.Block, int64(g.Price))
	for _, p := range g.Table {
		fmt.Fprintf(&b, "%d %d\n", p.Count, int64(p.Amount))
	}
	return b.String()
}

// TableDigest is the SHA-256 of TableText.
func (g Game) TableDigest() [32]byte { return sha256.Sum256([]byte(g.TableText())) }
