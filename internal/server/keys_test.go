package server_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/store"
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

// TestHouse5_AHouseThatLostItsDatabase: its keys sign no second journal. A first start that was
// killed before it made keys goes on.
func TestHouse5_AHouseThatLostItsDatabase(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5")
	c := server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Log: slog.New(slog.DiscardHandler)}
	start := func() error {
		s, err := server.Open(t.Context(), c)
		if err == nil {
			err = s.Store.Close()
		}
		return err
	}
	database, keys := filepath.Join(c.Data, store.DatabaseFile), filepath.Join(c.Data, "keys")
	if err := start(); err != nil {
		t.Fatal(err)
	}
	aside := filepath.Join(t.TempDir(), "keys")
	if err := os.Rename(keys, aside); err != nil {
		t.Fatal(err)
	}
	if err := start(); err != nil {
		t.Errorf("a first start that was killed before it made keys: %v", err)
	}
	for _, left := range []string{"database", "empty database"} {
		if err := os.Remove(database); err != nil {
			t.Fatal(err)
		}
		if left == "empty database" {
			if err := os.WriteFile(database, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := start(); !errors.Is(err, server.ErrNoDatabase) {
			t.Errorf("keys and no %s: %v", left, err)
		}
		if store.Holds(c.Data) {
			t.Fatal("a database was made")
		}
		if err := os.WriteFile(database, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDemo_AndARealHouseDoNotMix: neither opens the other's folder, and the attempt leaves the
// house as it was.
func TestDemo_AndARealHouseDoNotMix(t *testing.T) {
	t.Parallel()
	start := func(folder, origin string, demo bool) error {
		s, err := server.Open(t.Context(), server.Config{Data: folder, Listen: "127.0.0.1:0", Origin: origin, Demo: demo,
			Version: "test", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		defer s.Store.Close()
		n, err := s.People.Administrators(t.Context())
		if err == nil && n > 0 {
			t.Errorf("%d administrators", n)
		}
		return err
	}
	for _, demo := range []bool{false, true} {
		folder := t.TempDir()
		for _, as := range []bool{demo, !demo, demo} {
			if err := start(folder, "", as); errors.Is(err, server.ErrDemo) != (as != demo) || as == demo && err != nil {
				t.Errorf("demo %v started as demo %v: %v", demo, as, err)
			}
		}
	}
	folder := filepath.Join(t.TempDir(), "new")
	if err := start(folder, server.DemoOrigin, false); !errors.Is(err, server.ErrDemo) {
		t.Errorf("a real house under the name of demonstrations: %v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("its folder was made")
	}
}

// TestFillDemo_CutOff: what was begun is not taken for the whole.
func TestFillDemo_CutOff(t *testing.T) {
	t.Parallel()
	s, err := server.Open(t.Context(), server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Demo: true,
		Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	_, err = s.People.AddStaff(t.Context(), app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
		SignIn: "admin", Name: "Alix", Password: server.DemoPassword, Locale: "fr", Roles: []app.Role{app.Administrator}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.FillDemo(t.Context()); !errors.Is(err, server.ErrHalfDemo) {
		t.Errorf("half a demonstration: %v", err)
	}
}
