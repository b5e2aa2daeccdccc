// Package store keeps the state of the platform in SQLite or PostgreSQL, behind the
// interface that package app declares. One goroutine writes: it takes the requests that
// are waiting, runs them one after the other on what their keys name, and makes all of
// them durable in one commit (docs/decisions/0002-group-commit.md).
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"boulier/internal/app"
)

// MaxNode is the highest number of a node. It is kept for the commands that work on a
// database beside its servers.
const MaxNode = 1<<nodeBits - 1

// Config says where the data is and what the store needs from outside.
type Config struct {
	Folder  string           // data folder, for SQLite; it must exist
	URL     string           // postgres://…, instead of Folder
	Node    int              // 0 to MaxNode, different in each process on a database
	Now     func() time.Time // the clock
	Entropy func([]byte)     // fills with random bytes; it does not fail

	// Committed is told after each commit which states and accounts have changed. It
	// must return at once. May be nil.
	Committed func(app.Committed)

	// Unsafe gives up durability, for the benchmark that shows what it costs.
	Unsafe bool
	// Single makes one commit a request, for the same benchmark.
	Single bool
}

// Store implements app.Store.
type Store struct {
	cfg     Config
	dialect dialect
	db      *sql.DB // the writer's
	reads   *pool
	lock    *folderLock
	schema  int64 // its version

	queue chan *call
	crowd int           // how many shared the last commit; the writer's
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the writer has ended

	forgotten atomic.Int64 // the time, in milliseconds, up to which answers were dropped

	held map[string]int64 // epochs of the leases that this process took; the writer's

	unlisten  context.CancelFunc // ends what hears other nodes
	listening sync.WaitGroup
	once      sync.Once

	failed chan struct{} // closed when an outcome is unknown: the process must stop
	cause  error         // readable once failed is closed

	w     writer
	hooks hooks
	counters
}

var _ app.Store = (*Store)(nil)

// Open opens the database, checks that commits are durable, brings the schema up to date
// and starts the writer. One process owns a data folder; a second Open is refused.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	s := &Store{
		cfg:      cfg,
		queue:    make(chan *call, maxGroup),
		stop:     make(chan struct{}),
		done:     make(chan struct{}),
		failed:   make(chan struct{}),
		held:     map[string]int64{},
		unlisten: func() {},
		hooks:    hooks{commit: func(do func() error) error { return do() }},
	}
	var err error
	var claimed *pgx.Conn
	if cfg.URL != "" {
		if err = s.openPostgres(); err == nil {
			claimed, err = s.claim(ctx)
		}
	} else {
		err = s.openSQLite()
	}
	if err == nil {
		err = s.prepare(ctx)
	}
	if err != nil {
		if claimed != nil {
			claimed.Close(context.WithoutCancel(ctx))
		}
		s.release()
		return nil, err
	}
	go s.write()
	if cfg.URL != "" {
		ctx, cancel := context.WithCancel(context.Background())
		s.unlisten = cancel
		s.listening.Go(func() { s.listen(ctx, claimed) })
	}
	return s, nil
}

func (s *Store) openSQLite() (err error) {
	if s.lock, err = lockFolder(s.cfg.Folder); err != nil {
		return err
	}
	s.dialect = sqliteDialect{}
	file := fileURL(filepath.Join(s.cfg.Folder, DatabaseFile))
	sync := "FULL"
	if s.cfg.Unsafe {
		sync = "OFF"
	}
	common := "?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)&_pragma=synchronous(" + sync + ")" +
		"&_pragma=fullfsync(1)&_pragma=checkpoint_fullfsync(1)&_pragma=cache_size(-32768)&_pragma=temp_store(2)"
	if s.db, err = sql.Open("sqlite", file+common+
		"&_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(8000)&_txlock=immediate"); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	reads, err := sql.Open("sqlite", file+common+"&_pragma=query_only(1)")
	if err != nil {
		return err
	}
	s.reads = newPool(reads)
	s.reads.SetMaxOpenConns(4)
	s.reads.SetMaxIdleConns(4)
	return nil
}

func (s *Store) openPostgres() (err error) {
	s.dialect = postgresDialect{}
	if s.db, err = sql.Open("pgx", s.cfg.URL); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(2)
	reads, err := sql.Open("pgx", s.cfg.URL)
	if err != nil {
		return err
	}
	s.reads = newPool(reads)
	s.reads.SetMaxOpenConns(8)
	s.reads.SetMaxIdleConns(8)
	return nil
}

// DatabaseFile is the name of the SQLite database in a data folder.
const DatabaseFile = "boulier.db"

// Holds reports whether a data folder holds a database. The first start writes it before
// anything else, so that one which is missing or empty beside other things of a house is lost.
func Holds(folder string) bool {
	info, err := os.Stat(filepath.Join(folder, DatabaseFile))
	return err == nil && info.Size() > 0
}

// prepare migrates, checks durability and reads where time stands.
func (s *Store) prepare(ctx context.Context) error {
	var err error
	if s.schema, err = migrateUp(ctx, s.db, s.dialect); err != nil {
		return err
	}
	if !s.cfg.Unsafe {
		if err := s.checkDurable(ctx); err != nil {
			return err
		}
	}
	s.w.store = s
	if err := s.w.connect(ctx); err != nil {
		return err
	}
	// Time and identifiers go on from the latest ones, should the clock have been set back.
	for _, t := range []*table{batchesTable, movementsTable} {
		var last sql.NullInt64
		if err := s.w.conn.QueryRowContext(ctx, "SELECT max(id) FROM "+t.name).Scan(&last); err != nil {
			return fmt.Errorf("store: reading the last time: %w", err)
		}
		s.w.saw(last.Int64)
	}
	s.w.last = moment(s.w.lastID >> nodeBits)
	return nil
}

// Schema returns the version of the database's schema.
func (s *Store) Schema() int64 { return s.schema }

// Durability describes how commits are made durable.
type Durability struct{ Engine, Journal, Sync string }

// Durability asks the engine how it commits.
func (s *Store) Durability(ctx context.Context) (Durability, error) {
	d := Durability{Engine: s.dialect.name()}
	questions := []string{"PRAGMA journal_mode", "PRAGMA synchronous"}
	if d.Engine == "postgres" {
		questions = []string{"SHOW fsync", "SHOW synchronous_commit"}
	}
	for i, into := range []*string{&d.Journal, &d.Sync} {
		if err := s.reads.QueryRowContext(ctx, questions[i]).Scan(into); err != nil {
			return d, fmt.Errorf("store: %s: %w", questions[i], err)
		}
	}
	return d, nil
}

// ErrNewer refuses a database that a newer program has written.
var ErrNewer = errors.New("store: the database belongs to a newer version of the program")

// ErrNotDurable refuses a database that may forget what it has committed.
var ErrNotDurable = errors.New("store: the database is not set up to keep what it commits")

func (s *Store) checkDurable(ctx context.Context) error {
	d, err := s.Durability(ctx)
	if err != nil {
		return err
	}
	ok := d.Journal == "wal" && d.Sync == "2"
	if d.Engine == "postgres" {
		ok = d.Journal == "on" && d.Sync != "off"
	}
	if !ok {
		return fmt.Errorf("%w: journal or fsync is %q, synchronous is %q", ErrNotDurable, d.Journal, d.Sync)
	}
	return nil
}

// Failed is closed when the outcome of a commit is unknown. The process must then stop:
// after a restart the same requests are answered from what is stored.
func (s *Store) Failed() <-chan struct{} { return s.failed }

// Cause returns why the store failed, once Failed is closed.
func (s *Store) Cause() error { return s.cause }

// Close ends the writer after what is waiting, and closes the database.
func (s *Store) Close() error {
	s.once.Do(func() {
		s.unlisten()
		s.listening.Wait()
		close(s.stop)
		<-s.done
		s.release()
	})
	return nil
}

func (s *Store) release() {
	s.w.close()
	if s.reads != nil {
		s.reads.Close()
	}
	if s.db != nil {
		s.db.Close()
	}
	s.lock.release()
}
