package witness

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/internal/proof"
	"boulier/internal/web"
	"boulier/regs/regstest"
)

// An idleHouse wants nothing of its witness.
type idleHouse struct{}

func (idleHouse) WitnessWork(context.Context, int64) (w proof.WitnessWork, err error) { return w, nil }
func (idleHouse) CommitWitness(context.Context, string) error                         { return nil }
func (idleHouse) OpenWitness(context.Context, bingo.RoundID, string) error            { return nil }

// TestArt93_10_AFloodDoesNotStarveTheWitness holds that whoever asks too often is refused, and
// nobody else: neither an address of its own nor one behind the same trusted proxy.
func TestArt93_10_AFloodDoesNotStarveTheWitness(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	proxy := netip.MustParsePrefix("192.0.2.1/32")
	now := time.Now()
	h := server{idleHouse{}, slog.New(slog.DiscardHandler), []netip.Prefix{proxy},
		web.NewLimiter(perAddress, func() time.Time { return now })}.routes()
	ask := func(peer, behind string) int {
		r := httptest.NewRequest(http.MethodGet, Path+"work?since=0", nil)
		r.RemoteAddr = peer + ":999"
		if behind != "" {
			r.Header.Set("X-Forwarded-For", behind)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	for _, flood := range []struct{ peer, behind string }{{"198.51.100.7", ""}, {"192.0.2.1", "203.0.113.9"}} {
		refused := 0
		for range 10 * perAddress.Burst {
			if ask(flood.peer, flood.behind) == http.StatusTooManyRequests {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("a flood from %v is answered", flood)
		}
		for _, witness := range []struct{ peer, behind string }{{"198.51.100.8", ""}, {"192.0.2.1", "203.0.113.10"}} {
			if code := ask(witness.peer, witness.behind); code != http.StatusOK {
				t.Errorf("during a flood from %v the witness at %v gets %d", flood, witness, code)
			}
		}
	}
	if code := ask("198.51.100.7", "203.0.113.77"); code != http.StatusTooManyRequests {
		t.Errorf("an address that no proxy vouches for names another one: %d", code)
	}
}

// A listener keeps what reaches a house.
type listener struct{ heard []string }

func (l *listener) WitnessWork(_ context.Context, since int64) (w proof.WitnessWork, err error) {
	l.heard = append(l.heard, "work "+strconv.FormatInt(since, 10))
	return w, nil
}

func (l *listener) CommitWitness(_ context.Context, signed string) error {
	l.heard = append(l.heard, "commit "+signed)
	return nil
}

func (l *listener) OpenWitness(_ context.Context, id bingo.RoundID, secret string) error {
	l.heard = append(l.heard, "open "+strconv.FormatInt(int64(id), 10)+" "+secret)
	return nil
}

// FuzzHandler holds that a request of anybody is answered by words that refuse it, and reaches
// no house, or is one thing that a witness does; that no long body is read; and that what a
// witness sends arrives letter by letter.
func FuzzHandler(f *testing.F) {
	f.Add("GET", "work", "since=17", "", int64(7), "0a")
	f.Add("GET", "work", "since=-1", "", int64(-1), "")
	f.Add("GET", "work", "since=9223372036854775808&since=1", "", int64(1<<62), "&round=8")
	f.Add("POST", "commit", "", "boulier/witness/v1\nround 1\n", int64(7), "\x00")
	f.Add("POST", "commit", "", strings.Repeat("x", maxAsked+1), int64(7), "é")
	f.Add("POST", "open", "", "round=7&secret=0a", int64(7), "%")
	f.Add("POST", "open", "round=7&secret=0a", "round=7;secret=0a", int64(7), "+ ")
	f.Add("POST", "open", "", "round=07x&round=7&secret=%zz", int64(7), "a")
	f.Add("PUT", "../work", "%", "", int64(7), "a")
	f.Fuzz(func(t *testing.T, method, name, query, body string, id int64, secret string) {
		var l listener
		h := Handler(&l, slog.New(slog.DiscardHandler))
		send := func(method, name, query, body string) int {
			l.heard = nil
			r, w := httptest.NewRequest("GET", Path, strings.NewReader(body)), httptest.NewRecorder()
			r.Method, r.URL.Path, r.URL.RawQuery = method, Path+name, query
			h.ServeHTTP(w, r)
			if w.Code >= 500 || w.Code >= 400 && method != "HEAD" && w.Body.Len() == 0 || (w.Code/100 == 2) != (len(l.heard) == 1) {
				t.Errorf("%s %s?%s with %q is answered %d %s, and %q is heard", method, name, query, body, w.Code, w.Body, l.heard)
			}
			return w.Code
		}
		if code := send(method, name, query, body); code/100 == 2 && method == "POST" && len(body) > maxAsked {
			t.Errorf("a body of %d bytes is taken", len(body))
		}
		form := url.Values{"round": {strconv.FormatInt(id, 10)}, "secret": {secret}}.Encode()
		for _, sent := range []struct{ method, name, query, body, want string }{
			{"POST", "open", "", form, "open " + strconv.FormatInt(id, 10) + " " + secret},
			{"POST", "commit", "", body, "commit " + body},
			{"GET", "work", "since=" + strconv.FormatInt(id, 10), "", "work " + strconv.FormatInt(id, 10)},
		} {
			short := len(sent.body) <= maxAsked && (sent.method == "POST" || id >= 0)
			code := send(sent.method, sent.name, sent.query, sent.body)
			if heard := strings.Join(l.heard, " "); short && heard != sent.want || !short && code != http.StatusBadRequest {
				t.Errorf("%q is answered %d and heard as %q", sent.want, code, heard)
			}
		}
	})
}
