// The checks of a journal, in the order of docs/verify.md.

import { hex, need, same, utf8 } from "./bytes.mjs";
import { commitment } from "./draw.mjs";
import { checkPayload, digestOf, parseHeader, parseLeaf, parseRevealed, parseSale } from "./facts.mjs";
import { object, read } from "./json.mjs";
import { leafHash, Tree } from "./merkle.mjs";
import { openCheckpoint } from "./note.mjs";
import { Sha256 } from "./sha256.mjs";

/** @typedef {import("./note.mjs").Head} Head */
/** @typedef {{sold: number, digest: Sha256, ended: boolean}} Sales what the journal holds of the sales of a block so far */

const shown = object({ leaf: "text", salt: "text", payload: "text" });
const withheld = object({ leaf: "text", withheld: "text" });

const sales = "instant/sales/";
const blocks = "instant/block/";

/**
 * @param {{checkpoint: string}} file
 * @param {import("./verify.mjs").Lines} lines
 * @param {Head | undefined} old
 * @param {import("./verify.mjs").Course} course
 */
export function checkJournal(file, lines, old, course) {
	const head = openCheckpoint(file.checkpoint, course.key);
	course.say("signed", { name: course.key.name, size: head.size });
	need(!old || old.size <= head.size, "since", `it is newer than the journal: ${old?.size} leaves against ${head.size}`);

	/** @type {Map<string, number>} the last number of each stream */
	const numbers = new Map();
	/** @type {Map<string, string>} commitments of the openings that are shown */
	const committed = new Map();
	/** @type {Map<string, Sales>} of each block */
	const sold = new Map();
	const counts = { shown: 0, erased: 0, sealed: 0, opened: 0, sold: 0, revealed: 0 };
	const tree = new Tree();
	const matches = () => !old || old.size !== tree.size || same(tree.root(), old.root);
	const rewritten = "the older journal is not its beginning: something was rewritten";
	need(matches(), "since", rewritten);
	for (let line = lines.next(); line !== undefined; line = lines.next()) {
		need(tree.size < head.size, "lines", `the checkpoint says ${head.size} leaves, the file has more`);
		const entry = read(line, shown, withheld);
		const leaf = parseLeaf(entry.leaf);
		const before = numbers.get(leaf.stream) ?? 0;
		need(leaf.number === before + 1, "numbers",
			`number ${leaf.number} of ${leaf.stream} follows number ${before}: a fact is missing or was moved`);
		numbers.set(leaf.stream, leaf.number);
		const hash = leafHash(utf8(entry.leaf));
		countSale(leaf, hash, sold);
		if (entry.withheld === undefined) {
			checkPayload(leaf, entry.salt, entry.payload, "payloads");
			counts.shown++;
			checkFact(leaf, entry.payload, committed, sold, counts);
		} else {
			need(entry.withheld === "erased" || entry.withheld === "sealed", "format", "a payload is withheld for no known reason");
			counts[/** @type {"erased" | "sealed"} */ (entry.withheld)]++;
		}
		tree.add(hash);
		need(matches(), "since", rewritten);
		if (tree.size % 1024 === 0) course.progress(lines.read, lines.bytes.length);
	}
	need(tree.size === head.size, "lines", `the checkpoint says ${head.size} leaves, the file has ${tree.size}`);
	course.say("lines", { size: head.size, shown: counts.shown, erased: counts.erased, sealed: counts.sealed });
	course.say("numbers", { streams: numbers.size });
	course.say("payloads", { shown: counts.shown });
	course.say("blocks", { opened: counts.opened, sold: counts.sold, revealed: counts.revealed });
	need(same(tree.root(), head.root), "root", "the leaves do not give the root that was signed");
	course.say("root", { size: head.size });
	if (old) course.say("since", { before: old.size });
}

/**
 * The sales of a block.
 * @param {Map<string, Sales>} sold
 * @param {string} block
 */
function salesOf(sold, block) {
	const known = sold.get(block) ?? { sold: 0, digest: new Sha256(), ended: false };
	sold.set(block, known);
	return known;
}

/**
 * Counts a sale, or the end of sales, whether its payload is shown or not.
 * @param {import("./facts.mjs").Leaf} leaf
 * @param {Uint8Array} hash
 * @param {Map<string, Sales>} sold
 */
function countSale({ stream, kind, number }, hash, sold) {
	if (stream.startsWith(sales)) {
		const s = salesOf(sold, stream.slice(sales.length));
		need(kind === "unit_sold", "blocks", `a ${kind} is number ${number} of ${stream}, where nothing but sales stands`);
		need(!s.ended, "blocks", `number ${number} of ${stream} comes after the end of its block`);
		s.sold++;
		s.digest.add(hash);
	}
	if (kind === "block_revealed" && stream.startsWith(blocks)) {
		const s = salesOf(sold, stream.slice(blocks.length));
		need(!s.ended, "blocks", `${stream} is revealed a second time`);
		s.ended = true;
	}
}

/**
 * Checks what a fact says that is shown.
 * @param {import("./facts.mjs").Leaf} leaf
 * @param {string} payload
 * @param {Map<string, string>} committed
 * @param {Map<string, Sales>} sold
 * @param {{opened: number, sold: number, revealed: number}} counts
 */
function checkFact(leaf, payload, committed, sold, counts) {
	const { stream, kind, number } = leaf;
	if (kind === "unit_sold" && stream.startsWith(sales)) {
		const sale = parseSale(payload, "blocks");
		need(stream === sales + sale.block && sale.index === number - 1, "blocks",
			`number ${number} of ${stream} says unit ${sale.index} of ${sale.block}`);
		counts.sold++;
	}
	if (kind === "block_opened" && stream.startsWith(blocks)) {
		const header = parseHeader(payload);
		need(stream === blocks + header.block && number === 1, "blocks",
			`block ${header.block} is opened by number ${number} of ${stream}`);
		committed.set(header.block, header.commitment);
		counts.opened++;
	}
	if (kind === "block_revealed" && stream.startsWith(blocks)) {
		const revealed = parseRevealed(payload);
		const { block } = revealed;
		need(stream === blocks + block, "blocks", `block ${block} is revealed in ${stream}`);
		const known = committed.get(block);
		const secret = digestOf(revealed.secret, "blocks", "the secret");
		need(!known || hex(commitment("instant/block", block, secret)) === known, "blocks",
			`the secret of ${block} is not the one committed to`);
		const held = salesOf(sold, block);
		need(revealed.sold === held.sold && revealed.sales === hex(held.digest.sum()), "blocks",
			`block ${block}: ${revealed.sold} sales were revealed, the journal holds ${held.sold}, or others`);
		counts.revealed++;
	}
}
