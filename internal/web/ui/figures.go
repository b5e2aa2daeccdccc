package ui

import (
	"context"
	"strconv"

	"boulier/internal/web/locales"
	"boulier/money"
)

// signed writes an amount with its sign, also when it came in.
func signed(ctx context.Context, c money.Cents) string {
	s := locales.From(ctx).Amount(c)
	if c > 0 {
		return "+" + s
	}
	return s
}

// percent writes done of total as a whole per cent, rounded down.
func percent(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return strconv.FormatInt(min(done, total)*100/total, 10) + "\u00a0%"
}
