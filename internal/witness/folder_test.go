package witness

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boulier/draw"
	"boulier/internal/proof"
)

// made returns a folder with its part in round 7, and its files.
func made(f *testing.F) (folder *Folder, key, part string) {
	path := filepath.Join(f.TempDir(), "witness")
	folder, err := OpenFolder(path, "witness.example")
	if err != nil {
		f.Fatal(err)
	}
	if _, err := folder.commit(7); err != nil {
		f.Fatal(err)
	}
	if key, err = folder.read(keyFile); err != nil {
		f.Fatal(err)
	}
	if part, err = folder.read(partFile(7)); err != nil {
		f.Fatal(err)
	}
	return folder, key, part
}

// FuzzOpenFolder holds that the files of a witness are refused by an error that names the one
// and does not give a secret away; or that the folder verifies what it signs, and has one part
// in a round, whose secret is the one that was signed for.
func FuzzOpenFolder(f *testing.F) {
	folder, key, part := made(f)
	operator := folder.Key()
	secret, public, _ := strings.Cut(strings.TrimSpace(key), "\n")
	f.Add(key, "", "", "")
	f.Add(key, operator+"\n", "", part)
	f.Add(key, operator, "boulier\n7\n", part)
	f.Add(key, "", "boulier\n7\n", strings.Replace(part, "secret", "Secret", 1))
	f.Add(secret+"\n"+public[1:], operator[1:], "", "{}")
	f.Add(public+"\n"+secret, "x", "", part[:len(part)/2])
	f.Add(secret, "", "", "null")
	f.Add(secret+" "+public, "", "", strings.Replace(part, "round 7", "round 8", 1))
	f.Add(key, "", "", strings.Replace(part, `"commitment": "`, `"closed": "x", "commitment": "`, 1))
	f.Fuzz(func(t *testing.T, key, operator, checkpoint, part string) {
		path := t.TempDir()
		if err := os.Mkdir(filepath.Join(path, "rounds"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{keyFile: key + "\n", operatorFile: operator,
			checkpointFile: checkpoint, partFile(7): part} {
			if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		refused := func(err error, names ...string) bool {
			if err == nil {
				return false
			}
			named := false
			for _, name := range names {
				named = named || strings.Contains(err.Error(), name)
			}
			for _, word := range strings.Fields(key + " " + part) {
				if word = strings.Trim(word, `",`); len(word) > 40 && !strings.Contains(operator, word) &&
					strings.Contains(err.Error(), word) {
					t.Errorf("the error gives %s away: %v", word, err)
				}
			}
			if !named {
				t.Errorf("none of %q is named: %v", names, err)
			}
			return true
		}
		folder, err := OpenFolder(path, "ignored.example")
		if refused(err, keyFile) {
			return
		}
		w := Witness{Folder: folder}
		refused(w.restore(""), operatorFile, checkpointFile)
		p, err := folder.commit(7)
		if errors.Is(err, ErrOpened) || refused(err, partFile(7)) {
			return
		}
		s, err := draw.ParseSecret(p.Secret)
		if err != nil || draw.Commit(draw.BingoWitness, "7", s).String() != p.Commitment {
			t.Errorf("the part is %+v (%v)", p, err)
		}
		if id, signed, err := proof.OpenWitness(p.Signed, folder.Key()); err != nil || id != 7 || signed.Commitment != p.Commitment {
			t.Errorf("it signed for round %d: %+v (%v)", id, signed, err)
		}
		if again, err := folder.commit(7); err != nil || again != p {
			t.Errorf("it commits to %+v, and then to %+v (%v)", p, again, err)
		}
	})
}
