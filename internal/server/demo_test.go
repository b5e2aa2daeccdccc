package server_test

import (
	"log/slog"
	"testing"

	"boulier/game/loto"
	"boulier/internal/server"
)

// TestDemo_ALotoIsInProgress: the newcomer finds a round that can be called at once.
func TestDemo_ALotoIsInProgress(t *testing.T) {
	t.Parallel()
	s, err := server.Open(t.Context(), server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Demo: true,
		Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	for range 2 { // a second start of the same folder makes nothing again
		if err := s.FillDemo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	days, err := s.Loto.Days(t.Context())
	if err != nil || len(days) != 1 {
		t.Fatalf("%d days, %v", len(days), err)
	}
	p := days[0].Session.Play
	if p.Round != 1 || p.Mode != loto.Drawing || len(p.Calls) == 0 || p.Cards == 0 || days[0].Session.Caller == 0 {
		t.Errorf("the demonstration's loto: %+v", p)
	}
}
