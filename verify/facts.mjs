// Facts of the journal: their leaves, proofs and digests, and what those of a block say.

import { need, same, unhex, utf8 } from "./bytes.mjs";
import { object, read } from "./json.mjs";
import { hashes, included, leafHash } from "./merkle.mjs";
import { sha256 } from "./sha256.mjs";

/** @typedef {import("./note.mjs").Head} Head */
/** @typedef {import("./draw.mjs").Row} Row */
/** @typedef {{stream: string, number: number, at: number, kind: string, digest: Uint8Array}} Leaf */
/** @typedef {{leaf: string, salt: string, payload: string, index: number, proof: string}} Fact */
/** @typedef {{block: string, kind: string, size: number, price: number, commitment: string, root: string, table: string, boards?: string, game: string, program: string}} Header */
/** @typedef {{block: string, secret: string, sold: number, sales: string}} Revealed */
/** @typedef {{block: string, index: number, outcome: number, stake: number, prize: number, board?: number, buyer: string, rules: number}} Sale */

/** The shape of a proved fact. */
export const fact = object({ leaf: "text", salt: "text", payload: "text", index: "number", proof: "text" });
/** The shape of a prize table. */
export const rows = { list: object({ count: "number", amount: "number" }) };

const header = object({
	block: "text", kind: "text", size: "number", price: "number", commitment: "text",
	root: "text", table: "text", game: "text", program: "text",
});
const wordHeader = object({
	block: "text", kind: "text", size: "number", price: "number", commitment: "text",
	root: "text", table: "text", boards: "text", game: "text", program: "text",
});
const sale = object({
	block: "text", index: "number", outcome: "number", stake: "number", prize: "number", buyer: "text", rules: "number",
});
const wordSale = object({
	block: "text", index: "number", outcome: "number", stake: "number", prize: "number", board: "number", buyer: "text", rules: "number",
});
const revealed = object({ block: "text", secret: "text", sold: "number", sales: "text" });

/** The identifier of a block. */
const blockForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * @param {string} text
 * @returns {Leaf}
 */
export function parseLeaf(text) {
	const found = /^boulier\/leaf\/v1 ([A-Za-z0-9._/-]{1,200}) ([1-9][0-9]*) (0|[1-9][0-9]*) ([a-z][a-z0-9_]{0,63}) ([0-9a-f]{64})$/.exec(text);
	const parts = found?.[1].split("/") ?? [];
	const digest = found && unhex(found[5], 32);
	need(found && digest && parts.every((p) => p !== "" && p !== "." && p !== ".."), "format", "not the leaf of a journal");
	const [number, at] = [Number(found[2]), Number(found[3])];
	need(Number.isSafeInteger(number) && Number.isSafeInteger(at), "format", "a number of the leaf is too large");
	return { stream: found[1], number, at, kind: found[4], digest };
}

const salting = utf8("boulier/payload/v1\n");

/**
 * The digest of a payload under its salt.
 * @param {string} salt
 * @param {string} payload
 * @param {string} step
 */
export function payloadDigest(salt, payload, step) {
	const salted = unhex(salt, 16);
	need(salted, step, "the salt of a fact is not 32 digits");
	return sha256(salting, salted, utf8(payload));
}

/**
 * Refuses a payload that is not the one of which the leaf holds the digest.
 * @param {Leaf} leaf
 * @param {string} salt
 * @param {string} payload
 * @param {string} step
 */
export function checkPayload(leaf, salt, payload, step) {
	need(same(payloadDigest(salt, payload, step), leaf.digest), step, `the payload of ${leaf.stream} ${leaf.number} is not the one its leaf was made from`);
}

/**
 * The hashes of a proof in hexadecimal.
 * @param {string} digits
 * @param {string} step
 */
export function proofOf(digits, step) {
	const raw = unhex(digits);
	need(raw && raw.length % 32 === 0 && raw.length <= 64 * 32, step, "a proof is not joined hashes, 64 at most");
	return hashes(raw);
}

/**
 * The leaf of a proved fact, if it holds under the head.
 * @param {Fact} f
 * @param {Head} head
 * @param {string} step
 */
export function prove(f, head, step) {
	const leaf = parseLeaf(f.leaf);
	checkPayload(leaf, f.salt, f.payload, step);
	need(included(proofOf(f.proof, step), f.index, head.size, leafHash(utf8(f.leaf)), head.root), step,
		`${leaf.stream} ${leaf.number} is not leaf ${f.index} of the journal of ${head.size} leaves`);
	return leaf;
}

/**
 * The digest that 64 digits say.
 * @param {string} digits
 * @param {string} step
 * @param {string} what
 */
export function digestOf(digits, step, what) {
	const raw = unhex(digits, 32);
	need(raw, step, `${what} is not 64 lower-case digits`);
	return raw;
}

/**
 * The header that the payload of an opening says, within its bounds.
 * @param {string} payload
 * @returns {Header}
 */
export function parseHeader(payload) {
	/** @type {Header} */
	const h = read(payload, header, wordHeader);
	need(blockForm.test(h.block), "opened", "the header names no block");
	need(/^[a-z0-9-]{1,64}$/.test(h.kind), "opened", "the header names no kind of game");
	need(h.size >= 1 && h.size <= 100_000_000, "opened", `a block of ${h.size} units is out of bounds`);
	need(h.price >= 1, "opened", "the price of a unit is below one cent");
	need(/^[\x20-\x7e]{1,100}$/.test(h.program), "opened", "the header names no program");
	for (const name of /** @type {const} */ (["commitment", "root", "table", "game"])) {
		digestOf(h[name], "opened", `${name} of the header`);
	}
	need((h.boards !== undefined) === (h.kind === "words"), "opened", "boards are of word games, and of no others");
	if (h.boards !== undefined) digestOf(h.boards, "opened", "boards of the header");
	return h;
}

/**
 * @param {string} payload
 * @returns {Revealed}
 */
export function parseRevealed(payload) {
	/** @type {Revealed} */
	const r = read(payload, revealed);
	need(blockForm.test(r.block), "revealed", "the revelation names no block");
	digestOf(r.secret, "revealed", "the secret");
	digestOf(r.sales, "revealed", "the digest of the sales");
	return r;
}

/**
 * What a sale says.
 * @param {string} payload
 * @param {string} step
 */
export function parseSale(payload, step) {
	/** @type {Sale} */
	const s = read(payload, sale, wordSale);
	need(blockForm.test(s.block), step, "the sale names no block");
	need(s.outcome <= 0xffff, step, `there is no outcome ${s.outcome}`);
	need(s.board === undefined || s.board >= 1, step, "the sale is on board 0, which is left out");
	digestOf(s.buyer, step, "the buyer's digest");
	return s;
}

/**
 * The payload of a sale.
 * @param {Sale} s
 */
export const salePayload = (s) =>
	`{"block":"${s.block}","index":${s.index},"outcome":${s.outcome},"stake":${s.stake},"prize":${s.prize}` +
	`${s.board === undefined ? "" : `,"board":${s.board}`},"buyer":"${s.buyer}","rules":${s.rules}}`;

/**
 * The header of the block that was opened by a fact.
 * @param {Fact} f
 * @param {Head} head
 */
export function openingOf(f, head) {
	const leaf = prove(f, head, "opened");
	const h = parseHeader(f.payload);
	need(leaf.stream === `instant/block/${h.block}` && leaf.number === 1 && leaf.kind === "block_opened", "opened",
		`the leaf is ${leaf.kind} ${leaf.number} of ${leaf.stream}, not the opening of block ${h.block}`);
	return { leaf, header: h };
}

/**
 * Refuses a table that is not the one the header commits to.
 * @param {Row[]} table
 * @param {Header} h
 */
export function checkTable(table, h) {
	need(table.length >= 1 && table.length <= 64, "table", `a table of ${table.length} rows is out of bounds`);
	need(table.every((r) => r.count >= 1 && r.amount >= 1), "table", "a row of the table is empty");
	const winners = table.reduce((n, r) => n + r.count, 0);
	need(winners <= h.size, "table", `the table has ${winners} prizes for ${h.size} units`);
	const text = `boulier/instant/table/v1\nblock ${h.size}\nprice ${h.price}\n` +
		table.map((r) => `${r.count} ${r.amount}\n`).join("");
	need(same(sha256(utf8(text)), digestOf(h.table, "table", "the table's digest")), "table", "the table is not the one committed to");
	return winners;
}

/**
 * The salt of the streams of a block.
 * @param {Header} h
 */
export const saltOf = (h) => sha256(utf8(
	`boulier/instant/header/v1\nblock ${h.block}\nunits ${h.size}\nkind ${h.kind}\ngame ${h.game}\ntable ${h.table}\n${h.boards ? `boards ${h.boards}\n` : ""}program ${h.program}\n`,
));
