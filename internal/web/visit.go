package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"

	"boulier/internal/web/locales"
	"boulier/internal/web/static"
	"boulier/internal/web/ui"
)

// A Visit is one request of one person, with what a page needs to answer it.
type Visit struct {
	Person    ui.Person
	Words     *locales.Words
	RequestID string     // in the log and on error pages; not the identifier of a form
	Address   netip.Addr // of the person, behind trusted proxies

	shell *Shell
	w     http.ResponseWriter
	r     *http.Request
	sent  bool // whether the answer has begun
}

type visitKey struct{}

func withVisit(ctx context.Context, v *Visit) context.Context {
	return locales.With(context.WithValue(ctx, visitKey{}, v), v.Words)
}

func visitFrom(ctx context.Context) *Visit { return ctx.Value(visitKey{}).(*Visit) }

// visit returns the visit of a request as a middleware passes it on.
func (s *Shell) visit(w http.ResponseWriter, r *http.Request) *Visit {
	v := visitFrom(r.Context())
	v.w, v.r = w, r
	return v
}

// Context is the context of the request; it carries the words.
func (v *Visit) Context() context.Context { return v.r.Context() }

// Request is the request itself, for what the visit does not offer.
func (v *Visit) Request() *http.Request { return v.r }

// Path returns a part of the address by its name in the pattern.
func (v *Visit) Path(name string) string { return v.r.PathValue(name) }

// Query returns a parameter of the address.
func (v *Visit) Query(name string) string { return v.r.URL.Query().Get(name) }

// T returns the message of this key; see locales.Words.T.
func (v *Visit) T(key string, pairs ...any) string { return v.Words.T(key, pairs...) }

// Now is the time by the shell's clock.
func (v *Visit) Now() time.Time { return v.shell.config.Now() }

// Show answers with a page: body in the frame.
func (v *Visit) Show(view ui.View, body templ.Component) error {
	return v.ShowStatus(http.StatusOK, view, body)
}

// ShowStatus is Show with another status, such as 422 for a form that comes back.
func (v *Visit) ShowStatus(status int, view ui.View, body templ.Component, notices ...ui.Notice) error {
	c := v.shell.config
	person := v.Person
	if c.Wallet != nil && person.SignedIn() && status != http.StatusInternalServerError {
		var err error
		if person.Wallet, err = c.Wallet(v.Context(), person); err != nil {
			return err
		}
	}
	frame := ui.Frame{
		View:        view,
		Person:      person,
		Navigation:  v.navigation(),
		Notices:     append(v.takeFlash(), notices...),
		Path:        v.back(),
		Theme:       themeOf(v.r),
		Demo:        c.Demo,
		Version:     c.Version,
		Fingerprint: c.Fingerprint(),
	}
	var b bytes.Buffer
	ctx := templ.WithChildren(v.Context(), body)
	if err := ui.Layout(frame).Render(ctx, &b); err != nil {
		return err
	}
	v.send(status, "text/html; charset=utf-8", b.Bytes())
	return nil
}

// navigation marks the link that leads to this page or to one above it.
func (v *Visit) navigation() []ui.Link {
	links := v.shell.config.Navigation(v.Context(), v.Person)
	best := -1
	for i, l := range links {
		here := v.r.URL.Path == l.Href ||
			l.Href != "/" && strings.HasPrefix(v.r.URL.Path, strings.TrimSuffix(l.Href, "/")+"/")
		if here && (best < 0 || len(l.Href) > len(links[best].Href)) {
			best = i
		}
	}
	if best >= 0 {
		links[best].Current = true
	}
	return links
}

// back is the address of this page, to come back to after a switch of language or theme.
// The page that answers a form stands under the form's address, which may not be a page.
func (v *Visit) back() string {
	if v.r.Method == http.MethodGet || v.r.Method == http.MethodHead {
		return v.r.URL.RequestURI()
	}
	if u, err := url.Parse(v.r.Referer()); err == nil && u.Host == v.r.Host {
		return u.RequestURI()
	}
	return "/"
}

// Redirect sends the browser to another page of this site, with notices to show there.
func (v *Visit) Redirect(to string, flashes ...Flash) error {
	v.putFlash(flashes)
	v.sendTo(to)
	return nil
}

// sendTo answers with the address of another page of this site.
func (v *Visit) sendTo(to string) {
	v.w.Header().Set("Location", local(to))
	v.w.WriteHeader(http.StatusSeeOther)
	v.sent = true
}

// Fragment answers with a part of a page, for a script that puts it in its place.
func (v *Visit) Fragment(body templ.Component) error {
	var b bytes.Buffer
	if err := body.Render(v.Context(), &b); err != nil {
		return err
	}
	v.send(http.StatusOK, "text/html; charset=utf-8", b.Bytes())
	return nil
}

// File answers with a file to keep, such as a statement or a proof.
func (v *Visit) File(name, kind string, body []byte) error {
	v.w.Header().Set("Content-Disposition", `attachment; filename="`+fileName(name)+`"`)
	v.send(http.StatusOK, kind, body)
	return nil
}

// Again has the browser ask for this page again after a while, without any script.
func (v *Visit) Again(after time.Duration) {
	v.w.Header().Set("Refresh", strconv.Itoa(int(after/time.Second)))
}

// Picture answers with a picture whose address is of it alone, so that a browser keeps it.
func (v *Visit) Picture(kind string, body []byte) error {
	v.w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	v.send(http.StatusOK, kind, body)
	return nil
}

// fileName keeps what every system accepts in the name of a file.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '-'
		}
	}, name)
}

var packers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant of the package
	}
	return z
}}

// send writes the whole answer, packed when it is worth it.
func (v *Visit) send(status int, kind string, body []byte) {
	h := v.w.Header()
	h.Set("Content-Type", kind)
	h.Add("Vary", "Accept-Encoding")
	if len(body) > 1400 && static.AcceptsGzip(v.r) {
		var b bytes.Buffer
		z := packers.Get().(*gzip.Writer)
		z.Reset(&b)
		z.Write(body)
		z.Close()
		packers.Put(z)
		h.Set("Content-Encoding", "gzip")
		body = b.Bytes()
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	v.sent = true
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		v.w.Write(body)
	}
}

func (v *Visit) log() *slog.Logger {
	return v.shell.config.Logger.With("request", v.RequestID, "method", v.r.Method, "path", v.r.URL.Path)
}

// local keeps a redirect on this site: anything else leads home.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}
