package server

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/journal"
)

// ErrOtherKeys refuses a key folder that is not that of the house.
var ErrOtherKeys = errors.New("server: these are not the keys of this house: give the folder that has been used so far (--keys), or restore its backup")

// ownKeys opens the key folder of a house. A house that has never signed anything gets fresh
// keys; one that has is opened with the keys that it has signed with, and with no others.
func ownKeys(ctx context.Context, s *store.Store, c Config) (*vault.Vault, error) {
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
