package pages

import (
	"context"
	"strings"

	"boulier/internal/web/locales"
	"boulier/money"
)

// OrDash stands a dash where there is nothing to show.
func OrDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

// DecimalMark is what the language writes before the decimals.
func DecimalMark(ctx context.Context) string {
	if locales.From(ctx).Lang() == "fr" {
		return ","
	}
	return "."
}

// AmountText writes an amount as a box of a form holds it, with the mark of the language; forms
// accept either mark. Nothing stands for none.
func AmountText(words *locales.Words, c money.Cents) string {
	if c == 0 {
		return ""
	}
	return Decimal(words, c)
}

// Decimal writes an amount as spreadsheets of the language read it.
func Decimal(words *locales.Words, c money.Cents) string {
	if words.Lang() == "fr" {
		return strings.Replace(c.String(), ".", ",", 1)
	}
	return c.String()
}
