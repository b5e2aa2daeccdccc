// Package fixturefile reads the files of matches that people have: openfootball JSON, and
// CSV tables whose columns are named by a mapping. What it returns is a proposal: nothing
// of it counts before a person has confirmed it. Whatever looks wrong is told with the
// match, never mended.
package fixturefile

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
)

// A Match is a match as a file tells it.
type Match struct {
	Line       int // in the file, or its place in a list, from 1
	Home, Away string
	StartsAt   time.Time     // zero when the file does not say
	Ninety     contest.Score // after 90 minutes with stoppage time; NoScore when unknown
	Extra      contest.Score // after extra time, where there was some
	Doubts     []Doubt
}

// A Doubt is a stable code for what a person should look at before confirming.
type Doubt string

// The doubts.
const (
	NoTime      Doubt = "no_time"       // a day without a time
	ShootOut    Doubt = "shoot_out"     // decided by a shoot-out, whose goals never count
	ShootOutTie Doubt = "shoot_out_tie" // a shoot-out that ends in a tie
	NoScore     Doubt = "no_score"      // a result was said to exist and is not there
	BadScore    Doubt = "bad_score"     // what stands for a score is none
	HalfAsFull  Doubt = "half_as_full"  // only the score at half-time is there
	AfterNinety Doubt = "after_ninety"  // there was extra time: look which score counts
)

// A Mapping names the columns of a CSV table; empty names are guessed.
type Mapping struct{ Home, Away, Date, Time, Score, Extra string }

// MaxMatches bounds what is read of a file.
const MaxMatches = 5000

// ErrFile is wrapped by every refusal of a whole file.
var ErrFile = errors.New("the file cannot be read")

// Read reads a file of matches; days and times without a zone are those of loc.
func Read(file []byte, m Mapping, loc *time.Location) ([]Match, error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	if t := bytes.TrimSpace(file); len(t) > 0 && t[0] == '{' {
		return readJSON(file, loc)
	}
	return readCSV(file, m, loc)
}

type feed struct {
	Matches []struct {
		Date  string `json:"date"`
		Time  string `json:"time"`
		Team1 string `json:"team1"`
		Team2 string `json:"team2"`
		Score *struct {
			HalfTime []int `json:"ht"`
			FullTime []int `json:"ft"`
			Extra    []int `json:"et"`
			Shots    []int `json:"p"`
		} `json:"score"`
	} `json:"matches"`
}

func readJSON(file []byte, loc *time.Location) ([]Match, error) {
	var f feed
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	if len(f.Matches) == 0 || len(f.Matches) > MaxMatches {
		return nil, fmt.Errorf("%w: %d matches", ErrFile, len(f.Matches))
	}
	out := make([]Match, len(f.Matches))
	for i, x := range f.Matches {
		m := Match{Line: i + 1, Home: x.Team1, Away: x.Team2, Ninety: contest.NoScore, Extra: contest.NoScore}
		m.start(x.Date, x.Time, loc)
		if s := x.Score; s != nil {
			m.Ninety, m.Extra = m.pair(s.FullTime), m.pair(s.Extra)
			if len(s.FullTime) == 0 {
				m.doubt(NoScore)
				if len(s.HalfTime) > 0 {
					m.doubt(HalfAsFull)
				}
			}
			if len(s.Extra) > 0 {
				m.doubt(AfterNinety)
			}
			if p := m.pair(s.Shots); p != contest.NoScore {
				m.doubt(ShootOut)
				if p.Home == p.Away {
					m.doubt(ShootOutTie)
				}
			}
		}
		out[i] = m
	}
	return out, nil
}

func (m *Match) doubt(d Doubt) {
	if !slices.Contains(m.Doubts, d) {
		m.Doubts = append(m.Doubts, d)
	}
}

// pair reads two counts of a list; nothing is NoScore, anything else a doubt.
func (m *Match) pair(list []int) contest.Score {
	if len(list) == 0 {
		return contest.NoScore
	}
	if len(list) != 2 || min(list[0], list[1]) < 0 || max(list[0], list[1]) > contest.MaxCount {
		m.doubt(BadScore)
		return contest.NoScore
	}
	return contest.Score{Home: int8(list[0]), Away: int8(list[1])}
}

// start reads a day such as 2024-08-16 and a time such as 20:45.
func (m *Match) start(day, clock string, loc *time.Location) {
	if t, err := time.ParseInLocation("2006-01-02 15:04", day+" "+clock, loc); err == nil {
		m.StartsAt = t
		return
	}
	if t, err := time.Parse(time.RFC3339, day); err == nil {
		m.StartsAt = t
		return
	}
	m.doubt(NoTime)
	if t, err := time.ParseInLocation(time.DateOnly, day, loc); err == nil {
		m.StartsAt = t
	}
}

// columns are the names that each part of a match commonly has.
var columns = [6][]string{
	{"home", "team1", "home_team", "domicile", "equipe1"}, {"away", "team2", "away_team", "exterieur", "equipe2"},
	{"date", "kickoff", "jour"}, {"time", "time_local", "heure"}, {"ft90", "ft", "score", "resultat"}, {"et120", "et"},
}

func readCSV(file []byte, m Mapping, loc *time.Location) ([]Match, error) {
	r := csv.NewReader(bytes.NewReader(file))
	r.FieldsPerRecord = -1
	if head, _, _ := bytes.Cut(file, []byte("\n")); bytes.ContainsRune(head, ';') && !bytes.ContainsRune(head, ',') {
		r.Comma = ';'
	}
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	var at [6]int
	for i, want := range [6]string{m.Home, m.Away, m.Date, m.Time, m.Score, m.Extra} {
		names := columns[i]
		if want != "" {
			names = []string{strings.ToLower(strings.TrimSpace(want))}
		}
		at[i] = slices.IndexFunc(header, func(h string) bool {
			return slices.Contains(names, strings.ToLower(strings.TrimSpace(h)))
		})
		if at[i] < 0 && (i < 2 || want != "") {
			return nil, fmt.Errorf("%w: no column %s among %s", ErrFile, strings.Join(names, ", "), strings.Join(header, ", "))
		}
	}
	var out []Match
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFile, err)
		}
		cell := func(i int) string {
			if at[i] < 0 || at[i] >= len(record) {
				return ""
			}
			return strings.TrimSpace(record[at[i]])
		}
		line, _ := r.FieldPos(0)
		x := Match{Line: line, Home: cell(0), Away: cell(1)}
		x.start(cell(2), cell(3), loc)
		x.Ninety, x.Extra = x.score(cell(4)), x.score(cell(5))
		if x.Extra != contest.NoScore {
			x.doubt(AfterNinety)
		}
		if out = append(out, x); len(out) > MaxMatches {
			return nil, fmt.Errorf("%w: more than %d matches", ErrFile, MaxMatches)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no match under the header", ErrFile)
	}
	return out, nil
}

// score reads a cell such as 2-1; an empty one is NoScore.
func (m *Match) score(cell string) contest.Score {
	if cell == "" {
		return contest.NoScore
	}
	home, away, ok := strings.Cut(strings.ReplaceAll(cell, "–", "-"), "-")
	h, err1 := strconv.Atoi(strings.TrimSpace(home))
	a, err2 := strconv.Atoi(strings.TrimSpace(away))
	if !ok || err1 != nil || err2 != nil {
		m.doubt(BadScore)
		return contest.NoScore
	}
	return m.pair([]int{h, a})
}
