// The checks of an exported unit, in the order of docs/verify.md.

import { need } from "./bytes.mjs";
import { threeAlike, unitLeaves } from "./draw.mjs";
import { checkTable, digestOf, openingOf, parseSale, proofOf, prove } from "./facts.mjs";
import { extended, included } from "./merkle.mjs";
import { openCheckpoint } from "./note.mjs";

/** @typedef {import("./facts.mjs").Fact} Fact */
/** @typedef {{table: import("./draw.mjs").Row[], unit: {index: number, outcome: number, seed: string, face: number[], proof: string}, before: string, opening: Fact, consistency: string, checkpoint: string, sale: Fact}} Unit */

/**
 * @param {Unit} file
 * @param {import("./verify.mjs").Course} course
 */
export function checkUnit(file, course) {
	const { unit, table } = file;
	const before = openCheckpoint(file.before, course.key);
	const head = openCheckpoint(file.checkpoint, course.key);
	course.say("signed", { name: course.key.name, size: head.size });

	need(extended(proofOf(file.consistency, "extended"), before.size, head.size, before.root, head.root), "extended",
		`the journal of ${head.size} leaves does not extend that of ${before.size}`);
	course.say("extended", { before: before.size, size: head.size });

	const { leaf: opened, header } = openingOf(file.opening, before);
	course.say("opened", { block: header.block, at: opened.at, size: header.size, price: header.price, before: before.size });

	const sold = prove(file.sale, head, "sold");
	need(sold.stream === `instant/sales/${header.block}` && sold.number === unit.index + 1 && sold.kind === "unit_sold", "sold",
		`the leaf is ${sold.kind} ${sold.number} of ${sold.stream}, not the sale of unit ${unit.index}`);
	need(file.sale.index >= before.size, "sold", `the sale is leaf ${file.sale.index}: older than the checkpoint before it`);
	course.say("sold", { at: sold.at, leaf: file.sale.index, index: unit.index });

	const winners = checkTable(table, header);
	course.say("table", { rows: table.length, winners, size: header.size });

	const seed = digestOf(unit.seed, "placed", "the seed");
	need(unit.outcome <= 0xffff, "placed", `there is no outcome ${unit.outcome}`);
	const proof = proofOf(unit.proof, "placed");
	const root = digestOf(header.root, "placed", "the root");
	need(included(proof, unit.index, header.size, unitLeaves(header.block)(unit.index, unit.outcome, seed), root), "placed",
		`the root of the block does not hold unit ${unit.index}`);
	course.say("placed", { index: unit.index, size: header.size });

	const row = unit.outcome === 0 ? undefined : table[unit.outcome - 1];
	need(unit.outcome === 0 ? winners < header.size : row, "face", `the block has no unit of outcome ${unit.outcome}`);
	need(header.kind === "three-alike", "face", `games of kind ${header.kind} are not known to this verifier`);
	const face = threeAlike(table.length, unit.outcome, seed)?.map((n) => table[n - 1].amount);
	need(face && face.length === unit.face.length && face.every((a, i) => a === unit.face[i]), "face",
		`its seed gives ${face?.join(" ") ?? "no face"}, the file says ${unit.face.join(" ")}`);
	course.say("face", { face, outcome: unit.outcome, prize: row?.amount ?? 0 });

	const said = parseSale(file.sale.payload, "said");
	const want = { block: header.block, index: unit.index, outcome: unit.outcome, stake: header.price, prize: row?.amount ?? 0 };
	for (const name of /** @type {const} */ (["block", "index", "outcome", "stake", "prize"])) {
		need(said[name] === want[name], "said", `the sale says ${name} ${said[name]}, not ${want[name]}`);
	}
	course.say("said", { stake: header.price, prize: want.prize });
}
