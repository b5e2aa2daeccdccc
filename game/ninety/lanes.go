package ninety

// lanes is a number of up to 4 bits for each of 64 cards, by bits: bit i of the number of
// card c is bit c of word i. One operation on words then works on 64 cards.
type lanes [4]uint64

// lineLanes is lanes without the fourth bit, which the numbers of a line do not need.
type lineLanes [3]uint64

// every returns the same number for all cards.
func every(v int) (n lanes) {
	for i := range n {
		n[i] = -uint64(v >> i & 1)
	}
	return n
}

// less takes away 1 from the numbers of the cards in hit.
func (n *lanes) less(hit uint64) {
	for i := range n {
		n[i] ^= hit
		hit &= n[i]
	}
}

// more adds 1 to the numbers of the cards in hit.
func (n *lanes) more(hit uint64) {
	for i := range n {
		n[i] ^= hit
		hit &^= n[i]
	}
}

// are returns the cards whose number is v.
func (n *lanes) are(v int) uint64 {
	same := ^uint64(0)
	for i, word := range n {
		same &= word ^ (uint64(v>>i&1) - 1)
	}
	return same
}

// value returns the number of one card.
func (n *lanes) value(card int) (v int) {
	for i, word := range n {
		v |= int(word>>card&1) << i
	}
	return v
}

// add returns the sums, which must not pass 15.
func (n lanes) add(m lineLanes) (sum lanes) {
	var carry uint64
	for i, w := range m {
		sum[i] = n[i] ^ w ^ carry
		carry = n[i]&w | carry&(n[i]^w)
	}
	sum[3] = n[3] ^ carry
	return sum
}

// less takes away 1 from the numbers of the cards in hit, and returns the cards whose
// number is 0.
func (n *lineLanes) less(hit uint64) (zero uint64) {
	low := n[0] ^ hit
	borrow := hit & low
	mid := n[1] ^ borrow
	high := n[2] ^ borrow&mid
	n[0], n[1], n[2] = low, mid, high
	return ^(low | mid | high)
}

// more adds 1 to the numbers of the cards in hit.
func (n *lineLanes) more(hit uint64) {
	low := n[0] ^ hit
	carry := hit &^ low
	mid := n[1] ^ carry
	n[0], n[1], n[2] = low, mid, n[2]^carry&^mid
}

// plus returns the sums.
func (n lineLanes) plus(m lineLanes) (sum lanes) {
	return lanes{n[0], n[1], n[2]}.add(m)
}

// sorted returns the lesser and the greater of two numbers, card by card.
func (n lineLanes) sorted(m lineLanes) (low, high lineLanes) {
	var less uint64 // the cards for which n < m
	for i := range n {
		less = m[i]&^n[i] | less&^(n[i]^m[i])
	}
	for i := range n {
		low[i] = n[i]&less | m[i]&^less
		high[i] = n[i] ^ m[i] ^ low[i]
	}
	return low, high
}
