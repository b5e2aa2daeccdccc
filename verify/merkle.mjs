// Merkle trees of RFC 6962.

import { same } from "./bytes.mjs";
import { sha256 } from "./sha256.mjs";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** @param {...Uint8Array} parts of what the leaf says */
export const leafHash = (...parts) => sha256(LEAF, ...parts);

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
const node = (left, right) => sha256(NODE, left, right);

/** A tree that grows leaf by leaf and keeps what its root needs. */
export class Tree {
	/** @type {(Uint8Array | undefined)[]} whole subtrees, of 1, 2, 4… leaves */
	#whole = [];
	size = 0;

	/** @param {Uint8Array} hash of the next leaf */
	add(hash) {
		let k = 0;
		for (; this.#whole[k]; k++) {
			hash = node(/** @type {Uint8Array} */ (this.#whole[k]), hash);
			this.#whole[k] = undefined;
		}
		this.#whole[k] = hash;
		this.size++;
	}

	/** The root of what was added so far; that of no leaf is the digest of nothing. */
	root() {
		/** @type {Uint8Array | undefined} */
		let right;
		for (const left of this.#whole) if (left) right = right ? node(left, right) : left;
		return right ?? sha256();
	}
}

/** @param {number} x */
const half = (x) => Math.floor(x / 2);
/** @param {number} x */
const odd = (x) => x % 2 === 1;

/**
 * The hashes of a proof.
 * @param {Uint8Array} proof
 */
export function hashes(proof) {
	const out = [];
	for (let at = 0; at < proof.length; at += 32) out.push(proof.subarray(at, at + 32));
	return out;
}

/**
 * Reports whether the proof leads from the leaf at that index to the root of so many leaves.
 * @param {Uint8Array[]} proof
 * @param {number} index
 * @param {number} size
 * @param {Uint8Array} leaf
 * @param {Uint8Array} root
 */
export function included(proof, index, size, leaf, root) {
	if (index >= size) return false;
	let f = index;
	let s = size - 1;
	let h = leaf;
	for (const p of proof) {
		if (s === 0) return false;
		if (odd(f) || f === s) {
			h = node(p, h);
			while (!odd(f) && f !== 0) {
				f = half(f);
				s = half(s);
			}
		} else h = node(h, p);
		f = half(f);
		s = half(s);
	}
	return s === 0 && same(h, root);
}

/**
 * Reports whether the proof shows that the tree of `size` leaves extends that of `before`,
 * of which there is at least one leaf (RFC 9162, section 2.1.4.2).
 * @param {Uint8Array[]} proof
 * @param {number} before
 * @param {number} size
 * @param {Uint8Array} oldRoot
 * @param {Uint8Array} root
 */
export function extended(proof, before, size, oldRoot, root) {
	if (before < 1 || before > size) return false;
	if (before === size) return proof.length === 0 && same(oldRoot, root);
	let f = before - 1;
	let s = size - 1;
	while (odd(f)) {
		f = half(f);
		s = half(s);
	}
	const path = f === 0 ? [oldRoot, ...proof] : proof;
	if (path.length === 0) return false;
	let was = path[0];
	let is = path[0];
	for (const p of path.slice(1)) {
		if (s === 0) return false;
		if (odd(f) || f === s) {
			was = node(p, was);
			is = node(p, is);
			while (!odd(f) && f !== 0) {
				f = half(f);
				s = half(s);
			}
		} else is = node(is, p);
		f = half(f);
		s = half(s);
	}
	return s === 0 && same(was, oldRoot) && same(is, root);
}
