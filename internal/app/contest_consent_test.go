package app

import (
	"testing"

	"boulier/draw"
	"boulier/player"
)

// FuzzConsentToken: a token reads as what it was made of, and nothing else is taken.
func FuzzConsentToken(f *testing.F) {
	key := draw.Secret{1}
	f.Add(consentToken(key, 7, 1), int64(7), int64(1))
	f.Add("", int64(1)<<62, int64(-1))
	f.Fuzz(func(t *testing.T, token string, who, link int64) {
		made := consentToken(key, player.ID(who), link)
		if w, l, err := parseConsent(key, made); err != nil || w != player.ID(who) || l != link {
			t.Errorf("%q reads %d, %d (%v)", made, w, l, err)
		}
		if _, _, err := parseConsent(draw.Secret{2}, made); err == nil {
			t.Errorf("%q is taken under another key", made)
		}
		w, l, err := parseConsent(key, token)
		if err == nil && consentToken(key, w, l) != token {
			t.Errorf("%q reads as %q does", token, consentToken(key, w, l))
		}
	})
}

// FuzzNormalName: what is normal stays as it is, so that spellings fall into classes.
func FuzzNormalName(f *testing.F) {
	f.Add("Lefèvre-Œuvrard")
	f.Add(" l’Église  12 ")
	f.Add("ǅ ﬁ ①")
	f.Fuzz(func(t *testing.T, name string) {
		once := NormalName(name)
		if twice := NormalName(once); twice != once {
			t.Errorf("%q becomes %q, then %q", name, once, twice)
		}
	})
}
