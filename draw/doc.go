// Package draw makes every number that decides a result, from a secret that was
// committed to beforehand, so that anyone can do it again afterwards.
//
// A Secret is 32 bytes from the system, drawn by package internal/app. Its Commitment is
// published before any stake; a Stream turns it into bounded numbers and shuffles, Seeds
// into the seeds of the units of a block, and a Tree binds all units of a block to one
// root. docs/verify.md specifies each step, and testdata holds public vectors.
//
// The package knows no game: what is drawn is named by a Use and an ID. It serves
// clauses instant:2 and instant:3 (finite blocks), bingo:93.10 (the ball source) and
// loto:14 (tokens), and standards std:28, std:30, std:31 and std:37.
//
// The package is pure: the same arguments always give the same result, and it takes no
// randomness from anywhere but its arguments.
package draw
