// Package boulier holds no code: the program is cmd/boulier. Its tests keep the house in
// order: who may import whom, and that every clause marked as tested has its test.
package boulier
