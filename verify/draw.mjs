// What is drawn from a secret or a seed: commitments, streams, bounded numbers, shuffles,
// the units of a block and their faces.

import { join, little, utf8 } from "./bytes.mjs";
import { Keystream } from "./aes.mjs";
import { hkdf, sha256 } from "./sha256.mjs";
import { leafHash } from "./merkle.mjs";

/**
 * @param {string} use
 * @param {string} id
 * @param {Uint8Array} secret
 */
export const commitment = (use, id, secret) => sha256(utf8(`boulier/commit/v1\n${use}\n${id}\n`), secret);

/**
 * The stream of a use under its secret.
 * @param {string} use
 * @param {string} id
 * @param {Uint8Array} secret
 * @param {Uint8Array} salt
 */
export const stream = (use, id, secret, salt) => new Keystream(hkdf(secret, salt, `boulier/v1/${use}/${id}`, 32));

const word = (1n << 64n) - 1n;

/**
 * A number below n, each equally likely.
 * @param {Keystream} from
 * @param {number | bigint} n
 */
export function below(from, n) {
	const bound = BigInt(n);
	let m;
	do m = from.word() * bound;
	while ((m & word) < bound && (m & word) < (1n << 64n) % bound);
	return m >> 64n;
}

/**
 * Shuffles the list in place.
 * @template {number[] | Uint8Array} T
 * @param {T} list
 * @param {Keystream} from
 * @param {(done: number) => void} [progress]
 */
export function shuffle(list, from, progress) {
	for (let i = list.length - 1; i > 0; i--) {
		const j = Number(below(from, i + 1));
		const x = list[i];
		list[i] = list[j];
		list[j] = x;
		if (progress && i % 65536 === 0) progress(list.length - i);
	}
	return list;
}

/** @typedef {{count: number, amount: number}} Row a row of a prize table */

/**
 * The outcomes of the units of a block, in the order in which they are sold.
 * @param {{block: string, size: number}} header
 * @param {Row[]} table
 * @param {Uint8Array} secret
 * @param {Uint8Array} salt
 * @param {(done: number) => void} [progress]
 */
export function outcomes(header, table, secret, salt, progress) {
	const list = new Uint8Array(header.size);
	let at = 0;
	table.forEach((row, i) => list.fill(i + 1, at, (at += row.count)));
	return shuffle(list, stream("instant/order", header.block, secret, salt), progress);
}

/**
 * Makes the leaves of the units of a block.
 * @param {string} block
 */
export function unitLeaves(block) {
	const id = utf8(block);
	const head = join(utf8("boulier/unit/v1\n"), little(id.length, 4), id);
	const number = new Uint8Array(10);
	const view = new DataView(number.buffer);
	/**
	 * @param {number} index
	 * @param {number} outcome
	 * @param {Uint8Array} seed
	 */
	return (index, outcome, seed) => {
		view.setUint32(0, index % 0x100000000, true);
		view.setUint32(4, Math.floor(index / 0x100000000), true);
		view.setUint16(8, outcome, true);
		return leafHash(head, number, seed);
	};
}

/**
 * The stream of the face of a unit.
 * @param {Uint8Array} seed
 * @param {number} board on which it is played, from 1; 0 in games that have none
 */
export const faceStream = (seed, board) =>
	new Keystream(sha256(join(utf8("boulier/v1/instant/face\n"), seed)), [0, board, 0, 0]);

/**
 * The face of a unit of kind « three-alike », as six numbers of rows from 1 on; nothing when
 * no face is legal for the outcome.
 * @param {number} rows of the table
 * @param {number} outcome
 * @param {Uint8Array} seed
 */
export function threeAlike(rows, outcome, seed) {
	/** @type {Map<number, number>} */
	const known = new Map();
	/**
	 * How many ways there are to fill the zones that are left, when so many rows other than
	 * the outcome's may still stand twice, so many once, and the outcome's must stand so often.
	 * @param {number} twice
	 * @param {number} once
	 * @param {number} must
	 * @param {number} left
	 * @returns {number}
	 */
	const ways = (twice, once, must, left) => {
		if (left === 0) return must === 0 ? 1 : 0;
		const key = ((twice * 128 + once) * 8 + must) * 8 + left;
		const seen = known.get(key);
		if (seen !== undefined) return seen;
		let n = 0;
		if (twice > 0) n += twice * ways(twice - 1, once + 1, must, left - 1);
		if (once > 0) n += once * ways(twice, once - 1, must, left - 1);
		if (must > 0) n += ways(twice, once, must - 1, left - 1);
		known.set(key, n);
		return n;
	};
	/** @type {number[]} how often each row may still stand */
	const may = Array.from({ length: rows }, (_, i) => (i + 1 === outcome ? 3 : 2));
	const count = () => {
		let [twice, once, must] = [0, 0, 0];
		may.forEach((n, i) => {
			if (i + 1 === outcome) must = n;
			else if (n === 2) twice++;
			else if (n === 1) once++;
		});
		return { twice, once, must };
	};
	const all = count();
	const total = ways(all.twice, all.once, all.must, 6);
	if (total === 0) return undefined;
	let rank = Number(below(faceStream(seed, 0), total));
	const face = [];
	for (let left = 5; left >= 0; left--) {
		for (let row = 0; row < rows; row++) {
			if (may[row] === 0) continue;
			may[row]--;
			const c = count();
			const n = ways(c.twice, c.once, c.must, left);
			if (rank < n) {
				face.push(row + 1);
				break;
			}
			rank -= n;
			may[row]++;
		}
	}
	return face;
}
