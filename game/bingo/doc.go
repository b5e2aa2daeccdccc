// Package bingo implements the rules of interconnected bingo with virtual cards: the
// electronic account at a terminal, the sale of cards by the central server, the round with
// its balls and prizes, pots, and the session day.
//
// It implements clauses bingo:93.1 to bingo:93.15 on the kernel of package game/ninety.
// Money moves, secrets and screens belong to package internal and to the pages.
//
// Four things live in time, each with pure methods that decide (they return events or a
// violation) and one that applies: an Account, a Sale, a Round and a Session. Replaying the
// events gives the state again. A Board beside them knows the cards of a running round, and
// Audit checks a finished one by other means.
//
// The package is pure: it reads no clock, draws no number and does no I/O. Where the
// regulation leaves a choice, the choice is numbered in docs/interpretations.md and cited
// here as "reading B6".
package bingo
