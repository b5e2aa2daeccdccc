package app

import (
	"context"
	"time"

	"boulier/game/ninety"
	"boulier/ledger"
	"boulier/player"
)

// A Reader answers questions about what is committed. Each method reads one consistent
// moment. Lists are newest first and take a cursor: the position of the last row already
// seen, or its zero value to begin.
type Reader interface {
	// State returns the stored bytes of a state and the number of its last event;
	// ErrNotFound if there is none.
	State(ctx context.Context, name string) (StateRecord, error)

	// States returns the states whose name begins with prefix and comes after the name
	// after, in the order of their names, at most limit.
	States(ctx context.Context, prefix, after string, limit int) ([]StateRecord, error)

	// Account returns an account as it stands; one never moved is empty.
	Account(ctx context.Context, path ledger.Path) (ledger.Account, error)

	// Accounts returns the accounts whose path begins with prefix, by path.
	Accounts(ctx context.Context, prefix string) ([]ledger.Account, error)

	// AccountAndState returns an account and the stored bytes of a state, nil if there is
	// none, as they stood at one moment.
	AccountAndState(ctx context.Context, path ledger.Path, state string) (ledger.Account, []byte, error)

	// Movements returns what touched an account before the cursor, at most limit.
	Movements(ctx context.Context, path ledger.Path, before Cursor, limit int) ([]Movement, error)

	// Person returns a person by identifier, PersonBySignIn by the folded sign-in name.
	Person(ctx context.Context, id player.ID) (PersonRow, error)
	PersonBySignIn(ctx context.Context, name string) (PersonRow, error)

	// Staff returns everyone whose birth date was not asked for: those who work, by identifier.
	Staff(ctx context.Context) ([]PersonRow, error)

	// Session returns a session by its token, expired or not.
	Session(ctx context.Context, token string) (SessionRow, error)

	// Secret returns a sealed secret; Secrets returns all, by use and identifier.
	Secret(ctx context.Context, use, id string) (SecretRow, error)
	Secrets(ctx context.Context) ([]SecretRow, error)

	// Due returns the work due at or before a time, earliest first, at most limit.
	Due(ctx context.Context, at time.Time, limit int) ([]DueRow, error)

	// Units returns the units of a player sold before the cursor, at most limit.
	Units(ctx context.Context, who player.ID, before Cursor, limit int) ([]UnitRow, error)

	// Unit returns one sold unit; ErrNotFound if it is not sold.
	Unit(ctx context.Context, block, number int64) (UnitRow, error)

	// BlockUnits returns the units of a block sold after number, in their order.
	BlockUnits(ctx context.Context, block, after int64, limit int) ([]UnitRow, error)

	// Card returns one card of a series.
	Card(ctx context.Context, serial ninety.Serial) (CardRow, error)

	// Cards returns the cards of a series with a number after another, in their order.
	Cards(ctx context.Context, series ninety.Series, after, limit int) ([]CardRow, error)

	// CardsOfRef returns the cards that their printers call ref, by series and number.
	CardsOfRef(ctx context.Context, ref string, limit int) ([]CardRow, error)

	// CardsAlike returns the cards of any series with the same fifteen numbers as one of
	// the faces, whatever their lines, by series and number.
	CardsAlike(ctx context.Context, faces [][]byte) ([]CardRow, error)

	// Ranks returns the lines of a ranking after a place, in their order.
	Ranks(ctx context.Context, scope string, after int64, limit int) ([]RankRow, error)

	// RankOf returns the line of a player in a ranking; ErrNotFound if there is none.
	RankOf(ctx context.Context, scope string, who player.ID) (RankRow, error)

	// Names returns the names shown of persons, by identifier; unknown ones are left out.
	Names(ctx context.Context, ids []player.ID) (map[player.ID]string, error)

	// Stream returns the events of a stream after number, in their order.
	Stream(ctx context.Context, stream string, after uint64, limit int) ([]Entry, error)

	// Entries returns the events with an index in the tree from first on, in their order.
	Entries(ctx context.Context, first int64, limit int) ([]Entry, error)

	// Checkpoint returns the latest signed checkpoint, ErrNotFound before the first.
	Checkpoint(ctx context.Context) (CheckpointRecord, error)

	// Tile returns the bytes of a tile of the journal's tree.
	Tile(ctx context.Context, level int, n int64) ([]byte, error)

	// Sums returns the sum of all balances by unit, and by unit what the movements say.
	Sums(ctx context.Context) ([]Sum, error)

	// Flows returns the movements recorded from one time on and before another, summed by
	// kind and by the accounts between which they went; all accounts of players are one,
	// "player".
	Flows(ctx context.Context, from, to time.Time) ([]Flow, error)

	// HeldAt returns the sum in cents of what all players had in euros at a time.
	HeldAt(ctx context.Context, at time.Time) (int64, error)

	// Streams returns the names of the streams that begin with prefix and come after the
	// name after, in the order of their names, at most limit; their bodies are left out.
	Streams(ctx context.Context, prefix, after string, limit int) ([]StateRecord, error)
}

// A Cursor is a position in a list: a time or identifier, and a line within it.
type Cursor struct{ At, Line int64 }

// A StateRecord is a state as it is stored.
type StateRecord struct {
	Name   string
	Number uint64 // of its last event; 0 for a state without events
	Body   []byte
}

// A Movement is a recorded movement of the ledger, with what both accounts held after it.
type Movement struct {
	ID, Line           int64
	At                 time.Time
	Kind, Ref          string
	From, To           ledger.Path
	Amount             ledger.Amount
	FromAfter, ToAfter int64
}

// An Entry is a journaled event as it is stored.
type Entry struct {
	Index   int64 // in the tree; −1 until the sequencer has placed it
	Leaf    []byte
	Salt    []byte // nil when the payload is erased
	Payload []byte
}

// A CheckpointRecord is a signed checkpoint in its text form.
type CheckpointRecord struct {
	Size int64
	At   time.Time
	Note string
}

// A Flow is the sum of alike movements.
type Flow struct {
	Kind     string
	From, To ledger.Path // "player" for any account of a player
	Amount   ledger.Amount
	Count    int64
}

// A Sum is the proof of the ledger in one unit: both are zero or something is broken.
type Sum struct {
	Unit                ledger.Unit
	Balances            int64 // sum over all accounts
	Unexplained         int64 // accounts whose balance is not the sum of their movements
	BelowFloor          int64 // accounts below their floor
	Accounts, Movements int64
}
