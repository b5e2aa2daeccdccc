// AES-256 (FIPS 197), enciphering only, and its counter mode over zeros (NIST SP 800-38A).
// Tables are worked out from the field, and nothing here is secret any more, so that time
// may depend on them.

const box = new Uint8Array(256);
const table = new Uint32Array(256); // a column of MixColumns for each byte, after the box

/** @param {number} x */
const double = (x) => ((x << 1) ^ (x & 0x80 ? 0x11b : 0)) & 255;

for (let p = 1, q = 1; ; ) {
	p ^= double(p); // times 3
	q ^= q << 1; // divided by 3
	q ^= q << 2;
	q ^= q << 4;
	q &= 255;
	if (q & 0x80) q ^= 0x09;
	const turned = q ^ (q << 1) ^ (q << 2) ^ (q << 3) ^ (q << 4);
	box[p] = (turned ^ (turned >> 8) ^ 0x63) & 255;
	if (p === 1) break;
}
box[0] = 0x63;
for (let i = 0; i < 256; i++) {
	const s = box[i];
	const d = double(s);
	table[i] = ((d << 24) | (s << 16) | (s << 8) | (d ^ s)) >>> 0;
}

/** @param {number} x */
const substitute = (x) =>
	(box[x >>> 24] << 24) | (box[(x >>> 16) & 255] << 16) | (box[(x >>> 8) & 255] << 8) | box[x & 255];

/**
 * @param {number} x
 * @param {number} n
 */
const right = (x, n) => (x >>> n) | (x << (32 - n));

/** AES under one key of 32 bytes. */
export class Aes256 {
	#keys = new Int32Array(60);

	/** @param {Uint8Array} key */
	constructor(key) {
		if (key.length !== 32) throw new RangeError("AES-256 takes a key of 32 bytes");
		const view = new DataView(key.buffer, key.byteOffset, 32);
		const k = this.#keys;
		for (let i = 0; i < 8; i++) k[i] = view.getInt32(4 * i);
		for (let i = 8, rcon = 1; i < 60; i++) {
			let x = k[i - 1];
			if (i % 8 === 0) {
				x = substitute((x << 8) | (x >>> 24)) ^ (rcon << 24);
				rcon = double(rcon);
			} else if (i % 8 === 4) x = substitute(x);
			k[i] = k[i - 8] ^ x;
		}
	}

	/**
	 * Enciphers the block of four words, into so many bytes from a place on.
	 * @param {ArrayLike<number>} block
	 * @param {DataView} out
	 * @param {number} at
	 */
	encrypt(block, out, at) {
		const k = this.#keys;
		let a = block[0] ^ k[0];
		let b = block[1] ^ k[1];
		let c = block[2] ^ k[2];
		let d = block[3] ^ k[3];
		for (let i = 4; i < 56; i += 4) {
			const e = table[a >>> 24] ^ right(table[(b >>> 16) & 255], 8) ^
				right(table[(c >>> 8) & 255], 16) ^ right(table[d & 255], 24) ^ k[i];
			const f = table[b >>> 24] ^ right(table[(c >>> 16) & 255], 8) ^
				right(table[(d >>> 8) & 255], 16) ^ right(table[a & 255], 24) ^ k[i + 1];
			const g = table[c >>> 24] ^ right(table[(d >>> 16) & 255], 8) ^
				right(table[(a >>> 8) & 255], 16) ^ right(table[b & 255], 24) ^ k[i + 2];
			d = table[d >>> 24] ^ right(table[(a >>> 16) & 255], 8) ^
				right(table[(b >>> 8) & 255], 16) ^ right(table[c & 255], 24) ^ k[i + 3];
			a = e;
			b = f;
			c = g;
		}
		out.setInt32(at, last(a, b, c, d) ^ k[56]);
		out.setInt32(at + 4, last(b, c, d, a) ^ k[57]);
		out.setInt32(at + 8, last(c, d, a, b) ^ k[58]);
		out.setInt32(at + 12, last(d, a, b, c) ^ k[59]);
	}
}

/**
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 */
const last = (a, b, c, d) =>
	(box[a >>> 24] << 24) | (box[(b >>> 16) & 255] << 16) | (box[(c >>> 8) & 255] << 8) | box[d & 255];

/** The keystream of counter mode from the counter block 0 on, or from another one. */
export class Keystream {
	#aes;
	#counter = new Uint32Array(4);
	#buffer = new Uint8Array(4096);
	#view = new DataView(this.#buffer.buffer);
	#at = this.#buffer.length;

	/**
	 * @param {Uint8Array} key
	 * @param {ArrayLike<number>} [counter] its four words
	 */
	constructor(key, counter) {
		this.#aes = new Aes256(key);
		if (counter) this.#counter.set(counter);
	}

	#fill() {
		const c = this.#counter;
		for (let at = 0; at < this.#buffer.length; at += 16) {
			this.#aes.encrypt(c, this.#view, at);
			let i = 3;
			do c[i]++;
			while (c[i] === 0 && i-- > 0); // a word that went round carries into the one before
		}
		this.#at = 0;
	}

	/** @param {number} length */
	bytes(length) {
		const out = new Uint8Array(length);
		for (let done = 0; done < length; ) {
			if (this.#at === this.#buffer.length) this.#fill();
			const n = Math.min(length - done, this.#buffer.length - this.#at);
			out.set(this.#buffer.subarray(this.#at, this.#at + n), done);
			this.#at += n;
			done += n;
		}
		return out;
	}

	/** The next word: eight bytes, little-endian. */
	word() {
		if (this.#at === this.#buffer.length) this.#fill();
		if (this.#at % 8 !== 0) throw new RangeError("words start at multiples of eight bytes");
		const x = this.#view.getBigUint64(this.#at, true);
		this.#at += 8;
		return x;
	}
}
