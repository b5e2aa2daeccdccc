// Package instant implements the rules of the instant lotteries: the prize table and
// its check, the finite block and the order of its units, their faces, and the sale.
//
// It implements clauses instant:2 and instant:3 and the finite blocks of readings I1,
// I2 and I8. What a block needs of chance comes as a Source; its secret, its commitment
// and its proofs belong to packages draw and internal/sealedblock, the debit and the
// credit (instant:4.4) to package internal/app.
//
// | clause    | what                                       | file          |
// | --------- | ------------------------------------------ | ------------- |
// | instant:2 | issues, blocks, price                      | issue.go      |
// | instant:3 | the prize table and its two totals         | table.go      |
// | instant:3 | every fault of a game, before it is opened | check.go      |
// | instant:3 | prizes spread by lot over the block        | deal.go       |
// | instant:3 | never more prizes than the table holds     | block.go      |
// | –         | the game of three amounts alike            | three*.go     |
//
// The package is pure: it reads no clock, draws no number by itself and does no I/O.
package instant

// A Source gives numbers drawn uniformly: Uint64n returns one below n, which is at
// least 1.
type Source interface{ Uint64n(n uint64) uint64 }
