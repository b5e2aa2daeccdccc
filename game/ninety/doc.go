// Package ninety is the 90-ball kernel that the hall loto and the interconnected bingo
// share: balls, cards, sheets, series, the live index of a round and its audit.
//
// A card has 3 lines of 5 numbers in 9 columns (1–9, 10–19, …, 70–79, 80–90), the
// usual French card (readings L15 and B15). A sheet of six holds every number from 1 to
// 90 once; a sheet of three is half of one.
//
// The kernel knows no money and no player: it counts, and the games decide. It is pure:
// it reads no clock and does no I/O, and chance comes to it as a Source. How sheets are
// drawn, and why every valid sheet is exactly as likely, is in docs/randomness.md.
package ninety
