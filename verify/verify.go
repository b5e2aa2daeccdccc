// Package verify holds the stranger: a second implementation of the checks of package
// proof, in JavaScript, written from docs/verify.md alone. It runs under Node
// (node verify/cli.mjs FILE) and, as part of the program, in the browser. It depends on
// nothing and shares no code with what it checks; Go only carries it.
package verify

import "embed"

// Modules are the ES modules that a browser loads, without the command line and the tests.
//
//go:embed aes.mjs block.mjs bytes.mjs constants.mjs draw.mjs ed25519.mjs facts.mjs journal.mjs
//go:embed json.mjs loto.mjs lotos.mjs merkle.mjs note.mjs round.mjs rounds.mjs sha256.mjs unit.mjs verify.mjs
//go:embed words.mjs worker.mjs
var Modules embed.FS
