package server_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/regs/regstest"
)

// TestHouse6_WhatHappensIsSignedInTime runs a server that nobody asks for a checkpoint: what
// happened is in a signed tree within ten seconds, and at a clean stop at once.
func TestHouse6_WhatHappensIsSignedInTime(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:6")
	c := server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler)}
	s, err := server.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	placed := func() int64 {
		t.Helper()
		list, err := s.Store.Stream(t.Context(), "settings", 0, 10)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		return list[len(list)-1].Index
	}
	settings := func(name string) {
		t.Helper()
		if err := s.Office.ChangeSettings(t.Context(), app.SettingsChange{Request: app.NewRequestID(), By: app.SystemPerson,
			Settings: app.Settings{Operator: name, Desks: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := s.Store.Checkpoint(t.Context()); err != nil; _, err = s.Store.Checkpoint(t.Context()) {
		time.Sleep(10 * time.Millisecond) // the one of the start
	}
	settings("Amicale")
	for until := time.Now().Add(10 * time.Second); placed() < 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("ten seconds later nothing is signed")
		}
	}
	settings("Amicale laïque")
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s, err = server.Open(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	if last, err := s.Store.Checkpoint(t.Context()); err != nil || placed() < 0 || placed() >= last.Size {
		t.Errorf("after a clean stop the event stands at %d of %d: %v", placed(), last.Size, err)
	}
}
