// The checks of a closed block, in the order of docs/verify.md.

import { hex, need, same, utf8 } from "./bytes.mjs";
import { commitment, outcomes, stream, unitLeaves } from "./draw.mjs";
import { checkTable, digestOf, openingOf, parseRevealed, payloadDigest, prove, saltOf, salePayload } from "./facts.mjs";
import { object, read } from "./json.mjs";
import { leafHash, Tree } from "./merkle.mjs";
import { openCheckpoint } from "./note.mjs";
import { Sha256 } from "./sha256.mjs";

/** @typedef {import("./facts.mjs").Fact} Fact */
/** @typedef {{table: import("./draw.mjs").Row[], checkpoint: string, opening: Fact, revealed: Fact}} Block */

/** @typedef {{at: number, salt: string, buyer: string, rules: number, board?: number}} Sold what does not follow from the block */

const sale = object({ at: "number", salt: "text", buyer: "text", rules: "number" });
const wordSale = object({ at: "number", salt: "text", buyer: "text", rules: "number", board: "number" });

/**
 * @param {Block} file
 * @param {import("./verify.mjs").Lines} lines
 * @param {import("./verify.mjs").Course} course
 */
export function checkBlock(file, lines, course) {
	const head = openCheckpoint(file.checkpoint, course.key);
	course.say("signed", { name: course.key.name, size: head.size });

	const { leaf: opened, header } = openingOf(file.opening, head);
	course.say("opened", { block: header.block, at: opened.at, size: header.size, price: header.price });

	const leaf = prove(file.revealed, head, "revealed");
	const revealed = parseRevealed(file.revealed.payload);
	need(leaf.stream === `instant/block/${header.block}` && leaf.kind === "block_revealed", "revealed",
		`the leaf is ${leaf.kind} ${leaf.number} of ${leaf.stream}, not the end of block ${header.block}`);
	need(file.revealed.index > file.opening.index, "revealed", "the secret was revealed before the block was opened");
	need(revealed.block === header.block && revealed.sold <= header.size, "revealed", "the revelation is of another block");
	course.say("revealed", { at: leaf.at });

	const secret = digestOf(revealed.secret, "secret", "the secret");
	need(hex(commitment("instant/block", header.block, secret)) === header.commitment, "secret",
		"the secret is not the one committed to");
	course.say("secret");

	const winners = checkTable(file.table, header);
	course.say("table", { rows: file.table.length, winners, size: header.size });

	const total = 2 * header.size + revealed.sold;
	const salt = saltOf(header);
	const order = outcomes(header, file.table, secret, salt, (done) => course.progress(done, total));
	const seeds = stream("instant/seeds", header.block, secret, salt);
	const unit = unitLeaves(header.block);
	const tree = new Tree();
	for (let i = 0; i < header.size; i++) {
		tree.add(unit(i, order[i], seeds.bytes(32)));
		if (i % 8192 === 0) course.progress(header.size + i, total);
	}
	need(same(tree.root(), digestOf(header.root, "drawn", "the root")), "drawn", "the secret and the table give another block");
	course.say("drawn", { size: header.size });

	const shape = header.kind === "words" ? wordSale : sale;
	const sales = new Sha256();
	for (let n = 1; n <= revealed.sold; n++) {
		const line = lines.next();
		need(line !== undefined, "sales", `${revealed.sold} units were sold, the file has ${n - 1} sales`);
		/** @type {Sold} */
		const s = read(line, shape);
		need(s.board === undefined || (s.board >= 1 && s.board <= 64), "sales", `a sale on board ${s.board}`);
		digestOf(s.buyer, "sales", "the buyer's digest");
		const outcome = order[n - 1];
		const payload = salePayload({
			block: header.block, index: n - 1, outcome, stake: header.price, prize: outcome === 0 ? 0 : file.table[outcome - 1].amount,
			board: s.board, buyer: s.buyer, rules: s.rules,
		});
		const digest = hex(payloadDigest(s.salt, payload, "sales"));
		sales.add(leafHash(utf8(`boulier/leaf/v1 instant/sales/${header.block} ${n} ${s.at} unit_sold ${digest}`)));
		if (n % 8192 === 0) course.progress(2 * header.size + n, total);
	}
	need(lines.next() === undefined, "sales", `${revealed.sold} units were sold, the file has more sales`);
	need(same(sales.sum(), digestOf(revealed.sales, "sales", "the digest of the sales")), "sales", "the sales are not those that were revealed");
	course.progress(total, total);
	course.say("sales", { sold: revealed.sold });
}
