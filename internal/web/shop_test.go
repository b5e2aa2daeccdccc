package web

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"boulier/internal/web/ui"
)

// shop is a shell as a program would set it up, with one player signed in.
type shop struct {
	*Shell
	facts *memoryFacts
	url   string
}

// setup serves the gallery to a player whose balance is live.
func setup(t *testing.T, change ...func(*Config)) shop {
	t.Helper()
	facts := &memoryFacts{}
	c := Config{
		Demo: true, Gallery: true, Version: "0.1.0",
		Fingerprint: func() string { return "boulier+5f1c09ab" },
		Hub:         NewHub(facts),
		MayFollow:   func(_ context.Context, p ui.Person, topic string) bool { return topic == "wallet/9" },
		Identify: func(*http.Request) (ui.Person, error) {
			return ui.Person{ID: 9, Name: "Camille", Role: "player",
				Wallet: &ui.Wallet{Balance: 3850, Topic: "wallet/9", Number: facts.last("wallet/9")}}, nil
		},
		Navigation: func(ctx context.Context, _ ui.Person) []ui.Link {
			return []ui.Link{
				{Href: "/style", Label: ui.T(ctx, "style.title")},
				{Href: "/style/example", Label: ui.T(ctx, "style.example")},
			}
		},
		Now:    func() time.Time { return time.Date(2026, 11, 30, 13, 5, 0, 0, time.UTC) },
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(&c)
	}
	s := New(c)
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		if c.Hub != nil {
			c.Hub.Close()
		}
		server.Close()
	})
	return shop{s, facts, server.URL}
}

// memoryFacts keeps facts as a journal would.
type memoryFacts struct {
	mu   sync.Mutex
	all  []Fact
	err  error
	left int // reads that fail
	read int // how often
}

func (m *memoryFacts) add(topic, name, data string) Fact {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := Fact{topic, 1, name, json.RawMessage(data)}
	for _, old := range m.all {
		if old.Topic == topic {
			f.Number = old.Number + 1
		}
	}
	m.all = append(m.all, f)
	return f
}

func (m *memoryFacts) last(topic string) (n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.all {
		if f.Topic == topic {
			n = f.Number
		}
	}
	return n
}

func (m *memoryFacts) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read
}

// fail makes the next two reads fail with err: that of the hub, and after it the stream's.
func (m *memoryFacts) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err, m.left = err, 2
}

func (m *memoryFacts) Facts(_ context.Context, topic string, after int64, max int) ([]Fact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read++
	if err := m.err; err != nil {
		if m.left--; m.left <= 0 {
			m.err = nil
		}
		return nil, err
	}
	var out []Fact
	for _, f := range m.all {
		if f.Topic == topic && f.Number > after && len(out) < max {
			out = append(out, f)
		}
	}
	return out, nil
}
