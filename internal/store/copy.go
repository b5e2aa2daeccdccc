package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"golang.org/x/mod/sumdb/note"
)

// ErrDamaged says that a copy does not hold what a database must.
var ErrDamaged = errors.New("store: the copy is not sound")

// Copy writes one moment of the whole database to file, which must not exist: a SQLite
// database, whatever the engine is, that Restore reads. Sales go on meanwhile. The copy is
// checked before it gets its name, and on the disk when Copy returns. Keys are no part of it.
func (s *Store) Copy(ctx context.Context, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("store: %s exists; give the copy a new name", file)
	}
	part := file + ".part"
	if err := errors.Join(removeFile(part), removeLeftovers(file)); err != nil {
		return fmt.Errorf("store: copying: %w", err)
	}
	err := s.copyTo(ctx, part)
	if err == nil {
		err = checkFile(ctx, part, nil)
	}
	if err == nil {
		err = os.Rename(part, file)
	}
	if err == nil {
		return syncFile(filepath.Dir(file))
	}
	removeFile(part)
	return fmt.Errorf("store: copying the database: %w", err)
}

// leftAfter is how long nothing was written to a copy that was surely cut off.
const leftAfter = time.Hour

// removeLeftovers removes the copies that were cut off in the folder of a file, of its sort.
func removeLeftovers(file string) error {
	list, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	for _, entry := range list {
		info, err := entry.Info()
		if err != nil || !strings.HasSuffix(entry.Name(), filepath.Ext(file)+".part") ||
			!info.Mode().IsRegular() || time.Since(info.ModTime()) < leftAfter {
			continue
		}
		if err := removeFile(filepath.Join(filepath.Dir(file), entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) copyTo(ctx context.Context, part string) error {
	if s.dialect.name() == "sqlite" {
		// Not on a connection of the pool, which may only ask.
		db, err := openFile(filepath.Join(s.cfg.Folder, DatabaseFile), "mode=ro")
		if err != nil {
			return err
		}
		defer db.Close()
		if _, err := db.ExecContext(ctx, "VACUUM INTO $1", part); err != nil {
			return err
		}
		return syncFile(part)
	}
	db, err := openFile(part, "_pragma=synchronous(0)&_pragma=journal_mode(MEMORY)")
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := migrateUp(ctx, db, sqliteDialect{}); err != nil {
		return err
	}
	err = s.snapshot(ctx, func(from *sql.Tx) error {
		return copyTables(ctx, from, db, sqliteDialect{})
	})
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	return syncFile(part)
}

// openFile opens a SQLite database with one connection.
func openFile(file, settings string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", fileURL(file)+"?"+settings)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// fileURL names a file as SQLite takes it.
func fileURL(file string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(file))
}

// migrateUp brings a schema up to date and returns its version. It returns ErrNewer for
// one that a newer program has made.
func migrateUp(ctx context.Context, db *sql.DB, d dialect) (version int64, err error) {
	schema, err := d.schema()
	if err != nil {
		return 0, err
	}
	provider, err := goose.NewProvider(d.goose(), db, schema, d.gooseOptions()...)
	if err != nil {
		return 0, fmt.Errorf("store: reading the migrations: %w", err)
	}
	had, version, err := provider.GetVersions(ctx)
	if err != nil {
		return 0, fmt.Errorf("store: reading the version of the schema: %w", err)
	}
	if had > version {
		return had, fmt.Errorf("%w: its schema is version %d, this program knows %d",
			ErrNewer, had, version)
	}
	if _, err := provider.Up(ctx); err != nil {
		return had, fmt.Errorf("store: bringing the schema up to date: %w", err)
	}
	return version, nil
}

// checkFile returns ErrDamaged with what is wrong in a copied database, if anything is. With a
// verifier, its journal must be signed by it.
func checkFile(ctx context.Context, file string, signed note.Verifier) error {
	db, err := openFile(file, "mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	s := &Store{dialect: sqliteDialect{}, reads: newPool(db)}
	for _, check := range []func(context.Context) (Report, error){s.CheckEngine, s.CheckLedger,
		func(ctx context.Context) (Report, error) { return s.CheckJournal(ctx, signed) }} {
		r, err := check(ctx)
		if err != nil {
			return err
		}
		if !r.None() {
			return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(r.Faults, "; "))
		}
	}
	return nil
}

// copyAtOnce is how many rows are held in memory at once.
const copyAtOnce = 512

// copyTables copies every row of every table, in one transaction.
func copyTables(ctx context.Context, from queryer, to *sql.DB, d dialect) error {
	raw, err := to.Conn(ctx)
	if err != nil {
		return err
	}
	defer raw.Close()
	c := newConn(raw, d)
	defer c.closeStmts()
	if err := c.word(ctx, d.begin()); err != nil {
		return err
	}
	for _, t := range tables {
		if err := copyTable(ctx, from, c, t); err != nil {
			return errors.Join(fmt.Errorf("store: copying %s: %w", t.name, err), c.word(ctx, "ROLLBACK"))
		}
	}
	return c.word(ctx, "COMMIT")
}

func copyTable(ctx context.Context, from queryer, to *conn, t *table) error {
	var flat []any
	write := func() error {
		err := to.bulk(ctx, t, insert, flat)
		flat = flat[:0]
		return err
	}
	for row, err := range each(ctx, from, t.scanRow, t.selectAll()) {
		if err != nil {
			return err
		}
		if flat = append(flat, row...); len(flat) >= copyAtOnce*len(t.cols) {
			if err := write(); err != nil {
				return err
			}
		}
	}
	if len(flat) == 0 {
		return nil
	}
	return write()
}

// selectAll is the question for all rows as scanRow takes them.
func (t *table) selectAll() string {
	var fields []string
	for _, c := range t.cols {
		fields = append(fields, c.name)
		if c.kind == blob {
			fields = append(fields, c.name+" IS NULL") // the driver of SQLite reads no bytes as NULL
		}
	}
	return "SELECT " + strings.Join(fields, ",") + " FROM " + t.name
}

// scanRow reads a row of the table as the bulk statements take it.
func (t *table) scanRow(s scanner) (row []any, err error) {
	into := make([]any, 0, 2*len(t.cols))
	for _, c := range t.cols {
		switch c.kind {
		case integer:
			into = append(into, new(sql.NullInt64))
		case text:
			into = append(into, new(string))
		case blob:
			into = append(into, new([]byte), new(bool))
		}
	}
	if err := s.Scan(into...); err != nil {
		return nil, err
	}
	for i := 0; i < len(into); i++ {
		switch v := into[i].(type) {
		case *sql.NullInt64:
			if v.Valid {
				row = append(row, v.Int64)
			} else {
				row = append(row, nil)
			}
		case *string:
			row = append(row, *v)
		case *[]byte:
			i++
			if null := *into[i].(*bool); *v == nil && !null {
				*v = []byte{}
			}
			row = append(row, *v)
		}
	}
	return row, nil
}

// removeFile removes a file if it is there, with what SQLite keeps beside it.
func removeFile(file string) error {
	for _, end := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(file + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
