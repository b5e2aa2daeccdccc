// The word game: its boards, and the face of a unit on one of them.

import { need, utf8 } from "./bytes.mjs";
import { below, faceStream } from "./draw.mjs";
import { sha256 } from "./sha256.mjs";

/** @typedef {{symbols: number[], boards: string[][]}} Rules weights of 0, 1 and 2 symbols; boards of seven rows */
/** @typedef {{letters: number, factor: number}} Outcome zeros lose */
/** @typedef {{cell: number, factor: number}} Place */
/** @typedef {{rack: string, symbols: Place[]}} Face */
/** @typedef {{mask: number, cells: number[]}} Word its letters as bits, A the lowest */
/** @typedef {{letter: number[], words: Word[]}} Board 0 to 25 by square, −1 where there is none; words of 3 to 7 letters */

const side = 7;

/** What a word of so many letters pays in cents, by factor from 1. */
const prizes = new Map([
	[3, [200, 400, 600]],
	[4, [1200, 2400, 3600]],
	[5, [15000, 30000]],
	[6, [150000]],
	[7, [1500000]],
]);

/**
 * The outcome that an amount stands for.
 * @param {number} amount
 * @returns {Outcome | undefined}
 */
export function outcomeOf(amount) {
	for (const [letters, list] of prizes) {
		const at = list.indexOf(amount);
		if (at >= 0) return { letters, factor: at + 1 };
	}
	return undefined;
}

/**
 * The text of which the boards digest is taken.
 * @param {Rules} rules
 */
export const rulesDigest = (rules) => sha256(utf8(
	`boulier/instant/words/v1\nsymbols ${rules.symbols.join(" ")}\n` + rules.boards.map((b) => `board\n${b.join("\n")}\n`).join(""),
));

/**
 * The board that seven rows draw, if it is sound.
 * @param {string[]} rows
 * @returns {Board}
 */
export function parseBoard(rows) {
	const sound = (/** @type {boolean} */ holds, /** @type {string} */ what) => need(holds, "boards", `a board is not sound: ${what}`);
	sound(rows.length === side && rows.every((r) => /^[A-Z.]{7}$/.test(r)), "not seven rows of seven capitals or dots");
	const letter = Array.from(rows.join(""), (c) => (c === "." ? -1 : c.charCodeAt(0) - 65));
	const lines = Array.from({ length: 2 * side }, (_, n) =>
		Array.from({ length: side }, (_, i) => (n < side ? side * n + i : side * i + n - side)));
	/** @type {number[][]} */
	const runs = [];
	for (const line of lines) {
		/** @type {number[]} */
		let run = [];
		for (const cell of [...line, -1]) {
			if (cell >= 0 && letter[cell] >= 0) {
				run.push(cell);
				continue;
			}
			if (run.length > 1) runs.push(run);
			run = [];
		}
	}
	runs.sort((a, b) => a.length - b.length);
	sound(runs.map((r) => r.length).join(" ") === "3 4 5 6 7", "not one word each of 3 to 7 letters");
	const words = runs.map((cells) => ({ cells, mask: cells.reduce((m, c) => m | (1 << letter[c]), 0) }));
	sound(words.every((w) => ones(w.mask) === w.cells.length), "a letter twice in a word");
	sound(letter.every((l, c) => l < 0 || runs.some((r) => r.includes(c))), "a letter in no word");
	const held = new Set([0]);
	for (const at of held) {
		words.forEach((w, i) => {
			if (w.cells.some((c) => words[at].cells.includes(c))) held.add(i);
		});
	}
	sound(held.size === words.length, "words that do not hang together");
	sound(words.every((w) => words.every((in_) => w === in_ || (w.mask & ~in_.mask) !== 0)), "a word within another");
	const board = { letter, words };
	for (const [letters, list] of prizes) {
		for (let factor = 2; factor <= list.length; factor++) {
			sound(words[letters - 3].cells.some((cell) => mayStand(board, cell, factor)), "a multiplier without a square");
		}
	}
	return board;
}

/** @param {number} mask */
function ones(mask) {
	let n = 0;
	for (; mask; mask &= mask - 1) n++;
	return n;
}

/**
 * Whether a symbol of that factor may stand on the square, the rack apart.
 * @param {Board} b
 * @param {number} cell
 * @param {number} factor
 */
const mayStand = (b, cell, factor) =>
	!b.words.some((w) => w.cells.length > (factor === 3 ? 4 : 5) && w.cells.includes(cell));

/**
 * The racks that are legal for the outcome, in the order of the dictionary, as bits.
 * @param {Board} b
 * @param {Outcome} outcome
 */
export function racks(b, outcome) {
	const want = outcome.letters === 0 ? 0 : 1 << (outcome.letters - 3);
	const [w3, w4, w5, w6, w7] = b.words.map((w) => w.mask);
	/** @type {number[]} */
	const list = [];
	/**
	 * @param {number} rack
	 * @param {number} from the first letter that may follow
	 * @param {number} left how many are wanted
	 */
	const extend = (rack, from, left) => {
		if (left > 0) {
			for (let l = from; l <= 26 - left; l++) extend(rack | (1 << l), l + 1, left - 1);
			return;
		}
		const none = ~rack;
		const complete = Number(!(w3 & none)) | (Number(!(w4 & none)) << 1) | (Number(!(w5 & none)) << 2) |
			(Number(!(w6 & none)) << 3) | (Number(!(w7 & none)) << 4);
		if (complete === want) list.push(rack);
	};
	extend(0, 0, 7);
	return list;
}

/**
 * The arrangements of 0, 1 and 2 symbols that are legal for outcome and rack, in order.
 * @param {Board} b
 * @param {Outcome} outcome
 * @param {number} rack
 * @returns {Place[][][]}
 */
function arrangements(b, outcome, rack) {
	/** @type {Place[]} */
	const places = [];
	for (let cell = 0; cell < side * side; cell++) {
		if (b.letter[cell] < 0 || !((rack >> b.letter[cell]) & 1)) continue;
		for (const factor of [2, 3]) if (mayStand(b, cell, factor)) places.push({ cell, factor });
	}
	const won = outcome.letters === 0 ? [] : b.words[outcome.letters - 3].cells;
	const legal = (/** @type {Place[]} */ list) => {
		if (b.words.some((w) => list.filter((p) => w.cells.includes(p.cell)).length > 1)) return false;
		const inside = list.filter((p) => won.includes(p.cell));
		if (outcome.factor < 2) return inside.length === 0;
		return inside.length === 1 && inside[0].factor === outcome.factor;
	};
	const pairs = places.flatMap((p, i) => places.slice(i + 1).map((q) => [p, q]));
	return [[[]], places.map((p) => [p]), pairs].map((list) => list.filter(legal));
}

/**
 * The face of a unit on a board, nothing when none is legal.
 * @param {Board} b
 * @param {number} number of the board, from 1
 * @param {number[]} weights
 * @param {Outcome} outcome
 * @param {Uint8Array} seed
 * @returns {Face | undefined}
 */
export function wordFace(b, number, weights, outcome, seed) {
	const from = faceStream(seed, number);
	const list = racks(b, outcome);
	if (list.length === 0) return undefined;
	const rack = list[Number(below(from, list.length))];
	const lists = arrangements(b, outcome, rack);
	const weighed = weights.map((w, n) => (lists[n].length > 0 ? w : 0));
	const sum = weighed.reduce((a, w) => a + w, 0);
	if (sum === 0) return undefined;
	let x = Number(below(from, sum));
	let n = 0;
	while (x >= weighed[n]) x -= weighed[n++];
	const symbols = lists[n][Number(below(from, lists[n].length))];
	const letters = Array.from({ length: 26 }, (_, l) => l).filter((l) => (rack >> l) & 1);
	return { rack: String.fromCharCode(...letters.map((l) => 65 + l)), symbols };
}
