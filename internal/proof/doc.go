// Package proof writes what is exported for anyone to check — a unit, a closed block, the
// journal — and checks it again from the file alone.
//
// The checks stand on packages draw, journal, game/instant and face only, never on the
// store, the use cases or what made a block: a file is all they see. docs/verify.md specifies the
// formats and each check, precise enough for another implementation.
//
// Every file is JSON in one canonical form, so that one fact has one text and a changed
// byte is a fault, even where it changes no meaning. Files may be hostile: lines, sizes
// and counts are bounded before anything is made of them.
package proof
