package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"boulier/regs/regstest"
)

// check carries out the movements of a text table and compares each result and then the
// balances. Lines: from, to, amount, result; after "balance": path, amount.
func check(t *testing.T, table string) {
	t.Helper()
	accounts := map[Path]*Account{}
	account := func(p Path) *Account {
		if accounts[p] == nil {
			a := Open(p)
			accounts[p] = &a
		}
		return accounts[p]
	}
	balances := false
	for _, line := range strings.Split(table, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "from":
		case f[0] == "balance":
			balances = true
		case f[0] == "floor":
			account(Path(f[1])).Floor = number(t, f[2])
		case balances:
			if got := account(Path(f[0])).Balance; got != number(t, f[1]) {
				t.Errorf("%s holds %d, want %s", f[0], got, f[1])
			}
		default:
			unit := Open(Path(f[0])).Unit
			err := Move(account(Path(f[0])), account(Path(f[1])),
				Movement{Path(f[0]), Path(f[1]), Amount{unit, number(t, f[2])}})
			if got := word(err); got != f[3] {
				t.Errorf("%s: got %s", strings.TrimSpace(line), got)
			}
		}
	}
}

func word(err error) string {
	if err == nil {
		return "ok"
	}
	return strings.Split(err.Error(), ": ")[1]
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestStd14_Move(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:14", "house:1")
	check(t, `
		from           to               amount  result
		desk:1:cash    player:7           1000  ok
		player:7       bingo:r1            300  ok
		player:7       bingo:r1            701  insufficient_funds
		player:7       bingo:r1              0  not_positive
		player:7       bingo:r1             -5  not_positive
		player:7       player:7              5  same_account
		player:7       player:7:nuggets      5  unit_mismatch
		bingo:r1       player:8            300  ok
		bingo:r1       player:8              1  insufficient_funds

		balance
		desk:1:cash    -1000
		player:7         700
		player:8         300
		bingo:r1           0
		player:7:nuggets   0
	`)
}

func TestMove_IssueOwesItsOpenTablesAndNoMore(t *testing.T) {
	t.Parallel()
	check(t, `
		floor          instant:1         -5000
		from           to               amount  result
		instant:1      player:7           5000  ok
		instant:1      player:7              1  insufficient_funds
		player:7       instant:1           200  ok
		instant:1      player:7            200  ok

		balance
		instant:1      -5000
		player:7        5000
	`)
}

func TestMove_StakeIsNeverPaidFromItsOwnPrize(t *testing.T) {
	t.Parallel()
	check(t, `
		floor          instant:1         -5000
		from           to               amount  result
		desk:1:cash    player:7            199  ok
		player:7       instant:1           200  insufficient_funds
		balance
		player:7         199
		instant:1          0
	`)
}

func TestMove_SaysHowMuchIsMissing(t *testing.T) {
	t.Parallel()
	from, to := Open("player:7"), Open("instant:1")
	from.Balance = 199
	err := Move(&from, &to, Movement{"player:7", "instant:1", Amount{EUR, 200}})
	var short *Short
	if !errors.As(err, &short) || short.Missing != 1 || short.Path != "player:7" {
		t.Errorf("got %v, want player:7 short of 1", err)
	}
}

// TestMove_SumsToZero checks the invariant of the ledger: whatever is moved, accepted or
// refused, each unit sums to zero and no account is below its floor.
func TestMove_SumsToZero(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1")
	paths := []Path{"player:1", "player:2", "player:1:nuggets", "desk:1:cash", "contest:1", "house:nuggets", "bank", "instant:1"}
	rapid.Check(t, func(t *rapid.T) {
		accounts := map[Path]*Account{}
		for _, p := range paths {
			a := Open(p)
			accounts[p] = &a
		}
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			m := Movement{
				From: rapid.SampledFrom(paths).Draw(t, "from"),
				To:   rapid.SampledFrom(paths).Draw(t, "to"),
				Amount: Amount{
					rapid.SampledFrom([]Unit{EUR, Nuggets}).Draw(t, "unit"),
					rapid.Int64Range(-10, 1000).Draw(t, "amount"),
				},
			}
			before := fmt.Sprint(*accounts[m.From], *accounts[m.To])
			err := Move(accounts[m.From], accounts[m.To], m)
			if err != nil && fmt.Sprint(*accounts[m.From], *accounts[m.To]) != before {
				t.Errorf("%v was refused and changed an account", m)
			}
		}
		sums := map[Unit]int64{}
		for _, a := range accounts {
			sums[a.Unit] += a.Balance
			if a.Floor != NoFloor && a.Balance < a.Floor {
				t.Errorf("%s holds %d, below its floor %d", a.Path, a.Balance, a.Floor)
			}
		}
		for unit, sum := range sums {
			if sum != 0 {
				t.Errorf("%s sums to %d", unit, sum)
			}
		}
	})
}
