package server

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"boulier/internal/app"
	"boulier/internal/store"
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
}

// Backup writes a consistent copy of the database and one of the keys into a folder, as
// two new files whose names begin with name. Sales go on meanwhile.
func (h House) Backup(ctx context.Context, folder, name string) ([]app.CopiedFile, error) {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("server: %q cannot name a backup", name)
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

// maxKeyFile bounds a file of a packed key folder.
const maxKeyFile = 4096

// UnpackKeys makes a key folder, which must not hold keys yet, of what Backup packed.
func UnpackKeys(file, folder string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	keys := map[string][]byte{}
	for r := tar.NewReader(in); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("server: %s is not a backup of keys: %w", file, err)
		}
		name := header.Name
		if filepath.Base(name) != name || !strings.HasSuffix(name, ".key") || header.Size > maxKeyFile || len(keys) > 1000 {
			return fmt.Errorf("server: %s is not a backup of keys: it holds %q", file, name)
		}
		if keys[name], err = io.ReadAll(r); err != nil {
			return fmt.Errorf("server: %s: %w", file, err)
		}
	}
	if len(keys) == 0 {
		return fmt.Errorf("server: %s holds no key", file)
	}
	if old, _ := filepath.Glob(filepath.Join(folder, "*.key")); len(old) > 0 {
		return fmt.Errorf("server: %s holds keys already; restore into an empty one", folder)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, data := range keys {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
