package ninety

// Deal makes s one of the 467711541132248468278363019351514108076722415153589853880320…
// (78 digits) valid sheets, each exactly as likely; the package test holds the whole
// number. It throws no sheet away: first the column counts of all cards, by
// the table of what can follow; then a layout for each card; then, column by column,
// which card has which number. The order of the questions asked to src never changes,
// since a series must come again from its seed.
func (s *Sheet) Deal(src Source) {
	sheets().deal(src, s)
}

// deal makes s a uniform sheet of the table's geometry; unused cards stay empty.
func (t *table) deal(src Source, s *Sheet) {
	*s = Sheet{}
	var counts [columns][perSheet]uint8
	threes := t.dealCounts(src, &counts)
	var chosen [perSheet]layout
	for card := range chosen[:t.cards] {
		of := t.layouts[threes[card]]
		chosen[card] = of[src.Uint64n(uint64(len(of)))]
	}
	first := Ball(1)
	for col, size := range t.sizes {
		t.dealColumn(src, first, size, &counts[col], &chosen, s)
		first += Ball(size)
	}
}

// dealCounts sets how many numbers each card has in each column, with the chance that
// these counts have among all sheets, and returns each card's columns of three.
func (t *table) dealCounts(src Source, counts *[columns][perSheet]uint8) (threes [perSheet]uint8) {
	// A seat is a card and, in the bits from 3 up, its kind: in ascending order the seats
	// follow the sorted kinds of the state. Among cards of one kind any order will do.
	var seats [perSheet]uint8
	for card := range seats {
		seats[card] = uint8(card)
	}
	seated := seats[:t.cards]
	var at uint16
	for i := range t.sizes {
		col := &t.cols[i]
		w := col.ways[col.pick(src, at, t.cols[i+1].states)]
		split := &col.splits[w.split]
		for n, seat := range seated {
			counts[i][seat&7] = split.counts[n]
			seated[n] = seat + step[split.counts[n]]<<3
		}
		sortFew(seated)
		at = w.next
	}
	for _, seat := range seated {
		threes[seat&7] = seat >> 6
	}
	return threes
}

// sortFew sorts a few bytes that are nearly in order.
func sortFew(list []uint8) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// pick chooses a way from state s of the column with the chance of the sheets behind it.
// It is as if a number u below the state's total were drawn, uniform, and the way taken
// in which u falls. The upper bits of u are drawn first; unless they equal those of the
// end of a way, the lower ones cannot matter and are never drawn.
func (c *column) pick(src Source, s uint16, next []state) int {
	st := &c.states[s]
	from, to := c.of(s)
	if to-from == 1 {
		return from // nothing to choose
	}
	ends := c.ends[from:to]
	if st.shift == 0 {
		return from + above(ends, src.Uint64n(st.total[0]))
	}
	for top := st.total.shifted(st.shift); ; {
		high := src.Uint64n(top + 1)
		if i := above(ends, high); i < len(ends) && (i == 0 || ends[i-1] < high) {
			return from + i
		}
		u := place(high, st.shift, lower(src, st.shift))
		if !u.less(st.total) {
			continue
		}
		var end wide
		for i := from; ; i++ {
			w := c.ways[i]
			end = end.plusTimes(next[w.next].total, c.splits[w.split].weight)
			if u.less(end) {
				return i
			}
		}
	}
}

// above returns the index of the first of the ascending ends that is above u.
func above(ends []uint64, u uint64) int {
	low, high := 0, len(ends)
	for low < high {
		if mid := int(uint(low+high) >> 1); ends[mid] > u {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// lower draws n uniform bits, from the highest down, in words of at most 32.
func lower(src Source, n int) (x wide) {
	for n > 0 {
		word := min(n, 32)
		n -= word
		x = place(src.Uint64n(1<<word), n, x)
	}
	return x
}

// dealColumn gives the size numbers from first on to the cards by counts, every way as
// likely, and sets them in the lines that the layouts name, from which it takes the
// column. The cards' turns are shuffled, not the numbers: these stay in ascending order,
// and so do the numbers of each card.
func (t *table) dealColumn(src Source, first Ball, size int, counts *[perSheet]uint8,
	layouts *[perSheet]layout, s *Sheet,
) {
	var turns [balls]uint8
	var masks [perSheet]uint8
	n := 0
	for card, count := range counts[:t.cards] {
		masks[card], layouts[card] = layouts[card].take(count)
		for range count {
			turns[n] = uint8(card)
			n++
		}
	}
	for i := size - 1; i > 0; i-- {
		j := src.Uint64n(uint64(i) + 1)
		turns[i], turns[j] = turns[j], turns[i]
	}
	for i, card := range turns[:size] {
		line := lowest[masks[card]&7]
		masks[card] &= masks[card] - 1
		b := first + Ball(i)
		s[card].Lines[line][b>>6] |= 1 << (b & 63)
	}
}

// lowest is the index of the lowest bit of a number of three bits.
var lowest = [8]uint8{2: 1, 4: 2, 6: 1}
