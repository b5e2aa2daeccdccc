package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/mod/sumdb/note"
)

// ErrNotEmpty refuses to restore over a database that holds something.
var ErrNotEmpty = errors.New("store: the database holds something; restore into an empty one")

// Restore makes the database of cfg, which must be empty, what a file of Copy holds. The
// file is checked first, against the key that signed its journal if one is given, and brought
// up to date on the way: as a copy in the folder of cfg, which the next Restore replaces if
// this one is cut off. When Restore fails the database is as empty as before.
func Restore(ctx context.Context, file string, cfg Config, signed note.Verifier) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("store: restoring %s: %w", file, err)
		}
	}()
	folder := cfg.Folder
	if folder == "" {
		if folder, err = os.MkdirTemp("", "boulier-restore-"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	owned, err := lockFolder(folder)
	if err != nil {
		return err
	}
	defer owned.release()
	database := filepath.Join(folder, DatabaseFile)
	if cfg.URL == "" && Holds(folder) {
		return ErrNotEmpty
	}
	part := database + ".part"
	defer removeFile(part)
	if err := makeReady(ctx, file, part, signed); err != nil {
		return err
	}
	if cfg.URL != "" {
		return restorePostgres(ctx, part, cfg.URL)
	}
	// What a lost database left beside it would be taken for a part of this one.
	if err := removeFile(database); err != nil {
		return err
	}
	if err := os.Rename(part, database); err != nil {
		return err
	}
	return syncFile(folder)
}

// makeReady copies a file of Copy, brings the copy up to date and checks it.
func makeReady(ctx context.Context, file, part string, signed note.Verifier) error {
	if err := copyFile(file, part); err != nil {
		return err
	}
	db, err := openFile(part, "_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	defer db.Close()
	var made int
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema
		WHERE type='table' AND name IN ('goose_db_version','accounts','journal')`).Scan(&made)
	if err != nil {
		return fmt.Errorf("this is not a file of a backup: %w", err)
	}
	if made != 3 {
		return errors.New("this is not a file of a backup: it lacks the tables of one")
	}
	if _, err := migrateUp(ctx, db, sqliteDialect{}); err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return err
	}
	if err := checkFile(ctx, part, signed); err != nil {
		return err
	}
	return syncFile(part)
}

func restorePostgres(ctx context.Context, part, url string) error {
	from, err := openFile(part, "mode=ro")
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := migrateUp(ctx, to, postgresDialect{}); err != nil {
		return err
	}
	for _, t := range tables {
		var some bool
		if err := to.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM "+t.name+")").Scan(&some); err != nil {
			return err
		}
		if some {
			return fmt.Errorf("%w (table %s)", ErrNotEmpty, t.name)
		}
	}
	return copyTables(ctx, from, to, postgresDialect{})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := removeFile(to); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// syncFile puts a file or the names of a folder on the disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // a folder there, or a file open for reading, cannot be synced
	}
	return errors.Join(err, f.Close())
}
