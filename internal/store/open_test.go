package store

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"boulier/internal/app"
	"boulier/internal/pgtest"
)

func TestOpen_Durable(t *testing.T) {
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		want := Durability{"sqlite", "wal", "2"}
		if cfg.URL != "" {
			want = Durability{"postgres", "on", "on"}
		}
		if got, err := s.Durability(t.Context()); got != want || err != nil {
			t.Errorf("Durability is %+v, %v; want %+v", got, err, want)
		}
		if s.Schema() < 1 {
			t.Errorf("the schema has version %d", s.Schema())
		}
	})
}

// sqlOn runs a statement on a PostgreSQL database.
func sqlOn(t *testing.T, dsn, text string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, err := c.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func TestOpen_RefusesADatabaseThatForgets(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t, migrateEmpty)
	sqlOn(t, dsn, `DO $$ BEGIN EXECUTE 'ALTER DATABASE '||current_database()||' SET synchronous_commit=off'; END $$`)
	if _, err := Open(t.Context(), config(Config{URL: dsn})); !errors.Is(err, ErrNotDurable) {
		t.Errorf("Open returns %v, want %v", err, ErrNotDurable)
	}
}

func TestOpen_RefusesANewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		const newer = "INSERT INTO goose_db_version (version_id,is_applied) VALUES (99,%s)"
		value := "1"
		if cfg.URL != "" {
			value = "true"
		}
		if _, err := s.w.conn.ExecContext(t.Context(), strings.Replace(newer, "%s", value, 1)); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := Open(t.Context(), cfg); !errors.Is(err, ErrNewer) {
			t.Errorf("Open returns %v, want %v", err, ErrNewer)
		}
	})
}

func TestOpen_NodesMayStartTogether(t *testing.T) {
	t.Parallel()
	cfg := config(Config{URL: pgtest.New(t, nothing)})
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Go(func() {
			cfg := cfg
			cfg.Node = n
			s, err := Open(t.Context(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
}

// A PostgreSQL whose language ignores « / » and capitals must order and find names as any.
func TestOpen_OrderOfNamesIsThatOfTheirBytes(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t, nothing)
	sqlOn(t, dsn, `CREATE COLLATION french (provider=icu, locale='fr-u-ka-shifted')`)
	s := open(t, config(Config{URL: dsn}))
	var differs bool
	if err := s.reads.QueryRow(`SELECT 'a/2' COLLATE french < 'a1' COLLATE french`).Scan(&differs); err != nil || differs {
		t.Fatalf("the collation of the test does not ignore punctuation: %v, %v", differs, err)
	}
	for _, table := range tables {
		for _, c := range table.cols[:table.key] {
			var collation string
			if c.kind != text {
				continue
			}
			err := s.reads.QueryRow(`SELECT coalesce(collation_name,'that of the server') FROM information_schema.columns
				WHERE table_name=$1 AND column_name=$2`, table.name, c.name).Scan(&collation)
			if err != nil || collation != "C" {
				t.Errorf("%s.%s is ordered by %s (%v)", table.name, c.name, collation, err)
			}
		}
	}
}

// The statements bind $N by number; a driver that binds in the order of appearance would
// mix the arguments up.
func TestDriver_BindsByNumber(t *testing.T) {
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		var second, first, again int64
		err := s.reads.QueryRow("SELECT CAST($2 AS BIGINT), CAST($1 AS BIGINT), CAST($2 AS BIGINT)", 1, 2).
			Scan(&second, &first, &again)
		if err != nil || second != 2 || first != 1 || again != 2 {
			t.Errorf("$2, $1, $2 of (1, 2) are %d, %d, %d (%v)", second, first, again, err)
		}
	})
}

func TestRead_OnlyReads(t *testing.T) {
	t.Parallel()
	s := open(t, config(Config{Folder: t.TempDir()}))
	if _, err := s.reads.Exec("DELETE FROM accounts"); err == nil {
		t.Error("a reader can write")
	}
	if _, err := s.Session(t.Context(), "none"); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("Session returns %v", err)
	}
}
