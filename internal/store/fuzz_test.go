package store

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParseNotice holds that a node hears every notice but its own, that a name is one word,
// and that what it heard is heard the same when it is told on.
func FuzzParseNotice(f *testing.F) {
	f.Add("3 wallet/7 instant/issue/1", 4)
	f.Add("3 *", 3)
	f.Add("3", 3)
	f.Add("", 0)
	f.Add("03  a * b ", 3)
	f.Add("-1 a\nb", -1)
	f.Add(" \n", -33)
	f.Fuzz(func(t *testing.T, text string, own int) {
		c, ok := parseNotice(text, own)
		from, rest, _ := strings.Cut(text, " ")
		if ok != (from != strconv.Itoa(own)) {
			t.Fatalf("node %d hears %q: %t", own, text, ok)
		}
		words := []string{from}
		for _, s := range c.States {
			words = append(words, s.Name)
			if s.Name == "" || s.Name == anything || strings.Contains(s.Name, " ") || s.Value != nil {
				t.Errorf("%q tells of %+v", text, s)
			}
		}
		if !ok {
			if c.All || len(words) > 1 {
				t.Errorf("node %d listens to itself: %+v", own, c)
			}
			return
		}
		if c.All {
			words = append(words, anything)
		}
		if strings.Trim(rest, " ") == "" && len(words) > 1 {
			t.Errorf("%q tells of %+v", text, c)
		}
		if again, ok := parseNotice(strings.Join(words, " "), own); !ok || !cmp.Equal(again, c) {
			t.Errorf("%q is heard as %+v, then as %+v, %t", text, c, again, ok)
		}
	})
}

// FuzzSplitHashes holds that the hashes of a batch are those bytes again, and that bytes
// which are no whole hashes, or none at all, are refused.
func FuzzSplitHashes(f *testing.F) {
	f.Add(bytes.Repeat([]byte{7}, 64))
	f.Add(bytes.Repeat([]byte{7}, 33))
	f.Add(make([]byte, 31))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := splitHashes(raw)
		if err != nil {
			if len(list) > 0 || len(raw) > 0 && len(raw)%32 == 0 {
				t.Errorf("%d bytes are refused with %v, and %d hashes", len(raw), err, len(list))
			}
			return
		}
		var again []byte
		for _, h := range list {
			again = append(again, h[:]...)
		}
		if len(list) == 0 || !bytes.Equal(again, raw) {
			t.Errorf("%x is split into %x", raw, list)
		}
	})
}

// backup makes the file of a copy that holds two sales with their places in the journal.
func backup(f *testing.F) []byte {
	ctx := context.Background()
	s, err := Open(ctx, config(Config{Folder: f.TempDir()}))
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	for buyer := range 2 {
		if _, err := buys(ctx, s, request(buyer+1), buyer+1, nil); err != nil {
			f.Fatal(err)
		}
	}
	signer, _, err := zeroKey()
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.Sequence(ctx, signer); err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(f.TempDir(), "backup")
	if err := s.Copy(ctx, file); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	return data
}

// FuzzRestore changes some bytes of a backup and cuts it short. It holds that the file is
// refused by an error that names it, and leaves the folder as empty as it was; or that the
// database it makes opens, and every check passes.
func FuzzRestore(f *testing.F) {
	whole := backup(f)
	f.Add(uint(0), []byte{}, uint(0))
	f.Add(uint(0), []byte("SQLite format 4"), uint(0))
	f.Add(uint(16), []byte{2}, uint(0))          // the size of its pages
	f.Add(uint(28), []byte{0xff, 0xff}, uint(0)) // how many it has
	f.Add(uint(100), []byte{2}, uint(0))         // the kind of the first
	f.Add(uint(bytes.Index(whole, []byte("CREATE TABLE"))), []byte("DELETE"), uint(0))
	f.Add(uint(bytes.LastIndex(whole, []byte("player:1"))), []byte("player:3"), uint(0))
	f.Add(uint(bytes.LastIndex(whole, []byte(`{"number":1}`))), []byte(`{"number":2}`), uint(0))
	f.Add(uint(0), []byte{}, uint(len(whole)/2))
	f.Add(uint(0), []byte{}, uint(1))
	f.Add(uint(0), []byte{}, uint(len(whole)))
	f.Fuzz(func(t *testing.T, at uint, with []byte, cut uint) {
		data := bytes.Clone(whole)
		copy(data[at%uint(len(data)):], with)
		data = data[:uint(len(data))-cut%uint(len(data)+1)]
		file, folder := filepath.Join(t.TempDir(), "backup"), t.TempDir()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		err := Restore(t.Context(), file, Config{Folder: folder}, nil)
		if err != nil {
			if !strings.Contains(err.Error(), file) {
				t.Errorf("refused without its name: %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(folder, DatabaseFile+"*")); len(left) > 0 {
				t.Errorf("refused, and %q are left", left)
			}
			if bytes.Equal(data, whole) {
				t.Errorf("the whole file is refused: %v", err)
			}
			return
		}
		s, err := Open(t.Context(), config(Config{Folder: folder}))
		if err != nil {
			t.Fatalf("what is restored does not open: %v", err)
		}
		defer s.Close()
		sound(t, s)
	})
}
