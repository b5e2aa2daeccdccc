package bingo

import (
	"fmt"
	"slices"

	"boulier/game/ninety"
	"boulier/money"
)

// Audit checks a finished round from the cards sold and the events of its sale and of its
// course, by other means than the round was played: ninety.Replay searches where the Board
// counts. It returns what is wrong first, or nil.
func Audit(r Round, s Sale, sold []Sold, sales []CardsSold, refunds []CardsRefunded) error {
	if err := auditSale(s, sold, sales); err != nil {
		return err
	}
	if digest := Digest(slices.Values(sales)); fmt.Sprintf("%x", digest) != r.Digest {
		return fmt.Errorf("the cards sold give the digest %x, the round says %s", digest, r.Digest)
	}
	if faces := Faces(sold); fmt.Sprintf("%x", faces) != r.Faces {
		return fmt.Errorf("the cards sold show %x, the round says %s", faces, r.Faces)
	}
	var paid money.Cents
	left := map[int]int{} // by place, how many balls were out when it left
	for _, e := range refunds {
		for _, place := range e.Places {
			left[place] = e.Left
		}
		if !e.House {
			paid -= e.Amount
		}
	}
	for _, e := range sales {
		paid += e.Price * money.Cents(e.Count)
	}
	if paid != r.Sales || !slices.Equal(r.Amounts, r.Proposal.Amounts(paid)) {
		return fmt.Errorf("sales of %s EUR and prizes %v announced, %s EUR paid", r.Sales, r.Amounts, paid)
	}
	return auditWins(r, sold, left)
}

// auditSale holds bingo:93.8: ranks and places without gap, no card twice, none out of order.
func auditSale(s Sale, sold []Sold, sales []CardsSold) error {
	next := slices.Clone(s.Starts)
	seen, place := make(map[ninety.Serial]bool, len(sold)), 0
	for i, e := range sales {
		t := slices.IndexFunc(s.Tracks, func(t Track) bool { return t.Price == e.Price })
		if e.Rank != i+1 || e.First != place || t < 0 {
			return fmt.Errorf("purchase %d has rank %d and place %d", i+1, e.Rank, e.First)
		}
		track, n := s.Tracks[t], 0
		for serial := range e.Serials() {
			want := ninety.Serial{Series: track.Series[next[t].Series], Number: next[t].Number}
			if serial != want || seen[serial] || place >= len(sold) || sold[place].Serial != serial ||
				sold[place].Player != e.Player || sold[place].Price != e.Price {
				return fmt.Errorf("place %d has card %s, in order would be %s", place, serial, want)
			}
			seen[serial] = true
			if next[t].Number++; next[t].Number > track.Size {
				next[t] = Cursor{(next[t].Series + 1) % len(track.Series), 1}
			}
			place, n = place+1, n+1
		}
		if n != e.Count {
			return fmt.Errorf("purchase %d has %d cards and says %d", e.Rank, n, e.Count)
		}
	}
	if place != len(sold) {
		return fmt.Errorf("%d cards were sold, %d stand in the round", place, len(sold))
	}
	return nil
}

// auditWins holds bingo:93.12 and bingo:93.13.
func auditWins(r Round, sold []Sold, left map[int]int) error {
	cards := func(yield func(ninety.Card) bool) {
		for i := range sold {
			if !yield(sold[i].Card) {
				return
			}
		}
	}
	check := func(i int, pot bool, g ninety.Goal, amount money.Cents, within int) error {
		at, err := ninety.Replay(cards, r.Balls, g)
		if err != nil {
			return err
		}
		first, winners := 0, []int(nil)
		for place, n := range at[0] {
			out, gone := left[place]
			if n == 0 || gone && out < int(n) || int(n) > within || first > 0 && int(n) > first {
				continue
			}
			if int(n) < first || first == 0 {
				first, winners = int(n), nil
			}
			winners = append(winners, place)
		}
		return r.auditWin(i, pot, amount, first, winners, sold)
	}
	for i, z := range r.Proposal.Prizes {
		if err := check(i, false, z.Pattern, r.Amounts[i], len(r.Balls)); err != nil {
			return err
		}
	}
	for i, rule := range r.Proposal.Pots {
		if r.Pots[i].Amount == 0 {
			continue
		}
		if err := check(i, true, rule.Pattern, r.Pots[i].Amount, rule.Within); err != nil {
			return err
		}
	}
	return nil
}

// auditWin compares a win with who should have won, and adds up its shares.
func (r Round) auditWin(i int, pot bool, amount money.Cents, ball int, places []int, sold []Sold) error {
	k := slices.IndexFunc(r.Wins, func(w Win) bool { return w.Prize == i && w.Pot == pot })
	if k < 0 {
		if len(places) > 0 {
			return fmt.Errorf("prize %d was won on ball %d and not paid", i, ball)
		}
		return nil
	}
	w := r.Wins[k]
	if len(w.Winners) != len(places) || w.Ball != ball || w.Amount != amount {
		return fmt.Errorf("prize %d: %d winners on ball %d of %s EUR, should be %d on ball %d of %s EUR",
			i, len(w.Winners), w.Ball, w.Amount, len(places), ball, amount)
	}
	var sum, weights money.Cents
	for n, x := range w.Winners {
		s := sold[places[n]]
		if x.Place != places[n] || x.Serial != s.Serial || x.Player != s.Player || x.Price != s.Price {
			return fmt.Errorf("prize %d: winner %s, should be %s", i, x.Serial, s.Serial)
		}
		sum, weights = sum+x.Share, weights+x.Price
	}
	for _, x := range w.Winners {
		if diff := x.Share*weights - amount*x.Price; sum != amount || diff <= -weights || diff >= weights {
			return fmt.Errorf("prize %d: shares of %s EUR, %s has %s EUR", i, sum, x.Serial, x.Share)
		}
	}
	return nil
}
