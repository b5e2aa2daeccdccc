package contest

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"boulier/player"
	"boulier/regs/regstest"
)

func playerID(n int64) player.ID { return player.ID(n) }

// ranks returns players and ranks of a ranking, as "player:rank".
func ranks(r Ranking) (got []string) {
	for _, x := range r {
		got = append(got, x.Player.String()+":"+strconv.Itoa(x.Rank))
	}
	return got
}

// ofRanks returns a ranking in which tied[i] players share each rank in turn.
func ofRanks(tied ...int) Ranking {
	var standings []Standing
	for i, n := range tied {
		for range n {
			id := playerID(int64(len(standings) + 1))
			standings = append(standings, Standing{id, Points(len(tied) - i)})
		}
	}
	return Rank(standings)
}

func TestArt7_Rank(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:7", "contest:9")
	for _, tc := range []struct {
		name string
		in   []Standing
		want []string
	}{
		{"falling points", []Standing{{1, 3}, {2, 9}, {3, 5}}, []string{"2:1", "3:2", "1:3"}},
		{"equal points share, the next rank skips (C13)", []Standing{{1, 5}, {2, 9}, {3, 5}, {4, 1}},
			[]string{"2:1", "1:2", "3:2", "4:4"}},
		{"0 points are ranked (C13)", []Standing{{1, 0}, {2, 0}, {3, 1}}, []string{"3:1", "1:2", "2:2"}},
		{"nobody", nil, nil},
	} {
		if diff := cmp.Diff(tc.want, ranks(Rank(tc.in))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestArt10_Sum(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:10")
	got := Sum([]Standing{{1, 5}, {2, 3}}, []Standing{{2, 4}, {3, 0}}, nil)
	want := []Standing{{1, 5}, {2, 7}, {3, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestArt8_Pots(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:8.leg", "contest:8.contest")
	for _, tc := range []struct {
		name string
		got  Nuggets
		want string
	}{
		{"the regulation's example: 150 predictions", Pots.Leg(150), "200.00"},
		{"guaranteed with no prediction", Pots.Leg(0), "50.00"},
		{"one prediction", Pots.Leg(1), "51.00"},
		{"a contest of seven legs", Pots.Contest(7), "700.00"},
		{"thirty legs reach the most", Pots.Contest(30), "3000.00"},
		{"and no more (C26)", Pots.Contest(31), "3000.00"},
		{"every leg annulled", Pots.Contest(0), "0.00"},
		{"an organizer's own", PotRule{10 * Nugget, 2 * Nugget, 0, 0}.Leg(3), "16.00"},
	} {
		if tc.got.String() != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, tc.got, tc.want)
		}
	}
	if err := Pots.Check(); err != nil {
		t.Error(err)
	}
	for _, r := range []PotRule{
		{Guaranteed: -1}, {PerSlip: -1}, {PerLeg: -1}, {Most: 1_000_001 * Nugget},
	} {
		if err := r.Check(); !errors.Is(err, ErrPotsIllegal) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if got := Nuggets(-5).String(); got != "-0.05" {
		t.Errorf("minus five hundredths is written %s", got)
	}
}

func TestParseNuggets(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Nuggets{
		"200": 20000, "0": 0, "12.5": 1250, "0.07": 7, "10000000000000": MaxPot,
	} {
		if got, err := ParseNuggets(in); got != want || err != nil {
			t.Errorf("%q: %s, %v, want %s", in, got, err, want)
		}
	}
	for _, in := range []string{
		"", ".5", "1.", "1.234", "-1", "+1", "1,5", "1.-1", "x",
		"10000000000000.01", "99999999999999999999",
	} {
		if got, err := ParseNuggets(in); !errors.Is(err, ErrNuggets) {
			t.Errorf("%q: %s, %v", in, got, err)
		}
	}
}

func TestArt9_Split(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:9", "contest:10")
	for _, tc := range []struct {
		name      string
		pot       Nuggets
		ranking   Ranking
		want      []Nuggets
		remainder Nuggets
	}{
		{"the regulation's example: three first, 20 % each", 100 * Nugget, ofRanks(3, 1),
			[]Nuggets{2000, 2000, 2000, 1000}, 3000},
		{"ten ranks, no tie", 200 * Nugget, ofRanks(1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
			[]Nuggets{5000, 4000, 3000, 2000, 1800, 1600, 1200, 800, 400, 200}, 0},
		{"the eleventh gets nothing", 200 * Nugget, ofRanks(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
			[]Nuggets{5000, 4000, 3000, 2000, 1800, 1600, 1200, 800, 400, 200, 0}, 0},
		{"three ninth: (2 + 1 + 0)/3 = 1 % each (C16)", 62 * Nugget, ofRanks(1, 1, 1, 1, 1, 1, 1, 1, 3),
			[]Nuggets{1550, 1240, 930, 620, 558, 496, 372, 248, 62, 62, 62}, 0},
		{"one player: what nobody holds stays in the house (C16)", 51 * Nugget, ofRanks(1),
			[]Nuggets{1275}, 3825},
		{"five tenth: cut down, the rest is the remainder (C15)", 64 * Nugget,
			ofRanks(1, 1, 1, 1, 1, 1, 1, 1, 1, 5),
			[]Nuggets{1600, 1280, 960, 640, 576, 512, 384, 256, 128, 12, 12, 12, 12, 12}, 4},
		{"seven first: 93/7 % each, cut down", 100 * Nugget, ofRanks(7),
			[]Nuggets{1328, 1328, 1328, 1328, 1328, 1328, 1328}, 704},
		{"one hundredth is nobody's", 1, ofRanks(2), []Nuggets{0, 0}, 1},
		{"nobody played", 50 * Nugget, nil, []Nuggets{}, 5000},
	} {
		shares, remainder := TenRanks.Split(tc.pot, tc.ranking)
		if diff := cmp.Diff(tc.want, shares); diff != "" || remainder != tc.remainder {
			t.Errorf("%s: remainder %s, want %s (-want +got):\n%s", tc.name, remainder, tc.remainder, diff)
		}
	}
}

func TestArt9_SharingCheck(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:9")
	for _, tc := range []struct {
		name  string
		s     Sharing
		legal bool
	}{
		{"the regulation's", TenRanks, true},
		{"the winner takes all", Sharing{100}, true},
		{"more than the pot", Sharing{60, 41}, false},
		{"rising", Sharing{20, 30}, false},
		{"negative", Sharing{50, -1}, false},
		{"nothing to share", Sharing{0}, false},
		{"no rank", Sharing{}, false},
	} {
		if err := tc.s.Check(); !verdict(err, tc.legal, ErrSharingIllegal) {
			t.Errorf("%s: Check = %v, want legal %t", tc.name, err, tc.legal)
		}
	}
	for _, pot := range []Nuggets{-1, MaxPot + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a pot of %s was shared", pot)
				}
			}()
			TenRanks.Split(pot, ofRanks(1))
		}()
	}
}

// standingsGen draws players with few different points, so that ties are common.
func standingsGen(t *rapid.T) []Standing {
	points := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 30).Draw(t, "points")
	standings := make([]Standing, len(points))
	for i, p := range points {
		standings[i] = Standing{playerID(int64(i + 1)), Points(p)}
	}
	return standings
}

// TestSplit_Properties: paid + remainder = pot and nothing negative; equal points, equal
// share; more points, no smaller share; nobody is a hundredth away from the exact share;
// the order of players does not matter.
func TestSplit_Properties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		standings := standingsGen(t)
		pot := Nuggets(rapid.Int64Range(0, int64(MaxPot)).Draw(t, "pot"))
		ranking := Rank(standings)
		shares, remainder := TenRanks.Split(pot, ranking)
		sum := remainder
		for i, share := range shares {
			sum += share
			if share < 0 {
				t.Errorf("player %d is paid %s", ranking[i].Player, share)
			}
			if i == 0 {
				continue
			}
			if ranking[i].Points == ranking[i-1].Points &&
				(share != shares[i-1] || ranking[i].Rank != ranking[i-1].Rank) {
				t.Errorf("equal points, but %s and %s", shares[i-1], share)
			}
			if ranking[i].Points < ranking[i-1].Points && (share > shares[i-1] || ranking[i].Rank != i+1) {
				t.Errorf("rank %d gets %s, above the rank before", ranking[i].Rank, share)
			}
		}
		if sum != pot || remainder < 0 {
			t.Errorf("paid and remainder sum to %s, the pot is %s", sum, pot)
		}
		if diff := cmp.Diff(ranking, Rank(rapid.Permutation(standings).Draw(t, "order"))); diff != "" {
			t.Errorf("the order of players matters:\n%s", diff)
		}
	})
}
