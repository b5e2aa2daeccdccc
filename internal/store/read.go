package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// scanner is a row to scan.
type scanner interface{ Scan(...any) error }

// one reads the first row of a question, or app.ErrNotFound.
func one[T any](ctx context.Context, db queryer, scan func(scanner) (T, error), q string,
	args ...any) (T, error) {
	v, err := scan(db.QueryRowContext(ctx, q, args...))
	if errors.Is(err, sql.ErrNoRows) {
		var none T
		return none, app.ErrNotFound
	}
	if err != nil {
		return v, fmt.Errorf("store: reading: %w", err)
	}
	return v, nil
}

// all reads every row of a question.
func all[T any](ctx context.Context, db queryer, scan func(scanner) (T, error), q string,
	args ...any) ([]T, error) {
	var out []T
	for v, err := range each(ctx, db, scan, q, args...) {
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func moment(us int64) time.Time { return time.UnixMicro(us).UTC() }

// after returns the first text past all that begin with prefix, for a range of an index.
func after(prefix string) string { return prefix + "\U0010FFFF" }

// below returns the one bound that a range of names after past needs: of two, SQLite would
// walk from the first to the second each time.
func below(prefix, past string) (from, bound string) {
	if past >= prefix {
		return past, ">"
	}
	return prefix, ">="
}

func scanStateRecord(s scanner) (r app.StateRecord, err error) {
	var number int64
	err = s.Scan(&r.Name, &number, &r.Body)
	r.Number = uint64(number)
	return r, err
}

// State implements app.Reader.
func (s *Store) State(ctx context.Context, name string) (app.StateRecord, error) {
	return one(ctx, s.reads, scanStateRecord, "SELECT name,number,body FROM states WHERE name=$1", name)
}

// States implements app.Reader.
func (s *Store) States(ctx context.Context, prefix, past string, limit int) ([]app.StateRecord, error) {
	from, bound := below(prefix, past)
	return all(ctx, s.reads, scanStateRecord, `SELECT name,number,body FROM states
		WHERE name `+bound+` $1 AND name < $2 ORDER BY name LIMIT $3`,
		from, after(prefix), limit)
}

func scanAccount(s scanner) (a ledger.Account, err error) {
	var path, unit string
	var moves int64
	err = s.Scan(&path, &unit, &a.Floor, &a.Balance, &moves)
	a.Path, a.Unit, a.Moves = ledger.Path(path), ledger.Unit(unit), uint64(moves)
	return a, err
}

// Account implements app.Reader.
func (s *Store) Account(ctx context.Context, path ledger.Path) (ledger.Account, error) {
	a, err := one(ctx, s.reads, scanAccount,
		"SELECT path,unit,floor,balance,moves FROM accounts WHERE path=$1", string(path))
	if errors.Is(err, app.ErrNotFound) {
		return ledger.Open(path), nil
	}
	return a, err
}

// AccountAndState implements app.Reader.
func (s *Store) AccountAndState(ctx context.Context, path ledger.Path, state string) (
	ledger.Account, []byte, error) {
	a := ledger.Open(path)
	var unit sql.NullString
	var floor, balance, moves sql.NullInt64
	var body []byte
	err := s.reads.QueryRowContext(ctx, `SELECT a.unit, a.floor, a.balance, a.moves, s.body
		FROM (SELECT 1 AS one) AS o LEFT JOIN accounts a ON a.path = $1
		LEFT JOIN states s ON s.name = $2`, string(path), state).
		Scan(&unit, &floor, &balance, &moves, &body)
	if err != nil {
		return a, nil, fmt.Errorf("store: reading: %w", err)
	}
	if unit.Valid {
		a.Unit, a.Floor = ledger.Unit(unit.String), floor.Int64
		a.Balance, a.Moves = balance.Int64, uint64(moves.Int64)
	}
	return a, body, nil
}

// Accounts implements app.Reader.
func (s *Store) Accounts(ctx context.Context, prefix string) ([]ledger.Account, error) {
	return all(ctx, s.reads, scanAccount, `SELECT path,unit,floor,balance,moves FROM accounts
		WHERE path >= $1 AND path < $2 ORDER BY path`, prefix, after(prefix))
}

func scanMovement(s scanner) (m app.Movement, err error) {
	var at int64
	var from, to, unit string
	err = s.Scan(&m.ID, &m.Line, &at, &m.Kind, &m.Ref, &from, &to, &unit, &m.Amount.Count,
		&m.FromAfter, &m.ToAfter)
	m.At, m.From, m.To = moment(at), ledger.Path(from), ledger.Path(to)
	m.Amount.Unit = ledger.Unit(unit)
	return m, err
}

const movementColumns = "id,line,at,kind,ref,from_path,to_path,unit,amount,from_after,to_after"

// Movements implements app.Reader. It follows the chain of the account's postings, from the
// one that the cursor names or the latest: as many steps as there may be movements.
func (s *Store) Movements(ctx context.Context, path ledger.Path, before app.Cursor, limit int) (
	[]app.Movement, error) {
	if before == (app.Cursor{}) {
		before = app.Cursor{At: 1<<63 - 1}
	}
	return all(ctx, s.reads, scanMovement, `WITH RECURSIVE chain(posting, n) AS (
			SELECT CASE WHEN $2 = 9223372036854775807
				THEN coalesce((SELECT last FROM accounts WHERE path=$1), 0) ELSE $2 END, 0
			UNION ALL
			SELECT (SELECT CASE WHEN from_path=$1 THEN from_prior ELSE to_prior END FROM movements
				WHERE id=posting AND (from_path=$1 OR to_path=$1) LIMIT 1), n+1
			FROM chain WHERE posting > 0 AND n < $4)
		SELECT `+movementColumns+` FROM chain JOIN movements ON id=posting
		WHERE (from_path=$1 OR to_path=$1) AND (id,line) < ($2,$3)
		ORDER BY id DESC, line DESC LIMIT $4`, string(path), before.At, before.Line, limit)
}

func scanPerson(s scanner) (p app.PersonRow, err error) {
	var id, created int64
	err = s.Scan(&id, &p.SignIn, &p.Name, &p.Password, &p.Born, &p.Locale, &created)
	p.ID, p.CreatedAt = player.ID(id), moment(created)
	return p, err
}

const personColumns = "SELECT id,sign_in,name,password,born,locale,created_at FROM people WHERE "

// Person implements app.Reader.
func (s *Store) Person(ctx context.Context, id player.ID) (app.PersonRow, error) {
	return one(ctx, s.reads, scanPerson, personColumns+"id=$1", int64(id))
}

// PersonBySignIn implements app.Reader.
func (s *Store) PersonBySignIn(ctx context.Context, name string) (app.PersonRow, error) {
	return one(ctx, s.reads, scanPerson, personColumns+"sign_in=$1", name)
}

// Staff implements app.Reader.
func (s *Store) Staff(ctx context.Context) ([]app.PersonRow, error) {
	return all(ctx, s.reads, scanPerson, personColumns+"born='' ORDER BY id")
}

// Session implements app.Reader.
func (s *Store) Session(ctx context.Context, token string) (app.SessionRow, error) {
	return one(ctx, s.reads, func(row scanner) (r app.SessionRow, err error) {
		var expires int64
		err = row.Scan(&r.Token, &r.Data, &expires)
		r.ExpiresAt = moment(expires)
		return r, err
	}, "SELECT token,data,expires_at FROM sessions WHERE token=$1", token)
}

func scanSecret(s scanner) (r app.SecretRow, err error) {
	err = s.Scan(&r.Use, &r.ID, &r.KeyID, &r.Sealed)
	return r, err
}

// Secret implements app.Reader.
func (s *Store) Secret(ctx context.Context, use, id string) (app.SecretRow, error) {
	return one(ctx, s.reads, scanSecret,
		"SELECT use,id,key_id,sealed FROM secrets WHERE use=$1 AND id=$2", use, id)
}

// Secrets implements app.Reader.
func (s *Store) Secrets(ctx context.Context) ([]app.SecretRow, error) {
	return all(ctx, s.reads, scanSecret, "SELECT use,id,key_id,sealed FROM secrets ORDER BY use,id")
}

// Due implements app.Reader.
func (s *Store) Due(ctx context.Context, at time.Time, limit int) ([]app.DueRow, error) {
	return all(ctx, s.reads, func(row scanner) (r app.DueRow, err error) {
		var due int64
		err = row.Scan(&r.Kind, &r.Ref, &due)
		r.At = moment(due)
		return r, err
	}, "SELECT kind,ref,at FROM due WHERE at <= $1 ORDER BY at,kind,ref LIMIT $2", at.UnixMicro(), limit)
}

func scanUnit(s scanner) (u app.UnitRow, err error) {
	var who, at, prize int64
	var blind []byte
	err = s.Scan(&u.Block, &u.Number, &who, &at, &u.Outcome, &prize, &u.Board, &blind)
	u.Player, u.SoldAt, u.Prize = player.ID(who), moment(at), money.Cents(prize)
	copy(u.Blind[:], blind)
	return u, err
}

const unitColumns = "SELECT block,number,player,sold_at,outcome,prize,board,blind FROM instant_units WHERE "

// Units implements app.Reader. The cursor is the time of sale and the number.
func (s *Store) Units(ctx context.Context, who player.ID, before app.Cursor, limit int) ([]app.UnitRow, error) {
	if before == (app.Cursor{}) {
		before = app.Cursor{At: 1<<63 - 1}
	}
	return all(ctx, s.reads, scanUnit, unitColumns+`player=$1 AND (sold_at,number) < ($2,$3)
		ORDER BY sold_at DESC, number DESC LIMIT $4`, int64(who), before.At, before.Line, limit)
}

// Unit implements app.Reader.
func (s *Store) Unit(ctx context.Context, block, number int64) (app.UnitRow, error) {
	return one(ctx, s.reads, scanUnit, unitColumns+"block=$1 AND number=$2", block, number)
}

// BlockUnits implements app.Reader.
func (s *Store) BlockUnits(ctx context.Context, block, past int64, limit int) ([]app.UnitRow, error) {
	return all(ctx, s.reads, scanUnit, unitColumns+"block=$1 AND number>$2 ORDER BY number LIMIT $3",
		block, past, limit)
}

// Sums implements app.Reader.
func (s *Store) Sums(ctx context.Context) ([]app.Sum, error) {
	return all(ctx, s.reads, func(row scanner) (u app.Sum, err error) {
		var unit string
		err = row.Scan(&unit, &u.Accounts, &u.Movements, &u.Balances, &u.Unexplained, &u.BelowFloor)
		u.Unit = ledger.Unit(unit)
		return u, err
	}, `WITH posted AS (
			SELECT to_path AS path, amount FROM movements
			UNION ALL SELECT from_path, -amount FROM movements),
		explained AS (SELECT path, sum(amount) AS total, count(*) AS lines FROM posted GROUP BY path)
		SELECT a.unit, count(*), CAST(sum(coalesce(e.lines,0))/2 AS BIGINT),
			CAST(sum(a.balance) AS BIGINT),
			count(CASE WHEN a.balance <> coalesce(e.total,0) THEN 1 END),
			count(CASE WHEN a.balance < a.floor THEN 1 END)
		FROM accounts a LEFT JOIN explained e ON e.path = a.path GROUP BY a.unit ORDER BY a.unit`)
}
