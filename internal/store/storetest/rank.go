package storetest

import (
	"errors"
	"testing"

	"boulier/internal/app"
	boulier "boulier/player"
)

func testRanks(t *testing.T, f *fixture) {
	f.ok(app.Keys{}, func(tx app.Tx) error {
		for _, scope := range []string{"leg/1/7", "leg/1/70"} {
			for place := int64(3); place >= 1; place-- {
				tx.Insert(app.RankRow{Scope: scope, Place: place, Player: boulier.ID(100 - place),
					Rank: place, Points: 10 - place, Share: place * 5})
			}
		}
		return nil
	})
	rows, err := f.store.Ranks(t.Context(), "leg/1/7", 1, 1)
	if err != nil || len(rows) != 1 || rows[0].Place != 2 || rows[0].Player != 98 || rows[0].Points != 8 || rows[0].Share != 10 {
		t.Errorf("after place 1: %+v, %v", rows, err)
	}
	row, err := f.store.RankOf(t.Context(), "leg/1/7", 97)
	if err != nil || row.Place != 3 || row.Scope != "leg/1/7" {
		t.Errorf("the line of player 97: %+v, %v", row, err)
	}
	if _, err := f.store.RankOf(t.Context(), "leg/1/7", 7); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("the line of nobody: %v", err)
	}
}

func testNames(t *testing.T, f *fixture) {
	f.ok(app.Keys{}, func(tx app.Tx) error {
		tx.Insert(app.PersonRow{ID: 31, SignIn: "zoe", Name: "Zoé"}, app.PersonRow{ID: 32, SignIn: "ali", Name: "Ali"})
		return nil
	})
	names, err := f.store.Names(t.Context(), []boulier.ID{32, 33, 31})
	if err != nil || len(names) != 2 || names[31] != "Zoé" || names[32] != "Ali" {
		t.Errorf("names: %v, %v", names, err)
	}
}
