// The facts of a day of loto: their shapes, and what can be said of each alone.

import { hex, need, utf8 } from "./bytes.mjs";
import { lean, read } from "./json.mjs";
import { nanos, said } from "./rounds.mjs";
import { sha256 } from "./sha256.mjs";

/** @typedef {{desk: number, sale: number}} SaleRef */
/** @typedef {{amount: number, car: boolean, consolation: string, kind: string, name: string, series: string[], smallest: number, stage: number}} Prize */
/** @typedef {{cage: boolean, prizes: Prize[], title: string}} Round */
/** @typedef {{desk: number, from: number, series: string, to: number, unit: string}} Pile */
/** @typedef {{breaks: {at: string, length: number}[], consent: boolean, desks: {mobility: boolean, number: number, special: boolean}[], doors: string, fixed_two: boolean, free_series: boolean, loose_last: boolean, ordinary: string[], partners: string[], piles: Pile[], rounds: Round[], special: string, start: string, tariffs: {price: number, unit: string}[], title: string}} Plan */
/** @typedef {{missing: number[], read: number[], reason: string, valid: boolean, vouched: string}} Verdict */
/** @typedef {{checked: boolean, sale: SaleRef, serial: string, typed: number[][], verdict: Verdict}} Claim */
/** @typedef {{ball: number, claim: number}} Token */
/** @typedef {{asked: boolean, keep: number, salt: string, tokens: Token[], winners: number[]}} Tie */
/** @typedef {{amount: number, claim: number, consolation: boolean, serial: string, token: number}} Award */

const sale = lean({ desk: "number", sale: "number" });
const verdict = lean({ missing: { list: "number" }, read: { list: "number" }, reason: "text", valid: "flag", vouched: "text" });
const token = lean({ ball: "number", claim: "number" });
const plan = lean({
	breaks: { list: lean({ at: "text", length: "number", title: "text" }) },
	consent: "flag",
	desks: { list: lean({ mobility: "flag", number: "number", special: "flag" }) },
	doors: "text", fixed_two: "flag", free_series: "flag", loose_last: "flag", online: "number",
	ordinary: { list: "text" }, partners: { list: "text" },
	piles: { list: lean({ desk: "number", from: "number", series: "text", to: "number", unit: "text" }) },
	rehearsal: "flag",
	rounds: {
		list: lean({
			cage: "flag", title: "text",
			prizes: {
				list: lean({
					amount: "number", car: "flag", consolation: "text", kind: "text", name: "text", note: "text",
					picture: "text", series: { list: "text" }, smallest: "number", stage: "number",
				}),
			},
		}),
	},
	special: "text", start: "text", tariffs: { list: lean({ price: "number", unit: "text" }) },
	title: "text", unclaimed: "flag", walk_ins: "flag",
});

/** @type {Record<string, Record<string, import("./json.mjs").Shape>>} */
const events = {
	planned: { plan },
	pictured: { gone: "flag", name: "text", prize: "number", round: "number" },
	day_opened: { commitments: { list: "text" }, ties: { list: "text" } },
	sale_opened: {},
	control_taken: { caller: "number" },
	rules_recalled: {},
	round_opened: { cards: "number", round: "number", salt: "text", upto: { list: sale } },
	ball_called: { ball: "number", number: "number" },
	call_corrected: { ball: "number", number: "number", reason: "text", was: "number" },
	call_repeated: { ball: "number", number: "number", reason: "text" },
	draw_stopped: {},
	draw_resumed: {},
	claim_made: { claim: lean({ checked: "flag", sale, serial: "text", typed: { list: { list: "number" } }, verdict }) },
	check_began: {},
	claim_checked: { claim: "number", verdict },
	claims_rejected: {},
	tie_found: { tie: lean({ asked: "flag", keep: "number", salt: "text", tokens: { list: token }, winners: { list: "number" } }) },
	share_answered: { agreed: "flag" },
	token_drawn: { token },
	prize_awarded: {
		awards: { list: lean({ amount: "number", claim: "number", consolation: "flag", serial: "text", token: "number" }) },
		how: "text",
	},
	prize_handed_over: {},
	round_closed: { reason: "text" },
	paused: { title: "text", until: "text" },
	pause_ended: {},
	dispute_decided: { decision: "text", question: "text" },
	person_excluded: { refund: "number", sales: { list: sale } },
	exclusion_explained: { reason: "text" },
	day_postponed: { doors: "text", reason: "text", start: "text" },
	day_closed: { reason: "text" },
};

/** The shapes of payloads, by kind. */
const shapes = new Map(Object.entries(events).map(([kind, fields]) => [kind, lean({ by: "number", fact: lean(fields) })]));
const secrets = lean({ round: "number", secret: "text", ties: { list: "text" } });

/**
 * What a payload says.
 * @param {string} kind
 * @param {string} payload
 * @returns {any}
 */
export function parse(kind, payload) {
	if (kind === "secrets_revealed") return read(payload, secrets);
	const shape = shapes.get(kind);
	need(shape, "dayfacts", `a day of loto has no fact ${kind}`);
	return read(payload, shape).fact;
}

/** The kinds whose words may be withheld. */
export const withheld = new Set(["dispute_decided", "exclusion_explained"]);

/** How many cards each unit holds. */
const sizes = new Map([["card", 1], ["sheet3", 3], ["sheet6", 6], ["special", 1]]);
const blank = new Set(["", "-", "—", "0", "aucun", "aucune", "none", "néant", "nothing", "rien"]);

/** @param {number} b */
export const isBall = (b) => b >= 1 && b <= 90;

/**
 * Whether a series is on sale.
 * @param {Plan} p
 * @param {string} s
 */
export const knows = (p, s) => s !== "" && (s === p.special || p.ordinary.includes(s));

/** @type {(holds: unknown, what: string) => asserts holds} */
const want = (holds, what) => need(holds, "dayplan", `the plan ${what}`);

/**
 * Refuses a plan with which no day may open.
 * @param {Plan} p
 */
export function checkPlan(p) {
	want(p.doors !== "" && p.start !== "" && nanos(p.start) > nanos(p.doors), "starts before its doors open");
	want(p.breaks.every((b) => b.at !== "" && nanos(b.at) >= nanos(p.start) && b.length > 0), "has a break before the start, or without length");
	checkDesks(p);
	checkPiles(p);
	want(p.rounds.length > 0, "has no round");
	for (const r of p.rounds) checkRound(p, r);
	if (p.special === "" || p.free_series) return;
	const prizes = p.rounds.flatMap((r) => r.prizes).filter((z) => !z.car);
	want(prizes.every((z, i) => z.series.includes(p.special) === (i >= prizes.length - 3)), "has the special card play for other prizes than the last three");
}

/** @param {Plan} p */
function checkDesks(p) {
	want(p.desks.every((d) => d.number >= 1) && new Set(p.desks.map((d) => d.number)).size === p.desks.length, "has a desk twice");
	want(p.desks.length >= 2 && p.desks.some((d) => d.mobility), "lacks desks, one of them for people with reduced mobility");
	want(p.special === "" || p.desks.some((d) => d.special), "has no desk of the special card");
	want(p.tariffs.every((t) => sizes.has(t.unit) && t.price > 0), "has a tariff of nothing");
	want(p.tariffs.some((t) => t.unit === "card") && (p.special === "" || p.tariffs.some((t) => t.unit === "special")), "lacks a price");
}

/** @param {Plan} p */
function checkPiles(p) {
	want(p.ordinary.length > 0 && !p.ordinary.includes(p.special), "has no series, or one both ordinary and special");
	want(p.piles.length > 0, "has no pile");
	p.piles.forEach((q, i) => {
		const size = sizes.get(q.unit) ?? 0;
		const desk = p.desks.find((d) => d.number === q.desk);
		want(size > 0 && q.from >= 1 && q.to >= q.from && (q.from - 1) % size === 0 && q.to % size === 0, "has a pile of no whole sheets");
		want(desk && knows(p, q.series) && (q.unit === "special") === (q.series === p.special), "has a pile at no desk, or of another series");
		want(desk.special === (q.unit === "special"), "sells special cards at another desk, or others at theirs");
		want(p.piles.slice(0, i).every((o) => o.series !== q.series || o.from > q.to || q.from > o.to), "has a card in two piles");
	});
}

/**
 * @param {Plan} p
 * @param {Round} r
 */
function checkRound(p, r) {
	want(r.prizes.length > 0 && r.prizes.every((z, i) => z.stage >= 1 && z.stage <= 3 && (i === 0 || z.stage > r.prizes[i - 1].stage)), "has stages out of order");
	for (const z of r.prizes) {
		want(said(z.name), "has a prize without a name");
		want(z.kind === "object" || (z.kind === "voucher" && z.smallest > 0 && z.amount > 0 && z.amount % z.smallest === 0), "has a prize that is neither an object nor whole vouchers");
		want(!blank.has(z.consolation.trim().toLowerCase()), "leaves a consolation blank");
		want(z.series.length > 0 && z.series.every((s) => knows(p, s)), "has a prize for which no series plays");
		want(!z.car || (z.series.length === 1 && p.special !== "" && z.series[0] === p.special), "has other cards play for the car");
	}
}

/**
 * Where the commitment of the tokens of a prize stands.
 * @param {Plan} p
 * @param {number} round from 1
 * @param {number} prize from 0
 */
export const tieIndex = (p, round, prize) => p.rounds.slice(0, round - 1).reduce((n, r) => n + r.prizes.length, prize);

/**
 * What lines say for a stage: the nearest ones, what is missing, and what is read out.
 * @param {Plan} p
 * @param {number} stage
 * @param {number[][]} lines
 * @param {number[]} calls
 * @returns {Verdict}
 */
export function readLines(p, stage, lines, calls) {
	const out = new Set(calls);
	const last = calls[calls.length - 1] ?? 0;
	const near = lines
		.map((numbers) => ({ numbers, missing: numbers.filter((b) => !out.has(b)), last: numbers.includes(last) }))
		.sort((a, b) => a.missing.length - b.missing.length || Number(b.last) - Number(a.last))
		.slice(0, stage);
	const missing = near.flatMap((l) => l.missing).sort((a, b) => a - b);
	const called = near.flatMap((l) => l.numbers).filter((b) => out.has(b));
	const at = called.indexOf(last);
	if (at > 0) called.unshift(...called.splice(at, 1));
	let reason = "";
	if (missing.length > 0 || near.length < stage) reason = "numbers_missing";
	else if (!near.some((l) => l.last) && !p.loose_last) reason = "last_not_among";
	return { missing, read: called, reason, valid: reason === "", vouched: "" };
}

/** @param {string} reason @returns {Verdict} */
export const refusal = (reason) => ({ missing: [], read: [], reason, valid: false, vouched: "" });

/**
 * By how many of n winners an amount is shared.
 * @param {Prize} z
 * @param {number} n
 * @param {boolean} fixedTwo
 */
function sharedBy(z, n, fixedTwo) {
	if (z.kind !== "voucher") return 1;
	for (let k = n; k > 1; k--) {
		if (z.amount % (k * z.smallest) === 0 && (!fixedTwo || k === n || k === 2)) return k;
	}
	return 1;
}

/**
 * The tie of several winners.
 * @param {Plan} p
 * @param {Prize} z
 * @param {Claim[]} claims
 * @param {number[]} winners
 * @returns {Tie}
 */
export function tieOf(p, z, claims, winners) {
	const keep = sharedBy(z, winners.length, p.fixed_two);
	const lines = winners.map((w) => `${claims[w].serial.replace("-", ",")}\n`).join("");
	return { asked: p.consent && keep > 1, keep, salt: hex(sha256(utf8(lines))), tokens: [], winners };
}

/**
 * What the winners of a tie receive.
 * @param {Tie} t
 * @param {Prize} z
 * @param {Claim[]} claims
 * @returns {{awards: Award[], how: string}}
 */
export function settle(t, z, claims) {
	const drawn = [...t.tokens].sort((a, b) => b.ball - a.ball);
	const kept = drawn.length > 0 ? drawn.slice(0, t.keep).map((d) => d.claim) : t.winners;
	return {
		awards: t.winners.map((claim) => ({
			amount: kept.includes(claim) ? Math.floor(z.amount / kept.length) : 0, claim, consolation: !kept.includes(claim),
			serial: claims[claim].serial, token: drawn.find((d) => d.claim === claim)?.ball ?? 0,
		})),
		how: drawn.length > 0 ? "tokens" : "shared",
	};
}
