// Command boards finds boards for the word game: five crossing words of 3 to 7 letters.
//
//	go run ./internal/tools/boards --dictionary /usr/share/hunspell/fr.dic --count 14
//
// The dictionary is that of hunspell (Debian: hunspell-fr-classical, MPL 2.0; see
// docs/decisions/0003-words.md); it is not part of the project. Words are taken from a list
// chosen by hand, those that the dictionary holds as nouns; accents are folded. What it
// prints is for a person to look at before it goes into a game file: boards are data, and
// the game file is checked by the rules, not by this program.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"strings"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
	"unicode"

	"boulier/game/instant/words"
)

func main() {
	log.SetFlags(0)
	dictionary := flag.String("dictionary", "", "dictionary of hunspell that says what is a noun")
	chosen := flag.String("chosen", "internal/tools/boards/chosen.txt", "words to choose from")
	count := flag.Int("count", 14, "how many boards; no two share a word")
	seed := flag.Uint64("seed", 1, "another seed finds other boards")
	flag.Parse()
	nouns, err := read(*dictionary, func(line string) []string {
		word, _, _ := strings.Cut(line, "/")
		if !strings.Contains(line, "po:nom") || word != strings.ToLower(word) {
			return nil
		}
		return []string{word}
	})
	if err != nil {
		log.Fatal(err)
	}
	list, err := read(*chosen, func(line string) []string {
		if strings.HasPrefix(line, "#") {
			return nil
		}
		return strings.Fields(line)
	})
	if err != nil {
		log.Fatal(err)
	}
	known := map[string]bool{}
	for _, word := range nouns {
		known[word] = true
	}
	var usable []string
	for _, word := range list {
		if !known[word] {
			log.Fatalf("%s: the dictionary has no noun %q", *chosen, word)
		}
		usable = append(usable, fold(word))
	}
	b := newBuilder(usable, rand.New(rand.NewPCG(*seed, 0)))
	for range *count {
		grid, ok := b.board()
		if !ok {
			log.Fatal("no further board was found: choose more words")
		}
		print(os.Stdout, grid)
	}
}

// read returns what take finds in the lines of a file.
func read(name string, take func(line string) []string) (list []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		list = append(list, take(lines.Text())...)
	}
	return list, lines.Err()
}

// fold writes a word as boards do: capitals without accents.
func fold(word string) string {
	word = strings.NewReplacer("œ", "oe", "æ", "ae").Replace(word)
	marks := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)))
	plain, _, err := transform.String(marks, word)
	if err != nil {
		log.Fatal(err)
	}
	return strings.ToUpper(plain)
}

// print writes a board as a game file holds it.
func print(w io.Writer, g words.Grid) {
	fmt.Fprintf(w, "[[boards]]\nrows = [\n")
	for _, row := range g {
		fmt.Fprintf(w, "  %q,\n", row)
	}
	fmt.Fprintf(w, "]\n\n")
}
