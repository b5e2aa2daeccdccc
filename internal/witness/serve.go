package witness

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"boulier/game/bingo"
	"boulier/internal/proof"
	"boulier/internal/web"
	"boulier/regs"
)

// Path is where a server answers its witness.
const Path = "/api/witness/"

// A House is what a witness takes part in.
type House interface {
	WitnessWork(ctx context.Context, since int64) (proof.WitnessWork, error)
	CommitWitness(ctx context.Context, signed string) error
	OpenWitness(ctx context.Context, id bingo.RoundID, secret string) error
}

// maxAsked bounds the body of a request.
const maxAsked = 2048

// perAddress is what one address may ask. A witness asks twice a second; more than ten times
// that is somebody else, who must not be in its way: each address has a limit of its own.
var perAddress = web.Limit{Rate: 20, Burst: 40}

// Handler answers the witness of a house, to which trusted proxies may say for whom they ask.
func Handler(h House, log *slog.Logger, proxies ...netip.Prefix) http.Handler {
	return server{h, log, proxies, web.NewLimiter(perAddress, time.Now)}.routes()
}

func (s server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path+"work", s.work)
	mux.HandleFunc("POST "+Path+"commit", s.commit)
	mux.HandleFunc("POST "+Path+"open", s.open)
	return mux
}

type server struct {
	house   House
	log     *slog.Logger
	proxies []netip.Prefix
	limit   *web.Limiter
}

func (s server) work(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r) {
		return
	}
	since, err := strconv.ParseInt(r.FormValue("since"), 10, 64)
	if err != nil || since < 0 {
		http.Error(w, "since is a number of leaves", http.StatusBadRequest)
		return
	}
	work, err := s.house.WitnessWork(r.Context(), since)
	if err != nil {
		s.fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(work); err != nil {
		s.log.Debug("a witness went away", "error", err)
	}
}

func (s server) commit(w http.ResponseWriter, r *http.Request) {
	if body, ok := s.body(w, r); ok {
		s.done(w, s.house.CommitWitness(r.Context(), body))
	}
}

func (s server) open(w http.ResponseWriter, r *http.Request) {
	body, ok := s.body(w, r)
	if !ok {
		return
	}
	form, err := url.ParseQuery(body)
	id, err2 := strconv.ParseInt(form.Get("round"), 10, 64)
	if err != nil || err2 != nil {
		http.Error(w, "round and secret are wanted", http.StatusBadRequest)
		return
	}
	s.done(w, s.house.OpenWitness(r.Context(), bingo.RoundID(id), form.Get("secret")))
}

func (s server) allow(w http.ResponseWriter, r *http.Request) bool {
	if !s.limit.Allow(web.Address(r, s.proxies).String()) {
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return false
	}
	return true
}

func (s server) body(w http.ResponseWriter, r *http.Request) (string, bool) {
	if !s.allow(w, r) {
		return "", false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsked))
	if err != nil {
		http.Error(w, "the body is too long or cut", http.StatusBadRequest)
		return "", false
	}
	return string(body), true
}

func (s server) done(w http.ResponseWriter, err error) {
	if err != nil {
		s.fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// fail answers what a clause refuses as it is, and keeps a failure to the log.
func (s server) fail(w http.ResponseWriter, err error) {
	var v *regs.Violation
	if errors.As(err, &v) {
		http.Error(w, v.Error(), http.StatusConflict)
		return
	}
	s.log.Error("a request of the witness failed", "error", err)
	http.Error(w, "the server failed", http.StatusInternalServerError)
}
