// Package loto implements the rules of the hall loto: the day and its programme, the sale
// of cards and sheets, rounds with their calls, claims, checks, ties and prizes.
//
// It implements clauses loto:1 to loto:25 and loto:car.1 to loto:car.5, on the kernel of
// package game/ninety. Money moves and documents are made in package internal/app.
//
// Two things live in time, each with pure methods that decide (they return events or a
// violation) and one that applies: a Session, which is the day with its rounds, and a
// Stock, which is the cards of one desk. Replaying the events gives the state again.
//
// The package is pure: it reads no clock, draws no number and does no I/O. Where the
// regulation leaves a choice, the choice is numbered in docs/interpretations.md and cited
// here as "reading L5".
package loto
