package ui

import (
	"context"
	"strconv"
	"time"

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

// MinutesSeconds writes a time that is left as countdowns do, 74:59; seconds that began count.
func MinutesSeconds(left time.Duration) string {
	seconds := int(max(0, left+time.Second-1) / time.Second)
	return strconv.Itoa(seconds/60) + ":" + strconv.Itoa(100 + seconds%60)[1:]
}
