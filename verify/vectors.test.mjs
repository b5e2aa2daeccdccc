// The primitives against public vectors, the draws against those of draw/testdata.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Aes256, Keystream } from "./aes.mjs";
import { base64, hex, unbase64, unhex, utf8 } from "./bytes.mjs";
import * as draw from "./draw.mjs";
import { holds, sha512 } from "./ed25519.mjs";
import { hkdf, hmac, Sha256, sha256 } from "./sha256.mjs";
import { Tree, included, hashes } from "./merkle.mjs";
import { outcomeOf, parseBoard, racks, rulesDigest, wordFace } from "./words.mjs";

/**
 * The vectors of a file: lines `name = value`, an empty line between two.
 * @param {string} name
 */
function vectors(name) {
	const text = readFileSync(new URL(name, import.meta.url), "utf8");
	return text.split("\n\n").map((part) => new Map(part.split("\n").filter((l) => l && !l.startsWith("#")).map((l) => {
		const [key, ...value] = l.split(" =");
		return /** @type {[string, string]} */ ([key, value.join(" =").trim()]);
	}))).filter((v) => v.size > 0);
}

/** @param {string | undefined} digits */
const bytes = (digits) => /** @type {Uint8Array} */ (unhex(digits ?? ""));
/** @param {Uint8Array} b */
const words = (b) => Array.from({ length: 4 }, (_, i) => new DataView(b.buffer).getUint32(4 * i));

test("primitives", () => {
	let done = 0;
	for (const v of vectors("testdata/primitives.txt")) {
		const [key, message, want] = [bytes(v.get("key")), bytes(v.get("message")), v.get("want") ?? ""];
		switch (v.get("kind")) {
			case "sha256": assert.equal(hex(sha256(message)), want); break;
			case "sha512": assert.equal(hex(sha512(message)), want); break;
			case "hmac": assert.equal(hex(hmac(key, message)), want); break;
			case "hkdf": assert.equal(hex(hkdf(key, bytes(v.get("salt")), bytes(v.get("info")), 42)), want); break;
			case "aes": {
				const out = new DataView(new ArrayBuffer(16));
				new Aes256(key).encrypt(words(message), out, 0);
				assert.equal(hex(new Uint8Array(out.buffer)), want);
				break;
			}
			case "ctr": {
				const stream = new Keystream(key, words(bytes(v.get("counter")))).bytes(message.length);
				assert.equal(hex(message.map((b, i) => b ^ stream[i])), want);
				break;
			}
			case "ed25519": {
				const signature = bytes(want);
				assert.ok(holds(key, message, signature));
				for (let i = 0; i < 64; i++) {
					signature[i] ^= 1;
					assert.ok(!holds(key, message, signature), `byte ${i}`);
					signature[i] ^= 1;
				}
				assert.ok(!holds(key, Uint8Array.of(...message, 0), signature));
				break;
			}
			case "base64":
				assert.equal(base64(message), want);
				assert.deepEqual(unbase64(want), message);
				assert.equal(unbase64(want.slice(1)), undefined);
				break;
			default: assert.fail(`no kind ${v.get("kind")}`);
		}
		done++;
	}
	assert.ok(done >= 17);
	assert.equal(unbase64("Zm9vYh=="), undefined, "bits beyond the end");
});

test("a digest taken in pieces is the same", () => {
	const message = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
	for (const size of [1, 7, 63, 64, 65, 200]) {
		const s = new Sha256();
		for (let at = 0; at < 1000; at += size) s.add(message.subarray(at, at + size));
		assert.equal(hex(s.sum()), hex(sha256(message)), `pieces of ${size}`);
	}
});

test("a digest of every short length, taken at once and in pieces", () => {
	const message = Uint8Array.from({ length: 600 }, (_, i) => (7 * i) % 251);
	for (let n = 0; n <= 600; n++) {
		const part = message.subarray(0, n);
		assert.equal(hex(sha256(part)), hex(new Sha256().add(part).sum()), `${n} bytes`);
		assert.equal(hex(sha256(part.subarray(0, n >> 1), part.subarray(n >> 1))), hex(sha256(part)));
	}
});

test("a counter carries through its words", () => {
	const key = new Uint8Array(32);
	const across = new Keystream(key, [0, 0, 0xffffffff, 0xffffffff]).bytes(32);
	assert.equal(hex(across.subarray(16)), hex(new Keystream(key, [0, 1, 0, 0]).bytes(16)));
});

test("faces of the word game", () => {
	const lines = readFileSync(new URL("../internal/face/testdata/words.txt", import.meta.url), "utf8").split("\n");
	/** @type {import("./words.mjs").Rules} */
	const rules = { symbols: [], boards: [] };
	let [counted, done] = [0, 0];
	for (const line of lines.filter((l) => l && !l.startsWith("#"))) {
		const [first, ...rest] = line.split(" ");
		if (first === "symbols") rules.symbols = rest.map(Number);
		else if (first === "board") rules.boards.push([]);
		else if (/^[A-Z.]{7}$/.test(line)) rules.boards.at(-1)?.push(line);
		else if (/^[0-9a-f]{64}$/.test(line)) assert.equal(hex(rulesDigest(rules)), line);
		else if (/^[0-9]+( [0-9]+){5}$/.test(line)) {
			const board = parseBoard(rules.boards[counted++]);
			const counts = [0, 3, 4, 5, 6, 7].map((letters) => racks(board, { letters, factor: letters && 1 }).length);
			assert.equal(counts.join(" "), line);
		} else if (/^[0-9]+$/.test(first)) {
			const [seed, board, rack, ...symbols] = rest;
			const outcome = first === "0" ? { letters: 0, factor: 0 } : outcomeOf(Number(first));
			assert.ok(outcome, line);
			const face = wordFace(parseBoard(rules.boards[Number(board) - 1]), Number(board), rules.symbols, outcome, bytes(seed));
			assert.equal([face?.rack, ...(face?.symbols ?? []).map((s) => `${s.cell}:${s.factor}`)].join(" "), [rack, ...symbols].join(" "), line);
			done++;
		}
	}
	assert.equal(counted, rules.boards.length);
	assert.ok(done >= 48, `${done} vectors`);
});

test("boards that are not sound", () => {
	const sound = ["C....C.", "ABRICOT", "M....R.", "P.ROMAN", "...I.I.", "...E.L.", "......."];
	parseBoard(sound);
	for (const [row, text, what] of /** @type {[number, string, string][]} */ ([
		[0, "C....C", "not seven rows"], [6, "......X", "a letter in no word"], [6, "..AB...", "not one word each"],
		[1, "ABRICOB", "a letter twice"], [4, "...I...", "not one word each"],
	])) {
		assert.throws(() => parseBoard(sound.map((line, i) => (i === row ? text : line))), (/** @type {Error} */ e) => e.message.includes(what), what);
	}
});

/** @param {Map<string, string>} v */
const streamOf = (v) => draw.stream(v.get("use") ?? "", v.get("id") ?? "", bytes(v.get("secret")), bytes(v.get("salt")));

test("draws", () => {
	for (const v of vectors("../draw/testdata/commit.txt")) {
		assert.equal(hex(draw.commitment(v.get("use") ?? "", v.get("id") ?? "", bytes(v.get("secret")))), v.get("commitment"));
	}
	for (const v of vectors("../draw/testdata/stream.txt")) {
		assert.equal(hex(streamOf(v).bytes(64)), v.get("keystream"));
		assert.equal(String(streamOf(v).word()), v.get("uint64"));
	}
	for (const v of vectors("../draw/testdata/bounded.txt")) {
		const s = streamOf(v);
		const got = Array.from({ length: 10 }, () => draw.below(s, BigInt(v.get("n") ?? 0)));
		assert.equal(got.join(" "), v.get("numbers"));
	}
	for (const v of vectors("../draw/testdata/shuffle.txt")) {
		const list = Array.from({ length: Number(v.get("n")) }, (_, i) => i + 1);
		assert.equal(draw.shuffle(list, streamOf(v)).join(" "), v.get("order"));
	}
});

test("blocks", () => {
	const all = vectors("../draw/testdata/block.txt");
	assert.ok(all.length >= 3);
	for (const v of all) {
		const counts = (v.get("counts") ?? "").split(" ").map(Number);
		const size = counts.reduce((a, b) => a + b);
		const block = v.get("id") ?? "";
		const [secret, salt] = [bytes(v.get("secret")), bytes(v.get("salt"))];
		const order = draw.outcomes({ block, size }, counts.slice(1).map((count) => ({ count, amount: 1 })), secret, salt);
		const first = v.get("first")?.split(" ") ?? [];
		assert.deepEqual([...order.slice(0, first.length)].map(String), first);
		const seeds = draw.stream("instant/seeds", block, secret, salt);
		const tree = new Tree();
		const index = Number(v.get("index"));
		order.forEach((outcome, i) => {
			const seed = seeds.bytes(32);
			const leaf = draw.unitLeaves(block)(i, outcome, seed);
			tree.add(leaf);
			if (i !== index) return;
			assert.equal(String(outcome), v.get("outcome"));
			assert.equal(hex(seed), v.get("seed"));
			assert.equal(hex(leaf), v.get("leaf"));
			const face = draw.faceStream(seed, 0);
			assert.equal(Array.from({ length: 6 }, () => draw.below(face, 6)).join(" "), v.get("face"));
			const proof = hashes(bytes(v.get("proof")));
			assert.ok(included(proof, i, size, leaf, bytes(v.get("root"))));
			assert.ok(!included(proof, i + size, size, leaf, bytes(v.get("root"))), "an index outside the tree");
		});
		assert.equal(hex(tree.root()), v.get("root"));
	}
});

test("faces: every legal one and no other, each at its rank", () => {
	// Three rows, small enough to count by hand: outcome 0 has 6!/(2!2!2!) faces,
	// another one 6!/(3!3!) · (2³ − 2).
	for (const [outcome, faces] of /** @type {[number, number][]} */ ([[0, 90], [1, 120], [3, 120]])) {
		const seen = new Set();
		for (let n = 0; n < 3000; n++) {
			const face = draw.threeAlike(3, outcome, sha256(utf8(`${outcome} ${n}`)));
			assert.ok(face);
			for (let row = 1; row <= 3; row++) {
				const times = face.filter((f) => f === row).length;
				assert.ok(row === outcome ? times === 3 : times <= 2, face.join(" "));
			}
			seen.add(face.join(" "));
		}
		assert.equal(seen.size, faces);
	}
	assert.equal(draw.threeAlike(2, 0, new Uint8Array(32)), undefined, "two rows lose with no face");
});
