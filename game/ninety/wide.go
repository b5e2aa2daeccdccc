package ninety

import "math/bits"

// wide is an unsigned integer of 320 bits, lowest word first: the number of sheets has
// 259, and every value of the table is a part of it. Results out of range cannot occur.
type wide [5]uint64

// plusTimes returns x + y·n.
func (x wide) plusTimes(y wide, n uint64) wide {
	var high, carry uint64
	for i, w := range y {
		hi, lo := bits.Mul64(w, n)
		lo, c := bits.Add64(lo, high, 0)
		x[i], carry = bits.Add64(x[i], lo, carry)
		high = hi + c
	}
	return x
}

// less reports whether x < y.
func (x wide) less(y wide) bool {
	var borrow uint64
	for i := range x {
		_, borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return borrow == 1
}

// len returns the number of bits of x.
func (x wide) len() int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != 0 {
			return 64*i + bits.Len64(x[i])
		}
	}
	return 0
}

// shifted returns the 64 bits of x from bit n up.
func (x wide) shifted(n int) uint64 {
	i, r := n/64, uint(n%64)
	low := x[i] >> r
	if i+1 < len(x) {
		low |= x[i+1] << (64 - r) // 0 when r is 0: Go shifts by 64 to nothing
	}
	return low
}

// place returns the number whose bits from bit n up are high, and below are low's.
func place(high uint64, n int, low wide) wide {
	i, r := n/64, uint(n%64)
	low[i] |= high << r
	if i+1 < len(low) {
		low[i+1] |= high >> (64 - r)
	}
	return low
}
