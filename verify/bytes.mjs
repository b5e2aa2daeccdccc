// Bytes, and the texts that they are written as: hexadecimal, base64 and UTF-8. Whatever is
// not in its one form is refused.

/** What a file does not hold: the step that fails, and what is wrong, in English. */
export class Failure extends Error {
	/**
	 * @param {string} step the check that fails
	 * @param {string} detail what was found, for operators
	 */
	constructor(step, detail) {
		super(detail);
		this.step = step;
		/** @type {number | undefined} the line of the file, from 1 on */
		this.line = undefined;
	}
}

/**
 * Refuses unless the condition holds.
 * @param {unknown} holds
 * @param {string} step
 * @param {string} detail
 * @returns {asserts holds}
 */
export function need(holds, step, detail) {
	if (!holds) throw new Failure(step, detail);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} text */
export const utf8 = (text) => encoder.encode(text);

/**
 * The text of bytes, or nothing when they are not UTF-8.
 * @param {Uint8Array} bytes
 */
export function text(bytes) {
	try {
		return decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** @param {...Uint8Array} parts */
export function join(...parts) {
	const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
	let at = 0;
	for (const p of parts) {
		all.set(p, at);
		at += p.length;
	}
	return all;
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

const pairs = Array.from({ length: 256 }, (_, b) => b.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes */
export function hex(bytes) {
	let out = "";
	for (let i = 0; i < bytes.length; i++) out += pairs[bytes[i]];
	return out;
}

/**
 * What one of 0–9 a–f stands for.
 * @param {string} digits
 * @param {number} at
 */
function value(digits, at) {
	const c = digits.charCodeAt(at);
	return c < 97 ? c - 48 : c - 87;
}

/**
 * The bytes of lower-case hexadecimal digits, or nothing.
 * @param {string} digits
 * @param {number} [length] of the bytes, when it is fixed
 */
export function unhex(digits, length) {
	if (!/^([0-9a-f]{2})*$/.test(digits)) return undefined;
	if (length !== undefined && digits.length !== 2 * length) return undefined;
	const out = new Uint8Array(digits.length / 2);
	for (let i = 0; i < out.length; i++) out[i] = (value(digits, 2 * i) << 4) | value(digits, 2 * i + 1);
	return out;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** @param {Uint8Array} bytes */
export function base64(bytes) {
	let out = "";
	for (let i = 0; i < bytes.length; i += 3) {
		const rest = bytes.length - i;
		const n = (bytes[i] << 16) | ((rest > 1 ? bytes[i + 1] : 0) << 8) | (rest > 2 ? bytes[i + 2] : 0);
		out += alphabet[n >> 18] + alphabet[(n >> 12) & 63];
		out += rest > 1 ? alphabet[(n >> 6) & 63] : "=";
		out += rest > 2 ? alphabet[n & 63] : "=";
	}
	return out;
}

/**
 * The bytes of a base64 text with padding, or nothing unless it is the one they are written as.
 * @param {string} written
 */
export function unbase64(written) {
	if (written.length % 4 !== 0) return undefined;
	const padding = written.endsWith("==") ? 2 : written.endsWith("=") ? 1 : 0;
	const out = new Uint8Array((written.length / 4) * 3 - padding);
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < written.length - padding; i++) {
		const value = alphabet.indexOf(written[i]);
		if (value < 0) return undefined;
		held = ((held << 6) | value) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[at++] = (held >> bits) & 255;
		}
	}
	return base64(out) === written ? out : undefined;
}

/**
 * A number in so many bytes, little-endian.
 * @param {number | bigint} value
 * @param {number} length
 */
export function little(value, length) {
	const out = new Uint8Array(length);
	let rest = BigInt(value);
	for (let i = 0; i < length; i++) {
		out[i] = Number(rest & 255n);
		rest >>= 8n;
	}
	return out;
}
