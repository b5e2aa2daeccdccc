package loto

import (
	"cmp"
	"slices"
	"strconv"

	"boulier/apportion"
	"boulier/game/ninety"
	"boulier/money"
)

// A SoldCard is one card of what was sold.
type SoldCard struct {
	Serial ninety.Serial
	Price  money.Cents // its part of a sheet's
	Sale   SaleRef
	Void   bool // its holder was excluded
}

// SoldCards gives every card that was sold, in the order of sale. A sheet's price is shared
// among its cards to the cent.
func SoldCards(stocks []Stock) (cards []SoldCard) {
	type sold struct {
		Lot
		desk int
	}
	var lots []sold
	for _, st := range stocks {
		for _, l := range st.Lots {
			lots = append(lots, sold{l, st.Desk})
		}
	}
	// The clock of the house never goes back, so that sales of one instant are of one desk
	// or as good as together: then series and number decide.
	slices.SortFunc(lots, func(a, b sold) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Series, b.Series), cmp.Compare(a.From, b.From))
	})
	for _, l := range lots {
		weights := slices.Repeat([]int64{1}, l.Unit.Cards())
		for i, price := range apportion.Split(int64(l.Price), weights) {
			cards = append(cards, SoldCard{Serial: ninety.Serial{Series: l.Series, Number: l.From + i},
				Price: money.Cents(price), Sale: SaleRef{l.desk, l.Sale}, Void: l.Void})
		}
	}
	return cards
}

// Playing gives the cards that play when a round of some series is opened, in the order of
// sale, and the lines of their digest (reading L17).
func Playing(stocks []Stock, series []ninety.Series) (cards []ninety.Serial, lines []byte) {
	playing := slices.DeleteFunc(SoldCards(stocks), func(c SoldCard) bool {
		return c.Void || !slices.Contains(series, c.Serial.Series)
	})
	for _, c := range playing {
		cards = append(cards, c.Serial)
	}
	return cards, DigestLines(playing)
}

// DigestLines are the lines that the digest of cards is made of: « series,number,price », the
// price in cents.
func DigestLines(cards []SoldCard) (lines []byte) {
	for _, c := range cards {
		lines = append(lines, string(c.Serial.Series)+","+strconv.Itoa(c.Serial.Number)+","+
			strconv.FormatInt(int64(c.Price), 10)+"\n"...)
	}
	return lines
}

// Upto returns the last sale of each desk, for the round that opens now.
func Upto(stocks []Stock) (list []SaleRef) {
	for _, st := range stocks {
		list = append(list, SaleRef{st.Desk, st.Sales})
	}
	return list
}
