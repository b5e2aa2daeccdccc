// Exports that hold, and the same with a byte of them changed. `go test ./verify` says in
// BOULIER_FLIPS what `boulier verify` finds of each; both must agree.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { verify } from "./verify.mjs";

const folder = new URL("../internal/proof/testdata/", import.meta.url);
/** @param {string} name */
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const key = readFileSync(new URL("key.txt", folder), "utf8").trim();
const other = "other.example+346e6ee3+AYE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU";

test("exports hold", () => {
	for (const [file, since, steps] of /** @type {[string, string | undefined, string][]} */ ([
		["unit.json", undefined, "signed extended opened sold table placed face said buyer"],
		["block.jsonl", undefined, "signed opened revealed secret table drawn sales"],
		["words-unit.json", undefined, "signed extended opened sold table placed boards letters said buyer"],
		["words-block.jsonl", undefined, "signed opened revealed secret table drawn sales"],
		["round.jsonl", undefined, "signed extended facts planned committed witness cards prizes secret balls won won won won won"],
		["round-alone.jsonl", undefined, "signed extended facts planned committed alone cards prizes secret balls won won won won won"],
		["round-void.jsonl", undefined, "signed extended facts planned committed witness cards prizes secret voided"],
		["round-unsold.jsonl", undefined, "signed extended facts planned committed alone cards prizes secret balls"],
		["loto.jsonl", undefined, "signed extended dayfacts dayseries dayplan daysigned dayround dayprize dayprize dayprize daycage dayprize daysecret"],
		["loto-round.jsonl", undefined, "signed extended dayfacts dayseries dayplan daysigned dayround dayprize dayprize dayprize daysecret"],
		["journal.jsonl", undefined, "signed lines numbers payloads blocks root"],
		["journal.jsonl", "older.jsonl", "signed lines numbers payloads blocks root since"],
		["journal.jsonl", "receipt.txt", "signed lines numbers payloads blocks root since"],
		["journal.jsonl", "unit.json", "signed lines numbers payloads blocks root since"],
	])) {
		const report = verify({ file: bytes(file), since: since === undefined ? undefined : bytes(since) }, { key });
		assert.equal(report.failure, undefined, file);
		assert.ok(report.ok);
		assert.equal(report.lines.map((l) => l.step).join(" "), steps);
		assert.equal(report.fingerprint, "1165-33df-b98b-5243-7978-5cf1-73e3-31ac");
	}
	const { lines } = verify({ file: bytes("unit.json") });
	assert.deepEqual(lines.find((l) => l.step === "face")?.face, [500, 200, 500, 500, 5000, 200]);
	const words = verify({ file: bytes("words-unit.json") }).lines;
	const letters = words.find((l) => l.step === "letters");
	assert.deepEqual([letters?.board, letters?.rack, letters?.symbols, letters?.prize], [2, "ACLOPST", 1, 600]);
});

test("refusals name the check", () => {
	const text = (/** @type {string} */ name) => readFileSync(new URL(name, folder), "utf8");
	const unit = text("unit.json");
	const journal = text("journal.jsonl").split("\n");
	const block = text("block.jsonl").split("\n");
	const words = text("words-unit.json");
	const round = text("round.jsonl").split("\n");
	const day = text("loto.jsonl").split("\n");
	const without = (/** @type {string[]} */ lines, /** @type {number} */ at) => lines.filter((_, i) => i !== at);
	for (const [want, file, options] of /** @type {[string, string, {key?: string, since?: string}][]} */ ([
		["key", unit, { key: other }],
		["key", unit, { key: "hall.example+00000000+AAAA" }],
		["since", unit, { since: text("older.jsonl") }],
		["face", unit.replace("[500,200,500,500,5000,200]", "[500,200,500,500,5000,5000]"), {}],
		["letters", words.replace('"rack":"ACLOPST"', '"rack":"ACLOPSU"'), {}],
		["letters", words.replace('"cell":39,"factor":3', '"cell":39,"factor":2'), {}],
		["letters", words.replace('"words":{"board":2', '"words":{"board":1'), {}],
		["boards", words.replace('"FROMAGE"', '"FROMAGI"'), {}],
		["placed", unit.replace('"outcome":2,"seed"', '"outcome":1,"seed"'), {}],
		["table", unit.replace('"amount":5000}', '"amount":5001}'), {}],
		["sold", unit.replace('\\"prize\\":500', '\\"prize\\":501'), {}],
		["format", unit.replace('{"format"', '{ "format"'), {}],
		["format", unit.slice(0, -1), {}],
		["format", unit + unit, {}],
		["format", "", {}],
		["cards", [...round.slice(0, -3), round.at(-2), round.at(-3), ""].join("\n"), {}],
		["facts", without(round, 20).join("\n"), {}],
		["format", [...round.slice(0, -2), round.at(-2)?.replace("[[", "[[0"), ""].join("\n"), {}],
		["cards", text("round-void.jsonl").replace('"price":100', '"price":200'), {}],
		["signed", round.join("\n").replace('"before":"hall.example\\n3', '"before":"hall.example\\n4'), {}],
		["daysold", without(day, day.length - 2).join("\n").replace('"cards":16', '"cards":15'), {}],
		["dayfacts", without(day, 20).join("\n"), {}],
		["dayseries", day.join("\n").replace('"number":5,"lines":[[', '"number":5,"lines":[[1'), {}],
		["daycourse", day.join("\n").replace('"round":0', '"round":2'), {}],
		["numbers", without(journal, 3).join("\n"), {}],
		["lines", without(journal, journal.length - 2).join("\n"), {}],
		["root", [...journal.slice(0, 4), journal[5], journal[4], ...journal.slice(6)].join("\n"), {}],
		["since", [...journal.slice(0, 4), journal[5], journal[4], ...journal.slice(6)].join("\n"), { since: text("older.jsonl") }],
		["format", unit.replace("hall.example\\n2", "hall.example\\u000a2"), {}],
		["since", text("older.jsonl"), { since: text("journal.jsonl") }],
		["sales", without(block, block.length - 2).join("\n"), {}],
	])) {
		const encode = new TextEncoder();
		const report = verify(
			{ file: encode.encode(file), since: options.since === undefined ? undefined : encode.encode(options.since) },
			{ key: options.key },
		);
		assert.equal(report.failure?.step, want, report.failure?.detail ?? `holds: ${want}`);
		assert.ok(!report.ok, want);
	}
});

test("what is signed and is not so", () => {
	const refused = new URL("refused/", folder);
	const steps = new Map([["block", "sales"], ["journal", "blocks"], ["unit", "buyer"]]);
	const names = readdirSync(refused);
	assert.ok(names.length >= 13);
	for (const name of names) {
		const report = verify({ file: new Uint8Array(readFileSync(new URL(name, refused))) }, { key });
		assert.equal(report.failure?.step, steps.get(name.split("-")[0]), `${name}: ${report.failure?.detail}`);
	}
});

test("no flipped byte holds", () => {
	/** @type {{path: string | URL, key: string, flips: [number, number, boolean][]}[]} offset, what is XORed, verdict */
	const cases = process.env.BOULIER_FLIPS
		? JSON.parse(readFileSync(process.env.BOULIER_FLIPS, "utf8"))
		: ["unit.json", "block.jsonl", "journal.jsonl", "words-unit.json", "words-block.jsonl"].map((file) => ({
			path: new URL(file, folder),
			key,
			flips: Array.from(bytes(file), (_, at) => [at, 1, false]).filter((_, at) => at % 16 === 0),
		}));
	let done = 0;
	for (const { path, key, flips } of cases) {
		const file = new Uint8Array(readFileSync(path));
		for (const [at, xor, want] of flips) {
			file[at] ^= xor;
			const report = verify({ file }, { key });
			assert.equal(report.ok, want, `${path}, byte ${at} ^ ${xor}: ${report.failure?.detail}`);
			file[at] ^= xor;
			done++;
		}
	}
	assert.ok(done > 500);
});

test("the command", () => {
	/** @param {...string} args */
	const run = (...args) => spawnSync(process.execPath, [fileURLToPath(new URL("cli.mjs", import.meta.url)), ...args], {
		cwd: fileURLToPath(folder), encoding: "utf8",
	});
	const good = run("unit.json", "--key", "key.txt");
	assert.equal(good.status, 0, good.stderr);
	assert.match(good.stdout, /^unit\.json holds\n[^]*it wins 5\.00 EUR[^]*key 1165-33df/);
	assert.equal(run("journal.jsonl", "--since", "older.jsonl").status, 0);
	assert.match(run("words-unit.json", "--key", "key.txt").stdout,
		/on board 2 its rack shows ACLOPST, with 1 symbols: it wins 6\.00 EUR/);
	const bad = run("unit.json", "--key", other);
	assert.equal(bad.status, 1);
	assert.match(bad.stderr, /^unit\.json:1: key: the file is of hall\.example/);
	assert.equal(run("missing.json").status, 2);
	assert.equal(run().status, 2);
});
