package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Fact is what has happened in a topic: its number there is dense from 1, and its data
// are JSON.
type Fact struct {
	Topic  string          `json:"topic"`
	Number int64           `json:"number"`
	Name   string          `json:"name"`
	Data   json.RawMessage `json:"data"`
}

// A gauge is how something stands now: it has no number, and the latest wins.
type gauge struct {
	Topic string          `json:"topic"`
	Name  string          `json:"name"`
	Data  json.RawMessage `json:"data"`
}

// A FactReader reads the facts of a topic that come after a number, in order, at most max
// of them. Err is ErrSnapshot when they are no longer kept or too many to be worth it.
type FactReader interface {
	Facts(ctx context.Context, topic string, after int64, max int) ([]Fact, error)
}

// ErrSnapshot tells a page to take a snapshot instead of the facts it missed.
var ErrSnapshot = errors.New("web: take a snapshot instead of the facts")

const (
	beat       = 5 * time.Second        // silence on a stream is never longer
	gaugePace  = 500 * time.Millisecond // gauges are sent at most this often
	readAtOnce = 200                    // facts read in one go
	mostMissed = 1000                   // facts beyond which a page takes a snapshot
	queueRoom  = 64                     // facts a slow reader may be behind before it must read
	maxTopics  = 16
	writeLimit = 10 * time.Second
)

// A Hub passes facts and gauges of this process to the streams that follow them. Facts
// are published after their commit. One that was not published here, or out of order, is
// no loss: streams read what they miss.
type Hub struct {
	reader FactReader

	mu      sync.Mutex
	streams map[string]map[*stream]bool // by topic
	closed  chan struct{}
	once    sync.Once
}

// NewHub returns a hub whose streams read what they miss from r.
func NewHub(r FactReader) *Hub {
	return &Hub{reader: r, streams: make(map[string]map[*stream]bool), closed: make(chan struct{})}
}

// Publish passes on a fact that is stored. It never waits for a reader.
func (h *Hub) Publish(topic string, number int64, name string, data json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams[topic] {
		select {
		case s.facts <- Fact{topic, number, name, data}:
		default: // slow: it reads from the store what did not fit
			s.signal(s.behind)
		}
	}
}

// Gauge passes on how something stands. It never waits for a reader.
func (h *Hub) Gauge(topic, name string, data json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams[topic] {
		s.mu.Lock()
		s.gauges[topic+"\n"+name] = gauge{topic, name, data}
		s.mu.Unlock()
		s.signal(s.gauged)
	}
}

// Renew asks the streams of these topics to read from the store, when another process
// tells that something was added there.
func (h *Hub) Renew(topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range topics {
		for s := range h.streams[topic] {
			s.signal(s.behind)
		}
	}
}

// RenewAll asks every stream to read from the store, when something may have been missed.
func (h *Hub) RenewAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, streams := range h.streams {
		for s := range streams {
			s.signal(s.behind)
		}
	}
}

// Close ends all streams, so that a server can stop; pages come back by themselves.
func (h *Hub) Close() { h.once.Do(func() { close(h.closed) }) }

// Following is how many streams follow the topic.
func (h *Hub) Following(topic string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams[topic])
}

func (h *Hub) join(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for topic := range s.cursor {
		if h.streams[topic] == nil {
			h.streams[topic] = make(map[*stream]bool)
		}
		h.streams[topic][s] = true
	}
}

func (h *Hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for topic := range s.cursor {
		delete(h.streams[topic], s)
		if len(h.streams[topic]) == 0 {
			delete(h.streams, topic)
		}
	}
}

// A stream is one page that follows topics.
type stream struct {
	hub    *Hub
	cursor cursor
	facts  chan Fact
	behind chan struct{} // something is to be read from the store
	gauged chan struct{} // gauges wait

	mu     sync.Mutex
	gauges map[string]gauge

	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *stream) signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// live answers GET /live?cursor=bingo/17:42,wallet/9:7 with a stream; the header
// Last-Event-ID of a browser that comes back by itself takes the place of the cursor.
func (s *Shell) live(v *Visit) error {
	at := v.r.Header.Get("Last-Event-ID")
	if at == "" {
		at = v.Query("cursor")
	}
	c, err := parseCursor(at)
	if err != nil {
		return &Refusal{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	for topic := range c {
		if !s.config.MayFollow(v.Context(), v.Person, topic) {
			return &Refusal{Status: http.StatusForbidden, Detail: "may not follow " + topic}
		}
	}
	st := &stream{
		hub: s.config.Hub, cursor: c,
		facts:  make(chan Fact, queueRoom),
		behind: make(chan struct{}, 1),
		gauged: make(chan struct{}, 1),
		gauges: make(map[string]gauge),
		w:      v.w, control: http.NewResponseController(v.w),
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	v.sent = true
	err = st.run(v.Context())
	if err != nil && v.Context().Err() == nil {
		v.log().Warn("live stream ended", "error", err)
	}
	return nil
}

// run subscribes, reads what is stored, then follows. The order matters: what is
// published while it reads waits in the queue.
func (s *stream) run(ctx context.Context) error {
	s.hub.join(s)
	defer s.hub.leave(s)
	hello := fmt.Sprintf("retry: %d\nevent: hello\ndata: {\"beat\":%d}\n\n",
		1000+rand.IntN(2000), beat.Milliseconds())
	if err := s.write([]byte(hello)); err != nil {
		return err
	}
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	beats := time.NewTicker(beat)
	defer beats.Stop()
	var pace <-chan time.Time
	for {
		var err error
		gauged := s.gauged
		if pace != nil {
			gauged = nil // they wait for the pace
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.hub.closed:
			return nil
		case f := <-s.facts:
			err = s.take(ctx, f)
		case <-s.behind:
			err = s.catchUp(ctx)
		case <-gauged:
			pace = time.After(gaugePace)
			err = s.sendGauges()
		case <-pace:
			pace = nil
		case <-beats.C:
			err = s.write([]byte("event: beat\ndata:\n\n"))
		}
		if err != nil {
			return err
		}
	}
}

// take sends a published fact when it is the next one, and reads the store when some are
// missing before it.
func (s *stream) take(ctx context.Context, f Fact) error {
	switch last := s.cursor[f.Topic]; {
	case f.Number <= last:
		return nil // read already
	case f.Number > last+1:
		return s.catchUp(ctx)
	default:
		return s.send(f)
	}
}

// catchUp sends what is stored after the cursor.
func (s *stream) catchUp(ctx context.Context) error {
	missed := 0
	for _, topic := range slices.Sorted(maps.Keys(s.cursor)) {
		for {
			facts, err := s.hub.reader.Facts(ctx, topic, s.cursor[topic], readAtOnce)
			missed += len(facts)
			if errors.Is(err, ErrSnapshot) || missed > mostMissed {
				return s.write([]byte("event: snapshot\ndata:\n\n"))
			}
			if err != nil {
				return err
			}
			for _, f := range facts {
				if f.Number != s.cursor[topic]+1 {
					return fmt.Errorf("facts of %s: number %d after %d", topic, f.Number, s.cursor[topic])
				}
				if err := s.send(f); err != nil {
					return err
				}
			}
			if len(facts) < readAtOnce {
				break
			}
		}
	}
	return nil
}

// send writes a fact with the cursor of the whole page as its event id.
func (s *stream) send(f Fact) error {
	s.cursor[f.Topic] = f.Number
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "id: %s\nevent: fact\ndata: %s\n\n", s.cursor, data)
	return s.write(b.Bytes())
}

func (s *stream) sendGauges() error {
	s.mu.Lock()
	waiting := s.gauges
	s.gauges = make(map[string]gauge)
	s.mu.Unlock()
	var b bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(waiting)) {
		data, err := json.Marshal(waiting[key])
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "event: gauge\ndata: %s\n\n", data)
	}
	return s.write(b.Bytes())
}

// write sends bytes at once, and gives up on a reader that takes none for long.
func (s *stream) write(b []byte) error {
	err := s.control.SetWriteDeadline(time.Now().Add(writeLimit))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	return s.control.Flush()
}

// A cursor is the number of the last fact that a page has, by topic.
type cursor map[string]int64

// String writes the cursor as an event id: "bingo/17:42,wallet/9:7".
func (c cursor) String() string {
	var b strings.Builder
	for i, topic := range slices.Sorted(maps.Keys(c)) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%d", topic, c[topic])
	}
	return b.String()
}

// parseCursor reads what String writes: one to sixteen topics, each once.
func parseCursor(s string) (cursor, error) {
	c := make(cursor)
	for part := range strings.SplitSeq(s, ",") {
		i := strings.LastIndexByte(part, ':')
		if i <= 0 {
			return nil, fmt.Errorf("cursor %q: no topic and number", part)
		}
		topic := part[:i]
		n, err := strconv.ParseInt(part[i+1:], 10, 64)
		if err != nil || n < 0 || part[i+1:] != strconv.FormatInt(n, 10) {
			return nil, fmt.Errorf("cursor %q: not a number", part)
		}
		if _, twice := c[topic]; twice {
			return nil, fmt.Errorf("cursor: topic %q twice", topic)
		}
		for _, r := range topic {
			if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
				r == '/' || r == '-' || r == '_') {
				return nil, fmt.Errorf("cursor: topic %q has a strange character", topic)
			}
		}
		c[topic] = n
	}
	if len(c) > maxTopics {
		return nil, fmt.Errorf("cursor: %d topics, at most %d", len(c), maxTopics)
	}
	return c, nil
}
