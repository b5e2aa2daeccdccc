package instant

import (
	"math/rand/v2"

	"boulier/money"
)

// chance is a seeded source for tests.
type chance struct{ *rand.Rand }

func (c chance) Uint64n(n uint64) uint64 { return c.Uint64N(n) }

func seeded(seed uint64) chance { return chance{rand.New(rand.NewPCG(seed, 1))} }

// fixed is a source that answers its number.
type fixed uint64

func (f fixed) Uint64n(n uint64) uint64 {
	if uint64(f) >= n {
		panic("rank out of range")
	}
	return uint64(f)
}

// small returns a sound game of 100 units.
func small() Game {
	return Game{
		Title: "Petit jeu", Kind: ThreeAlike, Block: 100, Price: 200,
		Table: Table{{1, 5000}, {4, 1000}, {20, 200}},
	}
}

func ptr[T any](v T) *T { return &v }

// amounts returns a table of n lines of one prize, 1 to n EUR.
func amounts(n int) (t Table) {
	for i := range n {
		t = append(t, Prize{1, money.Cents(100 * (i + 1))})
	}
	return t
}
