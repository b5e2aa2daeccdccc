package server

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tarred returns an archive of entries, each with its name as its text.
func tarred(f *testing.F, entries ...tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range entries {
		text := make([]byte, h.Size)
		copy(text, h.Name)
		if err := errors.Join(w.WriteHeader(&h), func() error { _, err := w.Write(text); return err }()); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// folded returns the files of a folder, none if there is no folder.
func folded(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range list {
		b, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(b)
	}
	return files
}

// entries returns how many plain files an archive holds to its end, and whether it holds
// anything else.
func entries(data []byte) (files int, other bool) {
	for r := tar.NewReader(bytes.NewReader(data)); ; files++ {
		h, err := r.Next()
		if err != nil {
			return files, other || err != io.EOF
		}
		other = other || h.Typeflag != tar.TypeReg
	}
}

// unpack makes a key folder of a backup, or leaves no key of it behind.
func unpack(file, folder string) error {
	keys, err := readKeys(file)
	if err != nil {
		return err
	}
	made, err := unpackKeys(keys, folder)
	if err != nil {
		for _, name := range made {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// FuzzUnpackKeys holds that what is no backup of keys is refused by an error that names it or
// the folder, and leaves no key there; and that what is one makes a key file of each of its
// files, which are packed and unpacked the same. A folder that holds them is left
// as it is.
func FuzzUnpackKeys(f *testing.F) {
	file := func(name string, size int64) tar.Header {
		return tar.Header{Name: name, Mode: 0o600, Size: size}
	}
	whole := tarred(f, file("seal-0001.key", 65), file("signing.key", 200))
	f.Add(whole)
	f.Add(whole[:600])
	f.Add(whole[:len(whole)-1024])
	f.Add(tarred(f))
	f.Add(tarred(f, file("../signing.key", 9)))
	f.Add(tarred(f, file("signing.key", 9), file("signing.txt", 9)))
	f.Add(tarred(f, file("signing.key", maxKeyFile)))
	f.Add(tarred(f, file("signing.key", maxKeyFile+1)))
	f.Add(tarred(f, file("signing.key", 3), file("signing.key", 4)))
	f.Add(tarred(f, file("a.key", 3), file(strings.Repeat("long", 100)+".key", 3)))
	f.Add(tarred(f, tar.Header{Name: "a.key", Typeflag: tar.TypeSymlink, Linkname: "/etc/hostname"}))
	f.Add(tarred(f, tar.Header{Name: "a.key", Typeflag: tar.TypeDir}))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		in, folder := filepath.Join(dir, "b.keys"), filepath.Join(dir, "[keys") // a name that is no pattern
		if err := os.WriteFile(in, data, 0o600); err != nil {
			t.Fatal(err)
		}
		err := unpack(in, folder)
		keys := folded(t, folder)
		if err != nil {
			if len(keys) > 0 || !strings.Contains(err.Error(), dir) {
				t.Errorf("refused with %v, and leaves %q", err, keys)
			}
			return
		}
		if files, other := entries(data); other || files != len(keys) || bytes.HasPrefix(whole, data) && files < 2 {
			t.Errorf("of %d files, and others: %t, %q are made", files, other, keys)
		}
		for name, text := range keys {
			if !strings.HasSuffix(name, ".key") || len(text) > maxKeyFile {
				t.Errorf("a file %q of %d bytes is made", name, len(text))
			}
		}
		packed, other := filepath.Join(dir, "again.keys"), filepath.Join(dir, "other")
		if err := errors.Join(packKeys(folder, packed), unpack(packed, other)); err != nil {
			t.Fatalf("%q are packed again: %v", keys, err)
		}
		if again := folded(t, other); len(keys) == 0 || !maps.Equal(keys, again) {
			t.Errorf("%q are made, and then %q", keys, again)
		}
		if err := unpack(packed, folder); err != nil || !maps.Equal(keys, folded(t, folder)) {
			t.Errorf("the same keys again: %v", err)
		}
	})
}
