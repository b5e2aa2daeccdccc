package app

import "boulier/money"

// SoldTotals are what may be shown live of a block on sale: no prize by amount (reading I8).
type SoldTotals struct {
	Sold         int64
	Stakes, Paid money.Cents
}

// SoldOf reads the totals of a state of sales, as a commit tells of it.
func SoldOf(value any) (SoldTotals, bool) {
	s, ok := value.(salesState)
	return SoldTotals{s.Next, s.Stakes, s.Paid}, ok
}
