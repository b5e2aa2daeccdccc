package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/internal/pgtest"
	"boulier/ledger"
	"boulier/player"
)

func config(cfg Config) Config {
	cfg.Now, cfg.Entropy = time.Now, func(p []byte) { rand.Read(p) }
	return cfg
}

func migrateEmpty(dsn string) error {
	s, err := Open(context.Background(), config(Config{URL: dsn}))
	if err != nil {
		return err
	}
	return s.Close()
}

// onBoth runs a test on an empty database of each engine.
func onBoth(t *testing.T, test func(t *testing.T, cfg Config)) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, config(Config{Folder: t.TempDir()}))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, config(Config{URL: pgtest.New(t, migrateEmpty)}))
	})
}

func open(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// counter is the state of the tests: how many sales there were.
type counter struct{ N int64 }

func decodeCounter(b []byte) (any, error) {
	var c counter
	err := json.Unmarshal(b, &c)
	return c, err
}

func encodeCounter(v any) ([]byte, error) { return json.Marshal(v) }

// buys sells the next unit of a block to a buyer, as a real sale does: count, stake, unit,
// event and answer. The answer is the number of the unit. ran, if any, is told that fn ran.
func buys(ctx context.Context, s *Store, r app.Request, buyer int, ran func()) (int64, error) {
	path := ledger.Path(fmt.Sprintf("player:%d", buyer))
	keys := app.Keys{Request: r, Accounts: []ledger.Path{"bank", path, "instant:1"}, States: []string{"block/1"}}
	return app.Do(ctx, s, keys, func(tx app.Tx) (int64, error) {
		if ran != nil {
			ran()
		}
		v, err := tx.Get("block/1", decodeCounter)
		if err != nil {
			return 0, err
		}
		c, _ := v.(counter)
		c.N++
		tx.Put("block/1", c, encodeCounter)
		_, err = tx.Post(app.Posting{Kind: "stake", Moves: []ledger.Movement{
			{From: "bank", To: path, Amount: ledger.Euros(200)},
			{From: path, To: "instant:1", Amount: ledger.Euros(200)}}})
		if err != nil {
			return 0, err
		}
		tx.Insert(app.UnitRow{Block: 1, Number: c.N, Player: player.ID(buyer), SoldAt: tx.Now()})
		_, err = tx.Append("block/1", "unit_sold", fmt.Appendf(nil, `{"number":%d}`, c.N))
		return c.N, err
	})
}

func request(buyer int) app.Request {
	return app.NewRequest(app.NewRequestID(), fmt.Sprintf("person/%d", buyer), "buy", 1)
}

// sound fails the test unless every check of the store passes.
func sound(t testing.TB, s *Store) (r Report) {
	t.Helper()
	for _, check := range []func(context.Context) (Report, error){s.CheckEngine, s.CheckLedger,
		func(ctx context.Context) (Report, error) { return s.CheckJournal(ctx, nil) }} {
		found, err := check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range found.Faults {
			t.Error(fault)
		}
		r.Accounts += found.Accounts
		r.Movements += found.Movements
		r.Events += found.Events
		r.Placed += found.Placed
		r.Erased += found.Erased
	}
	return r
}

// zeros is the entropy of a key that each test and each process makes anew.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// zeroKey returns the key that signs checkpoints.
func zeroKey() (note.Signer, note.Verifier, error) {
	secret, public, err := note.GenerateKey(zeros{}, "test.example/boulier")
	if err != nil {
		return nil, nil, err
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		return nil, nil, err
	}
	verifier, err := note.NewVerifier(public)
	return signer, verifier, err
}
