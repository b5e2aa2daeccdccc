package loto

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
)

// SharedBy returns by how many of n winners an amount is shared: the largest number k ≤ n
// by which it divides into whole vouchers, at least one (loto:14, reading L2). With
// fixedTwo it is n, else two, else one, as in the regulation's example and no further.
func SharedBy(amount, smallest money.Cents, n int, fixedTwo bool) int {
	divides := func(k int) bool { return smallest > 0 && amount%(money.Cents(k)*smallest) == 0 }
	for k := n; k > 1; k-- {
		if divides(k) && (!fixedTwo || k == n || k == 2) {
			return k
		}
	}
	return 1
}

// What the draw of tokens refuses.
var (
	ErrToken      = &regs.Violation{Ref: "loto:14", Code: "token_unknown"}
	ErrTokenTaken = &regs.Violation{Ref: "loto:14", Code: "token_taken"}
	ErrNoTie      = &regs.Violation{Ref: "loto:14", Code: "no_tie"}
)

// A Token is what one of the tied has drawn from the bag of 1 to 90 (loto:14).
type Token struct {
	Claim int // index in the claims of the round's stop
	Ball  ninety.Ball
}

// A Tie is what is to be settled between the winners of one stage.
type Tie struct {
	Winners []int  // claims, in the order in which they were made
	Keep    int    // how many share the prize
	Asked   bool   // every winner's word is waited for (reading L1)
	Salt    string // of the draw of tokens: the digest of the claims retained (reading L17)
	Tokens  []Token
}

// Open reports whether there is a tie that is not settled.
func (t Tie) Open() bool { return len(t.Winners) > 1 }

// Next returns the claim that draws the next token, and whether there is one.
func (t Tie) Next() (int, bool) {
	if !t.Open() || t.Asked || len(t.Tokens) >= len(t.Winners) {
		return 0, false
	}
	return t.Winners[len(t.Tokens)], true
}

// newTie returns the tie of several winners of a prize.
func newTie(p Plan, prize Prize, claims []Claim, winners []int) Tie {
	keep := 1
	if prize.Kind == Voucher {
		keep = SharedBy(prize.Amount, prize.Smallest, len(winners), p.FixedTwo)
	}
	return Tie{Winners: winners, Keep: keep, Asked: p.Consent && keep > 1, Salt: tieSalt(claims, winners)}
}

// tieSalt is the SHA-256, in hexadecimal, of the lines « series,number » of the claims
// retained, in the order in which they were made.
func tieSalt(claims []Claim, winners []int) string {
	h := sha256.New()
	for _, w := range winners {
		s := claims[w].Serial
		h.Write([]byte(string(s.Series) + "," + strconv.Itoa(s.Number) + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// An Award is what one winner receives.
type Award struct {
	Claim       int
	Serial      ninety.Serial
	Amount      money.Cents // of vouchers; the whole value of an object
	Consolation bool        // the prize went to others (loto:18)
	Token       ninety.Ball // what decided, 0 if nothing was drawn
}

// How says how a stage was won.
type How string

// The ways.
const (
	Sole     How = "sole"
	Shared   How = "shared"
	ByTokens How = "tokens"
)

// settle returns the awards of a tie of which every token that is needed is drawn.
func (t Tie) settle(prize Prize, claims []Claim) (awards []Award, how How) {
	kept := t.Winners
	how = Shared
	tokens := map[int]ninety.Ball{}
	if len(t.Tokens) > 0 {
		how = ByTokens
		drawn := slices.SortedFunc(slices.Values(t.Tokens), func(a, b Token) int {
			return int(b.Ball) - int(a.Ball)
		})
		kept = nil
		for _, d := range drawn[:t.Keep] {
			kept = append(kept, d.Claim)
		}
		for _, d := range drawn {
			tokens[d.Claim] = d.Ball
		}
	}
	for _, c := range t.Winners {
		a := Award{Claim: c, Serial: claims[c].Serial, Token: tokens[c]}
		if slices.Contains(kept, c) {
			a.Amount = prize.Amount / money.Cents(len(kept))
		} else {
			a.Consolation = true
		}
		awards = append(awards, a)
	}
	return awards, how
}
