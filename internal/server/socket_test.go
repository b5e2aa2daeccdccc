package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
)

// TestReach_ALongPath: commands reach the program that owns a folder whose path is too long for
// a socket, through a folder that nobody else may have made.
func TestReach_ALongPath(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	s, err := Open(t.Context(), Config{Data: data, Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	path, elsewhere, err := socketPath(data)
	if err != nil || !elsewhere || len(path) > maxSocketPath {
		t.Fatalf("the socket is %s, %v", path, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	var r *Remote
	for r = Reach(data); r == nil && len(served) == 0; r = Reach(data) {
		time.Sleep(10 * time.Millisecond)
	}
	if r != nil {
		if found, err := r.Doctor(t.Context()); err != nil || len(found) == 0 {
			t.Errorf("the program finds %v, %v", found, err)
		}
		if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
			t.Error(err)
		}
		if Reach(data) != nil {
			t.Error("a folder that others may enter was trusted")
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the socket is left: %v", err)
	}
}

// TestReach_AProgramThatIsStopped: it is said within seconds.
func TestReach_AProgramThatIsStopped(t *testing.T) {
	t.Parallel()
	data, err := os.MkdirTemp("", "boulier-test-") // shorter than the name of this test
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(data)
	l, err := net.Listen("unix", filepath.Join(data, socketName)) // which accepts, and answers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := Reach(data)
	if r == nil {
		t.Fatal("nobody is there")
	}
	if _, err := r.Doctor(t.Context()); !errors.Is(err, ErrSilent) {
		t.Errorf("doctor: %v", err)
	}
}

// TestDoctor_Settings: those in force are said, but no password; those that do not read are a
// fault.
func TestDoctor_Settings(t *testing.T) {
	t.Parallel()
	c := Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler),
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	look := func() Finding {
		for _, f := range s.house().Doctor(t.Context(), "test") {
			if f.What == "settings" {
				return f
			}
		}
		return Finding{}
	}
	if f := look(); !f.OK || !strings.Contains(f.Said, "4 desks") || !strings.Contains(f.Said, "proxies [10.0.0.0/8]") {
		t.Errorf("found %+v", f)
	}
	c.Database, c.Mail.Password = "postgres://me:secret@db.example/house", "secret"
	if said := c.String(); !strings.Contains(said, "PostgreSQL db.example/house") || strings.Contains(said, "secret") {
		t.Errorf("settings %s", said)
	}
	err = s.Store.Update(t.Context(), app.Keys{States: []string{"settings"}}, func(tx app.Tx) error {
		tx.Put("settings", app.Settings{}, func(any) ([]byte, error) { return []byte("{"), nil })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if f := look(); f.OK || !strings.Contains(f.Said, "cannot be read") {
		t.Errorf("found %+v", f)
	}
}
