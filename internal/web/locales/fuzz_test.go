package locales

import (
	"slices"
	"strings"
	"testing"
)

// FuzzMatch holds that whatever a browser or a cookie says leads to a language of the
// product; that what is asked for first decides, as soon as it says anything; and that the
// name of a language is that language before all else.
func FuzzMatch(f *testing.F) {
	f.Add("en", "fr;q=0.5,en")
	f.Add("", "en-GB,en;q=0.9,fr;q=0.8")
	f.Add("de", "nl;q=0,*")
	f.Add("fr-CA", "en;q=2")
	f.Add("x-en", "en-u-nu-latn-x-1-2-3")
	f.Add(strings.Repeat("en-", 2000), strings.Repeat("fr,", 500))
	f.Fuzz(func(t *testing.T, first, second string) {
		got := Match(first, second)
		if !slices.Contains(Languages, got) {
			t.Fatalf("Match(%q, %q) is %q", first, second, got)
		}
		alone, after := Match(first), Match(second)
		if alone != Languages[0] && got != alone {
			t.Errorf("%q alone is %q, before %q it is %q", first, alone, second, got)
		}
		if got != alone && got != after {
			t.Errorf("Match(%q, %q) is %q, but neither is by itself", first, second, got)
		}
		for _, lang := range Languages {
			if got := Match(lang, first, second); got != lang {
				t.Errorf("%s before %q and %q is %s", lang, first, second, got)
			}
			if got := Match("", lang, first); got != lang {
				t.Errorf("no cookie, and %s before %q, is %s", lang, first, got)
			}
		}
	})
}
