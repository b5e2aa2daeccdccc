package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// FuzzOpenExisting holds that the key files of a folder are refused by an error that names
// the file and does not give away what stands in it; or that the vault which they make opens
// what it seals, and its verifier verifies what it signs. Nothing is written either way.
func FuzzOpenExisting(f *testing.F) {
	v, err := Open(filepath.Join(f.TempDir(), "keys"), "test.example")
	if err != nil {
		f.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(v.Folder(), name))
		if err != nil {
			f.Fatal(err)
		}
		return string(b)
	}
	const sealFile = sealPrefix + "0001" + keySuffix
	seal, signing := read(sealFile), read(signingFile)
	secret, public, _ := strings.Cut(strings.TrimSpace(signing), "\n")
	other, verifier, err := note.GenerateKey(zeros{}, "other.example")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seal, signing)
	f.Add(strings.ToUpper(seal), secret+" "+public)
	f.Add(seal[:62], signing)
	f.Add(seal+"00", signing)
	f.Add("", "")
	f.Add("g"+seal[1:], public+"\n"+secret)
	f.Add(seal, secret+"\n"+verifier)
	f.Add(seal, other+"\n"+public)
	f.Add(seal, secret[:len(secret)-4]+"\n"+public)
	f.Add(seal, secret)
	f.Add(seal, signing+public)
	f.Fuzz(func(t *testing.T, seal, signing string) {
		folder := filepath.Join(t.TempDir(), "[keys") // a name that is no pattern
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{sealFile: seal, signingFile: signing} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		v, err := OpenExisting(folder)
		if list, _ := os.ReadDir(folder); len(list) != 2 {
			t.Errorf("the folder holds %v", list)
		}
		if err != nil {
			if !strings.Contains(err.Error(), folder) {
				t.Errorf("refused without the file: %v", err)
			}
			for _, line := range append(strings.Fields(signing), strings.TrimSpace(seal)) {
				if len(line) > 20 && strings.Contains(err.Error(), line) {
					t.Errorf("the error gives a key away: %v", err)
				}
			}
			return
		}
		id, sealed := v.Seal("use", "7", []byte("secret"))
		if got, err := v.Unseal(id, "use", "7", sealed); err != nil || string(got) != "secret" {
			t.Errorf("it opens %q, %v", got, err)
		}
		signed, err := note.Sign(&note.Note{Text: "text\n"}, v.Signer())
		if err != nil {
			t.Fatal(err)
		}
		verifier, err := note.NewVerifier(v.VerifierKey())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := note.Open(signed, note.VerifierList(verifier)); err != nil {
			t.Errorf("it signs what its verifier refuses: %v", err)
		}
	})
}

// zeros is the entropy of a key that is always the same.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
