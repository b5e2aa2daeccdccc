package draw

// A Use says what a secret or a stream decides. It separates domains: two uses of one
// secret are as independent as two secrets. No use is another one followed by « / », so
// that use and ID together are unambiguous.
type Use string

// The uses of secrets and streams. docs/verify.md says, for each, what ID and salt are.
const (
	InstantBlock Use = "instant/block" // the commitment of a block
	InstantOrder Use = "instant/order" // the order of the units of a block
	InstantSeeds Use = "instant/seeds" // the seeds of the units of a block
	NinetySheets Use = "ninety/sheets" // the cards of a series of sheets
	BingoRound   Use = "bingo/round"   // the order of the balls of a round
	BingoWitness Use = "bingo/witness" // the commitment of the witness of a round
	LotoRound    Use = "loto/round"    // the order of the balls of a round
	LotoTie      Use = "loto/tie"      // the tokens of those who tie
)

// Uses returns every use, in the order of docs/verify.md.
func Uses() []Use {
	return []Use{
		InstantBlock, InstantOrder, InstantSeeds, NinetySheets, BingoRound,
		BingoWitness, LotoRound, LotoTie,
	}
}

// An ID names what is drawn within a use: a block, a round. It is never used twice.
type ID string
