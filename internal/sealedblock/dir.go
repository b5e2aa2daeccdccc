package sealedblock

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/gamefile"
)

// The files of a block in a folder. Each has one possible content, which the audit
// computes again, so that no byte of any can change unseen.
const (
	HeaderFile   = "header.json"
	GameFile     = "game.toml"    // the exact bytes of the game file
	SecretFile   = "secret.txt"   // S in the clear: 64 hexadecimal digits and a line feed
	OutcomesFile = "outcomes.bin" // 2 bytes a unit, little-endian, in the order of sale
)

var fileNames = []string{GameFile, HeaderFile, OutcomesFile, SecretFile} // sorted

// headerFormat names the layout of HeaderFile.
const headerFormat = "boulier/instant/header/v1"

// headerJSON is a header as files hold it.
type headerJSON struct {
	Format     string `json:"format"`
	Block      string `json:"block"`
	Units      int64  `json:"units"`
	Kind       string `json:"kind"`
	Game       string `json:"game_digest"`
	Table      string `json:"table_digest"`
	Boards     string `json:"boards_digest,omitempty"`
	Program    string `json:"program"`
	Commitment string `json:"commitment"`
	Root       string `json:"root"`
}

// Encode returns the header as HeaderFile holds it; a header has one text only.
func (h Header) Encode() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	boards := ""
	if h.Boards != (draw.Hash{}) {
		boards = h.Boards.String()
	}
	err := enc.Encode(headerJSON{headerFormat, string(h.Block), h.Units, string(h.Kind),
		h.Game.String(), h.Table.String(), boards, h.Program, h.Commitment.String(), h.Root.String()})
	if err != nil {
		panic(err) // plain texts and numbers
	}
	return b.Bytes()
}

// DecodeHeader reads what Encode wrote, and refuses any other text of the same header.
func DecodeHeader(data []byte) (Header, error) {
	var j headerJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return Header{}, fmt.Errorf("the header is no JSON: %w", err)
	}
	h := Header{Block: draw.ID(j.Block), Units: j.Units, Kind: instant.Kind(j.Kind),
		Program: j.Program}
	var commitment draw.Hash
	if j.Boards == "" {
		j.Boards = draw.Hash{}.String()
	}
	for _, digest := range []struct {
		text string
		to   *draw.Hash
	}{{j.Game, &h.Game}, {j.Table, &h.Table}, {j.Boards, &h.Boards}, {j.Commitment, &commitment}, {j.Root, &h.Root}} {
		var err error
		if *digest.to, err = draw.ParseHash(digest.text); err != nil {
			return Header{}, fmt.Errorf("the header holds %q: %w", digest.text, err)
		}
	}
	h.Commitment = draw.Commitment(commitment)
	if !bytes.Equal(h.Encode(), data) {
		return Header{}, errors.New("the header is not written as the program writes it")
	}
	return h, nil
}

// WriteDir writes a block with its secret into a folder, which must be empty or not exist
// yet. The folder and the secret can be read by their owner alone. When it fails it takes back
// what it wrote.
func WriteDir(dir string, game []byte, b *Block, s draw.Secret) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", dir)
	}
	outcomes := make([]byte, 0, 2*b.Header.Units)
	for i := range int(b.Header.Units) {
		outcomes = binary.LittleEndian.AppendUint16(outcomes, b.units.Outcome(i))
	}
	return writeFiles(dir, map[string][]byte{
		GameFile: game, HeaderFile: b.Header.Encode(), OutcomesFile: outcomes,
		SecretFile: []byte(s.Reveal() + "\n"),
	})
}

// writeFiles writes all files or none.
func writeFiles(dir string, files map[string][]byte) (err error) {
	for name, data := range files {
		file := filepath.Join(dir, name)
		defer func() {
			if err != nil {
				os.Remove(file)
			}
		}()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// AuditDir checks a block from the files of its folder alone; see Audit for done. A
// refusal names the file or the unit and wraps ErrAudit; other errors are those of files.
func AuditDir(dir string, done func(units int64)) (Report, error) {
	files, err := readDir(dir)
	if err != nil {
		return Report{}, err
	}
	h, err := DecodeHeader(files[HeaderFile])
	if err != nil {
		return Report{}, refuse("%s: %w", HeaderFile, err)
	}
	f, faults := gamefile.Parse(GameFile, files[GameFile])
	if len(faults) > 0 {
		return Report{}, refuse("%s", faults[0])
	}
	text := files[SecretFile]
	s, err := draw.ParseSecret(string(bytes.TrimSuffix(text, []byte("\n"))))
	if err != nil || !bytes.HasSuffix(text, []byte("\n")) {
		return Report{}, refuse("%s is not 64 lower-case hexadecimal digits and a line feed", SecretFile)
	}
	report, err := Audit(f, h, s, done)
	if err != nil {
		return Report{}, err
	}
	stored := files[OutcomesFile]
	if len(stored) != 2*len(report.Order) {
		return Report{}, refuse("%s has %d bytes, not two a unit", OutcomesFile, len(stored))
	}
	for i, o := range report.Order {
		if got := binary.LittleEndian.Uint16(stored[2*i:]); got != uint16(o) {
			return Report{}, refuse("%s gives unit %d outcome %d, it has %d", OutcomesFile, i, got, o)
		}
	}
	return report, nil
}

// readDir returns the files of a folder, which must be those of a block and no others.
func readDir(dir string) (map[string][]byte, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	files := map[string][]byte{}
	for _, entry := range list {
		names = append(names, entry.Name())
		if !entry.Type().IsRegular() { // a pipe or a device might have no end
			return nil, refuse("%s is not a plain file", entry.Name())
		}
	}
	if !slices.Equal(names, fileNames) {
		return nil, refuse("the folder holds %q, not exactly %q", names, fileNames)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}
