package contest

import (
	"cmp"
	"slices"

	"boulier/player"
)

// A Standing is the sum of a player's points in a leg or a contest.
type Standing struct {
	Player player.ID
	Points Points
}

// A Ranked is a Standing with its rank, from 1.
type Ranked struct {
	Standing
	Rank int
}

// A Ranking lists players from the first rank on; those of equal rank by their identifier.
type Ranking []Ranked

// Rank ranks players by falling points (contest:7, contest:9). Equal points share a rank
// and the next rank skips as many (1, 2, 2, 4); players with 0 points are ranked; who
// never sent a slip is not, so standings holds one entry a player who sent one (Reading
// C13). The order of standings does not matter and it is left as it was.
func Rank(standings []Standing) Ranking {
	ranking := make(Ranking, len(standings))
	for i, s := range standings {
		ranking[i].Standing = s
	}
	slices.SortFunc(ranking, func(a, b Ranked) int {
		if a.Points != b.Points { // not cmp.Or: a million players are sorted in here
			return cmp.Compare(b.Points, a.Points)
		}
		return cmp.Compare(a.Player, b.Player)
	})
	for i := range ranking {
		ranking[i].Rank = i + 1
		if i > 0 && ranking[i].Points == ranking[i-1].Points {
			ranking[i].Rank = ranking[i-1].Rank
		}
	}
	return ranking
}

// Sum adds the points of each player over the legs of a contest (contest:10). A player
// who missed a leg earned nothing in it; the standings come in the order of players.
// Annulled legs are not passed: they give no points (Reading C10).
func Sum(legs ...[]Standing) []Standing {
	points := make(map[player.ID]Points)
	for _, leg := range legs {
		for _, s := range leg {
			points[s.Player] += s.Points
		}
	}
	sums := make([]Standing, 0, len(points))
	for id, p := range points {
		sums = append(sums, Standing{id, p})
	}
	slices.SortFunc(sums, func(a, b Standing) int { return cmp.Compare(a.Player, b.Player) })
	return sums
}
