package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strconv"

	"boulier/draw"
	"boulier/money"
	"boulier/player"
)

// A Sale is the payload of a sale. Once its block has ended it is public, and names nobody:
// all of it follows from the block and its place there, but for the board, the rules in
// force and the buyer, who stands under a digest.
type Sale struct {
	Block   draw.ID
	Index   int
	Outcome uint16
	Stake   money.Cents
	Prize   money.Cents
	Board   int  // of a word game: the board chosen, from 1; 0 for others
	Buyer   Hash // what Buyer.Digest gives
	Rules   int  // the version of the rules in force
}

// Append appends the canonical bytes of the payload. A block has a million and a half
// of them, for which encoding/json would take longer than all other checks together.
func (s Sale) Append(b []byte) []byte {
	b = append(append(append(b, `{"block":"`...), s.Block...), '"')
	b = strconv.AppendInt(append(b, `,"index":`...), int64(s.Index), 10)
	b = strconv.AppendInt(append(b, `,"outcome":`...), int64(s.Outcome), 10)
	b = strconv.AppendInt(append(b, `,"stake":`...), int64(s.Stake), 10)
	b = strconv.AppendInt(append(b, `,"prize":`...), int64(s.Prize), 10)
	if s.Board > 0 {
		b = strconv.AppendInt(append(b, `,"board":`...), int64(s.Board), 10)
	}
	b = append(hex.AppendEncode(append(b, `,"buyer":"`...), s.Buyer[:]), '"')
	return append(strconv.AppendInt(append(b, `,"rules":`...), int64(s.Rules), 10), '}')
}

// errSale refuses what is not written as Sale.Append writes it.
var errSale = errors.New(`payload: a sale is {"block":"…","index":…,"outcome":…,"stake":…,"prize":…,` +
	`"buyer":"…","rules":…}, in a word game with "board":… before the buyer, and nothing else`)

// ParseSale reads the payload of a sale and refuses anything but its canonical bytes.
func ParseSale(payload []byte) (s Sale, err error) {
	c := cursor{rest: payload}
	c.skip(`{"block":"`)
	s.Block = draw.ID(c.word())
	c.skip(`","index":`)
	s.Index = int(c.number())
	c.skip(`,"outcome":`)
	outcome := c.number()
	s.Outcome = uint16(outcome)
	c.skip(`,"stake":`)
	s.Stake = money.Cents(c.number())
	c.skip(`,"prize":`)
	s.Prize = money.Cents(c.number())
	s.Board = c.board()
	c.skip(`,"buyer":"`)
	c.digits(s.Buyer[:])
	c.skip(`","rules":`)
	s.Rules = int(c.number())
	if c.skip(`}`); !c.done() || int64(s.Outcome) != outcome || !blockID.MatchString(string(s.Block)) {
		return Sale{}, errSale
	}
	return s, nil
}

// A Blind hides a buyer in a digest: without it nobody can try all players. In files it is
// 32 hexadecimal digits.
type Blind [16]byte

// MarshalText returns 32 lower-case hexadecimal digits.
func (b Blind) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b[:]), nil }

// UnmarshalText reads 32 lower-case hexadecimal digits.
func (b *Blind) UnmarshalText(text []byte) error { return decodeHex(b[:], text) }

// A Buyer is who bought a unit. Only the digest stands in the sale: when the blind is
// erased, nobody can tell any more who it was.
type Buyer struct {
	Player player.ID `json:"player"`
	Blind  Blind     `json:"blind"`
}

// Digest returns what stands for the buyer in the sale.
func (b Buyer) Digest() Hash {
	const prefix = "boulier/buyer/v1\n"
	text := make([]byte, 0, len(prefix)+len(b.Blind)+8)
	text = append(append(text, prefix...), b.Blind[:]...)
	return sha256.Sum256(binary.LittleEndian.AppendUint64(text, uint64(b.Player)))
}

// A SoldLine is the line of a closed block for a unit sold: what does not follow from the
// block. With it, the payload of the sale and its leaf are made again.
type SoldLine struct {
	At    int64 // microseconds UTC
	Salt  Salt  // of the payload
	Buyer Hash
	Rules int
	Board int // of a word game; 0 for others
}

// LineOf returns the line for a sale that was recorded at a time.
func LineOf(s Sale, at int64, salt Salt) SoldLine {
	return SoldLine{At: at, Salt: salt, Buyer: s.Buyer, Rules: s.Rules, Board: s.Board}
}

// append appends the canonical form of the line.
func (s SoldLine) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"at":`...), s.At, 10)
	b = append(hex.AppendEncode(append(b, `,"salt":"`...), s.Salt[:]), '"')
	b = append(hex.AppendEncode(append(b, `,"buyer":"`...), s.Buyer[:]), '"')
	b = strconv.AppendInt(append(b, `,"rules":`...), int64(s.Rules), 10)
	if s.Board > 0 {
		b = strconv.AppendInt(append(b, `,"board":`...), int64(s.Board), 10)
	}
	return append(b, '}')
}

// errSold refuses what is not written as SoldLine.append writes it.
var errSold = errors.New(`a sale is {"at":…,"salt":"…","buyer":"…","rules":…}, ` +
	`in a word game with "board":… at its end, and nothing else`)

// parseSold reads the line of a sale and refuses anything but its canonical form.
func parseSold(line []byte) (s SoldLine, err error) {
	c := cursor{rest: line}
	c.skip(`{"at":`)
	s.At = c.number()
	c.skip(`,"salt":"`)
	c.digits(s.Salt[:])
	c.skip(`","buyer":"`)
	c.digits(s.Buyer[:])
	c.skip(`","rules":`)
	s.Rules = int(c.number())
	s.Board = c.board()
	if c.skip(`}`); !c.done() {
		return SoldLine{}, errSold
	}
	return s, nil
}

// A cursor reads a text of one form from its beginning on. Once something is otherwise, it
// reads nothing more.
type cursor struct {
	rest []byte
	bad  bool
}

// done reports whether all was read and nothing was otherwise.
func (c *cursor) done() bool { return !c.bad && len(c.rest) == 0 }

// next reports whether the text goes on so, and reads it if it does.
func (c *cursor) next(text string) bool {
	if c.bad || len(c.rest) < len(text) || string(c.rest[:len(text)]) != text {
		return false
	}
	c.rest = c.rest[len(text):]
	return true
}

// skip reads the text that must come now.
func (c *cursor) skip(text string) {
	if !c.next(text) {
		c.bad = true
	}
}

// number reads a whole number without sign or leading zero, below 2⁵³: what every
// implementation holds exactly.
func (c *cursor) number() (n int64) {
	i := 0
	for ; i < len(c.rest) && c.rest[i] >= '0' && c.rest[i] <= '9' && n < 1<<53; i++ {
		n = 10*n + int64(c.rest[i]-'0')
	}
	if c.bad || i == 0 || i > 1 && c.rest[0] == '0' || n >= 1<<53 {
		c.bad = true
		return 0
	}
	c.rest = c.rest[i:]
	return n
}

// board reads the field of a board, from 1, if it comes now.
func (c *cursor) board() (n int) {
	if c.next(`,"board":`) {
		n = int(c.number())
		c.bad = c.bad || n == 0
	}
	return n
}

// word reads what comes before the next quotation mark; the caller knows what it may be.
func (c *cursor) word() []byte {
	i := 0
	for i < len(c.rest) && c.rest[i] != '"' {
		i++
	}
	w := c.rest[:i]
	c.rest = c.rest[i:]
	return w
}

// digits reads as many lower-case hexadecimal digits as fill dst.
func (c *cursor) digits(dst []byte) {
	if c.bad || len(c.rest) < 2*len(dst) {
		c.bad = true
		return
	}
	for i := range dst {
		high, ok1 := digit(c.rest[2*i])
		low, ok2 := digit(c.rest[2*i+1])
		c.bad = c.bad || !ok1 || !ok2
		dst[i] = high<<4 | low
	}
	c.rest = c.rest[2*len(dst):]
}

// digit returns the value of a lower-case hexadecimal digit.
func digit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}
