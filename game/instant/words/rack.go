package words

// RackSize is how many tiles a rack has, all with different letters (instant:4.3).
const RackSize = 7

// alphabet is how many letters there are.
const alphabet = 26

// letters is a set of letters: bit 0 is A.
type letters uint32

// lettersOf returns the letters of a text of capitals.
func lettersOf(text string) (set letters) {
	for i := range len(text) {
		set |= 1 << (text[i] - 'A')
	}
	return set
}

// A rackCount counts racks by how they begin. rackCount[i][k][w] is in how many ways k
// letters from the i-th on can fill a rack whose letters so far leave the words of set w
// without a missing one, so that in the end exactly the words aimed at are complete. No
// number reaches that of all racks, 657 800.
type rackCount [alphabet + 1][RackSize + 1][1 << count]uint32

// fill counts, for words that hold each letter as with says, the racks that complete
// exactly the words of set aim.
func (r *rackCount) fill(with *[alphabet]uint8, aim uint8) {
	r[alphabet][0][aim] = 1
	for i := alphabet - 1; i >= 0; i-- {
		for k := range RackSize + 1 {
			for w := range uint8(1 << count) {
				n := r[i+1][k][w&^with[i]] // the letter is not on the rack
				if k > 0 {
					n += r[i+1][k-1][w]
				}
				r[i][k][w] = n
			}
		}
	}
}

// all is the set of all five words: nothing is missing before a letter is left out.
const all = 1<<count - 1

// total returns how many racks there are.
func (r *rackCount) total() uint64 { return uint64(r[0][RackSize][all]) }

// unrank returns the rack of the given rank: racks are ordered as words are in a
// dictionary, each having its letters in the order of the alphabet.
func (r *rackCount) unrank(with *[alphabet]uint8, rank uint64) (rack [RackSize]byte) {
	words, at, left := uint8(all), uint32(rank), RackSize
	for i := 0; left > 0; i++ {
		n := r[i+1][left-1][words]
		if at < n {
			rack[RackSize-left] = 'A' + byte(i)
			left--
			continue
		}
		at -= n
		words &^= with[i]
	}
	return rack
}
