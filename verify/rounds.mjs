// The facts of a round of bingo: their shapes, and what can be said of each alone.

import { need, unhex } from "./bytes.mjs";
import { lean, read } from "./json.mjs";

/** @typedef {{price: number, series: string[], size: number}} Track */
/** @typedef {{amount: number, name: string, pattern: number, rate: number}} Prize */
/** @typedef {{cap: number, keep: number, name: string, pattern: number, rate: number, refill: number, within: number}} PotRule */
/** @typedef {{amount: number, reserve: number}} Pot */
/** @typedef {{max_price: number, most_cards: number, pots: PotRule[], prizes: Prize[], rhythm: number, sale_time: number, title: string, tracks: Track[]}} Proposal */
/** @typedef {{place: number, player: number, price: number, serial: string, share: number}} Winner */
/** @typedef {{amount: number, ball: number, pot: boolean, prize: number, winners: Winner[]}} Win */
/** @typedef {{series: string, number: number, price: number, lines: number[][]}} Card */

const tracks = { list: lean({ price: "number", series: { list: "text" }, size: "number" }) };
const pots = { list: lean({ amount: "number", reserve: "number" }) };

/** The shapes of payloads, by kind. */
export const shapes = new Map(Object.entries({
	round_planned: lean({
		id: "number", number: "number", proposal: lean({
			max_price: "number", most_cards: "number", rhythm: "number", sale_time: "number", title: "text", tracks,
			pots: { list: lean({ cap: "number", keep: "number", name: "text", pattern: "number", rate: "number", refill: "number", within: "number" }) },
			prizes: { list: lean({ amount: "number", name: "text", pattern: "number", rate: "number" }) },
		}),
	}),
	round_committed: lean({ commitment: "text", key: "text", signed: "text", witness: "text" }),
	sale_opened: lean({
		last: "flag", most: "number", starts: { list: lean({ number: "number", series: "number" }) }, tracks,
		window: lean({ closes: "text", opens: "text" }),
	}),
	fault_recorded: lean({ by: "number", terminal: "number", what: "text" }),
	sale_closed: lean({
		amounts: { list: "number" }, at: "text", cards: "number", digest: "text", faces: "text", pots, sales: "number",
	}),
	witness_opened: lean({ secret: "text" }),
	ball_drawn: lean({ at: "text", ball: "number", number: "number" }),
	prize_won: lean({
		win: lean({
			amount: "number", ball: "number", pot: "flag", prize: "number",
			winners: { list: lean({ place: "number", player: "number", price: "number", serial: "text", share: "number" }) },
		}),
	}),
	round_ended: lean({ pots, reason: "text" }),
	round_voided: lean({ by: "number", reason: "text", refund: "number", taken: "number" }),
	secret_revealed: lean({ secret: "text" }),
	cards_refunded: lean({
		amount: "number", by: "number", house: "flag", left: "number", places: { list: "number" }, rank: "number", reason: "text",
	}),
}));

/**
 * What a payload says.
 * @param {string} kind
 * @param {string} payload
 * @returns {any}
 */
export function parse(kind, payload) {
	const shape = shapes.get(kind);
	need(shape, "facts", `a round has no fact ${kind}`);
	return read(payload, shape);
}

/**
 * The nanoseconds that a time says, since 1970.
 * @param {string} text
 */
export function nanos(text) {
	const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{0,8}[1-9]))?Z$/.exec(text);
	const milli = found ? Date.parse(`${found[1]}Z`) : NaN;
	need(found && !Number.isNaN(milli) && new Date(milli).toISOString().startsWith(found[1]), "format", `${text} is not a time`);
	return BigInt(milli) * 1_000_000n + BigInt((found[2] ?? "").padEnd(9, "0"));
}

/** A text of more than spaces. @param {string} text */
export const said = (text) => text.trim() !== "";

/** The patterns that have a number of their own. */
export const [full, line, twoLines] = [32767, 32768, 65536];
/** @param {number} p */
const pattern = (p) => (p >= 1 && p <= line) || p === twoLines;
const series = /^[A-Z][A-Z0-9]{0,7}$/;

/**
 * Refuses a proposal that cannot be played.
 * @param {Proposal} p
 */
export function checkProposal(p) {
	/** @type {(holds: unknown, what: string) => asserts holds} */
	const want = (holds, what) => need(holds, "planned", `the proposal ${what}`);
	const prices = new Set(p.tracks.map((t) => t.price));
	const names = p.tracks.flatMap((t) => t.series);
	want(p.tracks.length > 0 && prices.size === p.tracks.length, "has no price, or one twice");
	want(p.tracks.every((t) => t.price >= 1 && t.price <= p.max_price), "has a price above its highest");
	want(p.tracks.every((t) => t.series.length > 0 && t.size >= 1), "sells no cards at a price");
	want(names.every((s) => series.test(s)) && new Set(names).size === names.length, "has a series twice");
	want(p.sale_time > 0 && p.rhythm > 0, "has no time of sale or no rhythm");
	want(p.most_cards >= 1 && p.most_cards <= 1000, "allows no cards, or too many");
	want(p.prizes.every((z) => said(z.name) && pattern(z.pattern)), "has a prize without name or pattern");
	want(new Set(p.prizes.map((z) => z.pattern)).size === p.prizes.length, "has two prizes for a pattern");
	want(p.prizes.every((z) => z.rate <= 10_000 && (z.rate === 0) !== (z.amount === 0)), "has a prize that is no part and no amount");
	for (const must of [line, full]) want(p.prizes.some((z) => z.pattern === must), "lacks a line or a bingo");
	const rates = p.prizes.reduce((n, z) => n + z.rate, 0);
	want(rates >= 7000 || p.prizes.some((z) => z.amount > 0), "gives less than 70 % of the sales");
	want(p.pots.every((z) => said(z.name)) && new Set(p.pots.map((z) => z.name)).size === p.pots.length, "has a pot without a name of its own");
	want(p.pots.every((z) => pattern(z.pattern) && z.within >= 1 && z.within <= 90), "has a pot that cannot be won");
	want(p.pots.every((z) => z.keep <= 10_000 && z.refill <= 10_000 && z.cap >= 1), "has a pot of rates beyond the whole");
	want(rates + p.pots.reduce((n, z) => n + z.rate, 0) <= 10_000, "gives more than the sales");
}

/**
 * Refuses what cannot be a card.
 * @param {Card} c
 */
export function checkCard(c) {
	const numbers = c.lines.flat();
	need(series.test(c.series) && c.number >= 1 && c.price >= 1, "cards", `no card is ${c.series}-${c.number}`);
	need(c.lines.length === 3 && c.lines.every((l) => l.length === 5 && l.every((n, i) => i === 0 || n > l[i - 1])), "cards",
		`card ${c.series}-${c.number} has no three lines of five numbers in order`);
	need(numbers.every((n) => n >= 1 && n <= 90) && new Set(numbers).size === 15, "cards",
		`card ${c.series}-${c.number} has a number twice, or one that is none`);
}

/** The bytes of 64 digits, or nothing. @param {string} digits */
export const digits64 = (digits) => unhex(digits, 32);

/**
 * Shares an amount by weights.
 * @param {number} amount
 * @param {number[]} weights
 */
export function share(amount, weights) {
	const all = weights.reduce((n, w) => n + BigInt(w), 0n);
	const whole = weights.map((w) => (BigInt(amount) * BigInt(w)) / all);
	const rest = weights.map((w) => (BigInt(amount) * BigInt(w)) % all);
	let left = BigInt(amount) - whole.reduce((n, w) => n + w, 0n);
	const order = weights.map((_, i) => i).sort((a, b) => (rest[a] === rest[b] ? a - b : rest[a] > rest[b] ? -1 : 1));
	for (const i of order) {
		if (left === 0n) break;
		whole[i]++;
		left--;
	}
	return whole.map(Number);
}

/**
 * So many hundredths of a percent of an amount, a begun cent counting as one.
 * @param {number} amount
 * @param {number} rate
 */
export const part = (amount, rate) => Number((BigInt(amount) * BigInt(rate) + 9999n) / 10_000n);

/**
 * The amounts of the prizes of a round with these sales.
 * @param {Prize[]} prizes
 * @param {number} sales
 */
export function amounts(prizes, sales) {
	if (sales === 0) return prizes.map(() => 0);
	const rates = prizes.map((z) => z.rate);
	const sum = rates.reduce((n, r) => n + r, 0);
	const parts = sum > 0 ? share(part(sales, sum), rates) : rates;
	const list = prizes.map((z, i) => parts[i] + z.amount);
	const least = part(sales, 7000);
	return list.reduce((n, a) => n + a, 0) < least ? share(least, list) : list;
}

/**
 * After how many balls a card reaches a pattern.
 * @param {number} p
 * @param {number[][]} lines of the card
 * @param {Uint8Array} out how many balls are out when a number is
 */
export function reached(p, lines, out) {
	const full = lines.map((l) => Math.max(...l.map((n) => out[n])));
	if (p === line) return Math.min(...full);
	if (p === twoLines) return full.sort((a, b) => a - b)[1];
	let last = 0;
	lines.flat().forEach((n, i) => {
		if ((p >> i) & 1) last = Math.max(last, out[n]);
	});
	return last;
}

/**
 * The order in which prizes are found on a ball, as indices.
 * @param {Prize[]} prizes
 */
export function order(prizes) {
	/** @param {number} p */
	const bits = (p) => p.toString(2).replaceAll("0", "").length;
	const rank = (/** @type {number} */ p) => (p === line ? -2 : p === twoLines ? -1 : bits(p));
	return prizes.map((_, i) => i).sort((a, b) => rank(prizes[a].pattern) - rank(prizes[b].pattern) || a - b);
}
