package contest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/player"
	"boulier/regs/regstest"
)

func TestArt11_GiftOrder(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11")
	at := func(id int64, rank int, validated time.Time, order int64) Candidate {
		return Candidate{Ranked{Standing{playerID(id), Points(10 - rank)}, rank}, validated, order}
	}
	for _, tc := range []struct {
		name string
		in   []Candidate
		want []player.ID
	}{
		{"the rank first, however late", []Candidate{at(1, 2, clock(8, 0), 1), at(2, 1, clock(9, 0), 2)},
			[]player.ID{2, 1}},
		{"a tie: the earliest prediction",
			[]Candidate{at(1, 1, clock(9, 0), 1), at(2, 1, clock(8, 59), 2), at(3, 3, clock(7, 0), 3)},
			[]player.ID{2, 1, 3}},
		{"a microsecond is enough",
			[]Candidate{at(1, 1, clock(9, 0), 2), at(2, 1, clock(9, 0).Add(-time.Microsecond), 1)},
			[]player.ID{2, 1}},
		{"the same instant: order of receipt (C18)",
			[]Candidate{at(1, 1, clock(9, 0), 2), at(2, 1, clock(9, 0), 1)}, []player.ID{2, 1}},
		{"absent from the last leg: after those present (C18)",
			[]Candidate{at(1, 1, time.Time{}, 0), at(2, 1, clock(23, 0), 9)}, []player.ID{2, 1}},
		{"absent, but of a better rank", []Candidate{at(1, 1, time.Time{}, 0), at(2, 2, clock(1, 0), 1)},
			[]player.ID{1, 2}},
		{"both absent: the first registered",
			[]Candidate{at(5, 1, time.Time{}, 0), at(3, 1, time.Time{}, 0), at(4, 1, clock(1, 0), 1)},
			[]player.ID{4, 3, 5}},
	} {
		var got []player.ID
		for _, c := range GiftOrder(tc.in) {
			got = append(got, c.Player)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestArt11_GiftAnnouncedBeforeTheContestOpens(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11")
	if err := CheckGift(clock(9, 0), clock(9, 1)); err != nil {
		t.Errorf("announced before: %v", err)
	}
	if err := CheckGift(clock(9, 0), clock(9, 0)); !errors.Is(err, ErrGiftLate) {
		t.Errorf("announced at the opening: %v", err)
	}
}

func TestArt12_CheckOrder(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:12")
	for _, tc := range []struct {
		name               string
		shown, price, free Nuggets
		want               error
	}{
		{"the balance covers it exactly", 3000, 3000, 3000, nil},
		{"a hundredth short", 3000, 3000, 2999, ErrNotEnoughNuggets},
		{"the price rose (C22)", 3000, 3001, 9000, ErrPriceMoved},
		{"the price fell: refused too (C22)", 3000, 2000, 9000, ErrPriceMoved},
	} {
		if err := CheckOrder(tc.shown, tc.price, tc.free); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}
