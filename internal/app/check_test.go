package app_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/regs/regstest"
)

// TestHouse6_AChangedRowIsFound changes rows in the database behind the program's back: the
// check of the games says which, and nothing once they are as they were.
func TestHouse6_AChangedRowIsFound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:6")
	folder := t.TempDir()
	h := apptest.On(t, store.Config{Folder: folder})
	issue := ready(h, 2)
	anne := h.Player("anne", 100_00)
	for range 15 { // the first block and three of the second
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	check := func() []string {
		t.Helper()
		r, err := app.CheckGames(t.Context(), h.Ground)
		if err != nil || r.Blocks != 2 {
			t.Fatal(r, err)
		}
		return r.Faults
	}
	if faults := check(); len(faults) > 0 {
		t.Fatal(faults)
	}
	db, err := sql.Open("sqlite", filepath.Join(folder, store.DatabaseFile)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(text string) {
		t.Helper()
		done, err := db.Exec(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if n, _ := done.RowsAffected(); n == 0 {
			t.Fatalf("%s changes nothing", text)
		}
	}
	for _, tc := range []struct{ change, back, says string }{
		{"UPDATE instant_units SET prize=prize+1 WHERE block=1 AND number=5", "UPDATE instant_units SET prize=prize-1 WHERE block=1 AND number=5", "unit 5 of block 1"},
		{"UPDATE instant_units SET player=player+1 WHERE block=2 AND number=2", "UPDATE instant_units SET player=player-1 WHERE block=2 AND number=2", "unit 2 of block 2"},
		{"UPDATE instant_units SET number=99 WHERE block=2 AND number=3", "UPDATE instant_units SET number=3 WHERE block=2 AND number=99", "unit 99 of block 2"},
		{"UPDATE instant_units SET block=9 WHERE block=1 AND number=12", "UPDATE instant_units SET block=1 WHERE block=9", "no unit 12"},
		{`UPDATE states SET body=CAST(replace(CAST(body AS TEXT), '"stakes":600', '"stakes":601') AS BLOB) WHERE name='instant/sales/2'`,
			`UPDATE states SET body=CAST(replace(CAST(body AS TEXT), '"stakes":601', '"stakes":600') AS BLOB) WHERE name='instant/sales/2'`, "block 2: its facts"},
		{"UPDATE secrets SET use='x' WHERE id='2'", "UPDATE secrets SET use='instant/block' WHERE use='x'", "the secret of block 2"},
	} {
		run(tc.change)
		if faults := check(); len(faults) != 1 || !strings.Contains(faults[0], tc.says) {
			t.Errorf("%s: %q", tc.change, faults)
		}
		run(tc.back)
	}
	if faults := check(); len(faults) > 0 {
		t.Error(faults)
	}
}
