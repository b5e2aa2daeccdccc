package app

import (
	"context"
	"errors"
	"time"

	"boulier/ledger"
)

// A Store keeps the state of the platform. Package store implements it on
// SQLite and PostgreSQL; storetest.Run is the contract that both must pass.
type Store interface {
	// Update runs fn in a durable transaction that touches what keys name, and
	// commits it if fn returns nil. If fn returns a violation, only the request
	// and that answer are kept; after any other error nothing is. Concurrent
	// calls may share one commit, and no call harms another. fn may run again
	// after a conflict, so it has no effect outside tx. When Update returns, the
	// answer is durable. An error that Is ErrUnknown means that the commit may or
	// may not have happened: ask again with the same request.
	Update(ctx context.Context, keys Keys, fn func(tx Tx) error) error

	// Acquire takes the lease of a scope for a time, or prolongs it; ErrLease while another
	// node holds it.
	Acquire(ctx context.Context, scope string, ttl time.Duration) (Lease, error)

	// Reader answers questions outside any transaction.
	Reader
}

// Keys name what a transaction may touch: its request, its accounts, its states (which
// are also the streams it appends to), and the lease that it acts under, if any.
type Keys struct {
	Request  Request
	Accounts []ledger.Path
	States   []string
	Lease    Lease
}

// A Lease is the right of one node to run what its scope names. The zero Lease is none.
type Lease struct {
	Scope string
	Epoch int64
}

// A Tx is the inside of one transaction. Reads see the transaction's own writes and those
// of transactions before it. It is used by one goroutine, and not after fn returns.
type Tx interface {
	// Now is the time of the request, in UTC to the microsecond. It never goes back.
	Now() time.Time

	// NewID returns a number that no other call returns, larger than all before on this node.
	NewID() int64

	// Prior returns the answer that the same request got before, if it was made before.
	Prior() (Answer, bool)

	// Answer sets what a repetition of this request will be answered.
	Answer(body []byte)

	// Get returns the state of that name, read by decode the first time, or nil if there
	// is none. The value is shared: nobody changes it in place.
	Get(name string, decode func([]byte) (any, error)) (any, error)

	// Put replaces the state of that name; encode writes it when the group is flushed.
	// A nil value removes it.
	Put(name string, value any, encode func(any) ([]byte, error))

	// Append adds an event to the stream of that name, a state among the keys, and
	// returns its number in the stream, dense from 1.
	Append(stream, kind string, payload []byte) (uint64, error)

	// Erase removes what an event of a stream among the keys says, which stands apart from
	// the journal's tree: its place, kind and time stay, and every proof holds.
	Erase(stream string, number uint64) error

	// Account returns an account among the keys as it stands.
	Account(path ledger.Path) (ledger.Account, error)

	// Post carries out movements in order and records them under one transaction
	// identifier, which it returns. A *ledger.Short is returned as it is. After an error
	// fn must return one.
	Post(p Posting) (int64, error)

	// SetFloor changes the floor of an account among the keys.
	SetFloor(path ledger.Path, floor int64) error

	// Insert adds rows that must be new; Save replaces those that are there; Delete
	// removes them by their key.
	Insert(rows ...Row)
	Save(rows ...Row)
	Delete(rows ...Row)
}

// A Posting is one transaction of the ledger.
type Posting struct {
	Kind  string // stable word: "stake", "prize", "load"…
	Ref   string // what it is for, such as the unit "12-3407"; may be empty
	Moves []ledger.Movement
}

// The faults that callers tell apart. Anything else is a failure of the system.
var (
	// ErrUnknown says that a commit may or may not have happened.
	ErrUnknown = errors.New("store: outcome unknown, ask again with the same request")

	// ErrKey says that a transaction touched what its keys do not name.
	ErrKey = errors.New("store: not among the keys of the transaction")

	// ErrLease says that another node holds the scope now.
	ErrLease = errors.New("store: the lease is held elsewhere")

	// ErrNotFound says that there is no such row.
	ErrNotFound = errors.New("store: not found")

	// ErrTaken says that a unique value, such as a sign-in name, is used already.
	ErrTaken = errors.New("store: already taken")
)
