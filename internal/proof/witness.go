package proof

import (
	"errors"
	"fmt"
	"regexp"

	"boulier/game/bingo"
	"boulier/journal"

	"golang.org/x/mod/sumdb/note"
)

// WitnessText is what a witness signs before the sale of a round opens.
func WitnessText(id bingo.RoundID, commitment string) string {
	return fmt.Sprintf("boulier/witness/v1\nround %d\ncommitment %s\n", id, commitment)
}

// witnessForm is the form of that text.
var witnessForm = regexp.MustCompile(`^boulier/witness/v1\nround ([1-9][0-9]{0,17})\ncommitment ([0-9a-f]{64})\n$`)

// ErrWitness refuses a commitment of a witness that the witness did not sign.
var ErrWitness = errors.New("the commitment of the witness is not signed by its key")

// maxWitness bounds what a witness signs, with its signature.
const maxWitness = 1024

// OpenWitness returns the round and the commitment that a witness's key has signed.
func OpenWitness(signed, key string) (id bingo.RoundID, w bingo.Witness, err error) {
	v, err := journal.ParseKey(key)
	if err != nil {
		return 0, w, err
	}
	if len(signed) > maxWitness {
		return 0, w, ErrWitness
	}
	n, err := note.Open([]byte(signed), note.VerifierList(v))
	if err != nil || len(n.UnverifiedSigs) > 0 || len(n.Sigs) != 1 {
		return 0, w, ErrWitness
	}
	found := witnessForm.FindStringSubmatch(n.Text)
	if found == nil {
		return 0, w, ErrWitness
	}
	if _, err := fmt.Sscan(found[1], &id); err != nil {
		return 0, w, ErrWitness
	}
	return id, bingo.Witness{Commitment: found[2], Key: key, Signed: signed}, nil
}

// WitnessWork is what a server wants from its witness: a commitment to the round Next, the
// secret of the round Round, or nothing. All in it is proved under Checkpoint.
type WitnessWork struct {
	Key         string        `json:"key"`     // the operator's verifier key
	Witness     string        `json:"witness"` // verifier key of the witness that is wanted
	Next        bingo.RoundID `json:"next"`
	Round       bingo.RoundID `json:"round"`
	Checkpoint  string        `json:"checkpoint"`
	Consistency Path          `json:"consistency"` // from the checkpoint that the witness holds
	Committed   Proved        `json:"committed"`   // the round's commitments
	Closed      Proved        `json:"closed"`      // the closing of its sale
}

// CheckWitness holds that a round has no witness, or one whose commitment is signed.
func CheckWitness(id bingo.RoundID, w bingo.Witness) error {
	if w == (bingo.Witness{}) {
		return nil
	}
	of, signed, err := OpenWitness(w.Signed, w.Key)
	if err != nil {
		return err
	}
	if of != id || signed != w {
		return ErrWitness
	}
	return nil
}
