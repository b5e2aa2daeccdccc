// Package witness is the second machine of reading B13: a process of a hall or of the
// regulator that mixes a secret of its own into the balls of each round, so that nobody can
// know them while cards can be bought, whoever holds the keys of the house.
//
// The witness trusts the server for nothing. It commits before the sale and opens its secret
// only once a signed checkpoint, which extends the one it holds, shows the sale closed; it
// opens once, for one closing. What it has seen stays in its folder, for anyone who asks.
//
// All that goes over the wire is signed or opens a commitment, so that plain http is as good
// as https against changes, and a copy of it is worth nothing.
package witness
