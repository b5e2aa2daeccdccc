// The verifier on the command line of Node:
//
//   node verify/cli.mjs FILE [--key K] [--since OLD]
//
// It ends with 0 when the file holds, 1 when it does not, 2 when it could not be read.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { verify } from "./verify.mjs";

/** @param {number} cents */
const euros = (cents) => `${(cents / 100).toFixed(2)} EUR`;
/** @param {number} micros */
const moment = (micros) => new Date(micros / 1000).toISOString();

/** @type {Record<string, (v: any) => string>} what each check has shown */
const words = {
	signed: (v) => `journal of ${v.size} leaves signed by ${v.name}`,
	extended: (v) => `it extends the journal of ${v.before} leaves that was signed before the sale`,
	opened: (v) => `block ${v.block} of ${v.size} units at ${euros(v.price)} was opened at ${moment(v.at)}`,
	sold: (v) => `unit ${v.index}, counted from 0, was sold in its turn at ${moment(v.at)}, leaf ${v.leaf}`,
	table: (v) => `the table of ${v.rows} rows, ${v.winners} prizes, is the one committed to`,
	placed: (v) => `unit ${v.index} of ${v.size} is at its place in the block`,
	boards: (v) => `its ${v.boards} boards are those that were committed to, and sound`,
	letters: (v) => `on board ${v.board} its rack shows ${v.rack}, with ${v.symbols} symbols: ${v.prize ? `it wins ${euros(v.prize)}` : "it wins nothing"}`,
	face: (v) => `its face shows ${v.face.map(euros).join(", ")}: ${v.prize ? `it wins ${euros(v.prize)}` : "it wins nothing"}`,
	said: (v) => `the sale says the same: stake ${euros(v.stake)}, prize ${euros(v.prize)}`,
	buyer: (v) => `it was sold to player ${v.player}`,
	revealed: (v) => `its secret was revealed at ${moment(v.at)}`,
	secret: () => "the secret is the one committed to",
	drawn: (v) => `order, seeds and root of ${v.size} units follow from it`,
	sales: (v) => `${v.sold} units were sold, in that order and without a skip`,
	facts: (v) => `${v.facts} facts of the round and ${v.refunds} refunds are in it, none missing`,
	planned: (v) => `round ${v.round}, number ${v.number} of its day`,
	committed: (v) => `what draws it was signed before the sale, in a journal of ${v.before} leaves`,
	witness: (v) => `a witness takes part, by the key ${v.key}`,
	alone: () => "it has no witness",
	cards: (v) => `${v.cards} cards in order, ${v.refunded} refunded in the time of sale, ${euros(v.sales)} of sales`,
	prizes: (v) => `its prizes are ${v.amounts.map(euros).join(", ")}`,
	balls: (v) => `the order of its ${v.balls} balls follows from the secret`,
	won: (v) => `${v.name}: ${euros(v.amount)} on ball ${v.ball}, shared by ${v.cards} cards`,
	voided: (v) => `the round is void after ${v.balls} balls`,
	dayfacts: (v) => `${v.facts} facts of day ${v.day} are in it, none missing`,
	dayseries: (v) => `series ${v.series}: ${v.cards} cards, with the numbers that were registered before the sale`,
	dayplan: (v) => `« ${v.title} », ${v.rounds} rounds: its plan could open`,
	daysigned: (v) => `what draws it was signed before the sale, in a journal of ${v.before} leaves`,
	dayround: (v) => `round ${v.round}, ${v.cards} cards: the order of its ${v.balls} numbers follows from the secret`,
	daycage: (v) => `round ${v.round}, ${v.cards} cards: its ${v.balls} numbers came out of a real cage, which nothing proves`,
	dayprize: (v) => `round ${v.round}: ${v.name} on number ${v.ball}, won by ${v.serials}`,
	daysecret: () => "every secret is the one committed to",
	lines: (v) => `${v.size} facts: ${v.shown} shown, ${v.erased} erased, ${v.sealed} sealed`,
	numbers: (v) => `no fact is missing in ${v.streams} streams`,
	payloads: (v) => `${v.shown} payloads are those their leaves were made from`,
	blocks: (v) => `${v.opened} blocks opened, ${v.sold} units sold, ${v.revealed} secrets revealed`,
	root: (v) => `the ${v.size} leaves give the root that was signed`,
	since: (v) => `it extends the older file, of ${v.before} leaves: nothing was rewritten`,
};

/** @param {string} said a key, or the name of a file that holds it */
const keyOf = (said) => (said.includes("+") ? said : readFileSync(said, "utf8").trim());

/** @returns {number} */
function run() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { key: { type: "string" }, since: { type: "string" } },
	});
	const [name] = positionals;
	if (!name || positionals.length > 1) throw new Error("usage: node verify/cli.mjs FILE [--key K] [--since OLD]");
	const files = { file: readFileSync(name), since: values.since === undefined ? undefined : readFileSync(values.since) };
	const report = verify(files, { key: values.key === undefined ? undefined : keyOf(values.key) });
	if (report.failure) {
		const { step, detail, line, file } = report.failure;
		console.error(`${file === "since" ? values.since : name}${line ? `:${line}` : ""}: ${step}: ${detail}`);
		return 1;
	}
	console.log(`${name} holds`);
	for (const line of report.lines) console.log(`  ${words[line.step]?.(line) ?? line.step}`);
	console.log(`  key ${report.fingerprint}`);
	if (values.key === undefined) {
		console.log("  that key is the file's own: compare it with the one the operator publishes, or give --key");
	}
	return 0;
}

try {
	process.exitCode = run();
} catch (e) {
	console.error(e instanceof Error ? e.message : e);
	process.exitCode = 2;
}
