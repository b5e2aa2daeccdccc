// The checks of exported units, blocks, rounds, days of loto and journals, from their files alone: a second
// implementation, written from docs/verify.md. It asks nobody and keeps nothing.

import { Failure, need, text } from "./bytes.mjs";
import { checkBlock } from "./block.mjs";
import { checkJournal } from "./journal.mjs";
import { checkLoto } from "./loto.mjs";
import { fingerprint, parseKey, openCheckpoint } from "./note.mjs";
import { checkRound } from "./round.mjs";
import { checkUnit } from "./unit.mjs";
import { object, read } from "./json.mjs";
import { fact, rows } from "./facts.mjs";

/** @typedef {{step: string, [value: string]: any}} Line what one check has shown */
/** @typedef {{step: string, detail: string, line: number | undefined, file: "file" | "since"}} Refusal */
/** @typedef {{ok: boolean, format: string, key: string, fingerprint: string, lines: Line[], failure: Refusal | undefined}} Report */
/** @typedef {{file: Uint8Array, since?: Uint8Array}} Files the export, and an older one */
/** @typedef {{key?: string, progress?: (done: number, total: number) => void}} Options the key asked for */
/** @typedef {{key: import("./note.mjs").Key, say: (step: string, values?: object) => void, progress: (done: number, total: number) => void}} Course */

const longest = 1 << 20;

/**
 * What the file of a unit may end with: who bought it.
 * @type {Record<string, import("./json.mjs").Shape>[]}
 */
const buyers = [{}, { buyer: object({ player: "number", blind: "text" }) }];

/** The shapes of first lines, by format. */
const shapes = new Map([
	["boulier/unit/v1", buyers.flatMap((buyer) => [object({
		format: "text", key: "text", table: rows,
		unit: object({ index: "number", outcome: "number", seed: "text", face: { list: "number" }, proof: "text" }),
		before: "text", opening: fact, consistency: "text", checkpoint: "text", sale: fact, ...buyer,
	}), object({
		format: "text", key: "text", table: rows,
		words: object({ symbols: { list: "number" }, boards: { list: { list: "text" } } }),
		unit: object({
			index: "number", outcome: "number", seed: "text",
			words: object({ board: "number", rack: "text", symbols: { list: object({ cell: "number", factor: "number" }) } }),
			proof: "text",
		}),
		before: "text", opening: fact, consistency: "text", checkpoint: "text", sale: fact, ...buyer,
	})])],
	["boulier/block/v1", [object({ format: "text", key: "text", table: rows, checkpoint: "text", opening: fact, revealed: fact })]],
	["boulier/round/v1", [object({
		format: "text", key: "text", round: "number", before: "text", consistency: "text", checkpoint: "text",
		facts: "number", refunds: "number", cards: "number",
	})]],
	["boulier/loto/v1", [object({
		format: "text", key: "text", day: "number", round: "number", before: "text", consistency: "text", checkpoint: "text",
		facts: "number", series: "number", cards: "number",
	})]],
	["boulier/journal/v1", [object({ format: "text", key: "text", checkpoint: "text" })]],
]);

/** The lines of a file, one after another. */
export class Lines {
	#at = 0;
	number = 0;

	/** @param {Uint8Array} bytes */
	constructor(bytes) {
		this.bytes = bytes;
	}

	/** The bytes read so far. */
	get read() {
		return this.#at;
	}

	/** The next line without its end, or nothing at the end of the file. */
	next() {
		if (this.#at === this.bytes.length) return undefined;
		this.number++;
		const end = this.bytes.indexOf(10, this.#at);
		need(end >= 0, "format", "the last line has no end: the file is cut");
		need(end - this.#at < longest, "format", "a line is longer than 1 MiB");
		const line = text(this.bytes.subarray(this.#at, end));
		need(line !== undefined, "format", "the line is not UTF-8");
		this.#at = end + 1;
		return line;
	}
}

/**
 * The first line of an export.
 * @param {Lines} lines
 */
function first(lines) {
	const line = lines.next() ?? "";
	const format = /^\{"format":"([a-z0-9/]+)"/.exec(line)?.[1] ?? "";
	const shape = shapes.get(format);
	need(shape, "format", "not an exported unit, block, round, loto or journal");
	return { format, head: read(line, ...shape) };
}

/**
 * The head of an older export, or of a file that holds a checkpoint only.
 * @param {Uint8Array} bytes
 * @param {import("./note.mjs").Key} key
 */
function older(bytes, key) {
	if (bytes[0] === 0x7b) {
		const { head } = first(new Lines(bytes));
		need(head.key === key.text, "since", "the older file is of another operator");
		return openCheckpoint(head.checkpoint, key);
	}
	const note = text(bytes);
	need(note !== undefined, "since", "the older file is neither an export nor a checkpoint");
	return openCheckpoint(note, key);
}

/**
 * Checks an export.
 * @param {Files} files
 * @param {Options} [options]
 * @returns {Report}
 */
export function verify(files, options = {}) {
	/** @type {Report} */
	const report = { ok: false, format: "", key: "", fingerprint: "", lines: [], failure: undefined };
	const lines = new Lines(files.file);
	/** @type {"file" | "since"} */
	let inHand = "file";
	try {
		const asked = options.key ? parseKey(options.key, "the key asked for") : undefined;
		const { format, head } = first(lines);
		const key = parseKey(head.key);
		Object.assign(report, { format: format.split("/")[1], key: key.text, fingerprint: fingerprint(key) });
		need(!asked || asked.text === key.text, "key",
			`the file is of ${key.name}, ${fingerprint(key)}; the key asked for is of ${asked?.name}, ${asked && fingerprint(asked)}`);
		/** @type {Course} */
		const course = {
			key,
			say: (step, values = {}) => report.lines.push({ step, ...values }),
			progress: options.progress ?? (() => {}),
		};
		if (format === "boulier/journal/v1") {
			inHand = "since";
			const old = files.since && older(files.since, key);
			inHand = "file";
			checkJournal(head, lines, old, course);
		} else {
			need(!files.since, "since", "only a journal can be checked against an older one");
			if (format === "boulier/block/v1") checkBlock(head, lines, course);
			else if (format === "boulier/round/v1") checkRound(head, lines, course);
			else if (format === "boulier/loto/v1") checkLoto(head, lines, course);
			else {
				checkUnit(head, course);
				need(lines.next() === undefined, "format", "something follows the unit");
			}
		}
		report.ok = true;
	} catch (e) {
		if (!(e instanceof Failure)) throw e;
		report.failure = { step: e.step, detail: e.message, line: inHand === "file" ? lines.number : undefined, file: inHand };
	}
	return report;
}
