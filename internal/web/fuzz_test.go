package web

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
)

// flashVisit is a visit of a shell that comes with the cookie of a flash.
func flashVisit(s *Shell, cookie *http.Cookie) (*Visit, *httptest.ResponseRecorder) {
	r, w := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
	if cookie != nil {
		r.AddCookie(cookie)
	}
	return &Visit{Words: locales.For("en", time.UTC), shell: s, w: w, r: r}, w
}

// flashed returns the cookie that an answer sets for flashes.
func flashed(t *testing.T, w *httptest.ResponseRecorder) *http.Cookie {
	t.Helper()
	set := w.Result().Cookies()
	i := slices.IndexFunc(set, func(c *http.Cookie) bool { return c.Name == flashCookie })
	if i < 0 {
		t.Fatal("the answer sets no cookie of a flash")
	}
	return set[i]
}

// FuzzTakeFlash holds that a cookie which anybody may have forged is dropped with the answer
// and tells nothing but messages of the catalogue, each with a title; and that a flash which
// the program kept is told, with what stands in it.
func FuzzTakeFlash(f *testing.F) {
	f.Add([]byte(`[{"tone":"success","key":"backup_made"}]`), "1")
	f.Add([]byte(`[{"tone":"x\" onclick=\"","key":"violation.sale_closed"},{"key":"none"}]`), "<b>")
	f.Add([]byte(`[{"key":"drawer_opened","parts":{"Number":"{{.Number}}","":""}}]`), "")
	f.Add([]byte(`[{"key":".x"},{"key":""},{"key":"violation."},null,{}]`), "\u202e")
	f.Add([]byte(`{"key":"backup_made"}`), "1")
	f.Add([]byte(`[`), "1")
	s := New(Config{})
	f.Fuzz(func(t *testing.T, forged []byte, part string) {
		v, w := flashVisit(s, &http.Cookie{Name: flashCookie, Value: base64.RawURLEncoding.EncodeToString(forged)})
		for _, n := range v.takeFlash() {
			if n.Title == "" || n.Text != "" && n.Text != v.T("problem.untouched") {
				t.Errorf("%q tells %+v", forged, n)
			}
			if !slices.Contains([]ui.Tone{ui.Info, ui.Success, ui.Warning, ui.Danger}, n.Tone) {
				t.Errorf("%q has the tone %q", forged, n.Tone)
			}
		}
		if c := flashed(t, w); c.MaxAge >= 0 {
			t.Errorf("the cookie of a flash stays: %v", c)
		}
		v, w = flashVisit(s, nil)
		v.putFlash([]Flash{Done("drawer_opened", "Number", part)})
		v, _ = flashVisit(s, flashed(t, w))
		want := v.T("flash.drawer_opened", "Number", string([]rune(part))) // a byte that is no text becomes a mark
		if n := v.takeFlash(); len(n) != 1 || n[0].Tone != ui.Success || n[0].Title != want {
			t.Errorf("%q is told as %v, not as %q", part, n, want)
		}
	})
}

// FuzzAddress holds that the address of a person is the peer's unless the peer is a trusted
// proxy, whatever headers say; that a person behind one cannot change it by a header of their
// own, which comes before what the proxy adds; and that a whole /64 is one address.
func FuzzAddress(f *testing.F) {
	f.Add("192.0.2.1:999", "203.0.113.9", "198.51.100.7")
	f.Add("198.51.100.7:999", "203.0.113.9", "192.0.2.1")
	f.Add("[::ffff:192.0.2.1]:1", "2001:db8::9%eth0, 192.0.2.2", "::1")
	f.Add("[2001:db8:1:2:3::4%25x]:1", "", "")
	f.Add("192.0.2.1:999", "203.0.113.9,,192.0.2.3", "192.0.2.4")
	f.Add("@", "203.0.113.9", "x")
	f.Add("", "unknown", ",")
	proxies := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("fd00::/8")}
	f.Fuzz(func(t *testing.T, peer, added, forged string) {
		at := func(proxies []netip.Prefix, hops ...string) netip.Addr {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = peer
			for _, h := range hops {
				r.Header.Add("X-Forwarded-For", h)
			}
			return Address(r, proxies)
		}
		bare := at(nil)
		got := at(proxies, added)
		for _, a := range []netip.Addr{bare, got} {
			if a.Is4In6() || a.Zone() != "" || a.Is6() && a != netip.PrefixFrom(a, 64).Masked().Addr() {
				t.Errorf("%q and %q give %s", peer, added, a)
			}
		}
		if !trusted(bare, proxies) && got != bare {
			t.Errorf("%q is no proxy, and %q makes it %s", peer, added, got)
		}
		// Only behind proxies to the first one does what stands further left count.
		behind := slices.ContainsFunc(strings.Split(added, ","), func(hop string) bool {
			a, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err != nil || !trusted(a.Unmap(), proxies)
		})
		if with := at(proxies, forged, added); behind && with != got {
			t.Errorf("%q: %q before %q makes %s of %s", peer, forged, added, with, got)
		}
	})
}
