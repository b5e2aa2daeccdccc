package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func setup(t *testing.T) *Vault {
	t.Helper()
	v, err := Open(filepath.Join(t.TempDir(), "keys"), "test.example")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestUnseal_OpensOnlyForItsUseAndIdentifier(t *testing.T) {
	t.Parallel()
	v := setup(t)
	key, sealed := v.Seal("instant/block", "7", []byte("secret"))
	got, err := v.Unseal(key, "instant/block", "7", sealed)
	if err != nil || string(got) != "secret" {
		t.Fatalf("Unseal = %q, %v", got, err)
	}
	if _, err := v.Unseal(key, "instant/block", "8", sealed); !errors.Is(err, ErrDamaged) {
		t.Errorf("another identifier: %v", err)
	}
	if _, err := v.Unseal(key, "bingo/round", "7", sealed); !errors.Is(err, ErrDamaged) {
		t.Errorf("another use: %v", err)
	}
	for i := range sealed {
		bad := bytes.Clone(sealed)
		bad[i] ^= 1
		if _, err := v.Unseal(key, "instant/block", "7", bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}

func TestRotate_KeepsOpeningWhatOlderKeysSealed(t *testing.T) {
	t.Parallel()
	v := setup(t)
	old, sealed := v.Seal("instant/block", "7", []byte("secret"))
	id, err := v.Rotate()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(v.Folder(), "ignored.example")
	if err != nil {
		t.Fatal(err)
	}
	if key, _ := again.Seal("instant/block", "8", nil); key != id || key == old {
		t.Errorf("sealed with key %s after the rotation to %s", key, id)
	}
	if _, err := again.Unseal(old, "instant/block", "7", sealed); err != nil {
		t.Error(err)
	}
	if again.VerifierKey() != v.VerifierKey() {
		t.Error("the signing key changed when the folder was opened again")
	}
	if _, err := again.Unseal("0009", "instant/block", "7", sealed); !errors.Is(err, ErrKeyMissing) {
		t.Errorf("a key that is not there: %v", err)
	}
}

func TestOpen_RefusesKeysThatOthersMayRead(t *testing.T) {
	t.Parallel()
	v := setup(t)
	if err := os.Chmod(filepath.Join(v.Folder(), signingFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(v.Folder(), "test.example"); err == nil {
		t.Error("a signing key that everyone may read was accepted")
	}
}

// TestUnseal_WithAKeyThatAnotherNodeMade: two nodes share a folder.
func TestUnseal_WithAKeyThatAnotherNodeMade(t *testing.T) {
	t.Parallel()
	one := setup(t)
	two, err := Open(one.Folder(), "test.example")
	if err != nil {
		t.Fatal(err)
	}
	if id, err := one.Rotate(); err != nil || id != "0002" {
		t.Fatal(id, err)
	}
	key, sealed := one.Seal("instant/block", "7", []byte("secret"))
	if got, err := two.Unseal(key, "instant/block", "7", sealed); err != nil || string(got) != "secret" {
		t.Errorf("the other node opens %q, %v", got, err)
	}
	if id, err := two.Rotate(); err != nil || id != "0003" {
		t.Errorf("the other node makes key %s, %v", id, err)
	}
}

// TestOpen_RefusesANameThatCannotSign: nothing is left in the folder, and another name works.
func TestOpen_RefusesANameThatCannotSign(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, origin := range []string{"", "two words", "a+b", "\xff"} {
		if _, err := Open(folder, origin); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", origin)) {
			t.Errorf("%q: %v", origin, err)
		}
		if made, err := os.ReadDir(folder); err != nil || len(made) > 0 {
			t.Fatalf("%q left %v, %v", origin, made, err)
		}
	}
	if _, err := Open(folder, "test.example"); err != nil {
		t.Error(err)
	}
}

// TestWritePrivate_WholeOrNotAtAll: a file that is there stays, and a disk that is full leaves
// nothing that would pass for a key.
func TestWritePrivate_WholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "seal-0001.key")
	full := errors.New("no space left")
	if err := writePrivate(file, io.MultiReader(strings.NewReader("fir"), iotest.ErrReader(full))); !errors.Is(err, full) {
		t.Errorf("on a full disk: %v", err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
		t.Errorf("a full disk leaves %v, %v", list, err)
	}
	if err := WritePrivate(file, "first"); err != nil {
		t.Fatal(err)
	}
	if err := WritePrivate(file, "second"); !errors.Is(err, os.ErrExist) {
		t.Errorf("writing over a key: %v", err)
	}
	list, err := os.ReadDir(folder)
	if text, _ := os.ReadFile(file); err != nil || len(list) != 1 || string(text) != "first" {
		t.Errorf("the folder holds %v, the file %q, %v", list, text, err)
	}
}
