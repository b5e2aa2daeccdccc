package app

import "boulier/ledger"

// Committed is what a commit has changed: the states that were written, and every account
// among the keys of its group, as they now stand.
type Committed struct {
	States   []Changed
	Accounts []ledger.Account
	// All says that anything may have changed: this node has missed what others did.
	All bool
}

// Changed is a state that was written; Number is that of its last event.
type Changed struct {
	Name   string
	Number uint64
	Value  any // nil if the state is gone, or was not read on this node
}
