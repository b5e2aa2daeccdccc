package web

import (
	"crypto/rand"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"

	"boulier/internal/web/locales"
	"boulier/internal/web/static"
)

// policy lets a page load from its own address only: no script and no style within it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' blob:; media-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// chain puts everything that a request goes through in front of the pages.
func (s *Shell) chain() http.Handler {
	// The protection compares Sec-Fetch-Site or, on plain http where browsers do not
	// send it, the Origin with the Host. It needs the referrer policy below: with
	// no-referrer, browsers send « Origin: null ».
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.visit(w, r).fail(&Refusal{Status: http.StatusForbidden, Detail: "cross-origin request"})
	}))
	pages := http.Handler(http.HandlerFunc(s.identified))
	if s.config.Session != nil {
		pages = s.config.Session(pages)
	}
	pages = cross.Handler(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w, Https(r, s.config.TrustedProxies))
		if strings.HasPrefix(r.URL.Path, static.Prefix) {
			s.mux.ServeHTTP(w, r)
			return
		}
		v := &Visit{
			shell: s, w: w, r: r,
			RequestID: rand.Text()[:12],
			Address:   Address(r, s.config.TrustedProxies),
			Words:     locales.For(preferredLanguage(r), s.config.Zone),
		}
		r = r.WithContext(withVisit(r.Context(), v))
		v.r = r
		w.Header().Set("Request-Id", v.RequestID)
		w.Header().Set("Cache-Control", "no-store")
		defer v.recover()
		if !s.limiter.Allow(v.Address.String()) {
			v.fail(&Refusal{Status: http.StatusTooManyRequests})
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// identified finds out who asks, then lets the mux find the page.
func (s *Shell) identified(w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	person, err := s.config.Identify(r)
	if err != nil {
		v.fail(err)
		return
	}
	v.Person = person
	if person.Language != "" {
		v.Words = locales.For(person.Language, s.config.Zone)
		r = r.WithContext(locales.With(r.Context(), v.Words))
		v.r = r
	}
	_, pattern := s.mux.Handler(r)
	if pattern == "" {
		// No page under this address, or none for this method: the mux knows which.
		probe := &statusProbe{header: make(http.Header)}
		s.mux.ServeHTTP(probe, r)
		if allow := probe.header.Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
		}
		v.fail(&Refusal{Status: probe.status})
		return
	}
	s.mux.ServeHTTP(w, r)
}

// statusProbe keeps the status of an answer and drops the rest.
type statusProbe struct {
	header http.Header
	status int
}

func (p *statusProbe) Header() http.Header         { return p.header }
func (p *statusProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *statusProbe) WriteHeader(status int)      { p.status = status }

// headers are sent with everything.
func headers(w http.ResponseWriter, secure bool) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(self), geolocation=(), microphone=(), payment=(), usb=()")
	if secure {
		// On plain http browsers ignore both, and complain.
		h.Set("Strict-Transport-Security", "max-age=31536000")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
}

// Https reports whether the person's browser speaks https, to us or to a trusted proxy.
func Https(r *http.Request, proxies []netip.Prefix) bool {
	if r.TLS != nil {
		return true
	}
	return trusted(peer(r), proxies) && r.Header.Get("X-Forwarded-Proto") == "https"
}

// recover turns a panic into a page and a log entry with the stack.
func (v *Visit) recover() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	v.log().Error("panic", "panic", p, "stack", string(debug.Stack()))
	v.showProblem(http.StatusInternalServerError, nil)
}

// peer is the address at the other end of the connection; invalid when unknown.
func peer(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}

// Address is the person's: the last one in X-Forwarded-For that is not of a trusted
// proxy, when the connection comes from such a proxy.
func Address(r *http.Request, proxies []netip.Prefix) netip.Addr {
	at := peer(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && trusted(at, proxies); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		at = next.Unmap()
	}
	if at.Is6() {
		// A home holds a whole /64: one limit for all of it.
		if p, err := at.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return at
}

func trusted(a netip.Addr, proxies []netip.Prefix) bool {
	for _, p := range proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// preferredLanguage is the cookie's, or the browser's.
func preferredLanguage(r *http.Request) string {
	chosen := ""
	if c, err := r.Cookie(languageCookie); err == nil {
		chosen = c.Value
	}
	return locales.Match(chosen, r.Header.Get("Accept-Language"))
}
