package locales

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/money"
)

const root = "../../.." // of the repository, seen from here

func messages(t *testing.T, lang string) map[string]any {
	t.Helper()
	raw, err := files.ReadFile(lang + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMessages_NoKeyTwice: of two messages with one key JSON keeps the last, without a word.
func TestMessages_NoKeyTwice(t *testing.T) {
	t.Parallel()
	key := regexp.MustCompile(`(?m)^\t"([^"]+)":`)
	for _, lang := range Languages {
		raw, err := files.ReadFile(lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		found := key.FindAllSubmatch(raw, -1)
		seen := map[string]bool{}
		for _, m := range found {
			if seen[string(m[1])] {
				t.Errorf("%s.json has %s twice: remove one", lang, m[1])
			}
			seen[string(m[1])] = true
		}
		if len(found) < len(messages(t, lang)) {
			t.Errorf("%s.json: %d keys were read of %d", lang, len(found), len(messages(t, lang)))
		}
	}
}

// forms returns the texts of a message: one, or one for each plural form.
func forms(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		var out []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			s, _ := v[k].(string)
			out = append(out, s)
		}
		return out
	default:
		return nil
	}
}

var place = regexp.MustCompile(`\{\{\.[A-Za-z]+\}\}`)

// TestFiles_SameKeysAndPlaces: a text that exists in one language exists in the other,
// with the same places to fill.
func TestFiles_SameKeysAndPlaces(t *testing.T) {
	t.Parallel()
	fr, en := messages(t, "fr"), messages(t, "en")
	for key := range fr {
		if _, ok := en[key]; !ok {
			t.Errorf("%s is not in en.json", key)
		}
	}
	for key, e := range en {
		f, ok := fr[key]
		if !ok {
			t.Errorf("%s is not in fr.json", key)
			continue
		}
		places := func(v any) []string {
			found := place.FindAllString(strings.Join(forms(v), " "), -1)
			slices.Sort(found)
			return slices.Compact(found)
		}
		if !slices.Equal(places(f), places(e)) {
			t.Errorf("%s: places %v in French, %v in English", key, places(f), places(e))
		}
		for _, s := range append(forms(f), forms(e)...) {
			if strings.TrimSpace(s) == "" && key != "number.group" {
				t.Errorf("%s has an empty text", key)
			}
		}
	}
}

// TestFrench_Typography: no-break spaces before high marks and inside quotes, true
// apostrophes and quotes.
func TestFrench_Typography(t *testing.T) {
	t.Parallel()
	wrong := map[*regexp.Regexp]string{
		regexp.MustCompile(`[^\x{202f}\x{a0}][;!?»]`):       "a mark without its no-break space",
		regexp.MustCompile(`[^\x{202f}\x{a0}0-9]:`):         "a colon without its no-break space",
		regexp.MustCompile(`«[^\x{202f}\x{a0}]`):            "a quote without its no-break space",
		regexp.MustCompile(`['"]`):                          "a typewriter mark",
		regexp.MustCompile(`\.\.\.`):                        "three points for an ellipsis",
		regexp.MustCompile(`[0-9}] (€|%|mm|h\b)`):           "a plain space before a unit",
		regexp.MustCompile(`(^|[^\x{202f}\x{a0}]) [;:!?»]`): "a plain space before a mark",
	}
	for key, v := range messages(t, "fr") {
		if strings.HasSuffix(key, ".layout") {
			continue // for the program, not for people
		}
		for _, s := range forms(v) {
			s = place.ReplaceAllString(s, "0")
			for re, what := range wrong {
				if re.MatchString(s) {
					t.Errorf("%s: %s: %q", key, what, s)
				}
			}
		}
	}
}

// sources calls fn for each file of the program that may name a message.
func sources(t *testing.T, fn func(file, text string)) {
	t.Helper()
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == "node_modules" || d.Name() == "testdata" {
					return fs.SkipDir
				}
				return nil
			}
			name := d.Name()
			own := strings.HasSuffix(name, ".templ") || strings.HasSuffix(name, ".go") &&
				!strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_templ.go")
			if !own {
				return nil
			}
			raw, err := os.ReadFile(p)
			fn(p, string(raw))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

var (
	literal = regexp.MustCompile(`"([a-z0-9_.]+)"`)
	called  = regexp.MustCompile(`\b(?:T|N)\((?:ctx, |v\.Context\(\), )?"([a-z0-9_.]+)"(\s*\+)?`)
	flashed = regexp.MustCompile(`\bDone\("([a-z0-9_.]+)"`)
)

// TestKeys_UsedAndDefined: every key in code exists, and every message is used: its key
// stands in code, whole or as a beginning that ends with a point.
func TestKeys_UsedAndDefined(t *testing.T) {
	t.Parallel()
	fr := messages(t, "fr")
	used := make(map[string]bool)
	var beginnings []string
	sources(t, func(file, text string) {
		for _, m := range called.FindAllStringSubmatch(text, -1) {
			if _, ok := fr[m[1]]; !ok && m[2] == "" && !strings.HasSuffix(m[1], ".") {
				t.Errorf("%s: no message %q", file, m[1])
			}
		}
		for _, m := range flashed.FindAllStringSubmatch(text, -1) {
			used["flash."+m[1]] = true
			if _, ok := fr["flash."+m[1]]; !ok {
				t.Errorf("%s: no message %q", file, "flash."+m[1])
			}
		}
		for _, m := range literal.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
			if strings.HasSuffix(m[1], ".") && m[1] != "flash." && m[1] != "violation." {
				beginnings = append(beginnings, m[1])
			}
		}
	})
	codes := violations(t)
	for _, key := range slices.Sorted(maps.Keys(fr)) {
		if code, ok := strings.CutPrefix(key, "violation."); ok {
			if !codes[strings.TrimSuffix(code, ".money")] {
				t.Errorf("%s: no violation has this code", key)
			}
			continue
		}
		if used[key] || slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(key, b) }) {
			continue
		}
		t.Errorf("%s is never used", key)
	}
}

// TestViolations_HaveWords: whatever a clause can refuse is said in both languages.
func TestViolations_HaveWords(t *testing.T) {
	t.Parallel()
	codes := violations(t)
	for _, lang := range Languages {
		said := messages(t, lang)
		for code := range codes {
			if _, ok := said["violation."+code]; !ok {
				t.Errorf("%s.json has no violation.%s", lang, code)
			}
		}
	}
}

// violations returns the codes of all violations in the code of the program.
func violations(t *testing.T) map[string]bool {
	t.Helper()
	codes := make(map[string]bool)
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			// The contract of the store makes violations of its own.
			if p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" ||
				d.Name() == "testdata" || d.Name() == "storetest") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.HasSuffix(p, "_templ.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			sel, ok := lit.Type.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Violation" {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				k, isName := kv.Key.(*ast.Ident)
				v, isText := kv.Value.(*ast.BasicLit)
				if isName && k.Name == "Code" && isText {
					code, err := strconv.Unquote(v.Value)
					if err != nil {
						t.Fatal(err)
					}
					codes[code] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

func TestWords_AmountsCountsDates(t *testing.T) {
	t.Parallel()
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	fr, en := For("fr", paris), For("en", paris)
	summer := time.Date(2026, 7, 14, 22, 30, 0, 0, time.UTC) // already the 15th in Paris
	for _, tc := range []struct{ name, got, want string }{
		{"French amount", fr.Amount(1234567), "12\u202f345,67\u00a0€"},
		{"English amount", en.Amount(1234567), "€12,345.67"},
		{"French debt", fr.Amount(-250), "\u22122,50\u00a0€"},
		{"English debt", en.Amount(-250), "\u2212€2.50"},
		{"nothing", fr.Amount(0), "0,00\u00a0€"},
		{"one cent", en.Amount(1), "€0.01"},
		{"French count", fr.Count(1500000), "1\u202f500\u202f000"},
		{"English count", en.Count(-1500), "\u22121,500"},
		{"count without a group", fr.Count(999), "999"},
		{"French day", fr.Day(summer), "mercredi 15\u00a0juillet\u00a02026"},
		{"English day", en.Day(summer), "Wednesday 15\u00a0July\u00a02026"},
		{"moment in summer", fr.Moment(summer), "15/07/2026\u00a000:30\u00a0CEST"},
		{"moment in winter", en.Moment(time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)), "2026-01-02\u00a004:04\u00a0CET"},
		{"clock", fr.Clock(summer), "00:30"},
		{"place", fr.T("ball.label", "Number", 42), "Boule 42"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, tc.got, tc.want)
		}
	}
	if money.Cents(1).String() != "0.01" {
		t.Error("files keep the decimal point")
	}
}

func TestWords_UnknownKeyIsAFault(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("T of an unknown key did not panic")
		}
	}()
	For("fr", time.UTC).T("no.such.key")
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		wanted []string
		want   string
	}{
		{"nothing said", nil, "fr"},
		{"cookie first", []string{"en", "fr-FR"}, "en"},
		{"no cookie", []string{"", "en-GB,en;q=0.9,fr;q=0.5"}, "en"},
		{"Swiss French", []string{"", "fr-CH"}, "fr"},
		{"a language we lack, then one we have", []string{"", "de, en;q=0.5"}, "en"},
		{"only languages we lack", []string{"", "ja"}, "fr"},
		{"rubbish", []string{"\x00", ";;;"}, "fr"},
	} {
		if got := Match(tc.wanted...); got != tc.want {
			t.Errorf("%s: Match(%q) = %s, want %s", tc.name, tc.wanted, got, tc.want)
		}
	}
}
