package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	gaugePace  = 500 * time.Millisecond // gauges are sent at most this often
	readAtOnce = 200                    // facts read in one go
	queueRoom  = 64                     // messages a slow reader may be behind before it must read
)

// A message is a fact or a gauge as all streams send it: written once, whoever follows.
type message struct {
	topic  string
	number int64  // 0 for a gauge
	name   string // of a gauge
	body   []byte // without the line of the event id
}

func (f Fact) message() (*message, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("web: a fact of %s that is no JSON: %w", f.Topic, err)
	}
	return &message{topic: f.Topic, number: f.Number, body: fmt.Appendf(nil, "event: fact\ndata: %s\n\n", data)}, nil
}

func (g gauge) message() (*message, error) {
	data, err := json.Marshal(g)
	if err != nil {
		return nil, fmt.Errorf("web: a gauge of %s that is no JSON: %w", g.Topic, err)
	}
	return &message{topic: g.Topic, name: g.Name, body: fmt.Appendf(nil, "event: gauge\ndata: %s\n\n", data)}, nil
}

// A Hub passes facts and gauges of this process to the streams that follow them. Facts
// are published after their commit. One that was not published here, or out of order, is
// no loss: streams read what they miss.
type Hub struct {
	reader FactReader
	alive  context.Context
	end    context.CancelFunc

	mu     sync.Mutex
	topics map[string]*topic // those that somebody follows
}

// A topic is what the hub knows of what streams follow.
type topic struct {
	streams map[*stream]struct{}
	last    int64               // number up to which facts were passed on
	reading bool                // facts are being read, once for all streams
	again   bool                // and are to be read once more
	gauges  map[string]*message // that wait for the pace, by name
	pacing  bool
}

// NewHub returns a hub whose streams read what they miss from r.
func NewHub(r FactReader) *Hub {
	h := &Hub{reader: r, topics: make(map[string]*topic)}
	h.alive, h.end = context.WithCancel(context.Background())
	return h
}

// Publish passes on a fact that is stored. It never waits for a reader.
func (h *Hub) Publish(name string, number int64, event string, data json.RawMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[name]; t != nil {
		t.pass(Fact{name, number, event, data})
	}
}

// pass hands a fact to the streams. One that cannot be written makes them read it, which
// tells the fault.
func (t *topic) pass(f Fact) {
	m, err := f.message()
	for s := range t.streams {
		if err != nil {
			s.fallBehind()
			continue
		}
		s.push(m)
	}
	t.last = max(t.last, f.Number)
}

// Gauge passes on how something stands. It never waits for a reader.
func (h *Hub) Gauge(name, what string, data json.RawMessage) {
	m, err := gauge{name, what, data}.message()
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[name]
	if t == nil || err != nil {
		return
	}
	t.gauges[what] = m
	if !t.pacing && !t.reading { // facts that are being read bring it along
		h.sendGauges(t)
	}
}

// sendGauges hands what waits to the streams, and lets the next ones wait for the pace.
func (h *Hub) sendGauges(t *topic) {
	t.pacing = len(t.gauges) > 0
	for _, m := range t.gauges {
		for s := range t.streams {
			s.push(m)
		}
	}
	clear(t.gauges)
	if t.pacing {
		time.AfterFunc(gaugePace, func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.sendGauges(t)
		})
	}
}

// Renew passes on what was added to these topics, when that is not known but by reading it:
// one reading for all streams, however many they are.
func (h *Hub) Renew(topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range topics {
		t := h.topics[name]
		switch {
		case t == nil:
		case t.reading:
			t.again = true
		default:
			t.reading = true
			go h.read(name, t, t.last)
		}
	}
}

// read passes on the facts that are stored after a number, until there are none.
func (h *Hub) read(name string, t *topic, after int64) {
	for {
		facts, err := h.reader.Facts(h.alive, name, after, readAtOnce)
		h.mu.Lock()
		for _, f := range facts {
			t.pass(f)
		}
		if err != nil { // each reads what it can, and says what it cannot
			for s := range t.streams {
				s.fallBehind()
			}
		}
		t.reading = err == nil && len(facts) == readAtOnce || t.again
		t.again = false
		more := t.reading
		after = t.last
		if !more && !t.pacing {
			h.sendGauges(t)
		}
		h.mu.Unlock()
		if !more {
			return
		}
	}
}

// RenewAll asks every stream to read from the store, when something may have been missed.
func (h *Hub) RenewAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.topics {
		for s := range t.streams {
			s.fallBehind()
		}
	}
}

// Close ends all streams, so that a server can stop; pages come back by themselves.
func (h *Hub) Close() { h.end() }

// Following is how many streams follow the topic.
func (h *Hub) Following(name string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t := h.topics[name]; t != nil {
		return len(t.streams)
	}
	return 0
}

// join makes the hub pass facts to a stream, and says how many follow the most followed of
// its topics. What a stream has when it is the first is what was passed on.
func (h *Hub) join(s *stream) (crowd int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, at := range s.at {
		t := h.topics[at.topic]
		if t == nil {
			t = &topic{streams: make(map[*stream]struct{}), gauges: make(map[string]*message), last: at.number}
			h.topics[at.topic] = t
		}
		t.streams[s] = struct{}{}
		crowd = max(crowd, len(t.streams))
	}
	return crowd
}

func (h *Hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, at := range s.at {
		t := h.topics[at.topic]
		if t == nil {
			continue
		}
		delete(t.streams, s)
		if len(t.streams) == 0 {
			delete(h.topics, at.topic)
		}
	}
}
