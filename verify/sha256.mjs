// SHA-256 (FIPS 180-4), HMAC (RFC 2104) and HKDF (RFC 5869) on it.

import { join, utf8 } from "./bytes.mjs";
import { rounds, start } from "./constants.mjs";

const K = Int32Array.from(rounds.slice(0, 64), (w) => Number(BigInt.asIntN(32, w >> 32n)));
const H = Int32Array.from(start, (w) => Number(BigInt.asIntN(32, w >> 32n)));
const w = new Int32Array(64);

/** A digest that takes its message in pieces. */
export class Sha256 {
	#state = Int32Array.from(H);
	#block = new Uint8Array(64);
	#held = 0;
	#length = 0;

	/** @param {Uint8Array} bytes */
	add(bytes) {
		this.#length += bytes.length;
		let at = 0;
		if (this.#held > 0) {
			at = Math.min(64 - this.#held, bytes.length);
			this.#block.set(bytes.subarray(0, at), this.#held);
			this.#held += at;
			if (this.#held < 64) return this;
			compress(this.#state, this.#block, 0);
			this.#held = 0;
		}
		for (; at + 64 <= bytes.length; at += 64) compress(this.#state, bytes, at);
		this.#block.set(bytes.subarray(at));
		this.#held = bytes.length - at;
		return this;
	}

	/** The digest; nothing can be added after it. */
	sum() {
		const b = this.#block;
		b[this.#held] = 0x80;
		b.fill(0, this.#held + 1);
		if (this.#held >= 56) {
			compress(this.#state, b, 0);
			b.fill(0);
		}
		const view = new DataView(b.buffer);
		view.setUint32(56, Math.floor(this.#length / 0x20000000));
		view.setUint32(60, (this.#length << 3) >>> 0);
		compress(this.#state, b, 0);
		const out = new Uint8Array(32);
		const words = new DataView(out.buffer);
		for (let i = 0; i < 8; i++) words.setInt32(4 * i, this.#state[i]);
		return out;
	}
}

/**
 * @param {Int32Array} state
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function compress(state, bytes, at) {
	for (let i = 0; i < 16; i++, at += 4) {
		w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
	}
	for (let i = 16; i < 64; i++) {
		const x = w[i - 15];
		const y = w[i - 2];
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
	}
	let a = state[0];
	let b = state[1];
	let c = state[2];
	let d = state[3];
	let e = state[4];
	let f = state[5];
	let g = state[6];
	let h = state[7];
	for (let i = 0; i < 64; i++) {
		const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
		const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

const short = new Uint8Array(512);
const state = new Int32Array(8);
const view = new DataView(short.buffer);

/**
 * The digest of a few blocks that stand in `short`: a tree of millions of leaves is made of
 * these, and so are the sales of a block.
 * @param {number} length
 */
function sumShort(length) {
	const end = (length + 72) & ~63;
	short[length] = 0x80;
	short.fill(0, length + 1, end);
	view.setUint32(end - 4, 8 * length);
	state.set(H);
	for (let at = 0; at < end; at += 64) compress(state, short, at);
	const out = new Uint8Array(32);
	for (let i = 0; i < 32; i++) out[i] = state[i >> 2] >>> (24 - 8 * (i & 3));
	return out;
}

/** @param {...Uint8Array} parts */
export function sha256(...parts) {
	let length = 0;
	for (const p of parts) length += p.length;
	if (length < short.length - 8) {
		let at = 0;
		for (const p of parts) {
			short.set(p, at);
			at += p.length;
		}
		return sumShort(length);
	}
	const s = new Sha256();
	for (const p of parts) s.add(p);
	return s.sum();
}

/**
 * @param {Uint8Array} key
 * @param {...Uint8Array} parts
 */
export function hmac(key, ...parts) {
	const pad = new Uint8Array(64);
	pad.set(key.length > 64 ? sha256(key) : key);
	const inner = sha256(pad.map((b) => b ^ 0x36), ...parts);
	return sha256(pad.map((b) => b ^ 0x5c), inner);
}

/**
 * @param {Uint8Array} secret
 * @param {Uint8Array} salt
 * @param {Uint8Array | string} info
 * @param {number} length
 */
export function hkdf(secret, salt, info, length) {
	const key = hmac(salt, secret);
	const said = typeof info === "string" ? utf8(info) : info;
	let out = new Uint8Array(0);
	let last = new Uint8Array(0);
	for (let i = 1; out.length < length; i++) {
		last = hmac(key, last, said, Uint8Array.of(i));
		out = join(out, last);
	}
	return out.slice(0, length);
}
