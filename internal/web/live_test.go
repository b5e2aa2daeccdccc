package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"boulier/internal/web/ui"
)

// ear is a browser that listens to a stream: what it heard, in order.
type ear struct {
	header http.Header

	mu     sync.Mutex
	status int
	heard  bytes.Buffer
	broken error
}

func (e *ear) Header() http.Header    { return e.header }
func (e *ear) WriteHeader(status int) { e.status = status }
func (e *ear) Flush()                 {}
func (e *ear) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.broken != nil {
		return 0, e.broken
	}
	return e.heard.Write(b)
}

// take returns the events heard since the last call, each on one line: name, id, data.
func (e *ear) take() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for block := range strings.SplitSeq(e.heard.String(), "\n\n") {
		var name, id, data string
		for line := range strings.SplitSeq(block, "\n") {
			field, value, _ := strings.Cut(line, ":")
			switch value = strings.TrimPrefix(value, " "); field {
			case "event":
				name = value
			case "id":
				id = value
			case "data":
				data = value
			}
		}
		if name != "" {
			out = append(out, strings.Join(strings.Fields(name+" "+id+" "+data), " "))
		}
	}
	e.heard.Reset()
	return out
}

// listen opens a stream in the bubble of a test and returns what ends it.
func listen(t *testing.T, hub *Hub, cursor, lastEventID string) (*ear, context.CancelFunc) {
	t.Helper()
	s := New(Config{
		Hub:       hub,
		MayFollow: func(_ context.Context, _ ui.Person, topic string) bool { return topic != "secret/1" },
		Zone:      time.UTC, Logger: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/live?cursor="+cursor, nil)
	if lastEventID != "" {
		r.Header.Set("Last-Event-ID", lastEventID)
	}
	e := &ear{header: make(http.Header), status: http.StatusOK}
	go s.ServeHTTP(e, r)
	synctest.Wait()
	return e, cancel
}

func fact(topic string, number int64, data string) string {
	return fmt.Sprintf(`{"topic":%q,"number":%d,"name":"ball","data":%s}`, topic, number, data)
}

func check(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// hello begins a stream; what follows in it is the time and how many follow.
const hello = `hello {"beat":5000,"now":946684800000,"crowd":1}`

func TestLive_ReadsThenFollows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		facts.add("bingo/17", "ball", "4")
		facts.add("bingo/17", "ball", "8")
		hub := NewHub(facts)
		e, end := listen(t, hub, "bingo/17:1,wallet/9:0", "")
		defer end()
		check(t, "what was missed", e.take(), hello, "fact bingo/17:2,wallet/9:0 "+fact("bingo/17", 2, "8"))

		f := facts.add("bingo/17", "ball", "90")
		hub.Publish(f.Topic, f.Number, f.Name, f.Data)
		synctest.Wait()
		check(t, "what follows", e.take(), "fact bingo/17:3,wallet/9:0 "+fact("bingo/17", 3, "90"))

		hub.Publish(f.Topic, f.Number, f.Name, f.Data)
		synctest.Wait()
		check(t, "the same fact again", e.take())

		// Numbers 4 and 5 were published elsewhere: 6 makes the stream read them.
		facts.add("bingo/17", "ball", "1")
		facts.add("bingo/17", "ball", "2")
		f = facts.add("bingo/17", "ball", "3")
		hub.Publish(f.Topic, f.Number, f.Name, f.Data)
		synctest.Wait()
		check(t, "a gap", e.take(),
			"fact bingo/17:4,wallet/9:0 "+fact("bingo/17", 4, "1"),
			"fact bingo/17:5,wallet/9:0 "+fact("bingo/17", 5, "2"),
			"fact bingo/17:6,wallet/9:0 "+fact("bingo/17", 6, "3"))

		facts.add("wallet/9", "ball", "7")
		hub.Renew("wallet/9")
		synctest.Wait()
		check(t, "told by another process", e.take(), "fact bingo/17:6,wallet/9:1 "+fact("wallet/9", 1, "7"))

		end()
		synctest.Wait()
		if hub.Following("bingo/17") != 0 {
			t.Error("a page that left is still followed")
		}
	})
}

// busyFacts publishes a fact while what is stored is being read for the first time.
type busyFacts struct {
	*memoryFacts
	hub  *Hub
	once sync.Once
}

func (b *busyFacts) Facts(ctx context.Context, topic string, after int64, most int) ([]Fact, error) {
	read, err := b.memoryFacts.Facts(ctx, topic, after, most)
	b.once.Do(func() {
		f := b.add("bingo/17", "ball", "8")
		b.hub.Publish(f.Topic, f.Number, f.Name, f.Data)
	})
	return read, err
}

// TestLive_PublishedWhileItReads: what comes between the reading and the following is heard.
func TestLive_PublishedWhileItReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &busyFacts{memoryFacts: &memoryFacts{}}
		facts.add("bingo/17", "ball", "4")
		facts.hub = NewHub(facts)
		e, end := listen(t, facts.hub, "bingo/17:0", "")
		defer end()
		check(t, "read, then published meanwhile", e.take(), hello,
			"fact bingo/17:1 "+fact("bingo/17", 1, "4"), "fact bingo/17:2 "+fact("bingo/17", 2, "8"))
	})
}

func TestLive_ComesBackWhereItWas(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		for i := range 5 {
			facts.add("bingo/17", "ball", fmt.Sprint(i))
		}
		e, end := listen(t, NewHub(facts), "bingo/17:0", "bingo/17:4")
		defer end()
		check(t, "the header takes the place of the cursor", e.take(), hello, "fact bingo/17:5 "+fact("bingo/17", 5, "4"))
	})
}

func TestLive_Beats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e, end := listen(t, NewHub(&memoryFacts{}), "bingo/17:0", "")
		defer end()
		e.take()
		time.Sleep(beat - time.Millisecond)
		synctest.Wait()
		check(t, "before the first beat", e.take())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		check(t, "the first beat", e.take(), "beat")
		time.Sleep(3 * beat)
		synctest.Wait()
		check(t, "three more", e.take(), "beat", "beat", "beat")
	})
}

func TestLive_GaugesAtMostTwiceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(&memoryFacts{})
		e, end := listen(t, hub, "bingo/17:0", "")
		defer end()
		e.take()
		for i := range 100 {
			hub.Gauge("bingo/17", "sold", json.RawMessage(fmt.Sprint(i)))
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(gaugePace)
		synctest.Wait()
		got := e.take() // at 0, 0.5 and 1 second
		if len(got) != 3 {
			t.Fatalf("%d gauges in a second: %v", len(got), got)
		}
		check(t, "the latest wins", got[2:], `gauge {"topic":"bingo/17","name":"sold","data":99}`)
		for _, line := range got {
			if strings.Contains(line, "bingo/17:") {
				t.Errorf("a gauge has an id: %s", line)
			}
		}
	})
}

func TestLive_SnapshotWhenTooMuchIsMissed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		for range mostMissed + 1 {
			facts.add("bingo/17", "ball", "1")
		}
		e, end := listen(t, NewHub(facts), "bingo/17:0", "")
		defer end()
		got := e.take()
		check(t, "the last event", got[len(got)-1:], "snapshot")
	})
	synctest.Test(t, func(t *testing.T) {
		e, end := listen(t, NewHub(&memoryFacts{err: ErrSnapshot}), "bingo/17:0", "")
		defer end()
		check(t, "facts no longer kept", e.take(), hello, "snapshot")
	})
}

// TestLive_SlowReaderMissesNothing fills the queue while the stream cannot write.
func TestLive_SlowReaderMissesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		hub := NewHub(facts)
		e, end := listen(t, hub, "bingo/17:0", "")
		defer end()
		e.take()
		e.mu.Lock() // the connection takes nothing
		const many = 3 * queueRoom
		for i := range many {
			f := facts.add("bingo/17", "ball", fmt.Sprint(i))
			hub.Publish(f.Topic, f.Number, f.Name, f.Data)
		}
		e.mu.Unlock()
		synctest.Wait()
		got := e.take()
		if len(got) != many {
			t.Fatalf("%d facts, want %d", len(got), many)
		}
		for i, line := range got {
			if !strings.HasPrefix(line, fmt.Sprintf("fact bingo/17:%d ", i+1)) {
				t.Fatalf("fact %d is %s", i+1, line)
			}
		}
	})
}

func TestLive_EndsWithTheHubAndWithTheReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(&memoryFacts{})
		_, end := listen(t, hub, "bingo/17:0", "")
		defer end()
		hub.Close()
		hub.Close() // twice is harmless
		synctest.Wait()
		if n := hub.Following("bingo/17"); n != 0 {
			t.Errorf("%d streams after Close", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub(&memoryFacts{})
		e, end := listen(t, hub, "bingo/17:0", "")
		defer end()
		e.mu.Lock()
		e.broken = errors.New("the phone went into a tunnel")
		e.mu.Unlock()
		time.Sleep(beat)
		synctest.Wait()
		if n := hub.Following("bingo/17"); n != 0 {
			t.Errorf("%d streams to a reader that is gone", n)
		}
	})
}

func TestLive_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, cursor string
		want         int
	}{
		{"someone else's topic", "secret/1:0", 403},
		{"one among others", "bingo/17:0,secret/1:0", 403},
		{"no cursor", "", 400},
		{"no number", "bingo/17", 400},
		{"negative", "bingo/17:-1", 400},
		{"not as it is written", "bingo/17:01", 400},
		{"twice", "bingo/17:1,bingo/17:2", 400},
		{"a line feed", "bingo/17%0Aid:1", 400},
		{"too many", strings.Repeat("a:0,", 1) + manyTopics(maxTopics), 400},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e, end := listen(t, NewHub(&memoryFacts{}), tc.cursor, "")
				defer end()
				if e.status != tc.want {
					t.Errorf("status %d, want %d", e.status, tc.want)
				}
			})
		})
	}
}

func manyTopics(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("bingo/%d:0", i)
	}
	return strings.Join(parts, ",")
}

func TestCursor_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := cursor(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}/[0-9]{1,6}`),
			rapid.Int64Range(0, 1<<62), 1, maxTopics).Draw(t, "cursor"))
		got, err := parseCursor(c.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, got); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzParseCursor: a cursor is refused, or read back as it was written but for order.
func FuzzParseCursor(f *testing.F) {
	for _, s := range []string{"", "a:1", "bingo/17:42,wallet/9:7", "a:1,a:1", ":", "a:18446744073709551616"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := parseCursor(s)
		if err != nil {
			return
		}
		again, err := parseCursor(c.String())
		if err != nil || !cmp.Equal(c, again) || len(c.String()) != len(s) {
			t.Errorf("%q reads as %q, then %q (%v)", s, c, again, err)
		}
	})
}

// TestLive_OneReadingForAll: what was added to a topic is read once, however many follow it.
func TestLive_OneReadingForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		hub := NewHub(facts)
		var ears []*ear
		for range 20 {
			e, end := listen(t, hub, "bingo/17:0", "")
			defer end()
			e.take()
			ears = append(ears, e)
		}
		before := facts.count()
		facts.add("bingo/17", "ball", "7")
		facts.add("bingo/17", "prize", "8")
		hub.Renew("bingo/17")
		synctest.Wait()
		for i, e := range ears {
			if got := e.take(); len(got) != 2 {
				t.Errorf("stream %d heard %v", i, got)
			}
		}
		if reads := facts.count() - before; reads != 1 {
			t.Errorf("the store was read %d times for 20 streams", reads)
		}
	})
}

// TestLive_AGaugeComesWithItsFact: how a round stands after a ball never comes before the
// ball, and comes in the same breath.
func TestLive_AGaugeComesWithItsFact(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		facts := &memoryFacts{}
		hub := NewHub(facts)
		e, end := listen(t, hub, "bingo/17:0", "")
		defer end()
		e.take()
		f := facts.add("bingo/17", "ball", "7")
		hub.Renew("bingo/17")
		hub.Gauge("bingo/17", "near", json.RawMessage(`{"n":2}`))
		synctest.Wait()
		check(t, "both", e.take(), "fact bingo/17:1 "+fact("bingo/17", f.Number, "7"),
			`gauge {"topic":"bingo/17","name":"near","data":{"n":2}}`)
	})
}
