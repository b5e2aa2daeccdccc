package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	beat       = 5 * time.Second // silence on a stream is never longer
	mostMissed = 1000            // facts beyond which a page takes a snapshot
	maxTopics  = 16
	writeLimit = 10 * time.Second
)

// A place is the number of the last fact of a topic that a page has.
type place struct {
	topic  string
	number int64
}

// A stream is one page that follows topics. Ten thousand of them are usual, so that it holds
// little: what waits for it is shared with the others.
type stream struct {
	hub  *Hub
	at   []place       // in the order of the topics
	wake chan struct{} // something waits

	mu      sync.Mutex
	waiting []*message
	behind  bool // something is to be read from the store

	out     sink
	until   time.Time // the deadline that was set
	scratch []byte
}

// push hands a message to the stream. A slow one reads from the store what has no room.
func (s *stream) push(m *message) {
	s.mu.Lock()
	i := -1
	if m.number == 0 {
		i = slices.IndexFunc(s.waiting, func(w *message) bool {
			return w.number == 0 && w.topic == m.topic && w.name == m.name
		})
	}
	switch {
	case i >= 0:
		s.waiting[i] = m // the latest wins
	case len(s.waiting) < queueRoom:
		s.waiting = append(s.waiting, m)
	default:
		s.behind = true
	}
	s.mu.Unlock()
	s.signal()
}

// fallBehind makes the stream read from the store.
func (s *stream) fallBehind() {
	s.mu.Lock()
	s.behind = true
	s.mu.Unlock()
	s.signal()
}

func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
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
	st := &stream{hub: s.config.Hub, wake: make(chan struct{}, 1)}
	for _, topic := range slices.Sorted(maps.Keys(c)) {
		st.at = append(st.at, place{strings.Clone(topic), c[topic]})
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	v.sent = true
	control, now := http.NewResponseController(v.w), v.Now()
	conn, _, err := control.Hijack()
	if err != nil { // HTTP/2, where one connection carries many
		st.out = flusher{v.w, control}
		err = st.run(v.Context(), now)
		if err != nil && v.Context().Err() == nil {
			v.log().Warn("live stream ended", "error", err)
		}
		return nil
	}
	st.out = conn
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\nConnection: close\r\n")
	if err := h.Write(head); err != nil {
		return err
	}
	head.WriteString("\r\n")
	go st.serve(conn, head.Bytes(), now)
	return nil
}

// serve follows over a connection of its own. The server has forgotten it by then, with all
// that it keeps for a request: that is more than a stream needs. Whoever has left is noticed
// by a beat.
func (s *stream) serve(conn net.Conn, head []byte, now time.Time) {
	defer conn.Close()
	if s.write(head) == nil {
		s.run(context.Background(), now) // an error is that of somebody who has left
	}
}

// A sink is where a stream writes, at once.
type sink interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// A flusher is the sink of an answer that the server still holds.
type flusher struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (f flusher) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	if err != nil {
		return n, err
	}
	return n, f.control.Flush()
}

func (f flusher) SetWriteDeadline(t time.Time) error {
	if err := f.control.SetWriteDeadline(t); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// run subscribes, reads what is stored, then follows. The order matters: what is
// published while it reads waits in the queue. Now is the time by which pages count down.
func (s *stream) run(ctx context.Context, now time.Time) error {
	crowd := s.hub.join(s)
	defer s.hub.leave(s)
	hello := fmt.Appendf(nil, "retry: %d\nevent: hello\ndata: {\"beat\":%d,\"now\":%d,\"crowd\":%d}\n\n",
		1000+rand.IntN(2000), beat.Milliseconds(), now.UnixMilli(), crowd)
	if err := s.write(hello); err != nil {
		return err
	}
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-s.hub.alive.Done():
			return nil
		case <-s.wake:
			err = s.deliver(ctx)
		case <-beats.C:
			err = s.write([]byte("event: beat\ndata:\n\n"))
		}
		if err != nil {
			return err
		}
	}
}

// deliver sends what waits in one go. A fact is sent when it is the next one; the store is
// read when some are missing before it.
func (s *stream) deliver(ctx context.Context) error {
	s.mu.Lock()
	waiting, behind := s.waiting, s.behind
	s.waiting, s.behind = nil, false
	s.mu.Unlock()
	s.scratch = s.scratch[:0]
	for _, m := range waiting {
		if m.number == 0 {
			s.scratch = append(s.scratch, m.body...)
			continue
		}
		switch i := s.place(m.topic); {
		case m.number <= s.at[i].number: // read already
		case m.number > s.at[i].number+1:
			behind = true
		default:
			s.put(i, m)
		}
	}
	if err := s.flush(); err != nil || !behind {
		return err
	}
	return s.catchUp(ctx)
}

func (s *stream) place(topic string) int {
	return slices.IndexFunc(s.at, func(p place) bool { return p.topic == topic })
}

// put adds a fact to what is to be sent, with the cursor of the whole page as its event id.
func (s *stream) put(i int, m *message) {
	s.at[i].number = m.number
	s.scratch = append(s.scratch, "id: "...)
	for k, p := range s.at {
		if k > 0 {
			s.scratch = append(s.scratch, ',')
		}
		s.scratch = append(append(s.scratch, p.topic...), ':')
		s.scratch = strconv.AppendInt(s.scratch, p.number, 10)
	}
	s.scratch = append(append(s.scratch, '\n'), m.body...)
}

// catchUp sends what is stored after the cursor.
func (s *stream) catchUp(ctx context.Context) error {
	missed := 0
	for i := range s.at {
		for {
			at := s.at[i]
			facts, err := s.hub.reader.Facts(ctx, at.topic, at.number, readAtOnce)
			missed += len(facts)
			if errors.Is(err, ErrSnapshot) || missed > mostMissed {
				return s.write([]byte("event: snapshot\ndata:\n\n"))
			}
			if err != nil {
				return err
			}
			for _, f := range facts {
				if f.Number != s.at[i].number+1 {
					return fmt.Errorf("facts of %s: number %d after %d", at.topic, f.Number, s.at[i].number)
				}
				m, err := f.message()
				if err != nil {
					return err
				}
				s.put(i, m)
			}
			if err := s.flush(); err != nil {
				return err
			}
			if len(facts) < readAtOnce {
				break
			}
		}
	}
	return nil
}

// flush sends what put has added, and keeps no large room for the next time.
func (s *stream) flush() error {
	if len(s.scratch) == 0 {
		return nil
	}
	err := s.write(s.scratch)
	if s.scratch = s.scratch[:0]; cap(s.scratch) > 2048 {
		s.scratch = nil
	}
	return err
}

// write sends bytes at once, and gives up on a reader that takes none for long.
func (s *stream) write(b []byte) error {
	if now := time.Now(); s.until.Sub(now) < writeLimit/2 {
		s.until = now.Add(writeLimit)
		if err := s.out.SetWriteDeadline(s.until); err != nil {
			return err
		}
	}
	_, err := s.out.Write(b)
	return err
}
