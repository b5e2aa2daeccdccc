package wordcheck

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"boulier/money"
	"boulier/regs/regstest"
)

var rows = [7]string{
	"FROMAGE",
	"I.....C",
	"G..MIEL",
	"U.....A",
	"EPI...I",
	"......R",
	".......",
}

// TestArt4_5_Judge holds every prize of the regulation, at each boundary, and every face
// that no unit may show.
func TestArt4_5_Judge(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "instant:4.5", "instant:4.6")
	b, err := Read(rows)
	if err != nil {
		t.Fatal(err)
	}
	p := func(factor int) Symbol { return Symbol{4, 1, factor} }  // P of EPI
	m := func(factor int) Symbol { return Symbol{2, 3, factor} }  // M of MIEL
	u := func(factor int) Symbol { return Symbol{3, 0, factor} }  // U of FIGUE
	e := func(factor int) Symbol { return Symbol{4, 0, factor} }  // E of EPI and FIGUE
	cl := func(factor int) Symbol { return Symbol{1, 6, factor} } // C of ECLAIR
	for _, tc := range []struct {
		name    string
		rack    string
		symbols []Symbol
		letters int
		prize   money.Cents
		fail    string
	}{
		{"nothing complete", "BDHJKQS", nil, 0, 0, ""},
		{"three letters", "EPIBDHJ", nil, 3, 200, ""},
		{"three letters times 2", "EPIBDHJ", []Symbol{p(2)}, 3, 400, ""},
		{"three letters times 3", "EPIBDHJ", []Symbol{p(3)}, 3, 600, ""},
		{"four letters", "MIELBDH", nil, 4, 1200, ""},
		{"four letters times 2", "MIELBDH", []Symbol{m(2)}, 4, 2400, ""},
		{"four letters times 3", "MIELBDH", []Symbol{m(3)}, 4, 3600, ""},
		{"five letters", "FIGUEBD", nil, 5, 15000, ""},
		{"five letters times 2", "FIGUEBD", []Symbol{u(2)}, 5, 30000, ""},
		{"six letters", "ECLAIRB", nil, 6, 150000, ""},
		{"seven letters", "FROMAGE", nil, 7, 1500000, ""},
		{"one letter of seven missing", "FROMAGB", nil, 0, 0, ""},
		{"nearly two words: EPI and MIEL without their I", "EPMLBDH", nil, 0, 0, ""},
		{"a symbol on a word that is not complete", "EPIMBDH", []Symbol{m(3)}, 3, 200, ""},
		{"two symbols, one counts", "EPIMBDH", []Symbol{p(2), m(3)}, 3, 400, ""},
		{"two symbols on a losing face", "PMBDHJK", []Symbol{p(2), m(2)}, 0, 0, ""},
		{"a symbol shared by EPI and FIGUE", "EPIBDHJ", []Symbol{e(2)}, 3, 400, ""},
		{"the rack in another order", "JHDBIPE", nil, 3, 200, ""},

		{"two words complete", "EPIMLBD", nil, 0, 0, "both complete"},
		{"six tiles", "EPIBDH", nil, 0, 0, "6 tiles"},
		{"eight tiles", "EPIBDHJK", nil, 0, 0, "8 tiles"},
		{"a letter twice", "EPIBDHH", nil, 0, 0, "twice"},
		{"no letter", "EPIBDH.", nil, 0, 0, "holds"},
		{"three symbols", "EPIMBDU", []Symbol{p(2), m(2), u(2)}, 0, 0, "3 symbols"},
		{"times 4", "EPIBDHJ", []Symbol{p(4)}, 0, 0, "times 4"},
		{"times 1", "EPIBDHJ", []Symbol{p(1)}, 0, 0, "times 1"},
		{"on no letter", "EPIBDHJ", []Symbol{{6, 0, 2}}, 0, 0, "no letter"},
		{"outside the board", "EPIBDHJ", []Symbol{{7, -1, 2}}, 0, 0, "no letter"},
		{"on a letter that is not uncovered", "EPIBDHJ", []Symbol{m(2)}, 0, 0, "not uncover"},
		{"in the word of six", "ECLAIRB", []Symbol{cl(2)}, 0, 0, "word of 6"},
		{"in the word of seven", "FROMAGE", []Symbol{{0, 1, 2}}, 0, 0, "word of 7"},
		{"on the L of MIEL that ECLAIR shares", "MIELBDH", []Symbol{{2, 6, 2}}, 0, 0, "word of 6"},
		{"times 3 in the word of five", "FIGUEBD", []Symbol{u(3)}, 0, 0, "times 3 in the word of 5"},
		{"times 3 on the E that FIGUE shares", "EPIBDHJ", []Symbol{e(3)}, 0, 0, "times 3 in the word of 5"},
		{"two symbols in one word", "EPIBDHJ", []Symbol{p(2), {4, 2, 2}}, 0, 0, "two symbols"},
		{"two symbols in one word by a crossing", "EPIUBDH", []Symbol{e(2), u(2)}, 0, 0, "two symbols"},
	} {
		won, err := b.Judge([]byte(tc.rack), tc.symbols)
		if tc.fail != "" {
			if err == nil || !strings.Contains(err.Error(), tc.fail) {
				t.Errorf("%s: %+v, %v; want %q", tc.name, won, err, tc.fail)
			}
			continue
		}
		if err != nil || won.Letters != tc.letters || won.Prize != tc.prize {
			t.Errorf("%s: %+v, %v; want %d letters, %s", tc.name, won, err, tc.letters, tc.prize)
		}
	}
}

func TestArt4_2_ReadRefuses(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2")
	for name, change := range map[string]func(r *[7]string){
		"a short row":       func(r *[7]string) { r[0] = "FROMAG" },
		"a small letter":    func(r *[7]string) { r[0] = "FROMAGe" },
		"a word missing":    func(r *[7]string) { r[2] = "G.....L" },
		"two of one length": func(r *[7]string) { r[6] = "ROI...." },
		"two letters":       func(r *[7]string) { r[6] = "AB....." },
		"a letter twice":    func(r *[7]string) { r[2] = "G..MEEL" },
	} {
		spoilt := rows
		change(&spoilt)
		if _, err := Read(spoilt); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// TestEvaluator_ImportsNothingOfTheMaker reads the imports of both packages.
func TestEvaluator_ImportsNothingOfTheMaker(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	for dir, other := range map[string]string{".": "/words", "../words": "/wordcheck"} {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for _, entry := range list {
			if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), dir+"/"+entry.Name(), nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			read++
			for _, spec := range f.Imports {
				path := strings.Trim(spec.Path.Value, `"`)
				if strings.HasSuffix(path, other) || strings.HasSuffix(path, "game/instant") {
					t.Errorf("%s/%s imports %s", dir, entry.Name(), path)
				}
			}
		}
		if read == 0 {
			t.Errorf("no file of %s was read", dir)
		}
	}
}

func FuzzJudge(f *testing.F) {
	b, err := Read(rows)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("EPIBDHJ"), 4, 1, 2, 2, 3, 3)
	f.Fuzz(func(t *testing.T, rack []byte, r1, c1, f1, r2, c2, f2 int) {
		won, err := b.Judge(rack, []Symbol{{r1, c1, f1}, {r2, c2, f2}})
		if err != nil {
			return
		}
		if won.Letters == 0 && won.Prize != 0 || won.Letters >= 6 && won.Factor != 1 || won.Factor > 3 {
			t.Errorf("%s wins %+v", rack, won)
		}
	})
}
