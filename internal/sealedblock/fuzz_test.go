package sealedblock

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/gamefile"
)

// FuzzDecodeHeader holds that a header has one text only.
func FuzzDecodeHeader(f *testing.F) {
	h := Header{Block: "lab/é<&>", Units: 9, Kind: instant.ThreeAlike, Program: "v1 \u2028"}
	f.Add(h.Encode())
	h.Boards[3] = 7
	f.Add(h.Encode())
	f.Add([]byte(`{"format":"boulier/instant/header/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := DecodeHeader(data)
		if err != nil {
			return
		}
		if got := string(h.Encode()); got != string(data) {
			t.Errorf("%q is written back as %q", data, got)
		}
	})
}

// FuzzAuditDir changes one file of a block: it writes over some of its bytes and cuts it
// short or adds to it. It holds that nothing changes unseen: what differs by a byte is refused
// with ErrAudit, and what does not is the block that was made.
func FuzzAuditDir(f *testing.F) {
	game, faults := gamefile.Parse("game.toml", []byte(smallGame))
	if len(faults) > 0 {
		f.Fatal(faults)
	}
	s := draw.Secret{1, 2, 3}
	b, err := Make(game, "lab/1", "v0", s)
	if err != nil {
		f.Fatal(err)
	}
	dir := filepath.Join(f.TempDir(), "block")
	if err := WriteDir(dir, []byte(smallGame), b, s); err != nil {
		f.Fatal(err)
	}
	whole := map[string][]byte{}
	for _, name := range fileNames {
		if whole[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			f.Fatal(err)
		}
	}
	which := func(name string) uint { return uint(slices.Index(fileNames, name)) }
	header, table := string(whole[HeaderFile]), strings.Index(smallGame, "300")
	f.Add(which(HeaderFile), uint(0), []byte{}, 0)
	f.Add(which(HeaderFile), uint(strings.Index(header, "300")), []byte("3e2"), 0)
	f.Add(which(HeaderFile), uint(strings.Index(header, "v0")), []byte("v1"), 0)
	f.Add(which(HeaderFile), uint(0), []byte(`{"format":"boulier/instant/header/v1","units":9223372036854775807}`), 0)
	f.Add(which(GameFile), uint(table), []byte("301"), 0)
	f.Add(which(GameFile), uint(table), []byte("900000000000000000\n#"), 0)
	f.Add(which(GameFile), uint(len(smallGame)), []byte("# more"), 6)
	f.Add(which(SecretFile), uint(0), []byte("A"), 0)
	f.Add(which(SecretFile), uint(64), []byte("\r\n"), 1)
	f.Add(which(SecretFile), uint(0), []byte{}, -1)
	f.Add(which(OutcomesFile), uint(17), []byte{4}, 0)
	f.Add(which(OutcomesFile), uint(0), []byte{}, -2)
	f.Add(which(OutcomesFile), uint(0), []byte{}, 1)
	f.Fuzz(func(t *testing.T, which, at uint, with []byte, longer int) {
		name := fileNames[which%uint(len(fileNames))]
		data := bytes.Clone(whole[name])
		if longer = min(longer, 1<<10); longer > 0 {
			data = append(data, make([]byte, longer)...)
		} else {
			data = data[:max(0, len(data)+longer)]
		}
		if len(data) > 0 {
			copy(data[at%uint(len(data)):], with)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.WriteFile(path, whole[name], 0o600)
		report, err := AuditDir(dir, ignore)
		if !bytes.Equal(data, whole[name]) {
			if !errors.Is(err, ErrAudit) {
				t.Errorf("%s is %q: %v", name, data, err)
			}
		} else if err != nil || report.Header != b.Header || len(report.Order) != 300 {
			t.Errorf("the block itself: %+v, %v", report.Header, err)
		}
	})
}
