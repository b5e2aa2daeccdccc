package app

import (
	"time"

	"boulier/game/ninety"
	"boulier/internal/proof"
	"boulier/money"
	"boulier/player"
)

// A Row is a line of one of the tables that keep lists: what is looked up otherwise than
// by the name of a state. The store knows each kind and its key.
type Row interface{ row() }

// rowOf makes the types that embed it rows.
type rowOf struct{}

func (rowOf) row() {}

// A PersonRow holds what is personal of a registered person, by ID. It may be erased;
// what the journal says of the person stands under the identifier alone.
type PersonRow struct {
	rowOf
	ID        player.ID
	SignIn    string // unique, as Fold leaves it
	Name      string // shown to others
	Password  string // argon2id, in the PHC form
	Born      string // 2006-01-02; empty for staff
	Locale    string // "fr" or "en"
	CreatedAt time.Time
}

// A SessionRow is a signed-in browser, by Token.
type SessionRow struct {
	rowOf
	Token     string
	Data      []byte
	ExpiresAt time.Time
}

// A SecretRow is a sealed secret, by Use and ID.
type SecretRow struct {
	rowOf
	Use, ID string
	KeyID   string // the key that seals it
	Sealed  []byte
}

// A DueRow is work to be done at a time, by Kind and Ref.
type DueRow struct {
	rowOf
	Kind, Ref string
	At        time.Time
}

// A UnitRow is a sold unit of an instant game, by Block and Number.
type UnitRow struct {
	rowOf
	Block   int64
	Number  int64 // position in the block, from 1
	Player  player.ID
	SoldAt  time.Time
	Outcome int64 // 0 loses, k wins line k of the table
	Prize   money.Cents
	Board   int64 // of a word game, from 1; 0 for others

	// Blind, with Player, opens the digest of the buyer in the fact of the sale. Zero once it
	// is erased: nobody can tell the buyer from the journal any more.
	Blind proof.Blind
}

// A RankRow is a line of a computed ranking, by Scope and Place.
type RankRow struct {
	rowOf
	Scope  string // "leg/7/12": the subject and the run that computed it
	Place  int64  // from 1, without ties: the order of the list
	Player player.ID
	Rank   int64 // with ties
	Points int64
	Share  int64 // of the pot, in hundredths of nuggets
}

// A CardRow is a card of a series, by Series and Number. No two cards of any series have
// the same fifteen numbers (loto:10): Insert of such a card is ErrTaken.
type CardRow struct {
	rowOf
	Series ninety.Series
	Number int    // in the series, from 1
	Ref    string // what its printer calls it; empty if that is the number
	Face   []byte // its fifteen numbers, line by line, ascending in each
}

// Serial returns which card it is.
func (r CardRow) Serial() ninety.Serial { return ninety.Serial{Series: r.Series, Number: r.Number} }

// Card returns the card; of a series without lines, one whose lines mean nothing.
func (r CardRow) Card() (c ninety.Card) {
	for i, b := range r.Face {
		c.Lines[i/5] = c.Lines[i/5].With(ninety.Ball(b))
	}
	return c
}
