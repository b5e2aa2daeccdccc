package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"boulier/internal/web/static"
	"boulier/internal/web/ui"
)

// Config is what the shell needs from the program around it. Zero fields have the
// defaults that are said with them.
type Config struct {
	// Identify says who sends the request; the zero Person is a visitor. It runs for
	// pages and streams, not for static files. By default everyone is a visitor.
	Identify func(r *http.Request) (ui.Person, error)
	// Wallet returns what the header of a page shows of the person's money, nil for
	// nothing. It is asked when a page is shown, so that forms that only lead to one cost
	// nothing. By default nothing is shown but what Identify says.
	Wallet func(ctx context.Context, p ui.Person) (*ui.Wallet, error)
	// Session, if any, wraps whatever follows the limits: it loads and saves sessions.
	Session func(http.Handler) http.Handler
	// Navigation returns the links of the masthead for this person; labels come from
	// the words in the context. By default there are none.
	Navigation func(ctx context.Context, p ui.Person) []ui.Link
	// Detour returns where a person must go before any other page, or nothing: it is asked
	// for every page, stream and form but /preferences. By default nobody must.
	Detour func(p ui.Person, path string) string
	// SetLanguage, if any, keeps the language that a signed-in person has chosen.
	SetLanguage func(ctx context.Context, p ui.Person, lang string) error

	Hub *Hub // live streams; none are served when nil
	// MayFollow says whether the person may follow a live topic. By default nobody may.
	MayFollow func(ctx context.Context, p ui.Person, topic string) bool

	Demo        bool          // every page says that it is a demonstration
	Gallery     bool          // mount /style
	Version     string        // of the program
	Fingerprint func() string // of the key that signs checkpoints

	Zone   *time.Location   // in which dates are written; Europe/Paris
	Now    func() time.Time // the clock of the shell; time.Now
	Logger *slog.Logger     // slog.Default

	// TrustedProxies may say in X-Forwarded-For and X-Forwarded-Proto whom they speak
	// for. By default none may.
	TrustedProxies []netip.Prefix
	// PerAddress limits the requests from one address; 50 a second, 200 at once.
	PerAddress Limit
	// MaxBody is the size in bytes of a request's body beyond which it is refused,
	// unless a page asks for more; 64 KiB.
	MaxBody int64
}

// A Limit is so many a second, and so many at once.
type Limit struct {
	Rate  rate.Limit
	Burst int
}

// A Shell serves the pages that were added to it.
type Shell struct {
	config  Config
	mux     *http.ServeMux
	handler http.Handler
	limiter *Limiter
}

// A Page answers a visit, or returns an error that the shell turns into a page: a
// *regs.Violation into a refusal, a *Refusal into its status, any other into 500.
type Page func(v *Visit) error

// New returns a shell with its own pages: static files, /preferences, /live, and the
// gallery where the configuration asks for it.
func New(c Config) *Shell {
	c = c.withDefaults()
	s := &Shell{config: c, mux: http.NewServeMux(), limiter: NewLimiter(c.PerAddress, c.Now)}
	s.mux.Handle("GET "+static.Prefix, static.Handler())
	s.Handle("POST /preferences", s.preferences)
	if c.Hub != nil {
		s.Handle("GET /live", s.live)
	}
	if c.Gallery {
		s.mountGallery()
	}
	s.handler = s.chain()
	return s
}

func (c Config) withDefaults() Config {
	if c.Identify == nil {
		c.Identify = func(*http.Request) (ui.Person, error) { return ui.Person{}, nil }
	}
	if c.Navigation == nil {
		c.Navigation = func(context.Context, ui.Person) []ui.Link { return nil }
	}
	if c.Detour == nil {
		c.Detour = func(ui.Person, string) string { return "" }
	}
	if c.MayFollow == nil {
		c.MayFollow = func(context.Context, ui.Person, string) bool { return false }
	}
	if c.Fingerprint == nil {
		c.Fingerprint = func() string { return "" }
	}
	if c.Zone == nil {
		zone, err := time.LoadLocation("Europe/Paris")
		if err != nil {
			panic(err) // cmd embeds the zones
		}
		c.Zone = zone
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.PerAddress == (Limit{}) {
		c.PerAddress = Limit{Rate: 50, Burst: 200}
	}
	if c.MaxBody == 0 {
		c.MaxBody = 64 << 10
	}
	return c
}

// Handle adds a page under a pattern of http.ServeMux, such as "GET /instant/{issue}".
// Needs, if any, are checked in order before the page.
func (s *Shell) Handle(pattern string, page Page, needs ...Need) {
	s.mux.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := visitFrom(r.Context())
		v.w, v.r = w, r
		if to := s.config.Detour(v.Person, r.URL.Path); to != "" && r.URL.Path != "/preferences" {
			v.sendTo(to)
			return
		}
		for _, need := range needs {
			if err := need(v.Person); err != nil {
				v.fail(err)
				return
			}
		}
		if err := page(v); err != nil {
			v.fail(err)
		}
	}))
}

// Mount adds a handler that answers by itself, such as an API, behind the same headers
// and limits.
func (s *Shell) Mount(pattern string, h http.Handler) { s.mux.Handle(pattern, h) }

// A Need says why a person may not open a page, or nil when they may.
type Need func(ui.Person) error

// SignedIn is the need of every page that is someone's own.
func SignedIn(p ui.Person) error {
	if !p.SignedIn() {
		return &Refusal{Status: http.StatusUnauthorized}
	}
	return nil
}

// Allowed makes a need of a rule about persons, such as the app's table of roles: whoever
// is not signed in is asked to, whoever may not is refused.
func Allowed(may func(ui.Person) bool) Need {
	return func(p ui.Person) error {
		if err := SignedIn(p); err != nil {
			return err
		}
		if !may(p) {
			return &Refusal{Status: http.StatusForbidden}
		}
		return nil
	}
}

// ServeHTTP implements http.Handler.
func (s *Shell) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Server returns a server with the time limits of the shell; streams lift the one on
// writing for themselves.
func Server(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
