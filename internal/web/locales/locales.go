// Package locales holds the words of the product, French first, and writes amounts,
// counts and dates as a person reads them. Nothing for people is worded in code: each
// text is a message of fr.json and en.json, named by its key.
package locales

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/bojanz/currency"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"boulier/money"
)

// Languages lists the languages of the product; the first is the default.
var Languages = []string{"fr", "en"}

//go:embed fr.json en.json
var files embed.FS

// texts are both files, read when somebody first needs words.
var texts = sync.OnceValues(load)

var matcher = language.NewMatcher([]language.Tag{language.French, language.English})

// Words are the texts in one language, and dates in one zone. They are safe for
// concurrent use.
type Words struct {
	lang      string
	zone      *time.Location
	plain     map[string]string
	localizer *i18n.Localizer
	amounts   *currency.Formatter
}

// For returns the words in the language lang, which must be one of Languages, with dates
// as they fall in zone.
func For(lang string, zone *time.Location) *Words {
	bundle, plain := texts()
	if plain[lang] == nil {
		panic("locales: no language " + lang)
	}
	return &Words{
		lang:      lang,
		zone:      zone,
		plain:     plain[lang],
		localizer: i18n.NewLocalizer(bundle, lang),
		amounts:   currency.NewFormatter(currency.NewLocale(lang)),
	}
}

// Match returns the language that serves best whoever sends these Accept-Language
// headers or language names, the first ones first.
func Match(wanted ...string) string {
	for _, w := range wanted {
		tags, _, err := language.ParseAcceptLanguage(w)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, confidence := matcher.Match(tags...); confidence > language.No {
			return Languages[i]
		}
	}
	return Languages[0]
}

// Lang returns the language: fr or en.
func (w *Words) Lang() string { return w.lang }

// T returns the message of this key. The arguments are pairs of a name and a value, for
// the places of the message. An unknown key is a fault of the program, so T panics.
func (w *Words) T(key string, pairs ...any) string {
	if s := w.plain[key]; s != "" && len(pairs) == 0 {
		return s
	}
	return w.localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: data(pairs)})
}

// N is T for a message with plural forms; the count stands in it as {{.Count}}, written
// with the separators of the language.
func (w *Words) N(key string, n int64, pairs ...any) string {
	d := data(pairs)
	d["Count"] = w.Count(n)
	return w.localize(&i18n.LocalizeConfig{MessageID: key, TemplateData: d, PluralCount: n})
}

// Has reports whether there is a message of this key.
func (w *Words) Has(key string) bool {
	_, ok := w.plain[key]
	return ok
}

func (w *Words) localize(c *i18n.LocalizeConfig) string {
	s, err := w.localizer.Localize(c)
	if err != nil {
		panic(fmt.Sprintf("locales: %v", err))
	}
	return s
}

// Amount writes an amount of euros: « 1 234,50 € » or €1,234.50.
func (w *Words) Amount(c money.Cents) string {
	a, err := currency.NewAmountFromInt64(int64(c), "EUR")
	if err != nil {
		panic(err) // EUR is a currency
	}
	s := w.amounts.Format(a)
	// The catalogue's sign for what is owed is the true minus, as wide as a figure.
	return strings.Replace(s, "-", "\u2212", 1)
}

// Count writes a whole number in groups of three digits.
func (w *Words) Count(n int64) string {
	digits := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, digits = "\u2212", digits[1:]
	}
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(w.T("number.group"))
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}

// Day writes the day that t falls on: « lundi 30 novembre 2026 ».
func (w *Words) Day(t time.Time) string {
	t = t.In(w.zone)
	return w.T("date.day",
		"Weekday", part(w.T("date.weekdays"), int(t.Weekday())),
		"Day", t.Day(),
		"Month", part(w.T("date.months"), int(t.Month())-1),
		"Year", t.Year())
}

// Moment writes a day in figures and a time, with the zone: « 30/11/2026 14:05 CET ».
func (w *Words) Moment(t time.Time) string {
	t = t.In(w.zone)
	return t.Format(w.T("date.moment.layout")) + "\u00a0" + t.Format("MST")
}

// Clock writes the time of day: « 14:05 ».
func (w *Words) Clock(t time.Time) string { return t.In(w.zone).Format("15:04") }

func part(list string, i int) string { return strings.Split(list, "|")[i] }

func data(pairs []any) map[string]any {
	d := make(map[string]any, len(pairs)/2+1)
	for i := 0; i+1 < len(pairs); i += 2 {
		d[pairs[i].(string)] = pairs[i+1]
	}
	return d
}

// load reads both files. The plain map answers whether a key exists and, for messages
// without places or plural forms, what it says without running a template.
func load() (*i18n.Bundle, map[string]map[string]string) {
	b := i18n.NewBundle(language.French)
	b.RegisterUnmarshalFunc("json", json.Unmarshal)
	plain := make(map[string]map[string]string)
	for _, lang := range Languages {
		raw, err := files.ReadFile(lang + ".json")
		if err != nil {
			panic(err)
		}
		b.MustParseMessageFileBytes(raw, lang+".json")
		var all map[string]any
		if err := json.Unmarshal(raw, &all); err != nil {
			panic(err)
		}
		plain[lang] = make(map[string]string, len(all))
		for key, v := range all {
			s, _ := v.(string) // a message with plural forms is not one text
			plain[lang][key] = s
		}
	}
	return b, plain
}

type contextKey struct{}

// With returns a context that carries the words of a request.
func With(ctx context.Context, w *Words) context.Context {
	return context.WithValue(ctx, contextKey{}, w)
}

// From returns the words of a request; a context without any is a fault of the program.
func From(ctx context.Context) *Words {
	w, ok := ctx.Value(contextKey{}).(*Words)
	if !ok {
		panic("locales: no words in this context")
	}
	return w
}
