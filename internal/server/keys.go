package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/journal"
)

// ErrOtherKeys refuses a key folder that is not that of the house.
var ErrOtherKeys = errors.New("server: these are not the keys of this house: give the folder that has been used so far (--keys), or restore its backup")

// ErrNoDatabase refuses to begin a second journal under the keys of a first one.
var ErrNoDatabase = errors.New("server: the keys of a house are there, its database is not: restore its backup, or take the keys away if this is to be a new house")

// ErrDemo refuses to run a demonstration for real, and to fill a real house with invented people
// whose passwords everybody knows.
var ErrDemo = errors.New("server: a demonstration and a real house do not mix")

// DemoOrigin is the name under which demonstrations sign, and nobody else.
const DemoOrigin = "demo.boulier.local"

// checkLost refuses a data folder that has lost its database. A first start that was killed
// has left one, since it is made before the keys.
func checkLost(c Config) error {
	if c.Database != "" || store.Holds(c.Data) {
		return nil
	}
	keys, err := os.ReadDir(c.Keys)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("server: the key folder: %w", err)
	}
	for _, k := range keys {
		if filepath.Ext(k.Name()) == ".key" {
			return fmt.Errorf("%w (data %s, keys %s)", ErrNoDatabase, c.Data, c.Keys)
		}
	}
	return nil
}

// checkDemo refuses to go on with a house of the other sort.
func checkDemo(c Config, signer string) error {
	switch demo := signer == DemoOrigin; {
	case demo == c.Demo:
		return nil
	case demo:
		return fmt.Errorf("%w: %s is a demonstration, or named like one; "+
			"give another data folder and another --origin", ErrDemo, c.Data)
	}
	return fmt.Errorf("%w: %s is a real house, into which no invented people are put; give another folder, or none", ErrDemo, c.Data)
}

// ownKeys opens the key folder of a house. A house that has never signed anything gets fresh
// keys; one that has is opened with the keys that it has signed with, and with no others.
func ownKeys(ctx context.Context, s *store.Store, c Config) (*vault.Vault, error) {
	v, err := signedKeys(ctx, s, c)
	if err != nil {
		return nil, err
	}
	return v, checkDemo(c, v.Signer().Name())
}

func signedKeys(ctx context.Context, s *store.Store, c Config) (*vault.Vault, error) {
	last, err := s.Checkpoint(ctx)
	if errors.Is(err, app.ErrNotFound) {
		return vault.Open(c.Keys, c.Origin)
	}
	if err != nil {
		return nil, err
	}
	v, err := vault.OpenExisting(c.Keys)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrOtherKeys, c.Keys, err)
	}
	own, err := note.NewVerifier(v.VerifierKey())
	if err != nil {
		return nil, err
	}
	if _, err := journal.Open([]byte(last.Note), own); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrOtherKeys, c.Keys, err)
	}
	return v, nil
}
