package contestfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"boulier/game/contest"
)

// anyError runs the reader of a kind of file on text and returns what it refuses.
func anyError(t *testing.T, kind, text string) error {
	t.Helper()
	in := strings.NewReader(text)
	played := map[FixtureID]contest.Score{"m1": {Home: 1}, "m2": {}}
	won := map[FixtureID]contest.Outcome{"m1": contest.HomeWin}
	quiz := contest.Quiz{{ID: "q1", Points: 1}, {ID: "q2", Points: 2}}
	var err error
	switch kind {
	case "scores":
		_, err = Scores("f.csv", in, contest.DrawAllowed)
	case "sets":
		_, err = Scores("f.csv", in, contest.DrawBarred)
	case "predicted scores":
		_, err = PredictedScores("f.csv", in, played)
	case "outcomes":
		_, err = Outcomes("f.csv", in)
	case "predicted outcomes":
		_, err = PredictedOutcomes("f.csv", in, won)
	case "places":
		_, err = Places("f.csv", in)
	case "predicted names":
		_, err = PredictedNames("f.csv", in, 4)
	case "stages":
		_, err = Stages("f.csv", in)
	case "predicted stages":
		_, err = PredictedStages("f.csv", in)
	case "quiz":
		_, err = Quiz("f.csv", in)
	case "answers":
		_, err = Answers("f.csv", in, quiz)
	case "points":
		_, _, err = Points("f.csv", in)
	default:
		t.Fatalf("no kind %q", kind)
	}
	return err
}

func TestRead_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, kind, text, want string }{
		{"empty", "points", "", "f.csv:1: the file is empty; its first line must be player,points"},
		{"unknown column", "points", "player,score\n",
			`f.csv:1: unknown column "score"; the columns are player,points`},
		{"column missing", "points", "player\n",
			`f.csv:1: no column "points"; the columns are player,points`},
		{"column twice", "points", "player,points,player\n", `f.csv:1: column "player" stands twice`},
		{"cells missing", "points", "player,points\nAda\n",
			"f.csv:2: not as many cells as the header has columns"},
		{"too many cells", "points", "player,points\nAda,1\nBob,2,3\n",
			"f.csv:3: not as many cells as the header has columns"},
		{"a quotation mark astray", "points", "player,points\nA\"da,1\n",
			"f.csv:2: misplaced quotation mark"},
		{"a quotation mark not closed", "points", "player,points\n\"Ada,1\n",
			"f.csv:2: misplaced quotation mark"},
		{"not UTF-8", "points", "player,points\nAd\xe9,1\n",
			"f.csv:2: player is not in UTF-8; save the file as UTF-8"},
		{"no player", "points", "player,points\n  ,1\n", "f.csv:2: player is empty"},
		{"points negative", "points", "player,points\nAda,-1\n",
			`f.csv:2: points is "-1"; it must be a whole number from 0 to 1000000000`},
		{"points not whole", "points", "player,points\nAda,1.5\n",
			`f.csv:2: points is "1.5"; it must be a whole number from 0 to 1000000000`},
		{"a player twice, the blanks aside", "points", "player,points\nAda,1\n\nAda ,2\n",
			"f.csv:4: player Ada stands on line 2 already; keep one of the two"},
		{"the line counts those within quotes", "points", "player,points\n\"A\nda\",1\nBob,x\n",
			`f.csv:4: points is "x"; it must be a whole number from 0 to 1000000000`},

		{"score of 100", "scores", "fixture,home_score,away_score\nm1,100,0\n",
			`f.csv:2: home_score is "100"; it must be a whole number from 0 to 99`},
		{"score negative", "scores", "fixture,home_score,away_score\nm1,0,-1\n",
			`f.csv:2: away_score is "-1"; it must be a whole number from 0 to 99`},
		{"score with a sign", "scores", "fixture,home_score,away_score\nm1,+1,0\n",
			`f.csv:2: home_score is "+1"; it must be a whole number from 0 to 99`},
		{"score empty", "scores", "fixture,home_score,away_score\nm1,,0\n",
			`f.csv:2: home_score is ""; it must be a whole number from 0 to 99`},
		{"fixture empty", "scores", "fixture,home_score,away_score\n,1,0\n", "f.csv:2: fixture is empty"},
		{"fixture twice", "scores", "fixture,home_score,away_score\nm1,1,0\nm1,1,0\n",
			"f.csv:3: fixture m1 stands on line 2 already; keep one of the two"},
		{"a draw where none can be", "sets", "fixture,home_score,away_score\nm1,1,1\n",
			"f.csv:2: a match without draws cannot end 1-1"},
		{"prediction of an unknown fixture", "predicted scores",
			"player,fixture,home_score,away_score\nAda,m9,1,0\n",
			`f.csv:2: unknown fixture "m9"; it is not in the results`},
		{"prediction twice", "predicted scores",
			"player,fixture,home_score,away_score\nAda,m1,1,0\nAda,m1,1,0\n",
			"f.csv:3: player Ada on fixture m1 stands on line 2 already; keep one of the two"},
		{"prediction without a player", "predicted scores",
			"player,fixture,home_score,away_score\n,m1,1,0\n", "f.csv:2: player is empty"},
		{"prediction of 100", "predicted scores", "player,fixture,home_score,away_score\nAda,m1,1,100\n",
			`f.csv:2: away_score is "100"; it must be a whole number from 0 to 99`},

		{"outcome X", "outcomes", "fixture,outcome\nm1,X\n",
			`f.csv:2: outcome is "X"; it must be 1, N or 2`},
		{"outcome of no fixture", "outcomes", "fixture,outcome\n,1\n", "f.csv:2: fixture is empty"},
		{"outcome twice", "outcomes", "fixture,outcome\nm1,1\nm1,2\n",
			"f.csv:3: fixture m1 stands on line 2 already; keep one of the two"},
		{"predicted outcome n", "predicted outcomes", "player,fixture,outcome\nAda,m1,n\n",
			`f.csv:2: outcome is "n"; it must be 1, N or 2`},
		{"predicted outcome of an unknown fixture", "predicted outcomes",
			"player,fixture,outcome\nAda,m2,N\n", `f.csv:2: unknown fixture "m2"; it is not in the results`},

		{"place 0", "places", "place,name\n0,A\n",
			`f.csv:2: place is "0"; it must be a whole number from 1 to 99999`},
		{"a name twice", "places", "place,name\n1,A\n2,A\n",
			"f.csv:3: name A stands on line 2 already; keep one of the two"},
		{"no name", "places", "place,name\n1,\n", "f.csv:2: name is empty"},
		{"slot 5 of 4", "predicted names", "player,slot,name\nAda,5,A\n",
			`f.csv:2: slot is "5"; it must be a whole number from 1 to 4`},
		{"slot twice", "predicted names", "player,slot,name\nAda,1,A\nAda,01,B\n",
			"f.csv:3: player Ada for slot 01 stands on line 2 already; keep one of the two"},
		{"a predicted name twice", "predicted names", "player,slot,name\nAda,1,A\nBob,1,A\nAda,2,A\n",
			"f.csv:4: name A of player Ada stands on line 2 already; keep one of the two"},
		{"a slot of nobody", "predicted names", "player,slot,name\n,1,A\n", "f.csv:2: player is empty"},

		{"no such stage", "stages", "stage,name\nfinal,A\n",
			`f.csv:2: stage is "final"; it must be winner, finalist, semi or quarter`},
		{"two winners", "stages", "stage,name\nwinner,A\nwinner,B\n",
			"f.csv:3: more than 1 at stage winner"},
		{"a name at two stages", "stages", "stage,name\nwinner,A\nsemi,A\n",
			"f.csv:3: name A stands on line 2 already; keep one of the two"},
		{"a stage of nobody", "stages", "stage,name\nwinner,\n", "f.csv:2: name is empty"},
		{"three semi-finalists", "predicted stages",
			"player,stage,name\nAda,semi,A\nAda,semi,B\nAda,semi,C\n",
			"f.csv:4: player Ada names more than 2 at stage semi"},
		{"a predicted name at two stages", "predicted stages",
			"player,stage,name\nAda,semi,A\nAda,quarter,A\n",
			"f.csv:3: name A of player Ada stands on line 2 already; keep one of the two"},
		{"no such stage predicted", "predicted stages", "player,stage,name\nAda,eighth,A\n",
			`f.csv:2: stage is "eighth"; it must be winner, finalist, semi or quarter`},
		{"a stage of no player", "predicted stages", "player,stage,name\n,semi,A\n",
			"f.csv:2: player is empty"},

		{"a question worth 6", "quiz", "question,parent,points,answer\nq,,6,a\n",
			`f.csv:2: points is "6"; it must be a whole number from 1 to 5`},
		{"a question without answer", "quiz", "question,parent,points,answer\nq,,5,\n",
			"f.csv:2: answer is empty"},
		{"other points on the next line", "quiz", "question,parent,points,answer\nq,,5,a\nq,,4,b\n",
			"f.csv:3: question q has another parent or other points on line 2"},
		{"another parent on the next line", "quiz",
			"question,parent,points,answer\np,,1,x\nq,,5,a\nq,p,5,b\n",
			"f.csv:4: question q has another parent or other points on line 3"},
		{"an answer twice", "quiz", "question,parent,points,answer\nq,,5,a\nq,,5,a\n",
			"f.csv:3: answer a to question q stands on line 2 already; keep one of the two"},
		{"a parent that is not there", "quiz", "question,parent,points,answer\nq,z,5,a\n",
			`f.csv:2: parent "z" is not a main question of the file`},
		{"its own parent", "quiz", "question,parent,points,answer\nq,q,5,a\n",
			`f.csv:2: parent "q" is not a main question of the file`},
		{"two levels down", "quiz", "question,parent,points,answer\nq,,5,a\nr,q,5,a\ns,r,5,a\n",
			`f.csv:4: parent "r" is not a main question of the file`},
		{"an unknown question", "answers", "player,question,answer\nAda,q9,a\n",
			`f.csv:2: unknown question "q9"; it is not in the results`},
		{"answered twice", "answers", "player,question,answer\nAda,q1,a\nAda,q1,b\n",
			"f.csv:3: player Ada on question q1 stands on line 2 already; keep one of the two"},
		{"answered by nobody", "answers", "player,question,answer\n,q1,a\n", "f.csv:2: player is empty"},
	} {
		err := anyError(t, tc.kind, tc.text)
		var refused *Error
		if !errors.As(err, &refused) || err.Error() != tc.want {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}

func TestRead_SpreadsheetHabits(t *testing.T) {
	t.Parallel()
	want := map[FixtureID]contest.Score{"m1": {Home: 2, Away: 1}, "m,2": {Home: 0, Away: 10}}
	for name, text := range map[string]string{
		"plain":               "fixture,home_score,away_score\nm1,2,1\n\"m,2\",0,10\n",
		"no last end of line": "fixture,home_score,away_score\nm1,2,1\n\"m,2\",0,10",
		"byte-order mark":     "\ufefffixture,home_score,away_score\nm1,2,1\n\"m,2\",0,10\n",
		"CRLF":                "fixture,home_score,away_score\r\nm1,2,1\r\n\"m,2\",0,10\r\n",
		"semicolons":          "fixture;home_score;away_score\nm1;2;1\nm,2;0;10\n",
		"all three":           "\ufefffixture;home_score;away_score\r\nm1;2;1\r\nm,2;0;10\r\n",
		"other order, blanks": "away_score, home_score ,fixture\n 1,2 , m1\n10,00,\"m,2\"\n\n",
	} {
		got, err := Scores("f.csv", strings.NewReader(text), contest.DrawAllowed)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestRead_SlipsByPlayer(t *testing.T) {
	t.Parallel()
	names, err := PredictedNames("f.csv", strings.NewReader(
		"player,slot,name\nBob,2,A\nAda,1,A\nBob,1,B\nBob,3,\n"), 3)
	want := []Slip[[]contest.Name]{
		{"Bob", []contest.Name{"B", "A", ""}}, {"Ada", []contest.Name{"A", "", ""}},
	}
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("names: %v (-want +got):\n%s", err, diff)
	}
	stages, err := PredictedStages("f.csv", strings.NewReader(
		"player,stage,name\nAda,quarter,E\nAda,semi,C\nAda,quarter,F\nAda,semi,D\nAda,winner,A\n"))
	wantStages := []Slip[[8]contest.Name]{{"Ada", [8]contest.Name{"A", "", "C", "D", "E", "F"}}}
	if diff := cmp.Diff(wantStages, stages); diff != "" || err != nil {
		t.Errorf("stages: %v (-want +got):\n%s", err, diff)
	}
}

// TestRead_FailuresAreNotRefusals: a disk that fails is reported as such, with the file.
func TestRead_FailuresAreNotRefusals(t *testing.T) {
	t.Parallel()
	failure := errors.New("disk failed")
	_, _, err := Points("f.csv", iotest.ErrReader(failure))
	var refused *Error
	if !errors.Is(err, failure) || errors.As(err, &refused) ||
		!strings.HasPrefix(err.Error(), "f.csv: ") {
		t.Errorf("got %v", err)
	}
}

// TestData_RealPodium reads a real classification whose names hold capitals, hyphens and
// blanks; it skips where the data are not at hand.
func TestData_RealPodium(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BOULIER_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skipf("the folder of real data is absent: %s (set BOULIER_DATA)", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "contest/multi/olympic-podiums-judo-deadheats.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// Men -90 kg: a hyphenated first name among the two thirds.
	places := map[string]string{"Gold": "1", "Silver": "2", "Bronze": "3"}
	file := "place,name\n"
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		if cells[0] == "paris-2024" && cells[2] == "Men -90 kg" {
			file += places[cells[4]] + "," + cells[5] + "\n"
		}
	}
	got, err := Places("f.csv", strings.NewReader(file))
	want := map[contest.Name]int{
		"BEKAURI Lasha": 1, "MURAO Sanshiro": 2, "NGAYAP HAMBOU Maxime-Gael": 3, "TSELIDIS Theodoros": 3,
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
