package store

import (
	"context"
	"database/sql"
	"sync"
)

// maxPrepared bounds how many texts a pool keeps prepared; there are fewer in the program.
const maxPrepared = 256

// A pool answers the questions asked outside the writer. It prepares each text once on a
// connection, for parsing takes SQLite longer than most answers.
type pool struct {
	*sql.DB

	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

func newPool(db *sql.DB) *pool { return &pool{DB: db, stmts: map[string]*sql.Stmt{}} }

// stmt returns the text prepared, nil when there are too many.
func (p *pool) stmt(ctx context.Context, text string) (*sql.Stmt, error) {
	p.mu.RLock()
	s := p.stmts[text]
	p.mu.RUnlock()
	if s != nil {
		return s, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s = p.stmts[text]; s != nil || len(p.stmts) == maxPrepared {
		return s, nil
	}
	s, err := p.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	p.stmts[text] = s
	return s, nil
}

// QueryContext implements queryer.
func (p *pool) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := p.stmt(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return p.DB.QueryContext(ctx, text, args...)
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext implements queryer.
func (p *pool) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := p.stmt(ctx, text)
	if err != nil || s == nil {
		return p.DB.QueryRowContext(ctx, text, args...) // says what is wrong, if anything is
	}
	return s.QueryRowContext(ctx, args...)
}
