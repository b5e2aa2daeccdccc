package store

import (
	"database/sql"
	"database/sql/driver"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrations embed.FS

// A dialect is what differs between the two engines: the schema's words, the shape of
// bulk statements, and the meaning of errors.
type dialect interface {
	name() string
	goose() goose.Dialect
	gooseOptions() []goose.ProviderOption
	schema() (fs.FS, error)

	// exclusive reports whether no other process writes to an open database.
	exclusive() bool

	// connected are the statements that a new connection of the writer begins with.
	connected() []string

	begin() string
	// snapshot makes a transaction see one moment.
	snapshot() *sql.TxOptions
	// insert is the verb of a bulk INSERT. A failure undoes the transaction anyway, so
	// SQLite need not be able to undo the statement alone (which costs a second journal).
	insert() string
	// anyOf is the condition that column equals one element of list argument $n.
	anyOf(column string, n int) string
	// list makes that argument from strings or byte strings.
	list(values []any) any
	// lock ends a SELECT whose rows the transaction will write; share, only read.
	lock() string
	share() string
	// values is the source of rows of an INSERT, from $1 on; chunks are the numbers of
	// rows that one statement may take, largest first (nil: any number at once).
	values(cols []column, rows int) string
	chunks() []int
	// args turns rows, given one after the other, into the arguments of such a statement.
	args(cols []column, flat []any) []any

	classify(err error) failure
}

// failure says what a failed statement or commit means.
type failure int

const (
	broken   failure = iota // anything else
	conflict                // another transaction was in the way: again
	gone                    // the server is not there: again, unless it was committing
	undone                  // the engine undid the transaction: again, one by one
	unique                  // a key or unique value exists already
)

// migrationsOf returns the schema with each file rewritten.
func migrationsOf(rewrite func(string) string) (fs.FS, error) {
	out := fstest.MapFS{}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := migrations.ReadFile(f)
		if err != nil {
			return nil, err
		}
		out[strings.TrimPrefix(f, "migrations/")] = &fstest.MapFile{Data: []byte(rewrite(string(b)))}
	}
	return out, nil
}

// sqliteDialect speaks to SQLite.
type sqliteDialect struct{}

func (sqliteDialect) name() string         { return "sqlite" }
func (sqliteDialect) goose() goose.Dialect { return goose.DialectSQLite3 }

func (sqliteDialect) gooseOptions() []goose.ProviderOption { return nil } // the folder is ours

// schema rewrites the types, and makes every table STRICT.
func (sqliteDialect) schema() (fs.FS, error) {
	words := strings.NewReplacer("BIGINT", "INTEGER", "BYTEA", "BLOB", ` COLLATE "C"`, "",
		"\n) /* without rowid */;", "\n) STRICT, WITHOUT ROWID;", "\n);", "\n) STRICT;")
	return migrationsOf(words.Replace)
}

// snapshot needs nothing: a transaction of SQLite that has begun to read sees one moment.
func (sqliteDialect) snapshot() *sql.TxOptions { return nil }

func (sqliteDialect) exclusive() bool { return true } // openSQLite locks the folder

func (sqliteDialect) connected() []string { return nil } // openSQLite names its pragmas

func (sqliteDialect) begin() string  { return "BEGIN IMMEDIATE" }
func (sqliteDialect) insert() string { return "INSERT OR FAIL" }

func (sqliteDialect) anyOf(column string, n int) string {
	value := "value"
	if column == "id" || column == "numbers" {
		value = "unhex(value)"
	}
	return fmt.Sprintf("%s IN (SELECT %s FROM json_each($%d))", column, value, n)
}

// list gives a JSON array of the texts, or of the bytes in hexadecimal.
func (sqliteDialect) list(values []any) any {
	words := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			words[i] = v
		case []byte:
			words[i] = hex.EncodeToString(v)
		}
	}
	b, err := json.Marshal(words)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(b)
}

func (sqliteDialect) lock() string  { return "" }
func (sqliteDialect) share() string { return "" }

func (sqliteDialect) values(cols []column, rows int) string {
	var b strings.Builder
	b.WriteString("VALUES ")
	// Without numbers: SQLite looks each named parameter up from the first one on.
	row := "(?" + strings.Repeat(",?", len(cols)-1) + ")"
	for r := range rows {
		if r > 0 {
			b.WriteByte(',')
		}
		b.WriteString(row)
	}
	return b.String()
}

func (sqliteDialect) chunks() []int { return []int{64, 8, 1} }

func (sqliteDialect) args(_ []column, flat []any) []any { return flat }

func (sqliteDialect) classify(err error) failure {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return broken
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
		sqlite3.SQLITE_CONSTRAINT_ROWID:
		return unique
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return conflict
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM:
		return undone
	}
	return broken
}

// postgresDialect speaks to PostgreSQL.
type postgresDialect struct{}

func (postgresDialect) name() string         { return "postgres" }
func (postgresDialect) goose() goose.Dialect { return goose.DialectPostgres }

// gooseOptions let one node migrate at a time.
func (postgresDialect) gooseOptions() []goose.ProviderOption {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
	if err != nil {
		panic(err) // the numbers above are wrong
	}
	return []goose.ProviderOption{goose.WithSessionLocker(locker)}
}

func (postgresDialect) schema() (fs.FS, error) {
	return migrationsOf(func(s string) string { return s })
}

func (postgresDialect) snapshot() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

func (postgresDialect) exclusive() bool { return false }

// connected keeps the writer on its indexes, whatever the statistics of a table that was
// empty a moment ago say: it only ever asks by key.
func (postgresDialect) connected() []string {
	return []string{"SET enable_seqscan=off", "SET plan_cache_mode=force_generic_plan"}
}

func (postgresDialect) begin() string  { return "BEGIN ISOLATION LEVEL READ COMMITTED" }
func (postgresDialect) insert() string { return "INSERT" }

func (postgresDialect) anyOf(column string, n int) string {
	return fmt.Sprintf("%s = ANY($%d)", column, n)
}

// list gives a typed slice, which pgx sends as an array.
func (postgresDialect) list(values []any) any {
	if len(values) > 0 {
		if _, ok := values[0].([]byte); ok {
			return typed[[]byte](values, 0, 1)
		}
	}
	return typed[string](values, 0, 1)
}

func (postgresDialect) lock() string  { return " FOR UPDATE" }
func (postgresDialect) share() string { return " FOR SHARE" }

func (postgresDialect) values(cols []column, _ int) string {
	var b strings.Builder
	b.WriteString("SELECT * FROM unnest(")
	for i, c := range cols {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "$%d::%s[]", i+1, c.kind)
	}
	b.WriteByte(')')
	return b.String()
}

func (postgresDialect) chunks() []int { return nil }

// args turns rows into one array a column.
func (postgresDialect) args(cols []column, flat []any) []any {
	out := make([]any, len(cols))
	for i, c := range cols {
		switch c.kind {
		case integer:
			out[i] = typed[*int64](flat, i, len(cols))
		case text:
			out[i] = typed[string](flat, i, len(cols))
		case blob:
			out[i] = typed[[]byte](flat, i, len(cols))
		}
	}
	return out
}

// typed picks every step-th value from start as a slice of T. Integers become pointers,
// so that a nil is NULL.
func typed[T any](flat []any, start, step int) []T {
	out := make([]T, 0, len(flat)/step)
	for i := start; i < len(flat); i += step {
		switch v := flat[i].(type) {
		case T:
			out = append(out, v)
		case int64:
			var x any = &v
			out = append(out, x.(T))
		case nil:
			var zero T
			out = append(out, zero)
		default:
			panic(fmt.Sprintf("store: a column of %T holds a %T", out, v))
		}
	}
	return out
}

func (postgresDialect) classify(err error) failure {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var connecting *pgconn.ConnectError
		var network net.Error
		if errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) ||
			errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
			errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
			return gone
		}
		return broken
	}
	switch e.Code {
	case "40001", "40P01":
		return conflict
	case "57P01", "57P02", "57P03", "08000", "08003", "08006":
		return gone
	case "23505":
		return unique
	}
	return broken
}
