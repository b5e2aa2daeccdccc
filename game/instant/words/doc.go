// Package words holds the rules of the word game (« Mots croisés à gratter », in the
// regulation « Scrabble »): its boards, what a unit may win, and the making of its faces.
//
// | clause      | what                                             | file       |
// | ----------- | ------------------------------------------------ | ---------- |
// | instant:4.2 | boards: five words of 3 to 7 letters             | board.go   |
// | instant:4.5 | what each word wins; prizes never add up         | outcome.go |
// | instant:4.6 | multipliers and where they may stand             | symbol.go  |
// | instant:4.3 | racks of seven different letters                 | rack.go    |
// | instant:4.3 | the face of a unit                               | maker.go   |
//
// It stands apart from package instant, which knows blocks, tables and sales whatever the
// faces show, so that what reads a face can be kept apart from what makes it: the
// evaluator is package wordcheck, and neither imports the other.
//
// The package is pure: it reads no clock, draws no number by itself and does no I/O.
package words

// A Source gives numbers drawn uniformly: Uint64n returns one below n, which is at
// least 1.
type Source interface{ Uint64n(n uint64) uint64 }
