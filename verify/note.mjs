// Verifier keys and signed checkpoints (C2SP tlog-checkpoint and signed-note).

import { hex, need, same, unbase64, unhex, utf8 } from "./bytes.mjs";
import { holds } from "./ed25519.mjs";
import { sha256 } from "./sha256.mjs";

/** @typedef {{text: string, name: string, id: Uint8Array, key: Uint8Array}} Key */
/** @typedef {{size: number, root: Uint8Array}} Head */

/**
 * @param {string} text
 * @param {string} [whose]
 * @returns {Key}
 */
export function parseKey(text, whose = "the key of the file") {
	const found = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
	const raw = found && unbase64(found[3]);
	const id = found && unhex(found[2], 4);
	need(found && raw && id && raw.length === 33 && raw[0] === 1, "key", `${whose} is not a verifier key`);
	const digest = sha256(utf8(`${found[1]}\n`), raw);
	need(same(digest.subarray(0, 4), id), "key", `${whose} does not have the digits that its bytes give`);
	return { text, name: found[1], id, key: raw.subarray(1) };
}

/**
 * Eight groups of four digits, to be compared with those on receipts.
 * @param {Key} key
 */
export const fingerprint = (key) => (hex(sha256(utf8(key.text)).subarray(0, 16)).match(/.{4}/g) ?? []).join("-");

/**
 * The text of a note that the key has signed, and how many signatures it has.
 * @param {string} text
 * @param {Key} key
 * @param {string} step
 * @param {string} what
 */
export function openNote(text, key, step, what) {
	const at = text.lastIndexOf("\n\n");
	const signatures = text.slice(at + 2);
	need(at >= 0 && /^(?:\u2014 [^\n]+\n)+$/.test(signatures) && !/[\u0000-\u0009\u000b-\u001f]/.test(text), step, `${what} is not a signed note`);
	const body = utf8(text.slice(0, at + 1));
	const lines = signatures.slice(0, -1).split("\n");
	need(lines.length <= 100, step, `${what} has more than 100 signatures`);
	let ours = 0;
	for (const line of lines) {
		const parts = /^\u2014 ([^+\s]+) (\S+)$/.exec(line);
		const raw = parts && unbase64(parts[2]);
		need(parts && raw && raw.length > 4, step, `a signature line of ${what} is damaged`);
		if (parts[1] !== key.name || !same(raw.subarray(0, 4), key.id)) continue;
		need(holds(key.key, body, raw.subarray(4)), step, `the signature of ${what} does not hold`);
		ours++;
	}
	need(ours > 0, step, `${what} is not signed by ${key.name}`);
	return { text: text.slice(0, at + 1), signatures: lines.length };
}

/**
 * The head of the journal that a checkpoint says, if the key signed it.
 * @param {string} text
 * @param {Key} key
 * @returns {Head}
 */
export function openCheckpoint(text, key) {
	const bytes = utf8(text);
	need(bytes.length <= 64 << 10, "signed", "the checkpoint is longer than 64 kB");
	const note = openNote(text, key, "signed", "the checkpoint");
	const found = /^([^\n]+)\n(0|[1-9][0-9]*)\n([^\n]+)\n$/.exec(note.text);
	need(found, "signed", "the text is not a signed checkpoint");
	const [, origin, size, root] = found;
	need(origin === key.name, "signed", `the checkpoint is of the journal of ${origin}, the key of ${key.name}`);
	const hash = unbase64(root);
	need(hash && hash.length === 32, "signed", "the root of the checkpoint is damaged");
	need(Number.isSafeInteger(Number(size)), "signed", "the checkpoint says more leaves than there can be");
	return { size: Number(size), root: hash };
}
