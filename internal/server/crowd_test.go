package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A screen is a page that follows a topic as browsers do: it applies facts in order, and
// comes back where it was when the connection ends.
type screen struct {
	address string // of the server
	client  string // of the page, behind a proxy
	topic   string
	conn    atomic.Pointer[net.TCPConn]

	mu        sync.Mutex
	number    int64 // of the last fact
	missing   int64
	twice     int64
	snapshots int64
	back      int64           // how often it came back
	waits     []time.Duration // from a ball that was decided to here, while connected
	most      int             // bytes of one ball, with the gauges that come with it
	bytes     int
}

// follow follows until end is closed.
func (s *screen) follow(end <-chan struct{}) {
	for delay := 250 * time.Millisecond; ; {
		if heard := s.listen(); heard {
			delay = 250 * time.Millisecond
		}
		select {
		case <-end:
			return
		case <-time.After(delay + time.Duration(rand.Int64N(int64(delay)))):
		}
		delay = min(2*delay, 7*time.Second)
		s.mu.Lock()
		s.back++
		s.mu.Unlock()
	}
}

var (
	idLine    = []byte("id: ")
	dataLine  = []byte("data: ")
	eventLine = []byte("event: ")
	ballFact  = []byte(`"name":"ball_drawn"`)
)

// listen follows over one connection, and reports whether the server said anything.
func (s *screen) listen() (heard bool) {
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		return false
	}
	defer conn.Close()
	s.conn.Store(conn.(*net.TCPConn))
	s.mu.Lock()
	at := s.number
	s.mu.Unlock()
	if _, err := fmt.Fprintf(conn, "GET /live?cursor=%s:%d HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: %s\r\n\r\n",
		s.topic, at, s.address, s.client); err != nil {
		return false
	}
	in := bufio.NewReaderSize(conn, 2048)
	since, body := int64(0), false
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return heard
		}
		switch {
		case body:
			heard = true
			s.take(line, since)
		case len(line) == 2:
			since, body = time.Now().UnixMicro(), true
		}
	}
}

// take reads a line of the stream.
func (s *screen) take(line []byte, since int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case bytes.HasPrefix(line, idLine):
		colon := bytes.LastIndexByte(line, ':')
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line[colon+1:])), 10, 64)
		switch {
		case err != nil:
			s.missing++
		case n <= s.number:
			s.twice++
		default:
			s.missing += n - s.number - 1
			s.number = n
		}
	case bytes.HasPrefix(line, dataLine) && bytes.Contains(line, ballFact):
		s.most = max(s.most, s.bytes)
		s.bytes = 0
		if at := valueOf(line, `"at":`); at > since {
			s.waits = append(s.waits, time.Duration(time.Now().UnixMicro()-at)*time.Microsecond)
		}
	case bytes.HasPrefix(line, eventLine) && bytes.HasPrefix(line[len(eventLine):], []byte("snapshot")):
		s.snapshots++
	}
	s.bytes += len(line)
}

// valueOf reads the whole number behind a name in JSON, or 0.
func valueOf(line []byte, name string) (n int64) {
	_, rest, ok := bytes.Cut(line, []byte(name))
	for i := 0; ok && i < len(rest) && rest[i] >= '0' && rest[i] <= '9'; i++ {
		n = 10*n + int64(rest[i]-'0')
	}
	return n
}

// A crowd is many screens.
type crowd struct {
	screens []*screen
	end     chan struct{}
	all     sync.WaitGroup
}

// gather lets so many screens follow a topic from its beginning, connecting over some time.
func gather(address, topic string, screens int, over time.Duration) *crowd {
	c := &crowd{end: make(chan struct{})}
	for i := range screens {
		s := &screen{address: address, topic: topic, client: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)}
		c.screens = append(c.screens, s)
		c.all.Go(func() {
			time.Sleep(over * time.Duration(i) / time.Duration(screens))
			s.follow(c.end)
		})
	}
	return c
}

// at counts the screens that have the facts up to a number.
func (c *crowd) at(number int64) (n int) {
	for _, s := range c.screens {
		s.mu.Lock()
		if s.number >= number {
			n++
		}
		s.mu.Unlock()
	}
	return n
}

// drop ends the connections of so many screens, which then come back.
func (c *crowd) drop(screens int) {
	for _, i := range rand.Perm(len(c.screens))[:screens] {
		if conn := c.screens[i].conn.Load(); conn != nil {
			conn.Close()
		}
	}
}

// leave ends all screens.
func (c *crowd) leave() {
	close(c.end)
	c.drop(len(c.screens))
	c.all.Wait()
}

// waits takes how long the balls took that came since the last call, sorted.
func (c *crowd) waits() (list []time.Duration) {
	for _, s := range c.screens {
		s.mu.Lock()
		list = append(list, s.waits...)
		s.waits = nil
		s.mu.Unlock()
	}
	slices.Sort(list)
	return list
}
