package fixturefile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boulier/game/contest"
)

const openfootball = `{"name":"Coupe","matches":[
{"date":"2024-08-16","time":"20:45","team1":"Le Havre AC","team2":"Paris","score":{"ht":[0,1],"ft":[1,4]}},
{"date":"2025-03-11","team1":"Liverpool","team2":"Paris","score":{"ht":[0,1],"ft":[0,1],"et":[0,1],"p":[4,4]}},
{"date":"2025-03-12","time":"21:00","team1":"A","team2":"B","score":{"ht":[1,0]}},
{"date":"2025-03-13","time":"21:00","team1":"C","team2":"D"}]}`

func TestRead_OpenFootball(t *testing.T) {
	t.Parallel()
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read([]byte(openfootball), Mapping{}, paris)
	if err != nil || len(got) != 4 {
		t.Fatalf("%d matches: %v", len(got), err)
	}
	if m := got[0]; m.Home != "Le Havre AC" || m.Ninety != (contest.Score{Home: 1, Away: 4}) || len(m.Doubts) != 0 ||
		!m.StartsAt.Equal(time.Date(2024, 8, 16, 18, 45, 0, 0, time.UTC)) {
		t.Errorf("a match in summer is %+v", m)
	}
	for i, want := range [][]Doubt{nil, {NoTime, AfterNinety, ShootOut, ShootOutTie}, {NoScore, HalfAsFull}, nil} {
		if !slices.Equal(got[i].Doubts, want) {
			t.Errorf("match %d has the doubts %v, want %v", i+1, got[i].Doubts, want)
		}
	}
	if got[2].Ninety != contest.NoScore || got[3].Ninety != contest.NoScore {
		t.Error("half-time was taken for full time, or nothing for a score")
	}
}

func TestRead_Table(t *testing.T) {
	t.Parallel()
	got, err := Read([]byte("\ufeffDate;Heure;Hôte;Visiteur;Fin\n2026-03-29;15:00;Lens;Nice;2-2\n2026-03-29;;Lyon;Metz;3-x\n"),
		Mapping{Home: "Hôte", Away: "visiteur", Score: "fin"}, time.UTC)
	if err != nil || len(got) != 2 || got[0].Ninety != (contest.Score{Home: 2, Away: 2}) ||
		!slices.Equal(got[1].Doubts, []Doubt{NoTime, BadScore}) || got[1].Line != 3 {
		t.Errorf("%+v (%v)", got, err)
	}
	for _, bad := range []string{"", "home\nA\n", "home,away\n", `{"matches":[]}`, `{"matches":7}`, "home,away\n\"A,B\n"} {
		if _, err := Read([]byte(bad), Mapping{}, time.UTC); !errors.Is(err, ErrFile) {
			t.Errorf("%q: %v, want ErrFile", bad, err)
		}
	}
}

// TestRead_RealFiles reads the season and the World Cup of the folder of real data, and
// skips where it is not at hand.
func TestRead_RealFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"openfootball-2024-25-fr.1.json": 306, "openfootball-worldcup-2022.csv": 64} {
		file, err := os.ReadFile(filepath.Join("../../../shared/data/contest/football", name))
		if errors.Is(err, os.ErrNotExist) {
			t.Skipf("the folder of real data is absent: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(file, Mapping{}, time.UTC)
		if err != nil || len(got) != want {
			t.Errorf("%s: %d matches (%v), want %d", name, len(got), err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(openfootball))
	f.Add([]byte("home,away,date,score\nA,B,2026-01-01,1-1\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := Read(file, Mapping{}, time.UTC)
		if (err == nil) == (len(got) == 0) || err != nil && !errors.Is(err, ErrFile) {
			t.Errorf("%d matches, %v", len(got), err)
		}
		for _, m := range got {
			for _, s := range []contest.Score{m.Ninety, m.Extra} {
				if s != contest.NoScore && contest.DrawAllowed.Check(s) != nil {
					t.Errorf("a score %v", s)
				}
			}
		}
	})
}
