package witness

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
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
