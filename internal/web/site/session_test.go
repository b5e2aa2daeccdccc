package site_test

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/internal/web/site"
	"boulier/regs/regstest"
)

// A bare browser keeps no cookie and follows nothing, and says that it speaks https.
type bare struct {
	t *testing.T
	h *house
}

func (b bare) do(method, path string, form url.Values, cookie *http.Cookie) *http.Response {
	b.t.Helper()
	r, err := http.NewRequest(method, b.h.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-Proto", "https")
	if cookie != nil {
		r.AddCookie(cookie)
	}
	c := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	res.Body.Close()
	return res
}

func sessionOf(res *http.Response) *http.Cookie {
	for _, c := range res.Cookies() {
		if c.Name == "boulier_session" {
			return c
		}
	}
	return nil
}

// TestStd8_ASessionIsItsOwnersAlone holds the cookie to https, keeps a second sender of the
// form of registration out, and ends a session for a request that is under way, too.
func TestStd8_ASessionIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:8", "std:43")
	h := open(t, func(c *site.Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	b := bare{t, h}
	form := url.Values{"request": {app.NewRequestID().String()}, "name": {"anne"}, "display": {"Anne"}, "born": {"1990-01-02"},
		"password": {"the right password"}, "rules": {"yes"}, "version": {"1"}}
	own := sessionOf(b.do("POST", "/register", form, nil))
	if own == nil || !own.Secure || !own.HttpOnly {
		t.Fatalf("registered over https, the cookie is %v", own)
	}
	form.Set("password", "not the password at all")
	if res := b.do("POST", "/register", form, nil); res.StatusCode != 422 || sessionOf(res) != nil {
		t.Errorf("the form again with another password: %d, %v", res.StatusCode, sessionOf(res))
	}
	if res := b.do("GET", "/account", nil, own); res.StatusCode != 200 {
		t.Errorf("its owner's account: %d", res.StatusCode)
	}
	underWay, err := h.site.Sessions.Load(context.Background(), own.Value)
	if err != nil {
		t.Fatal(err)
	}
	b.do("POST", "/signout", url.Values{"request": {app.NewRequestID().String()}}, own)
	if _, _, err := h.site.Sessions.Commit(underWay); err != nil {
		t.Fatal(err)
	}
	if res := b.do("GET", "/account", nil, own); res.StatusCode == 200 {
		t.Error("the session lives on after signing out")
	}
}

// TestForm_RefusesWhatNobodyTypes: one engine keeps such characters and the other does not.
func TestForm_RefusesWhatNobodyTypes(t *testing.T) {
	t.Parallel()
	h := open(t)
	b := bare{t, h}
	for _, name := range []string{"An\x00ne", "An\x1bne", "An\u0085ne"} {
		form := url.Values{"request": {app.NewRequestID().String()}, "name": {"anne"}, "display": {name}, "born": {"1990-01-02"},
			"password": {"the right password"}, "rules": {"yes"}, "version": {"1"}}
		if res := b.do("POST", "/register", form, nil); res.StatusCode != 422 {
			t.Errorf("%q: %d", name, res.StatusCode)
		}
	}
}
