// The checks of an exported unit, in the order of docs/verify.md.

import { hex, little, need, same, unhex, utf8 } from "./bytes.mjs";
import { threeAlike, unitLeaves } from "./draw.mjs";
import { checkTable, digestOf, openingOf, parseSale, proofOf, prove } from "./facts.mjs";
import { extended, included } from "./merkle.mjs";
import { openCheckpoint } from "./note.mjs";
import { sha256 } from "./sha256.mjs";
import { outcomeOf, parseBoard, rulesDigest, wordFace } from "./words.mjs";

/** @typedef {import("./facts.mjs").Fact} Fact */
/** @typedef {import("./words.mjs").Rules} Rules */
/** @typedef {{board: number, rack: string, symbols: import("./words.mjs").Place[]}} Shown a face of a word game */
/** @typedef {{table: import("./draw.mjs").Row[], words?: Rules, unit: {index: number, outcome: number, seed: string, face?: number[], words?: Shown, proof: string}, before: string, opening: Fact, consistency: string, checkpoint: string, sale: Fact, buyer?: {player: number, blind: string}}} Unit */

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
	const prize = row?.amount ?? 0;
	if (header.kind === "words") checkWords(file, header, seed, prize, course);
	else {
		need(header.kind === "three-alike", "face", `games of kind ${header.kind} are not known to this verifier`);
		const face = threeAlike(table.length, unit.outcome, seed)?.map((n) => table[n - 1].amount);
		const shown = unit.face ?? [];
		need(face && face.length === shown.length && face.every((a, i) => a === shown[i]), "face",
			`its seed gives ${face?.join(" ") ?? "no face"}, the file says ${shown.join(" ") || "no amounts"}`);
		course.say("face", { face, outcome: unit.outcome, prize });
	}

	const said = parseSale(file.sale.payload, "said");
	const want = { block: header.block, index: unit.index, outcome: unit.outcome, stake: header.price, prize, board: unit.words?.board };
	for (const name of /** @type {const} */ (["block", "index", "outcome", "stake", "prize", "board"])) {
		need(said[name] === want[name], "said", `the sale says ${name} ${said[name]}, not ${want[name]}`);
	}
	course.say("said", { stake: header.price, prize: want.prize });

	if (file.buyer) {
		const blind = unhex(file.buyer.blind, 16);
		need(blind && file.buyer.player >= 1, "buyer", "no player, or a blind that is not 32 digits");
		need(hex(sha256(utf8("boulier/buyer/v1\n"), blind, little(file.buyer.player, 8))) === said.buyer, "buyer",
			"the sale was to somebody else");
		course.say("buyer", { player: file.buyer.player });
	}
}

/**
 * Checks the boards of a word game, and the face of a unit on its board.
 * @param {Unit} file
 * @param {import("./facts.mjs").Header} header
 * @param {Uint8Array} seed
 * @param {number} prize
 * @param {import("./verify.mjs").Course} course
 */
function checkWords({ table, words, unit }, header, seed, prize, course) {
	const shown = unit.words;
	need(words && shown, "boards", "the file of a word game holds no boards, or no face of one");
	need(words.boards.length >= 1 && words.boards.length <= 64, "boards", `a game of ${words.boards.length} boards is out of bounds`);
	need(words.symbols.length === 3 && words.symbols.every((w) => w <= 1_000_000), "boards", "the weights are not three, a million at most");
	const boards = words.boards.map(parseBoard);
	need(same(rulesDigest(words), digestOf(header.boards ?? "", "boards", "the boards' digest")), "boards", "the boards are not those committed to");
	need(table.every((r) => outcomeOf(r.amount)), "boards", "an amount of the table is no prize of the word game");
	course.say("boards", { boards: boards.length });

	const board = boards[shown.board - 1];
	need(board, "letters", `the game has no board ${shown.board}`);
	const outcome = unit.outcome === 0 ? { letters: 0, factor: 0 } : outcomeOf(prize);
	const face = outcome && wordFace(board, shown.board, words.symbols, outcome, seed);
	const text = (/** @type {import("./words.mjs").Face} */ f) => [f.rack, ...f.symbols.map((s) => `${s.cell}:${s.factor}`)].join(" ");
	need(face && text(face) === text(shown), "letters",
		`its seed gives ${face ? text(face) : "no face"} on board ${shown.board}, the file says ${text(shown)}`);
	course.say("letters", { rack: face.rack, symbols: face.symbols.length, board: shown.board, outcome: unit.outcome, prize });
}
