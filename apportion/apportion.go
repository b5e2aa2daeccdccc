// Package apportion is the only way to share whole units: prizes by the price of cards,
// pots by percentages. It is pure and knows neither money nor players.
package apportion

import (
	"math/bits"
	"slices"
)

// Split shares total units in proportion to the weights, each at least 0 and their sum
// above 0: every share is its fair part cut down, and the units left go one each to the
// largest remainders, the earlier of equals first (bingo:93.13, reading B6). The shares
// sum to total exactly. It panics on a negative total or weight, or if all weights are 0.
func Split(total int64, weights []int64) []int64 {
	var all uint64
	for _, w := range weights {
		if w < 0 {
			panic("apportion: negative weight")
		}
		var carry uint64
		all, carry = bits.Add64(all, uint64(w), 0)
		if carry != 0 {
			panic("apportion: weights out of range")
		}
	}
	if total < 0 || all == 0 {
		panic("apportion: negative total or no weight")
	}
	shares := make([]int64, len(weights))
	remainders := make([]uint64, len(weights))
	order := make([]int, len(weights))
	left := total
	for i, w := range weights {
		hi, lo := bits.Mul64(uint64(total), uint64(w))
		q, r := bits.Div64(hi, lo, all)
		shares[i], remainders[i], order[i] = int64(q), r, i
		left -= int64(q)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case remainders[a] > remainders[b]:
			return -1
		case remainders[a] < remainders[b]:
			return 1
		}
		return 0
	})
	for _, i := range order[:left] {
		shares[i]++
	}
	return shares
}

// Part returns total × numerator / denominator cut down to whole units, without overflow
// on the way. It panics unless total and numerator are at least 0, denominator is above 0
// and numerator ≤ denominator.
func Part(total, numerator, denominator int64) int64 {
	if total < 0 || numerator < 0 || denominator <= 0 || numerator > denominator {
		panic("apportion: not a part of a total")
	}
	hi, lo := bits.Mul64(uint64(total), uint64(numerator))
	part, _ := bits.Div64(hi, lo, uint64(denominator))
	return int64(part)
}
