package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"boulier/internal/web/ui"
	"boulier/regs"
)

// answer sends a request straight to the shell.
func answer(s http.Handler, method, target string, form url.Values, change ...func(*http.Request)) *http.Response {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, target, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func newRequestID(t *testing.T) string {
	t.Helper()
	id, err := uuid.NewV7()
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}

func TestHeaders_OnEveryAnswer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, path := range []string{"/style", "/nowhere", "/style/problem/500", "/static/none"} {
		h := answer(s, "GET", path, nil).Header
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: policy %q lacks %q", path, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "data:") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", path, h)
		}
		if h.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: promises https on plain http", path)
		}
		if !strings.HasPrefix(path, "/static") && (h.Get("Cache-Control") != "no-store" || len(h.Get("Request-Id")) < 8) {
			t.Errorf("%s: may be kept, or has no request identifier: %v", path, h)
		}
	}
	if h := answer(s, "GET", "https://boulier.example/style", nil).Header; h.Get("Strict-Transport-Security") == "" {
		t.Error("https without Strict-Transport-Security")
	}
}

// TestPages_HaveNothingInline: the policy would refuse it.
func TestPages_HaveNothingInline(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, path := range []string{"/style", "/style/example", "/style/receipt", "/nowhere"} {
		page := text(t, answer(s, "GET", path, nil))
		for _, re := range []string{`\sstyle="`, `<style`, `\son[a-z]+="`, `javascript:`, `<script[^>]*>[^<]`} {
			if m := regexp.MustCompile(re).FindString(page); m != "" {
				t.Errorf("%s: inline %q", path, m)
			}
		}
	}
}

func TestCrossOrigin_IsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	form := url.Values{"theme": {"dark"}, "back": {"/style"}}
	for _, tc := range []struct {
		name    string
		headers map[string]string
		want    int
	}{
		{"same origin, modern browser", map[string]string{"Sec-Fetch-Site": "same-origin"}, 303},
		{"another site", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a sister site", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"local network on plain http: only an Origin", map[string]string{"Origin": "http://hall.test:8080"}, 303},
		{"local network, another site", map[string]string{"Origin": "http://evil.test"}, 403},
		{"local network, hidden origin", map[string]string{"Origin": "null"}, 403},
		{"no browser", nil, 303},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := answer(s, "POST", "http://hall.test:8080/preferences", form, func(r *http.Request) {
				for k, v := range tc.headers {
					r.Header.Set(k, v)
				}
			})
			if got.StatusCode != tc.want {
				t.Errorf("status %d, want %d", got.StatusCode, tc.want)
			}
		})
	}
}

func TestProblems_SayWhatMoneyAndTodo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, status := range []int{400, 401, 403, 404, 405, 413, 429, 500, 503} {
		got := answer(s, "GET", fmt.Sprintf("/style/problem/%d", status), nil, func(r *http.Request) {
			r.Header.Set("Accept-Language", "fr")
		})
		page := text(t, got)
		if got.StatusCode != status {
			t.Errorf("status %d, want %d", got.StatusCode, status)
		}
		for _, want := range []string{"Ce qui s’est passé", "Votre argent", "Que faire", got.Header.Get("Request-Id")} {
			if !strings.Contains(page, want) {
				t.Errorf("%d: no %q", status, want)
			}
		}
	}
	if got := answer(s, "GET", "/nowhere", nil); got.StatusCode != 404 {
		t.Errorf("unknown page: %d", got.StatusCode)
	}
	if got := answer(s, "DELETE", "/style", nil); got.StatusCode != 405 || !strings.Contains(got.Header.Get("Allow"), "GET") {
		t.Errorf("wrong method: %d, Allow %q", got.StatusCode, got.Header.Get("Allow"))
	}
}

// TestFaults_AreLoggedAndNeverShown: a panic and an error leave by the same page.
func TestFaults_AreLoggedAndNeverShown(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := New(Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.Handle("GET /panic", func(*Visit) error { panic("the cage is stuck") })
	s.Handle("GET /error", func(*Visit) error { return errors.New("the cage is stuck") })
	for _, path := range []string{"/panic", "/error"} {
		log.Reset()
		got := answer(s, "GET", path, nil)
		page := text(t, got)
		if got.StatusCode != 500 || strings.Contains(page, "cage") || strings.Contains(page, "goroutine") {
			t.Errorf("%s: status %d, page %s", path, got.StatusCode, page)
		}
		id := got.Header.Get("Request-Id")
		if !strings.Contains(log.String(), "cage") || !strings.Contains(log.String(), id) {
			t.Errorf("%s: the log does not tell: %s", path, log.String())
		}
	}
}

func TestExample_FourWaysOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	whole := func() url.Values {
		return url.Values{
			"request": {newRequestID(t)}, "name": {"Camille"}, "amount": {"12,50"},
			"desk": {"1"}, "means": {"cash"}, "agree": {"yes"},
		}
	}
	for _, tc := range []struct {
		name   string
		change func(url.Values)
		status int
		says   string
	}{
		{"done", func(url.Values) {}, 303, ""},
		{"answer missing", func(f url.Values) { f.Del("name") }, 422, "This answer is needed."},
		{"not an amount", func(f url.Values) { f.Set("amount", "ten") }, 422, "Write an amount in euros"},
		{"nothing is no amount", func(f url.Values) { f.Set("amount", "0") }, 422, "Write an amount in euros"},
		{"choice not offered", func(f url.Values) { f.Set("desk", "3") }, 422, "Choose one of the answers offered."},
		{"box not ticked", func(f url.Values) { f.Del("agree") }, 422, "This answer is needed."},
		{"too long", func(f url.Values) { f.Set("name", strings.Repeat("é", 41)) }, 422, "This answer is too long."},
		{"a rule refuses", func(f url.Values) { f.Set("amount", "1000.01") }, 422, "This amount is over the ceiling"},
		{"it breaks", func(f url.Values) { f.Set("amount", "13.13") }, 500, "The fault is ours"},
		{"no request identifier", func(f url.Values) { f.Del("request") }, 400, "cannot be read"},
		{"an identifier of another kind", func(f url.Values) { f.Set("request", uuid.NewString()) }, 400, "cannot be read"},
		{"an identifier written otherwise", func(f url.Values) { f.Set("request", "{"+f.Get("request")+"}") }, 400, "cannot be read"},
		{"too large", func(f url.Values) { f.Set("note", strings.Repeat("x", 70_000)) }, 413, "too large"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			form := whole()
			tc.change(form)
			got := answer(s, "POST", "/style/example", form, func(r *http.Request) {
				r.Header.Set("Accept-Language", "en")
			})
			page := text(t, got)
			if got.StatusCode != tc.status || !strings.Contains(page, tc.says) {
				t.Errorf("status %d, want %d and %q in %s", got.StatusCode, tc.status, tc.says, page)
			}
			if tc.status == 422 && (!strings.Contains(page, `value="`+form.Get("amount")+`"`) ||
				strings.Contains(page, form.Get("request"))) {
				t.Error("the form came back without its answers, or with the identifier that was used")
			}
		})
	}
}

// TestFlash_IsShownOnce follows the redirect as a browser does.
func TestFlash_IsShownOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	got, err := client.PostForm(s.url+"/style/example", url.Values{
		"request": {newRequestID(t)}, "name": {"Camille"}, "amount": {"12,50"},
		"desk": {"1"}, "means": {"cash"}, "agree": {"yes"},
	})
	if err != nil {
		t.Fatal(err)
	}
	first := text(t, got)
	got.Body.Close()
	got, err = client.Get(s.url + "/style/example")
	if err != nil {
		t.Fatal(err)
	}
	second := text(t, got)
	got.Body.Close()
	const notice = "Compte crédité de 12,50\u00a0€"
	if !strings.Contains(first, notice) || strings.Contains(second, notice) {
		t.Errorf("shown first %v, then %v", strings.Contains(first, notice), strings.Contains(second, notice))
	}
}

func TestFlash_ForgedCookieSaysNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, value := range []string{"!", "e30", "W3sidG9uZSI6InN1Y2Nlc3MiLCJrZXkiOiJicmFuZC5uYW1lIn1d"} {
		got := answer(s, "GET", "/style/example", nil, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: flashCookie, Value: value})
		})
		if page := text(t, got); got.StatusCode != 200 || strings.Contains(page, `class="notice"`) {
			t.Errorf("%s: status %d", value, got.StatusCode)
		}
	}
}

func TestPreferences_KeepChoicesAndComeBack(t *testing.T) {
	t.Parallel()
	var kept string
	s := setup(t, func(c *Config) {
		c.SetLanguage = func(_ context.Context, p ui.Person, lang string) error {
			kept = p.Name + " " + lang
			return nil
		}
	})
	for _, tc := range []struct {
		name         string
		form         url.Values
		cookie, back string
	}{
		{"dark", url.Values{"theme": {"dark"}, "back": {"/style?accent=loto"}}, "boulier_theme=dark", "/style?accent=loto"},
		{"the device's", url.Values{"theme": {"auto"}, "back": {"/style"}}, "boulier_theme=; Path=/; Max-Age=0", "/style"},
		{"language", url.Values{"language": {"en"}, "back": {"/style"}}, "boulier_language=en", "/style"},
		{"unknown choices", url.Values{"theme": {"pink"}, "language": {"xx"}, "back": {"/style"}}, "", "/style"},
		{"never to another site", url.Values{"theme": {"dark"}, "back": {"//evil.test/"}}, "boulier_theme=dark", "/"},
		{"nor with a backslash", url.Values{"theme": {"dark"}, "back": {`/\evil.test`}}, "boulier_theme=dark", "/"},
		{"nor by its full address", url.Values{"theme": {"dark"}, "back": {"https://evil.test/"}}, "boulier_theme=dark", "/"},
	} {
		got := answer(s, "POST", "/preferences", tc.form)
		if cookie := got.Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, tc.cookie) || (tc.cookie == "") != (cookie == "") {
			t.Errorf("%s: cookie %q, want %q", tc.name, cookie, tc.cookie)
		}
		if got.StatusCode != 303 || got.Header.Get("Location") != tc.back {
			t.Errorf("%s: %d to %q, want %q", tc.name, got.StatusCode, got.Header.Get("Location"), tc.back)
		}
	}
	if kept != "Camille en" {
		t.Errorf("kept for the person: %q", kept)
	}
	page := text(t, answer(s, "GET", "/style", nil, func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: themeCookie, Value: "dark"})
		r.AddCookie(&http.Cookie{Name: languageCookie, Value: "en"})
	}))
	if !strings.Contains(page, `<html lang="en" data-theme="dark">`) {
		t.Error("the choices do not reach the page")
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	var who ui.Person
	s := New(Config{Identify: func(*http.Request) (ui.Person, error) { return who, nil }, Logger: slog.New(slog.DiscardHandler)})
	s.Handle("GET /own", func(v *Visit) error { return v.Redirect("/in") }, SignedIn)
	s.Handle("GET /desk", func(v *Visit) error { return v.Redirect("/in") },
		Allowed(func(p ui.Person) bool { return p.Role == "cashier" }))
	for _, tc := range []struct {
		name, path string
		who        ui.Person
		want       int
	}{
		{"visitor at a personal page", "/own", ui.Person{}, 401},
		{"player at a personal page", "/own", ui.Person{ID: 1, Role: "player"}, 303},
		{"visitor at the desk", "/desk", ui.Person{}, 401},
		{"player at the desk", "/desk", ui.Person{ID: 1, Role: "player"}, 403},
		{"cashier at the desk", "/desk", ui.Person{ID: 2, Role: "cashier"}, 303},
	} {
		who = tc.who
		if got := answer(s, "GET", tc.path, nil).StatusCode; got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

func TestViolation_IsAPage(t *testing.T) {
	t.Parallel()
	s := New(Config{Logger: slog.New(slog.DiscardHandler)})
	s.Handle("GET /refuses", func(*Visit) error { return fmt.Errorf("buy: %w", errStyleCeiling.With("secret detail")) })
	s.Handle("GET /wordless", func(*Visit) error { return &regs.Violation{Ref: "house:8", Code: "no_words_yet"} })
	got := answer(s, "GET", "/refuses", nil)
	page := text(t, got)
	if got.StatusCode != 422 || !strings.Contains(page, "dépasse le plafond") || !strings.Contains(page, "house:1") ||
		!strings.Contains(page, "Rien n’a été débité") || strings.Contains(page, "secret detail") {
		t.Errorf("status %d, page %s", got.StatusCode, page)
	}
	if got := answer(s, "GET", "/wordless", nil).StatusCode; got != 422 {
		t.Errorf("a violation without words: %d", got)
	}
}

func TestLimiter_ByAddressAndKey(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := New(Config{
		Gallery: true, PerAddress: Limit{Rate: 1, Burst: 3}, Now: func() time.Time { return now },
		Logger: slog.New(slog.DiscardHandler),
	})
	from := func(address string) int {
		return answer(s, "GET", "/style/example", nil, func(r *http.Request) { r.RemoteAddr = address }).StatusCode
	}
	var got []int
	for range 4 {
		got = append(got, from("192.0.2.1:1234"))
	}
	got = append(got, from("192.0.2.2:1234"), from("[2001:db8::1]:1"))
	now = now.Add(time.Second)
	got = append(got, from("192.0.2.1:1234"), from("192.0.2.1:1234"))
	if want := "[200 200 200 429 200 200 200 429]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := answer(s, "GET", "/static/x", nil, func(r *http.Request) { r.RemoteAddr = "192.0.2.1:1" }); got.StatusCode != 404 {
		t.Errorf("static files are limited: %d", got.StatusCode)
	}

	l := NewLimiter(Limit{Rate: 1, Burst: 1}, func() time.Time { return now })
	for i := range 3 * maxBuckets {
		l.Allow(fmt.Sprint(i))
	}
	if len(l.buckets) > maxBuckets {
		t.Errorf("%d buckets, at most %d", len(l.buckets), maxBuckets)
	}
	if free := NewLimiter(Limit{Rate: rate.Inf}, time.Now); !free.Allow("a") || len(free.buckets) != 0 {
		t.Error("no limit is a limit")
	}
}

func TestAddress_OnlyTrustedProxiesSpeakForOthers(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, tc := range []struct{ name, remote, forwarded, want string }{
		{"no proxy", "192.0.2.1:5", "", "192.0.2.1"},
		{"a person who pretends", "192.0.2.1:5", "203.0.113.9", "192.0.2.1"},
		{"a trusted proxy", "10.0.0.1:5", "203.0.113.9", "203.0.113.9"},
		{"a person who pretends behind it", "10.0.0.1:5", "198.51.100.7, 203.0.113.9", "203.0.113.9"},
		{"two trusted proxies", "10.0.0.1:5", "203.0.113.9, 10.0.0.2", "203.0.113.9"},
		{"rubbish", "10.0.0.1:5", "unknown", "10.0.0.1"},
		{"a home on IPv6", "[2001:db8:1:2:3::4]:5", "", "2001:db8:1:2::"},
		{"IPv4 in IPv6", "[::ffff:192.0.2.1]:5", "", "192.0.2.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = tc.remote
		if tc.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tc.forwarded)
		}
		if got := Address(r, proxies).String(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
