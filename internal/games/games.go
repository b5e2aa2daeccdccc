// Package games holds the game files that come with the program: facts published by the
// Journal officiel, written anew under titles of our own, and two reconstructions that
// say so. The demonstration plays them, and operators copy them.
package games

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"boulier/game/instant/words"
	"boulier/internal/gamefile"
)

//go:embed *.toml
var files embed.FS

// Names returns the names of the games, in alphabetical order.
func Names() (names []string) {
	list, err := fs.Glob(files, "*.toml")
	if err != nil {
		panic(err) // only a malformed pattern is refused
	}
	for _, file := range list {
		names = append(names, strings.TrimSuffix(file, path.Ext(file)))
	}
	return names
}

// Read returns a game and the exact bytes of its file.
func Read(name string) (gamefile.File, []byte, error) {
	data, err := files.ReadFile(name + ".toml")
	if err != nil {
		return gamefile.File{}, nil, fmt.Errorf("no game %q comes with the program: %w", name, err)
	}
	f, faults := gamefile.Parse(name+".toml", data)
	if len(faults) > 0 {
		return gamefile.File{}, nil, fmt.Errorf("a game of the program is faulty: %v", faults)
	}
	return f, data, nil
}

// Boards returns the boards that come with the program, those of « Mots croisés à gratter »:
// a manager who makes another word game takes them or brings others.
func Boards() []words.Board {
	f, _, err := Read("mots-croises")
	if err != nil {
		panic(err) // a test reads every game
	}
	return f.Game.Words.Boards
}
