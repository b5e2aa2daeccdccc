package contest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/player"
	"boulier/regs/regstest"
)

// dataPath returns the path of a real data file, and skips the test where the data are
// not at hand.
func dataPath(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("BOULIER_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skipf("the folder of real data is absent: %s (set BOULIER_DATA)", dir)
	}
	return filepath.Join(dir, "contest", name)
}

// dataRows reads a CSV file of real data as one map a line, by column.
func dataRows(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(dataPath(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("%s: %d records, %v", name, len(records), err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// scoreOf reads a score such as 2-1; NoScore from an empty cell.
func scoreOf(t *testing.T, s string) Score {
	t.Helper()
	if s == "" {
		return NoScore
	}
	home, away, _ := strings.Cut(s, "-")
	return Score{int8(number(t, home)), int8(number(t, away))}
}

func TestData_VectorsOfScores(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	for _, row := range dataRows(t, "vectors/matchs.csv") {
		scale := WithDraws
		if row["draw_possible"] == "no" {
			scale = WithoutDraws
		}
		p, r := scoreOf(t, row["prediction"]), Full(scoreOf(t, row["result"]))
		if got, want := scale.Award(p, r).Points, Points(number(t, row["points"])); got != want {
			t.Errorf("%s: %s against %s earns %d, want %d (%s)",
				row["id"], row["prediction"], row["result"], got, want, row["note"])
		}
	}
}

func TestData_VectorsOfNames(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names")
	scales := map[string]PlaceScale{"6": SixPlaces, "4a": FourPlaces, "4b": FourTwoThirds}
	for _, row := range dataRows(t, "vectors/noms.csv") {
		var slip []Name
		for _, name := range strings.Fields(row["prediction_in_slot_order"]) {
			slip = append(slip, Name(strings.Trim(name, "-")))
		}
		places := map[Name]int{}
		for _, held := range strings.Fields(row["official_places"]) {
			name, place, _ := strings.Cut(held, "=")
			places[Name(name)] = number(t, place)
		}
		awards := scales[row["variant"]].Awards(slip, places)
		if got, want := Total(awards), Points(number(t, row["points"])); got != want {
			t.Errorf("%s: %d points, want %d (%s)", row["id"], got, want, row["note"])
		}
		for i, per := range strings.Fields(row["per_name"]) {
			_, want, _ := strings.Cut(per, ":")
			if got := awards[i].Points; got != Points(number(t, want)) {
				t.Errorf("%s: line %d earns %d, want %s", row["id"], i+1, got, want)
			}
		}
	}
}

func TestData_VectorsOfKnockouts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.knockout")
	stages := map[string]Stage{"W": Champion, "F": Finalist, "S": SemiFinalist, "Q": QuarterFinalist}
	var reached map[Name]Stage
	for _, row := range dataRows(t, "vectors/vainqueur-finaliste.csv") {
		var slip [8]Name
		said := map[Name]Stage{}
		for _, line := range strings.Fields(row["prediction"]) {
			name, stage, _ := strings.Cut(line, "=")
			said[Name(name)] = stages[stage]
			for i, of := range KnockoutLines {
				if of == stages[stage] && slip[i] == "" {
					slip[i] = Name(name)
					break
				}
			}
		}
		if reached == nil {
			reached = said // the first vector is the perfect slip
		}
		got, want := Total(LastEight.Awards(slip, reached)), Points(number(t, row["points"]))
		if got != want {
			t.Errorf("%s: %d points, want %d (%s)", row["id"], got, want, row["note"])
		}
	}
}

// hundredths reads an amount of nuggets as hundredths, cut down.
func hundredths(t *testing.T, s string) Nuggets {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return Nuggets(math.Floor(x*100 + 1e-6))
}

func TestData_VectorsOfPots(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:9", "contest:10")
	for _, row := range dataRows(t, "vectors/pots.csv") {
		var tied []int
		want := map[int]Nuggets{}
		held := 0
		groups := row["shares (rank x players: percent = pepites each)"]
		for group := range strings.SplitSeq(groups, "; ") {
			var rank, n int
			if _, err := fmt.Sscanf(group, "r%d x%d:", &rank, &n); err != nil {
				t.Fatal(err)
			}
			_, each, _ := strings.Cut(group, " = ")
			want[rank], tied, held = hundredths(t, each), append(tied, n), held+n
		}
		for range number(t, row["players"]) - held {
			tied = append(tied, 1)
		}
		pot := hundredths(t, row["pot"])
		ranking := ofRanks(tied...)
		shares, remainder := TenRanks.Split(pot, ranking)
		for i, r := range ranking {
			if shares[i] != want[r.Rank] {
				t.Errorf("%s: rank %d gets %s, want %s (%s)", row["id"], r.Rank, shares[i], want[r.Rank],
					row["note"])
			}
		}
		if paid := hundredths(t, row["paid_floored_to_0.01"]); pot-remainder != paid {
			t.Errorf("%s: %s paid, want %s", row["id"], pot-remainder, paid)
		}
	}
}

// poolMatch is a match of the real pool, with its points as that pool counted them.
type poolMatch struct {
	result Result
	round  string
	bonus  bool
}

// poolMatches reads the matches of the real pool; one without goals has no result.
func poolMatches(t *testing.T) map[string]poolMatch {
	t.Helper()
	matches := map[string]poolMatch{}
	for _, row := range dataRows(t, "pool-p4f/matches.csv") {
		m := poolMatch{round: row["competition"] + "/" + row["round"], bonus: row["bonus_match"] == "1"}
		if row["home_goals"] != "" {
			m.result = Full(scoreOf(t, row["home_goals"]+"-"+row["away_goals"]))
		}
		matches[row["match"]] = m
	}
	return matches
}

// TestData_PoolRescored rescores a real French pool with the same wording: 7 116 of 7 117
// predictions earn what that pool gave, draws with another score (Reading C6) included.
func TestData_PoolRescored(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	ours := map[int]Points{15: 5, 8: 4, 6: 3, 5: 3, 1: 1, 0: 0}
	matches := poolMatches(t)
	agree, scored := 0, 0
	var differ []string
	for _, row := range dataRows(t, "pool-p4f/forecasts.csv") {
		if row["pool_points"] == "" {
			continue
		}
		m := matches[row["match"]]
		theirs := number(t, row["pool_points"])
		if m.bonus {
			theirs /= 2
		}
		scored++
		p := scoreOf(t, row["home"]+"-"+row["away"])
		if want, ok := ours[theirs]; ok && WithDraws.Award(p, m.result).Points == want {
			agree++
		} else {
			differ = append(differ, row["player"]+" on match "+row["match"])
		}
	}
	if agree != 7116 || scored != 7117 {
		t.Errorf("%d of %d predictions agree, want 7116 of 7117", agree, scored)
	}
	if diff := cmp.Diff([]string{"P26 on match 487"}, differ); diff != "" {
		t.Errorf("those that differ (-want +got):\n%s", diff)
	}
}

// TestData_PoolRoundsRankedAndShared ranks and shares every round of the real pool: never
// more than the pot, equal points always equal shares.
func TestData_PoolRoundsRankedAndShared(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:7", "contest:8.leg", "contest:9", "contest:10")
	matches := poolMatches(t)
	rounds := map[string]map[player.ID]Points{}
	for _, row := range dataRows(t, "pool-p4f/forecasts.csv") {
		m := matches[row["match"]]
		if rounds[m.round] == nil {
			rounds[m.round] = map[player.ID]Points{}
		}
		id := playerID(int64(number(t, strings.TrimPrefix(row["player"], "P"))))
		rounds[m.round][id] += WithDraws.Award(scoreOf(t, row["home"]+"-"+row["away"]), m.result).Points
	}
	var legs [][]Standing
	for name, points := range rounds {
		var standings []Standing
		for id, p := range points {
			standings = append(standings, Standing{id, p})
		}
		legs = append(legs, standings)
		checkShared(t, name, Pots.Leg(len(standings)), Rank(standings))
	}
	if len(legs) < 40 {
		t.Errorf("%d rounds, want at least 40", len(legs))
	}
	checkShared(t, "the whole pool", Pots.Contest(len(legs)), Rank(Sum(legs...)))
}

// checkShared shares pot over a ranking by hand, rank by rank, and compares.
func checkShared(t *testing.T, name string, pot Nuggets, ranking Ranking) {
	t.Helper()
	percents := []Nuggets{25, 20, 15, 10, 9, 8, 6, 4, 2, 1}
	shares, remainder := TenRanks.Split(pot, ranking)
	total := remainder
	for i, r := range ranking {
		better, tied := 0, 0
		for _, other := range ranking {
			switch {
			case other.Points > r.Points:
				better++
			case other.Points == r.Points:
				tied++
			}
		}
		var held Nuggets
		for rank := better; rank < better+tied && rank < len(percents); rank++ {
			held += percents[rank]
		}
		if want := pot * held / Nuggets(100*tied); shares[i] != want || r.Rank != better+1 {
			t.Errorf("%s: player %s of rank %d gets %s, want rank %d and %s",
				name, r.Player, r.Rank, shares[i], better+1, want)
		}
		total += shares[i]
	}
	if total != pot || remainder < 0 {
		t.Errorf("%s: paid and remainder sum to %s, the pot is %s", name, total, pot)
	}
}

// TestData_WorldCup2022: which score counts (Reading C9), on matches really played.
func TestData_WorldCup2022(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores", "contest:6.winner")
	rows := dataRows(t, "football/openfootball-worldcup-2022.csv")
	shootOuts, extras := 0, 0
	for _, row := range rows {
		ninety, extra := scoreOf(t, row["ft90"]), scoreOf(t, row["et120"])
		if got := NinetyMinutes.Score(ninety, extra); got != ninety {
			t.Errorf("match %s: %s counts, want %s", row["num"], got, ninety)
		}
		if row["et120"] != "" {
			extras++
			if ninety.Outcome() != Draw {
				t.Errorf("match %s went to extra time at %s", row["num"], ninety)
			}
		}
		if row["pens"] != "" {
			shootOuts++
			if r := Full(ExtraTime.Score(ninety, extra)); r.Outcome() != Draw {
				t.Errorf("match %s: the shoot-out decided %s", row["num"], r.Score)
			}
		}
	}
	final := rows[len(rows)-1]
	ninety, extra := scoreOf(t, final["ft90"]), scoreOf(t, final["et120"])
	for _, tc := range []struct {
		count Count
		p     Score
		want  Rule
	}{
		{NinetyMinutes, Score{2, 2}, ExactScore},
		{NinetyMinutes, Score{3, 3}, RightGap},
		{ExtraTime, Score{3, 3}, ExactScore},
		{ExtraTime, Score{3, 2}, OneCount},
	} {
		if got := WithDraws.Award(tc.p, Full(tc.count.Score(ninety, extra))); got.Rule != tc.want {
			t.Errorf("the final, count %d: %s earns %s, want %s", tc.count, tc.p, got.Rule, tc.want)
		}
	}
	if len(rows) != 64 || extras != 5 || shootOuts != 5 {
		t.Errorf("%d matches, %d with extra time, %d shoot-outs, want 64, 5, 5", len(rows), extras,
			shootOuts)
	}
}

// TestData_Season2024: a season of 306 matches, one of them awarded by the federation,
// whose score counts like any other (Reading C11).
func TestData_Season2024(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores", "contest:6.winner")
	text, err := os.ReadFile(dataPath(t, "football/openfootball-2024-25-fr.1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var season struct {
		Matches []struct {
			Score  struct{ FT [2]int8 }
			Status string
		}
	}
	if err := json.Unmarshal(text, &season); err != nil {
		t.Fatal(err)
	}
	counts := map[Rule]int{}
	awarded := 0
	for _, m := range season.Matches {
		r := Full(Score{m.Score.FT[0], m.Score.FT[1]})
		a := WithDraws.Award(Score{1, 0}, r)
		counts[a.Rule]++
		if right := AwardWinner(HomeWin, r.Status, r.Outcome(), 1).Points == 1; right != (a.Points >= 3) {
			t.Errorf("%s: winner right %t, but %d points for the score", r.Score, right, a.Points)
		}
		if m.Status == "awarded" {
			awarded++
			if got := WithDraws.Award(Score{0, 2}, r).Rule; got != ExactScore {
				t.Errorf("the awarded match earns %s", got)
			}
		}
	}
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum != 306 || awarded != 1 || counts[ExactScore] == 0 || counts[OneCount] == 0 {
		t.Errorf("%v of %d matches, %d awarded", counts, sum, awarded)
	}
}

// TestData_Formula1: who is not classified holds no place (Reading C2), and a correction
// is another version of the classification, scored anew (Reading C11).
func TestData_Formula1(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names", "contest:17")
	belgium := map[Name]int{}
	for _, row := range dataRows(t, "f1/f1db-2024-race-results.csv") {
		if row["season"] != "2024" || row["grand_prix"] != "belgium" {
			continue
		}
		place, err := strconv.Atoi(row["position"])
		if err != nil {
			place = 0 // DNF, DSQ: not classified
		}
		belgium[Name(row["driver"])] = place
	}
	slip := []Name{"max-verstappen", "lando-norris", "lewis-hamilton", "oscar-piastri",
		"charles-leclerc", "george-russell"}
	awards := SixPlaces.Awards(slip, belgium)
	if got := Total(awards); got != 18 || awards[5].Rule != PlaceUnscored {
		t.Errorf("Belgium 2024: %d points, the disqualified winner earns by %s", got, awards[5].Rule)
	}
	monaco := map[int]map[Name]int{1: {}, 2: {}, 3: {}}
	days := map[int]string{}
	for _, row := range dataRows(t, "f1/f1db-2026-monaco-revisions.csv") {
		revision := number(t, row["revision"])
		monaco[revision][Name(row["driver"])] = number(t, row["position"])
		days[revision] = row["commit_date"]
	}
	slip = []Name{"lewis-hamilton", "kimi-antonelli", "isack-hadjar", "oscar-piastri", "pierre-gasly",
		"charles-leclerc"}
	for revision, want := range map[int]Points{1: 26, 2: 24, 3: 24} {
		if got := Total(SixPlaces.Awards(slip, monaco[revision])); got != want {
			t.Errorf("Monaco 2026, revision %d: %d points, want %d", revision, got, want)
		}
	}
	loc := paris(t)
	proclaimed, err := time.ParseInLocation(time.DateOnly, days[1], loc)
	if err != nil {
		t.Fatal(err)
	}
	corrected, err := time.ParseInLocation(time.DateOnly, days[2], loc)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckCorrection(proclaimed, corrected, false, loc); err != nil {
		t.Errorf("a correction on day 5: %v", err)
	}
}

// TestData_Podiums: two thirds in judo are worth the same on lines 3 and 4, and each
// member of a dead heat holds the official place (Reading C4).
func TestData_Podiums(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names")
	type event struct {
		discipline string
		medals     map[string][]Name
	}
	events := map[string]event{}
	for _, row := range dataRows(t, "multi/olympic-podiums-judo-deadheats.csv") {
		e := events[row["games"]+row["event"]]
		if e.medals == nil {
			e = event{row["discipline"], map[string][]Name{}}
		}
		e.medals[row["medal"]] = append(e.medals[row["medal"]], Name(row["athlete"]))
		events[row["games"]+row["event"]] = e
	}
	judo, deadHeats := 0, 0
	for name, e := range events {
		if strings.Contains(name, "Team") {
			continue // two names stand for one entrant
		}
		gold, silver, bronze := e.medals["Gold"], e.medals["Silver"], e.medals["Bronze"]
		places, next := map[Name]int{}, 1
		for _, medal := range [][]Name{gold, silver, bronze} {
			for _, athlete := range medal {
				places[athlete] = next
			}
			next += len(medal)
		}
		slip := slices.Concat(gold, silver, bronze)
		switch {
		case e.discipline == "Judo":
			judo++
			swapped := []Name{slip[0], slip[1], slip[3], slip[2]}
			for _, s := range [][]Name{slip, swapped} {
				if got := Total(FourTwoThirds.Awards(s, places)); got != 16 {
					t.Errorf("%s: %v earns %d, want 16", name, s, got)
				}
			}
		case len(silver) == 2:
			deadHeats++
			awards := SixPlaces.Awards(slip, places)
			if awards[1].Points != 8 || awards[2].Points != min(6, 8) || len(bronze) > 0 {
				t.Errorf("%s: the two seconds earn %d and %d", name, awards[1].Points, awards[2].Points)
			}
		}
	}
	if judo != 14 || deadHeats != 2 {
		t.Errorf("%d events of judo, %d dead heats for second, want 14 and 2", judo, deadHeats)
	}
}
