// Package vault holds the keys of an installation, in a folder apart from the database:
// the keys that seal secrets (AES-256-GCM), of which the newest seals and the others only
// open, and the key that signs checkpoints (Ed25519). Files are readable by their owner
// alone.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/note"

	"boulier/journal"
)

// The names of the files of a key folder.
const (
	signingFile = "signing.key"
	sealPrefix  = "seal-"
	keySuffix   = ".key"
)

// A Vault is an open key folder.
type Vault struct {
	folder   string
	signer   note.Signer
	verifier string // the verifier key in its text form

	mu      sync.RWMutex
	seals   map[string]cipher.AEAD
	current string // identifier of the key that seals
}

// Errors of the vault.
var (
	// ErrKeyMissing says that a secret was sealed by a key that is not in the folder.
	ErrKeyMissing = errors.New("vault: the key that seals this secret is not in the key folder")
	// ErrDamaged says that a sealed secret does not open: it, its use or its identifier
	// was changed.
	ErrDamaged = errors.New("vault: a sealed secret does not open")
)

// Open opens a key folder, and makes it with fresh keys if it has none; origin is then the
// name under which checkpoints are signed.
func Open(folder, origin string) (*Vault, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("vault: making the key folder: %w", err)
	}
	v := &Vault{folder: folder, seals: map[string]cipher.AEAD{}}
	if err := v.readSeals(); err != nil {
		return nil, err
	}
	if err := v.readSigner(origin); err != nil {
		return nil, err
	}
	if v.current == "" {
		if _, err := v.Rotate(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// OpenExisting opens a key folder as it is, and makes nothing: it returns an error if the
// folder lacks a key.
func OpenExisting(folder string) (*Vault, error) {
	v := &Vault{folder: folder, seals: map[string]cipher.AEAD{}}
	if err := v.readSeals(); err != nil {
		return nil, err
	}
	if v.current == "" {
		return nil, fmt.Errorf("vault: %s holds no sealing key", folder)
	}
	if _, err := os.Stat(filepath.Join(folder, signingFile)); err != nil {
		return nil, fmt.Errorf("vault: the signing key: %w", err)
	}
	return v, v.readSigner("")
}

// readSeals reads every sealing key; the identifiers sort by age.
func (v *Vault) readSeals() error {
	list, err := os.ReadDir(v.folder) // sorted by name
	if err != nil {
		return fmt.Errorf("vault: reading the key folder: %w", err)
	}
	for _, entry := range list {
		id, ours := strings.CutPrefix(entry.Name(), sealPrefix)
		id, key := strings.CutSuffix(id, keySuffix)
		if !ours || !key {
			continue
		}
		file := filepath.Join(v.folder, entry.Name())
		text, err := readPrivate(file)
		if err != nil {
			return err
		}
		secret, err := hex.DecodeString(strings.TrimSpace(text))
		if err != nil || len(secret) != 32 {
			return fmt.Errorf("vault: %s is not a key of 64 hexadecimal digits", file)
		}
		v.add(id, secret)
	}
	return nil
}

func (v *Vault) add(id string, key []byte) {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the length is right
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // AES has the block size of GCM
	}
	v.seals[id], v.current = aead, id
}

// readSigner reads the signing key, or makes one.
func (v *Vault) readSigner(origin string) error {
	file := filepath.Join(v.folder, signingFile)
	text, err := readPrivate(file)
	if errors.Is(err, os.ErrNotExist) {
		if text, err = freshSigner(origin); err == nil {
			if err = WritePrivate(file, text); err != nil {
				err = fmt.Errorf("vault: writing the signing key: %w", err)
			}
		}
	}
	if err != nil {
		return err
	}
	if v.signer, v.verifier, err = parseSigner(text); err != nil {
		return fmt.Errorf("vault: %s: %w", file, err)
	}
	return nil
}

// CheckOrigin refuses a name under which nothing can be signed.
func CheckOrigin(origin string) error {
	_, err := freshSigner(origin)
	return err
}

// freshSigner makes the text of a file with a signing key and its verifier.
func freshSigner(origin string) (string, error) {
	secret, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return "", fmt.Errorf("vault: making a signing key: %w", err)
	}
	text := secret + "\n" + public + "\n"
	if _, _, err := parseSigner(text); err != nil {
		return "", fmt.Errorf("vault: checkpoints cannot be signed under the name %q: "+
			"give one without spaces and plus signs, such as hall.example", origin)
	}
	return text, nil
}

// parseSigner reads what freshSigner made.
func parseSigner(text string) (note.Signer, string, error) {
	lines := strings.Fields(text)
	if len(lines) != 2 {
		return nil, "", errors.New("it does not hold a signing key and its verifier")
	}
	signer, err := note.NewSigner(lines[0])
	if err != nil {
		return nil, "", err
	}
	verifier, err := note.NewVerifier(lines[1])
	if err != nil || verifier.KeyHash() != signer.KeyHash() {
		return nil, "", errors.New("the verifier is not that of the signing key")
	}
	return signer, lines[1], nil
}

// readPrivate reads a key file and refuses one that others may read.
func readPrivate(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 && !permissionsAreLoose {
		return "", fmt.Errorf("vault: %s can be read by others: chmod 600 it", file)
	}
	b, err := os.ReadFile(file)
	return string(b), err
}

// WritePrivate writes a new file that its owner alone may read, and makes it and its name
// durable. The file gets its name when it is whole: a full disk or a stop leave none, and one
// that is there already is an error and stays.
func WritePrivate(file, text string) error { return writePrivate(file, strings.NewReader(text)) }

func writePrivate(file string, text io.Reader) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.Copy(f, text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = giveName(f.Name(), file)
	}
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !permissionsAreLoose { // Windows knows no such thing
		return err
	}
	return nil
}

// Rotate makes a new sealing key, with which everything is sealed from now on, and returns
// its identifier. The older keys go on opening what they sealed.
func (v *Vault) Rotate() (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.readSeals(); err != nil { // another node may have made one
		return "", err
	}
	last, _ := strconv.Atoi(v.current) // 0 for none
	id := fmt.Sprintf("%04d", last+1)
	key := make([]byte, 32)
	rand.Read(key)
	if err := WritePrivate(filepath.Join(v.folder, sealPrefix+id+keySuffix), hex.EncodeToString(key)+"\n"); err != nil {
		return "", fmt.Errorf("vault: writing a new key: %w", err)
	}
	v.add(id, key)
	return id, nil
}

// Seal hides a secret so that it opens only for the same use and identifier, and returns
// the key that does.
func (v *Vault) Seal(use, id string, secret []byte) (keyID string, sealed []byte) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	aead := v.seals[v.current]
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(secret)+aead.Overhead())
	rand.Read(nonce)
	return v.current, aead.Seal(nonce, nonce, secret, bind(use, id))
}

// key returns a sealing key, from the folder if another node has made it since; nil if it is
// not there either.
func (v *Vault) key(id string) (cipher.AEAD, error) {
	v.mu.RLock()
	aead := v.seals[id]
	v.mu.RUnlock()
	if aead != nil {
		return aead, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	err := v.readSeals()
	return v.seals[id], err
}

// Unseal opens what Seal hid. It returns ErrKeyMissing or ErrDamaged.
func (v *Vault) Unseal(keyID, use, id string, sealed []byte) ([]byte, error) {
	aead, err := v.key(keyID)
	if err != nil {
		return nil, err
	}
	if aead == nil {
		return nil, fmt.Errorf("%w: key %s for %s %s", ErrKeyMissing, keyID, use, id)
	}
	if len(sealed) < aead.NonceSize() {
		return nil, fmt.Errorf("%w: %s %s", ErrDamaged, use, id)
	}
	nonce, rest := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	secret, err := aead.Open(nil, nonce, rest, bind(use, id))
	if err != nil {
		return nil, fmt.Errorf("%w: %s %s", ErrDamaged, use, id)
	}
	return secret, nil
}

// Check reports whether a sealed secret is whole, and tells nothing of it.
func (v *Vault) Check(keyID, use, id string, sealed []byte) error {
	_, err := v.Unseal(keyID, use, id, sealed)
	return err
}

func bind(use, id string) []byte { return []byte("boulier/seal/v1\n" + use + "\n" + id) }

// Signer signs checkpoints.
func (v *Vault) Signer() note.Signer { return v.signer }

// VerifierKey is the public key that checks them, in the text form of package note.
func (v *Vault) VerifierKey() string { return v.verifier }

// Fingerprint is the short form of that key that people compare.
func (v *Vault) Fingerprint() string { return journal.Fingerprint(v.verifier) }

// Keys returns the identifiers of the sealing keys, oldest first; the last one seals.
func (v *Vault) Keys() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	ids := make([]string, 0, len(v.seals))
	for id := range v.seals {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Folder is where the keys are, for a backup.
func (v *Vault) Folder() string { return v.folder }
