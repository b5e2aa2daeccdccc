package bingo

import (
	"boulier/apportion"
	"boulier/money"
)

// SplitPrize shares a prize among winning cards in proportion to their prices, in order of
// sale (bingo:93.13). Reading B6: the cents left go one each to the largest remainders, of
// equal ones to the card sold first; a player with two winning cards counts twice.
func SplitPrize(prize money.Cents, prices []money.Cents) []money.Cents {
	weights := make([]int64, len(prices))
	for i, p := range prices {
		weights[i] = int64(p)
	}
	shares := make([]money.Cents, len(prices))
	for i, s := range apportion.Split(int64(prize), weights) {
		shares[i] = money.Cents(s)
	}
	return shares
}

// of returns the rate's part of an amount, a begun cent counting as one.
func (r Rate) of(c money.Cents) money.Cents {
	part := apportion.Part(int64(c), int64(r), int64(Whole))
	if rest := (int64(c) % int64(Whole)) * int64(r) % int64(Whole); rest > 0 {
		part++
	}
	return money.Cents(part)
}

// Amounts returns what the prizes of a round with these sales are worth, computed once the
// sale has closed (bingo:93.9). Reading B8: together they are at least 70 % of the sales.
// What is lacking is added to them in proportion. In a round of no sales nothing is to be won.
func (p Proposal) Amounts(sales money.Cents) []money.Cents {
	amounts := make([]money.Cents, len(p.Prizes))
	if sales == 0 {
		return amounts
	}
	var rates Rate
	parts := make([]int64, len(p.Prizes))
	for i, z := range p.Prizes {
		rates, parts[i] = rates+z.Rate, int64(z.Rate)
	}
	if rates > 0 {
		for i, s := range apportion.Split(int64(rates.of(sales)), parts) {
			amounts[i] = money.Cents(s)
		}
	}
	var sum money.Cents
	for i, z := range p.Prizes {
		amounts[i] += z.Amount
		sum += amounts[i]
	}
	if least := LeastRate.of(sales); sum < least {
		return SplitPrize(least, amounts)
	}
	return amounts
}
