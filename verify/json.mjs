// JSON in the one form that exports have, read by a shape.

import { need } from "./bytes.mjs";

/** @typedef {"text" | "number" | "flag" | {list: Shape} | {fields: [string, Shape][], lean?: boolean}} Shape */

/**
 * An object whose fields stand in this order.
 * @param {Record<string, Shape>} fields
 * @returns {{fields: [string, Shape][]}}
 */
export const object = (fields) => ({ fields: Object.entries(fields) });

/**
 * An object whose fields stand in alphabetical order, those left out that are empty.
 * @param {Record<string, Shape>} fields
 * @returns {{fields: [string, Shape][], lean: boolean}}
 */
export const lean = (fields) => ({
	fields: Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)), lean: true,
});

/**
 * What stands for a field that is left out.
 * @param {Shape} shape
 * @returns {any}
 */
function nothing(shape) {
	if (shape === "text") return "";
	if (shape === "number") return 0;
	if (shape === "flag") return false;
	if ("list" in shape) return [];
	return Object.fromEntries(shape.fields.map(([name, kind]) => [name, nothing(kind)]));
}

const plain = /[^"\\\u0000-\u001f\u2028\u2029]*/y;
const escape = /\\(?:(["\\bfnrt])|u(00[01][0-9a-f]|202[89]))/y;
const whole = /(?:0|[1-9][0-9]*)/y;
const short = /** @type {Record<string, string>} */ ({ '"': '"', "\\": "\\", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" });
const shortened = new Set(["0008", "0009", "000a", "000c", "000d"]);

/**
 * Reads a line by the first shape whose fields it starts with.
 * @param {string} line
 * @param {...Shape} shapes
 * @returns {any}
 */
export function read(line, ...shapes) {
	/** @type {unknown} */
	let first;
	for (const shape of shapes) {
		try {
			const reader = new Reader(line);
			const value = reader.value(shape);
			need(reader.at === line.length, "format", "something follows the end of the object");
			return value;
		} catch (e) {
			first ??= e;
		}
	}
	throw first;
}

class Reader {
	at = 0;

	/** @param {string} line */
	constructor(line) {
		this.line = line;
	}

	/** @param {string} what */
	skip(what) {
		need(this.line.startsWith(what, this.at), "format", `not the canonical form at character ${this.at + 1}: want ${what}`);
		this.at += what.length;
	}

	/** @param {RegExp} form */
	match(form) {
		form.lastIndex = this.at;
		const found = form.exec(this.line);
		if (found) this.at += found[0].length;
		return found;
	}

	/**
	 * @param {Shape} shape
	 * @returns {any}
	 */
	value(shape) {
		if (shape === "text") return this.text();
		if (shape === "number") return this.number();
		if (shape === "flag") {
			this.skip("true");
			return true;
		}
		if ("list" in shape) return this.list(shape.list);
		if (shape.lean) return this.lean(shape.fields);
		/** @type {Record<string, any>} */
		const out = {};
		let before = "{";
		for (const [name, kind] of shape.fields) {
			this.skip(`${before}"${name}":`);
			out[name] = this.value(kind);
			before = ",";
		}
		this.skip("}");
		return out;
	}

	/** @param {[string, Shape][]} fields */
	lean(fields) {
		this.skip("{");
		/** @type {Record<string, any>} */
		const out = {};
		let before = "";
		for (const [name, kind] of fields) {
			if (!this.line.startsWith(`${before}"${name}":`, this.at)) {
				out[name] = nothing(kind);
				continue;
			}
			this.skip(`${before}"${name}":`);
			const start = this.at;
			out[name] = this.value(kind);
			const said = this.line.slice(start, this.at);
			need(!["0", '""', "[]", "{}", '"0001-01-01T00:00:00Z"'].includes(said), "format", `an empty ${name} stands where none should`);
			before = ",";
		}
		this.skip("}");
		return out;
	}

	/** @param {Shape} kind */
	list(kind) {
		this.skip("[");
		const out = [];
		if (this.line[this.at] !== "]") {
			out.push(this.value(kind));
			while (this.line[this.at] === ",") {
				this.at++;
				out.push(this.value(kind));
			}
		}
		this.skip("]");
		return out;
	}

	number() {
		const found = this.match(whole);
		const n = Number(found?.[0]);
		need(found && Number.isSafeInteger(n), "format", `no whole number at character ${this.at + 1}`);
		return n;
	}

	text() {
		this.skip('"');
		let out = "";
		for (;;) {
			out += this.match(plain)?.[0] ?? "";
			if (this.line[this.at] !== "\\") break;
			const found = this.match(escape);
			const code = found?.[2];
			need(found && !(code && shortened.has(code)), "format", `not the canonical form of a text at character ${this.at + 1}`);
			out += found[1] ? short[found[1]] : String.fromCharCode(parseInt(code ?? "", 16));
		}
		this.skip('"');
		return out;
	}
}
