package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Rules is the state of the published rules: each version with the moment from which it
// applies. The one in force when a stake is accepted applies to it (std:47).
type Rules struct {
	Versions []RulesVersion `json:"versions"`
}

// A RulesVersion is one text of the rules.
type RulesVersion struct {
	Number int       `json:"number"` // from 1
	Digest string    `json:"digest"` // SHA-256 of the texts in all languages
	Since  time.Time `json:"since"`
}

const rulesCell Cell[Rules] = "rules"

// InForce returns the number of the version in force, 0 before the first.
func (r Rules) InForce() int { return len(r.Versions) }

// EnactRules makes the texts the version in force, if they are not already. It is called
// at every start with the texts that the program carries.
func (g *Ground) EnactRules(ctx context.Context, texts []byte) (Rules, error) {
	sum := sha256.Sum256(texts)
	digest := hex.EncodeToString(sum[:])
	return Do(ctx, g.Store, Keys{States: []string{string(rulesCell)}}, func(tx Tx) (Rules, error) {
		r, err := rulesCell.Get(tx)
		if err != nil {
			return r, err
		}
		if n := len(r.Versions); n > 0 && r.Versions[n-1].Digest == digest {
			return r, nil
		}
		v := RulesVersion{len(r.Versions) + 1, digest, tx.Now()}
		r.Versions = append(r.Versions[:len(r.Versions):len(r.Versions)], v)
		rulesCell.Put(tx, r)
		return r, rulesCell.Append(tx, "rules_enacted", v)
	})
}

// CurrentRules returns the published rules.
func (g *Ground) CurrentRules(ctx context.Context) (Rules, error) {
	r, _, err := rulesCell.Read(ctx, g.Store)
	return r, err
}

// checkRules refuses any version but the one in force.
func checkRules(tx Tx, accepted int) error {
	r, err := rulesCell.Get(tx)
	if err != nil {
		return err
	}
	if accepted != r.InForce() || accepted == 0 {
		return ErrRulesVersion.With("version %d was accepted, %d is in force", accepted, r.InForce())
	}
	return nil
}
