package server_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"boulier/internal/server"
	"boulier/regs/regstest"
)

// TestHouse5_AHouseKeepsItsKeys starts a house whose keys are apart, then forgets where they
// are: it does not go on under keys of its own making, and makes none.
func TestHouse5_AHouseKeepsItsKeys(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5")
	data, keys := t.TempDir(), filepath.Join(t.TempDir(), "keys")
	c := server.Config{Data: data, Keys: keys, Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler)}
	start := func() (string, error) {
		s, err := server.Open(t.Context(), c)
		if err != nil {
			return "", err
		}
		defer s.Store.Close()
		_, err = s.Ground.CheckpointNow(t.Context())
		return s.Vault.Fingerprint(), err
	}
	first, err := start()
	if err != nil {
		t.Fatal(err)
	}
	c.Keys = ""
	if _, err := start(); !errors.Is(err, server.ErrOtherKeys) {
		t.Errorf("without its keys: %v", err)
	}
	if made, _ := filepath.Glob(filepath.Join(data, "keys", "*")); len(made) > 0 {
		t.Errorf("%v were made", made)
	}
	stranger := server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Log: c.Log}
	s, err := server.Open(t.Context(), stranger)
	if err != nil {
		t.Fatal(err)
	}
	s.Store.Close()
	c.Keys = filepath.Join(stranger.Data, "keys")
	if _, err := start(); !errors.Is(err, server.ErrOtherKeys) {
		t.Errorf("with the keys of another house: %v", err)
	}
	c.Keys = keys
	if again, err := start(); err != nil || again != first {
		t.Errorf("with its keys again: %s, %v; it was %s", again, err, first)
	}
	if _, err := os.Stat(filepath.Join(data, "keys")); err == nil {
		t.Error("a folder for keys was made where none belongs")
	}
}
