package draw

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// FuzzParseTree holds that a stored level is refused with ErrLevel unless it has one hash
// for every 256 leaves; that one that is taken is given back byte by byte; and that the tree
// proves nothing of leaves that are not its own.
func FuzzParseTree(f *testing.F) {
	level := NewTree(300, leafAt).Level()
	f.Add(300, level)
	f.Add(257, level)
	f.Add(256, level)
	f.Add(513, level)
	f.Add(300, level[1:])
	f.Add(0, []byte{})
	f.Add(-1, []byte{})
	f.Add(math.MaxInt, level[:32])
	f.Fuzz(func(t *testing.T, size int, level []byte) {
		tree, err := ParseTree(size, level)
		hashes := len(level) / 32
		fits := size >= 0 && len(level)%32 == 0 && size > (hashes-1)*256 && size <= hashes*256
		if (err == nil) != fits {
			t.Fatalf("%d bytes for %d leaves: %v", len(level), size, err)
		}
		if err != nil {
			if tree != nil || !errors.Is(err, ErrLevel) {
				t.Errorf("refused with %v, and a tree %v", err, tree)
			}
			return
		}
		if tree.Size() != size || string(tree.Level()) != string(level) {
			t.Fatalf("%d leaves and %x are read as %d and %x", size, level, tree.Size(), tree.Level())
		}
		proof, err := tree.Prove(size-1, leafAt)
		switch {
		case size == 0:
			if !errors.Is(err, ErrIndex) {
				t.Errorf("a leaf of an empty tree: %v", err)
			}
		case err == nil:
			if err := VerifyLeaf(tree.Root(), size, size-1, leafAt(size-1), proof); err != nil {
				t.Errorf("the tree proves what does not verify: %v", err)
			}
		case !errors.Is(err, ErrLeaves):
			t.Errorf("leaves of another tree: %v", err)
		}
	})
}

// FuzzParseSecret holds that a secret has one text, the one that Reveal writes; that any
// other is refused with ErrHex, and that the refusal does not give away what it was.
func FuzzParseSecret(f *testing.F) {
	whole := Secret{1, 0xab, 31: 0xff}.Reveal()
	f.Add(whole)
	f.Add(strings.ToUpper(whole))
	f.Add(whole + "\n")
	f.Add(" " + whole[1:])
	f.Add(whole[:63])
	f.Add("g" + whole[1:])
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSecret(text)
		plain := len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
		switch {
		case (err == nil) != plain:
			t.Errorf("%q: %v", text, err)
		case err == nil && s.Reveal() != text:
			t.Errorf("%q is written back as %q", text, s.Reveal())
		case err != nil && (err != ErrHex || s != Secret{}):
			t.Errorf("%q is refused with %v, and a secret", text, err)
		}
	})
}
