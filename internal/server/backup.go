package server

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/internal/store"
	"boulier/internal/vault"
)

// The two files of a backup: the database, and the keys without which its secrets do not
// open. Keep them in different places.
const (
	databaseSuffix = ".boulier"
	keysSuffix     = ".keys"
)

// A House is what backup, restore and doctor need of a platform, running or not.
type House struct {
	Store *store.Store
	Keys  string // key folder
	// Settings are those of the program, as far as they are no secret.
	Settings string
}

// house is the running platform.
func (s *Server) house() House { return House{s.Store, s.config.Keys, s.config.String()} }

// String says what is in force, without what is secret.
func (c Config) String() string {
	database := "SQLite"
	if c.Database != "" {
		database = "PostgreSQL"
		if u, err := url.Parse(c.Database); err == nil {
			database += " " + u.Host + u.Path // neither user nor password
		}
	}
	said := fmt.Sprintf("data %s, keys %s, database %s", c.Data, c.Keys, database)
	for _, f := range []struct{ name, value string }{{"backups", c.Backups}, {"listen", c.Listen}, {"https", c.Secure},
		{"address", c.Mail.URL}, {"mail server", c.Mail.Server}} {
		if f.value != "" {
			said += ", " + f.name + " " + f.value
		}
	}
	return fmt.Sprintf("%s, node %d, proxies %v", said, c.Node, c.Proxies)
}

// CheckBackupName refuses a name that is none of a file in a folder.
func CheckBackupName(name string) error {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("server: %q cannot name a backup: give a name without / and \\", name)
	}
	return nil
}

// Backup writes a consistent copy of the database and one of the keys into a folder, as
// two new files whose names begin with name. Sales go on meanwhile.
func (h House) Backup(ctx context.Context, folder, name string) ([]app.CopiedFile, error) {
	if err := CheckBackupName(name); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("server: making the backup folder: %w", err)
	}
	database := filepath.Join(folder, name+databaseSuffix)
	keys := filepath.Join(folder, name+keysSuffix)
	if err := h.Store.Copy(ctx, database); err != nil {
		return nil, err
	}
	if err := packKeys(h.Keys, keys); err != nil {
		return nil, errors.Join(fmt.Errorf("server: copying the keys: %w", err), os.Remove(database))
	}
	var files []app.CopiedFile
	for _, path := range []string{database, keys} {
		f, err := describe(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// describe returns the size and digest of a file.
func describe(path string) (app.CopiedFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return app.CopiedFile{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return app.CopiedFile{Name: filepath.Base(path), Size: n, Digest: hex.EncodeToString(h.Sum(nil))}, err
}

// packKeys writes the files of a key folder into one that only its owner may read.
func packKeys(folder, file string) (err error) {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			os.Remove(file)
		}
	}()
	list, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	for _, entry := range list {
		if !strings.HasSuffix(entry.Name(), ".key") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: entry.Name(), Mode: 0o600, Size: int64(len(data))}); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Sync()
}

// What bounds a packed key folder: a file of it, how many there are, and all of it.
const (
	maxKeyFile = 4096
	maxKeys    = 1000
	maxPacked  = 8 << 20
)

// Restore makes an empty house what the two files of a backup hold. They are checked, against
// each other too. The keys come first: a database never stands without them, and a restore that
// was cut off can be run again. When it fails it takes back what it wrote.
func Restore(ctx context.Context, database, keys string, to store.Config, folder string) (err error) {
	packed, err := readKeys(keys)
	if err != nil {
		return err
	}
	made, err := unpackKeys(packed, folder)
	defer func() {
		if err != nil {
			for _, name := range made {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	if err != nil {
		return err
	}
	v, err := vault.OpenExisting(folder)
	if err != nil {
		return fmt.Errorf("server: %s holds no keys of a house: %w", keys, err)
	}
	signed, err := note.NewVerifier(v.VerifierKey())
	if err != nil {
		return err
	}
	return store.Restore(ctx, database, to, signed)
}

// readKeys reads what packKeys wrote.
func readKeys(file string) (map[string][]byte, error) {
	keys, err := readPacked(file)
	if err != nil {
		return nil, fmt.Errorf("server: %s is not a backup of keys: %w", file, err)
	}
	return keys, nil
}

// unpackKeys writes the keys that a folder lacks, and returns the files that it made. A folder
// may hold some of them, as a restore that was cut off leaves them, but no others.
func unpackKeys(keys map[string][]byte, folder string) (made []string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	had := map[string]bool{}
	for _, entry := range list {
		name := entry.Name()
		if !strings.HasSuffix(name, ".key") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if want, ok := keys[name]; !ok || !bytes.Equal(text, want) {
			return nil, fmt.Errorf("server: %s holds keys of another house, such as %s; restore into an empty folder", folder, name)
		}
		had[name] = true
	}
	for name, text := range keys {
		if had[name] {
			continue
		}
		file := filepath.Join(folder, name)
		if err := vault.WritePrivate(file, string(text)); err != nil {
			return made, err
		}
		made = append(made, file)
	}
	return made, nil
}

// readPacked returns the files that packKeys packed, by their names.
func readPacked(file string) (map[string][]byte, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	packed, err := io.ReadAll(io.LimitReader(in, maxPacked))
	if err != nil {
		return nil, err
	}
	// An archive ends with two blocks of zeros; its reader also takes one that is cut.
	if !bytes.HasSuffix(packed, make([]byte, 1024)) {
		return nil, errors.New("it is cut short, or too long")
	}
	keys := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(packed)); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		name := header.Name
		if filepath.Base(name) != name || !strings.HasSuffix(name, ".key") || header.Typeflag != tar.TypeReg ||
			header.Size > maxKeyFile || keys[name] != nil || len(keys) == maxKeys {
			return nil, fmt.Errorf("it holds %q", name)
		}
		if keys[name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("it holds no key")
	}
	return keys, nil
}
