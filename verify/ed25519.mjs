// Ed25519 signatures (RFC 8032), checking only, with the SHA-512 (FIPS 180-4) they need.
// Everything is public, so that time may depend on it.

import { join } from "./bytes.mjs";
import { rounds, start } from "./constants.mjs";

const mask = (1n << 64n) - 1n;

/**
 * @param {bigint} x
 * @param {bigint} n
 */
const right = (x, n) => (x >> n) | ((x << (64n - n)) & mask);

/** @param {Uint8Array} message */
export function sha512(message) {
	const padded = new Uint8Array(Math.ceil((message.length + 17) / 128) * 128);
	padded.set(message);
	padded[message.length] = 0x80;
	const view = new DataView(padded.buffer);
	view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
	const state = [...start];
	/** @type {bigint[]} */
	const w = new Array(80);
	for (let at = 0; at < padded.length; at += 128) {
		for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(at + 8 * i);
		for (let i = 16; i < 80; i++) {
			const x = w[i - 15];
			const y = w[i - 2];
			const s0 = right(x, 1n) ^ right(x, 8n) ^ (x >> 7n);
			const s1 = right(y, 19n) ^ right(y, 61n) ^ (y >> 6n);
			w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & mask;
		}
		let [a, b, c, d, e, f, g, h] = state;
		for (let i = 0; i < 80; i++) {
			const s1 = right(e, 14n) ^ right(e, 18n) ^ right(e, 41n);
			const t1 = h + s1 + ((e & f) ^ (~e & mask & g)) + rounds[i] + w[i];
			const s0 = right(a, 28n) ^ right(a, 34n) ^ right(a, 39n);
			const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
			[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & mask, c, b, a, (t1 + t2) & mask];
		}
		[a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = (state[i] + x) & mask));
	}
	const out = new DataView(new ArrayBuffer(64));
	state.forEach((x, i) => out.setBigUint64(8 * i, x));
	return new Uint8Array(out.buffer);
}

const P = (1n << 255n) - 19n;
const L = (1n << 252n) + 27742317777372353535851937790883648493n;

/** @param {bigint} x */
const mod = (x) => ((x % P) + P) % P;

/**
 * @param {bigint} base
 * @param {bigint} exponent
 */
function power(base, exponent) {
	let out = 1n;
	for (let b = mod(base); exponent > 0n; exponent >>= 1n, b = (b * b) % P) {
		if (exponent & 1n) out = (out * b) % P;
	}
	return out;
}

const D = mod(-121665n * power(121666n, P - 2n));
const D2 = (2n * D) % P;
const ROOT = power(2n, (P - 1n) / 4n); // of −1

/** @typedef {[bigint, bigint, bigint, bigint]} Point extended coordinates X, Y, Z, T */

/** @type {Point} */
const zero = [0n, 1n, 1n, 0n];

/**
 * @param {Point} p
 * @param {Point} q
 * @returns {Point}
 */
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
	const a = ((y1 - x1) * (y2 - x2)) % P;
	const b = ((y1 + x1) * (y2 + x2)) % P;
	const c = (((t1 * D2) % P) * t2) % P;
	const d = (2n * z1 * z2) % P;
	const [e, f, g, h] = [b - a, d - c, d + c, b + a];
	return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

/**
 * @param {Point} p
 * @returns {Point}
 */
function twice([x, y, z]) {
	const a = (x * x) % P;
	const b = (y * y) % P;
	const c = (2n * z * z) % P;
	const h = a + b;
	const e = h - (((x + y) * (x + y)) % P);
	const g = a - b;
	const f = c + g;
	return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

/** @param {Uint8Array} bytes little-endian */
function number(bytes) {
	let out = 0n;
	for (let i = bytes.length - 1; i >= 0; i--) out = (out << 8n) | BigInt(bytes[i]);
	return out;
}

/**
 * The point that 32 bytes say (RFC 8032, 5.1.3), or nothing.
 * @param {Uint8Array} bytes
 * @returns {Point | undefined}
 */
function point(bytes) {
	const said = number(bytes);
	const sign = said >> 255n;
	const y = said & ((1n << 255n) - 1n);
	if (y >= P) return undefined;
	const u = mod(y * y - 1n);
	const v = mod(D * y * y + 1n);
	let x = (((u * v ** 3n) % P) * power(u * v ** 7n, (P - 5n) / 8n)) % P;
	if ((v * x * x) % P !== u) x = (x * ROOT) % P;
	if ((v * x * x) % P !== u) return undefined;
	if (x === 0n && sign === 1n) return undefined;
	if ((x & 1n) !== sign) x = P - x;
	return [x, y, 1n, (x * y) % P];
}

/**
 * The multiples 0 to 15 of a point.
 * @param {Point} p
 */
function multiples(p) {
	const out = [zero];
	for (let i = 1; i < 16; i++) out.push(add(/** @type {Point} */ (out[i - 1]), p));
	return out;
}

const base = multiples(/** @type {Point} */ (point(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58)))));

/**
 * Reports whether the signature of the message is by the key: the bytes of s·B − k·A are
 * those of R, and s is below the order of the group.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 */
export function holds(key, message, signature) {
	if (key.length !== 32 || signature.length !== 64) return false;
	const a = point(key);
	const s = number(signature.subarray(32));
	if (!a || s >= L) return false;
	const r = signature.subarray(0, 32);
	const k = number(sha512(join(r, key, message))) % L;
	const minus = multiples([P - a[0], a[1], 1n, P - a[3]]);
	/** @type {Point} */
	let sum = zero;
	for (let shift = 252n; shift >= 0n; shift -= 4n) {
		for (let i = 0; i < 4; i++) sum = twice(sum);
		sum = add(sum, base[Number((s >> shift) & 15n)]);
		sum = add(sum, minus[Number((k >> shift) & 15n)]);
	}
	const inverse = power(sum[2], P - 2n);
	const x = mod(sum[0] * inverse);
	const y = mod(sum[1] * inverse);
	return (y | ((x & 1n) << 255n)) === number(r);
}
