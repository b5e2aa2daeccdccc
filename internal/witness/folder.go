package witness

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/internal/proof"

	"golang.org/x/mod/sumdb/note"
)

// A Folder is what a witness keeps: its key, the operator's, the latest checkpoint that it
// has seen, and its part in each round. It belongs on another machine than the house.
type Folder struct {
	path     string
	signer   note.Signer
	verifier string
}

// The files of a folder.
const (
	keyFile        = "witness.key"
	operatorFile   = "operator.key"
	checkpointFile = "checkpoint.txt"
)

// A Part is the part of a witness in a round.
type Part struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	Signed     string `json:"signed"`
	// Closed is the fact of the closing for which the secret was opened, and Checkpoint the
	// signed checkpoint that holds it; both are empty before.
	Closed     string `json:"closed,omitempty"`
	Checkpoint string `json:"checkpoint,omitempty"`
}

// OpenFolder opens a folder, and makes it with a fresh key under a name if it is new.
func OpenFolder(path, name string) (*Folder, error) {
	if err := os.MkdirAll(filepath.Join(path, "rounds"), 0o700); err != nil {
		return nil, err
	}
	f := &Folder{path: path}
	text, err := os.ReadFile(filepath.Join(path, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		secret, public, err := note.GenerateKey(rand.Reader, name)
		if err != nil {
			return nil, fmt.Errorf("witness: the name %q cannot sign: %w", name, err)
		}
		text = []byte(secret + "\n" + public + "\n")
		if err := f.write(keyFile, text); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	lines := strings.Fields(string(text))
	if len(lines) != 2 {
		return nil, fmt.Errorf("witness: %s does not hold a key and its verifier", keyFile)
	}
	f.verifier = lines[1]
	if f.signer, err = note.NewSigner(lines[0]); err != nil {
		return nil, fmt.Errorf("witness: %s: %w", keyFile, err)
	}
	verifier, err := note.NewVerifier(lines[1])
	if err != nil || verifier.Name() != f.signer.Name() || verifier.KeyHash() != f.signer.KeyHash() {
		return nil, fmt.Errorf("witness: the verifier in %s is not that of its key", keyFile)
	}
	return f, nil
}

// Key returns the verifier key, by which a house names this witness.
func (f *Folder) Key() string { return f.verifier }

// write replaces a file durably: after a crash it is the old or the new one.
func (f *Folder) write(name string, text []byte) error {
	path := filepath.Join(f.path, name)
	file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	// Windows cannot sync a folder, and does not need to.
	if err := dir.Sync(); err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrInvalid) {
		return errors.Join(err, dir.Close())
	}
	return dir.Close()
}

// read returns a file, or nothing where there is none.
func (f *Folder) read(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(f.path, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

func partFile(id bingo.RoundID) string { return fmt.Sprintf("rounds/%d.json", id) }

// part returns the part in a round, as it was signed; a zero one if there is none.
func (f *Folder) part(id bingo.RoundID) (p Part, err error) {
	text, err := f.read(partFile(id))
	if err != nil || text == "" {
		return p, err
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return p, fmt.Errorf("witness: %s is damaged: %w", partFile(id), err)
	}
	s, err := draw.ParseSecret(p.Secret)
	of, signed, err2 := proof.OpenWitness(p.Signed, f.verifier)
	if err != nil || err2 != nil || of != id || signed.Commitment != p.Commitment || commitment(id, s) != p.Commitment {
		return p, fmt.Errorf("witness: %s is damaged: its secret is not the one that was signed for", partFile(id))
	}
	return p, nil
}

// commitment is what binds a witness to its secret of a round.
func commitment(id bingo.RoundID, s draw.Secret) string {
	return draw.Commit(draw.BingoWitness, draw.ID(fmt.Sprint(id)), s).String()
}

func (f *Folder) keep(id bingo.RoundID, p Part) error {
	text, err := json.MarshalIndent(p, "", "\t")
	if err != nil {
		return err
	}
	return f.write(partFile(id), append(text, '\n'))
}

// ErrOpened refuses to commit to a round again: its secret is known already. A house that
// plays a round of that number a second time has lost what it had stored.
var ErrOpened = errors.New("witness: the secret of this round was opened before")

// commit returns what commits to a round, made and kept the first time it is wanted.
func (f *Folder) commit(id bingo.RoundID) (Part, error) {
	p, err := f.part(id)
	if err != nil {
		return p, err
	}
	if p.Closed != "" {
		return p, fmt.Errorf("%w: round %d", ErrOpened, id)
	}
	if p.Signed != "" {
		return p, nil
	}
	var s draw.Secret
	rand.Read(s[:]) // never fails: the program stops when the system has none
	p.Secret = s.Reveal()
	p.Commitment = commitment(id, s)
	signed, err := note.Sign(&note.Note{Text: proof.WitnessText(id, p.Commitment)}, f.signer)
	if err != nil {
		return p, err
	}
	p.Signed = string(signed)
	return p, f.keep(id, p)
}
