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
	const message = Uint8Array.from({ length: 140 }, (_, i) => (7 * i) % 251);
	for (let n = 0; n <= 140; n++) {
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
			const face = draw.faceStream(seed);
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
