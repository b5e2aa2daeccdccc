package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"boulier/internal/app"
	"boulier/internal/proof"
)

// The kinds of columns: everything stored is a 64-bit integer, a text or bytes.
const (
	integer = "bigint"
	text    = "text"
	blob    = "bytea"
)

type column struct{ name, kind string }

// A table is written only by bulk statements: rows that must be new, rows that replace
// those of the same key, keys to remove.
type table struct {
	name string
	key  int // the first columns that are the key
	cols []column
	id   int // index in tables
}

// tables in the order in which a group is flushed: the order of locks is always the same.
var tables []*table

func newTable(name string, key int, cols ...column) *table {
	t := &table{name: name, key: key, cols: cols, id: len(tables)}
	tables = append(tables, t)
	return t
}

func col(name, kind string) column { return column{name, kind} }

var (
	requestsTable = newTable("requests", 2, col("id", blob), col("actor", text),
		col("digest", blob), col("at", integer), col("refused", integer), col("answer", blob))
	statesTable = newTable("states", 1, col("name", text), col("number", integer),
		col("last", integer), col("body", blob))
	accountsTable = newTable("accounts", 1, col("path", text), col("unit", text),
		col("floor", integer), col("balance", integer), col("moves", integer),
		col("last", integer))
	movementsTable = newTable("movements", 2, col("id", integer), col("line", integer),
		col("at", integer), col("kind", text), col("ref", text), col("from_path", text),
		col("to_path", text), col("unit", text), col("amount", integer),
		col("from_after", integer), col("to_after", integer), col("from_prior", integer),
		col("to_prior", integer))
	journalTable = newTable("journal", 2, col("batch", integer), col("place", integer),
		col("stream", text), col("number", integer), col("leaf", blob), col("salt", blob),
		col("payload", blob))
	batchesTable = newTable("journal_batches", 1, col("id", integer), col("leaves", integer),
		col("hashes", blob), col("first_index", integer))
	tilesTable = newTable("journal_tiles", 2, col("level", integer), col("n", integer),
		col("data", blob))
	checkpointsTable = newTable("journal_checkpoints", 1, col("size", integer),
		col("root", blob), col("at", integer), col("note", text))
	leasesTable = newTable("leases", 1, col("scope", text), col("node", text),
		col("epoch", integer), col("expires_at", integer))
	secretsTable = newTable("secrets", 2, col("use", text), col("id", text), col("key_id", text),
		col("sealed", blob))
	dueTable    = newTable("due", 2, col("kind", text), col("ref", text), col("at", integer))
	peopleTable = newTable("people", 1, col("id", integer), col("sign_in", text),
		col("name", text), col("password", text), col("born", text), col("locale", text),
		col("created_at", integer))
	sessionsTable = newTable("sessions", 1, col("token", text), col("data", blob),
		col("expires_at", integer))
	unitsTable = newTable("instant_units", 2, col("block", integer), col("number", integer),
		col("player", integer), col("sold_at", integer), col("outcome", integer),
		col("prize", integer), col("board", integer), col("blind", blob))
	cardsTable = newTable("ninety_cards", 2, col("series", text), col("number", integer),
		col("ref", text), col("face", blob), col("numbers", blob))
	ranksTable = newTable("contest_ranks", 2, col("scope", text), col("place", integer),
		col("player", integer), col("rank", integer), col("points", integer), col("share", integer))
)

// spread returns the table of a row and its values in the order of the columns.
func spread(row app.Row) (*table, []any) {
	switch r := row.(type) {
	case app.PersonRow:
		return peopleTable, []any{int64(r.ID), r.SignIn, r.Name, r.Password, r.Born, r.Locale,
			r.CreatedAt.UnixMicro()}
	case app.SessionRow:
		return sessionsTable, []any{r.Token, r.Data, r.ExpiresAt.UnixMicro()}
	case app.SecretRow:
		return secretsTable, []any{r.Use, r.ID, r.KeyID, r.Sealed}
	case app.DueRow:
		return dueTable, []any{r.Kind, r.Ref, r.At.UnixMicro()}
	case app.UnitRow:
		return unitsTable, []any{r.Block, r.Number, int64(r.Player), r.SoldAt.UnixMicro(),
			r.Outcome, int64(r.Prize), r.Board, blindBytes(r.Blind)}
	case app.CardRow:
		return cardsTable, []any{string(r.Series), int64(r.Number), r.Ref, r.Face, sorted(r.Face)}
	case app.RankRow:
		return ranksTable, []any{r.Scope, r.Place, int64(r.Player), r.Rank, r.Points, r.Share}
	}
	panic(fmt.Sprintf("store: no table for %T", row))
}

// blindBytes is how a blind is stored: NULL when it is erased.
func blindBytes(b proof.Blind) any {
	if b == (proof.Blind{}) {
		return nil
	}
	return b[:]
}

// names lists columns for a statement.
func names(cols []column) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = c.name
	}
	return strings.Join(parts, ",")
}

// An op is what a bulk statement does with its rows.
type op int

const (
	insert op = iota // they must be new
	save             // they replace those of the same key
	remove           // only their keys are given
)

// columns returns the columns that an op takes.
func (t *table) columns(o op) []column {
	if o == remove {
		return t.cols[:t.key]
	}
	return t.cols
}

// sql is the bulk statement for a number of rows.
func (t *table) sql(d dialect, o op, rows int) string {
	key, source := names(t.cols[:t.key]), d.values(t.columns(o), rows)
	switch o {
	case insert:
		return fmt.Sprintf("%s INTO %s (%s) %s", d.insert(), t.name, names(t.cols), source)
	case remove:
		return fmt.Sprintf("DELETE FROM %s WHERE (%s) IN (%s)", t.name, key, source)
	}
	set := make([]string, 0, len(t.cols))
	for _, c := range t.cols[t.key:] {
		set = append(set, c.name+"=excluded."+c.name)
	}
	return fmt.Sprintf("%s INTO %s (%s) %s ON CONFLICT (%s) DO UPDATE SET %s",
		d.insert(), t.name, names(t.cols), source, key, strings.Join(set, ","))
}

// conn is the one connection of the writer, with its prepared statements.
type conn struct {
	*sql.Conn
	dialect dialect
	stmts   map[string]*sql.Stmt
	bulks   map[bulkKey]*sql.Stmt
}

func newConn(c *sql.Conn, d dialect) *conn {
	return &conn{Conn: c, dialect: d, stmts: map[string]*sql.Stmt{}, bulks: map[bulkKey]*sql.Stmt{}}
}

// closeStmts forgets the prepared statements.
func (c *conn) closeStmts() {
	for _, s := range c.stmts {
		s.Close()
	}
	for _, s := range c.bulks {
		s.Close()
	}
}

type bulkKey struct {
	table *table
	op    op
	rows  int
}

// bulk carries out an op on the rows of flat, which follow each other.
func (c *conn) bulk(ctx context.Context, t *table, o op, flat []any) error {
	cols := t.columns(o)
	rows := len(flat) / len(cols)
	chunks := c.dialect.chunks()
	if chunks == nil {
		chunks = []int{rows}
	}
	for _, n := range chunks {
		for ; rows >= n && n > 0; rows -= n {
			stmt, err := c.bulkStmt(ctx, t, o, n)
			if err != nil {
				return err
			}
			if _, err := stmt.ExecContext(ctx, c.dialect.args(cols, flat[:n*len(cols)])...); err != nil {
				return fmt.Errorf("store: writing %s: %w", t.name, err)
			}
			flat = flat[n*len(cols):]
		}
	}
	return nil
}

func (c *conn) bulkStmt(ctx context.Context, t *table, o op, rows int) (*sql.Stmt, error) {
	key := bulkKey{t, o, rows}
	if c.dialect.chunks() == nil {
		key.rows = 0 // one statement for any number
	}
	if s, ok := c.bulks[key]; ok {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, t.sql(c.dialect, o, rows))
	if err != nil {
		return nil, err
	}
	c.bulks[key] = s
	return s, nil
}

// erase removes the payloads and salts of events, given by stream and number. What they
// were cannot be found from the digest in the leaf any more.
func (c *conn) erase(ctx context.Context, flat []any) error {
	by := journalTable.cols[2:4]
	for ; len(flat) > 0; flat = flat[len(by):] {
		_, err := c.ExecContext(ctx,
			"UPDATE journal SET salt=NULL,payload=NULL WHERE stream=$1 AND number=$2", flat[:len(by)]...)
		if err != nil {
			return fmt.Errorf("store: erasing a payload: %w", err)
		}
	}
	return nil
}

// query runs a prepared SELECT.
func (c *conn) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, ok := c.stmts[text]
	if !ok {
		var err error
		if s, err = c.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
		c.stmts[text] = s
	}
	return s.QueryContext(ctx, args...)
}

// word runs a statement without arguments or rows: BEGIN, COMMIT, ROLLBACK.
func (c *conn) word(ctx context.Context, text string) error {
	_, err := c.ExecContext(ctx, text)
	return err
}
