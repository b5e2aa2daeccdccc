// Package ui is the design system of Boulier: the frame of a page and the parts that all
// screens are made of, as templ components. The style sheets are in package static, the
// words in package locales. The page /style shows every part in use.
//
// Components take the words from the context, so that a page never passes a language.
package ui

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"boulier/internal/web/locales"
	"boulier/money"
	"boulier/player"
)

// T returns the message of this key in the language of the request; see locales.Words.T.
func T(ctx context.Context, key string, pairs ...any) string {
	return locales.From(ctx).T(key, pairs...)
}

// N returns the message of this key in the plural form of n; see locales.Words.N.
func N(ctx context.Context, key string, n int64, pairs ...any) string {
	return locales.From(ctx).N(key, n, pairs...)
}

// A Person is whoever asks for a page. The zero Person is a visitor who is not signed in.
type Person struct {
	ID       player.ID
	Name     string // the display name
	Role     string // a role of the app layer; its name for people is the message role.ROLE
	Language string // fr, en, or empty when the person never chose
	Wallet   *Wallet
}

// SignedIn reports whether the person is known.
func (p Person) SignedIn() bool { return p.ID != 0 }

// A Wallet is what the header shows of a player's money.
type Wallet struct {
	Balance money.Cents // what can be spent now
	Topic   string      // the live topic of its changes, such as wallet/9, or empty
	Number  int64       // the number of the last fact in Balance
}

// A View describes a page to the frame around it. Its texts are already in words.
type View struct {
	Title  string // in the tab, and read first by a screen reader
	Accent Accent
	Live   string // cursor of the live topics the page follows: "bingo/17:42,wallet/9:7"
	Bare   bool   // a public screen: no navigation, no footer
}

// An Accent is the colour of a game; a page has one.
type Accent string

// The accents. NoAccent is for pages that belong to no game.
const (
	NoAccent Accent = ""
	Instant  Accent = "instant"
	Loto     Accent = "loto"
	Bingo    Accent = "bingo"
	Contest  Accent = "contest"
)

// A Frame is what the shell knows around a View.
type Frame struct {
	View
	Person      Person
	Navigation  []Link
	Notices     []Notice
	Path        string // of this page with its query, to come back to after a switch
	Theme       string // light, dark, or empty for the system's
	Demo        bool
	Version     string
	Fingerprint string // of the key that signs checkpoints
}

// live returns the cursor of everything the page follows, the balance included.
func (f Frame) live() string {
	if f.Person.Wallet == nil || f.Person.Wallet.Topic == "" {
		return f.Live
	}
	own := f.Person.Wallet.Topic + ":" + strconv.FormatInt(f.Person.Wallet.Number, 10)
	if f.Live == "" {
		return own
	}
	return f.Live + "," + own
}

// A Link is a way to another page; Label is in words.
type Link struct {
	Href, Label string
	Current     bool
}

// Tone is the meaning of a notice or a mark: never told by its colour alone.
type Tone string

// The tones.
const (
	Info    Tone = "info"
	Success Tone = "success"
	Warning Tone = "warning"
	Danger  Tone = "danger"
)

// Known reports whether t is one of the tones.
func (t Tone) Known() bool { return t == Info || t == Success || t == Warning || t == Danger }

// icon returns the drawing that stands for the tone.
func (t Tone) icon() string {
	switch t {
	case Success:
		return "check"
	case Warning:
		return "warning"
	case Danger:
		return "stop"
	default:
		return "info"
	}
}

// A Notice tells something that happened. Title is short; Text may be empty.
type Notice struct {
	Tone        Tone
	Title, Text string
}

// A Problem is a page that says no: what happened, what it means for the person's money,
// what to do. RequestID is shown when staff may need it.
type Problem struct {
	Status                int
	Title                 string
	Happened, Money, Todo string
	Clause                string // the reference of the clause that refuses, or empty
	RequestID             string
	BackHref, BackLabel   string
}

// A Field is one question of a form.
type Field struct {
	Name, Label, Hint string
	Type              string // text when empty
	Value             string
	Error             string // in words; empty when nothing is wrong
	Autocomplete      string
	InputMode         string
	Suffix            string // a unit after the box
	Required          bool
	Autofocus         bool
	MaxLength         int
	Choices           []Choice // of a Select or Radios
	Checked           bool     // of a Check
}

// A Choice is one answer among several.
type Choice struct{ Value, Label, Hint string }

// describedBy names the hint and the error for assistive technology.
func (f Field) describedBy() string {
	s := ""
	if f.Hint != "" {
		s = f.Name + "-hint"
	}
	if f.Error != "" {
		if s != "" {
			s += " "
		}
		s += f.Name + "-error"
	}
	return s
}

// kind returns the type attribute of the input.
func (f Field) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// A Column is one column of a table.
type Column struct {
	Label   string
	Numeric bool // figures, aligned on the right
	Main    bool // names the row: the title of its card on a phone
}

// A Fact is one line of a definition list or one tile.
type Fact struct {
	Label string
	Value templ.Component
	Note  string
}

// A Step is one stage of a task; exactly one is the current one.
type Step struct {
	Label   string
	Done    bool
	Current bool
}

// Text is a component that writes s.
func Text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(s))
		return err
	})
}

// newRequest returns a fresh request identifier: UUIDv7, so that an index of them grows
// at its end.
func newRequest() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}

// isoTime writes t for the datetime attribute.
func isoTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// nextTheme is the theme that the switch leads to: the system's, dark, light, and again.
func nextTheme(theme string) string {
	switch theme {
	case "":
		return "dark"
	case "dark":
		return "light"
	default:
		return "auto"
	}
}

// otherLanguage is the language that the switch leads to.
func otherLanguage(ctx context.Context) string {
	if locales.From(ctx).Lang() == "fr" {
		return "en"
	}
	return "fr"
}

// themeLabel says which theme is on, for the switch.
func themeLabel(ctx context.Context, theme string) string {
	switch theme {
	case "dark":
		return T(ctx, "switch.theme.dark")
	case "light":
		return T(ctx, "switch.theme.light")
	default:
		return T(ctx, "switch.theme.auto")
	}
}

// said ties a box to its hint and its error for assistive technology.
func said(f Field) templ.Attributes {
	a := templ.Attributes{}
	if d := f.describedBy(); d != "" {
		a["aria-describedby"] = d
	}
	if f.Error != "" {
		a["aria-invalid"] = "true"
	}
	return a
}
