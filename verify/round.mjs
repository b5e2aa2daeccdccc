// The checks of an exported round of bingo: it is played again from its secrets and cards.

import { hex, join, need, utf8 } from "./bytes.mjs";
import { commitment, shuffle, stream } from "./draw.mjs";
import { fact, proofOf, prove } from "./facts.mjs";
import { object, read } from "./json.mjs";
import { extended } from "./merkle.mjs";
import { fingerprint, openCheckpoint, openNote, parseKey } from "./note.mjs";
import * as rounds from "./rounds.mjs";
import { Sha256 } from "./sha256.mjs";

/** @typedef {{round: number, before: string, consistency: string, checkpoint: string, facts: number, refunds: number, cards: number}} Head */
/** @typedef {{kind: string, at: number, index: number, line: number, said: any}} Said a fact of the round */
/** @typedef {{amount: number, house: boolean, left: number, places: number[], done: boolean}} Refund */

const cardShape = object({ series: "text", number: "number", price: "number", lines: { list: { list: "number" } } });

/**
 * @param {Head} file
 * @param {import("./verify.mjs").Lines} lines
 * @param {import("./verify.mjs").Course} course
 */
export function checkRound(file, lines, course) {
	need(file.round >= 1 && file.facts >= 3 && file.facts <= 10_000 && file.cards <= 10_000_000 && file.refunds <= file.cards,
		"format", "the counts are of no round");
	const head = openCheckpoint(file.checkpoint, course.key);
	course.say("signed", { name: course.key.name, size: head.size });
	const before = file.before === "" ? undefined : openCheckpoint(file.before, course.key);
	const path = proofOf(file.consistency, "extended");
	need(before ? extended(path, before.size, head.size, before.root, head.root) : path.length === 0, "extended",
		"the journal does not extend that of before the sale");
	if (before) course.say("extended", { before: before.size, size: head.size });

	const next = (/** @type {string} */ what) => {
		const line = lines.next();
		need(line !== undefined, "format", `the file ends before its last ${what}`);
		return line;
	};
	/** @type {Said[]} */
	const facts = [];
	for (let n = 1; n <= file.facts; n++) {
		/** @type {import("./facts.mjs").Fact} */
		const f = read(next("fact"), fact);
		const leaf = prove(f, head, "facts");
		need(leaf.stream === `bingo/round/${file.round}` && leaf.number === n && leaf.kind !== "cards_refunded", "facts",
			`the leaf is ${leaf.kind} ${leaf.number} of ${leaf.stream}`);
		need(n === 1 || f.index > facts[n - 2].index, "facts", "a fact stands before the one before it");
		facts.push({ kind: leaf.kind, at: leaf.at, index: f.index, line: lines.number, said: rounds.parse(leaf.kind, f.payload) });
	}
	/** @type {Refund[]} */
	const refunds = [];
	for (let n = 0, last = 0; n < file.refunds; n++) {
		/** @type {import("./facts.mjs").Fact} */
		const f = read(next("refund"), fact);
		const leaf = prove(f, head, "facts");
		need(leaf.stream === `bingo/sale/${file.round}` && leaf.kind === "cards_refunded" && leaf.number > last, "facts",
			`the leaf is ${leaf.kind} ${leaf.number} of ${leaf.stream}`);
		last = leaf.number;
		refunds.push({ ...rounds.parse(leaf.kind, f.payload), done: false });
	}
	course.say("facts", { facts: facts.length, refunds: refunds.length });
	/** @type {rounds.Card[]} */
	const cards = [];
	for (let n = 0; n < file.cards; n++) {
		/** @type {rounds.Card} */
		const c = read(next("card"), cardShape);
		rounds.checkCard(c);
		cards.push(c);
		if (n % 4096 === 0) course.progress(n, file.cards);
	}
	need(lines.next() === undefined, "format", "something follows the cards");
	new Played(file, facts, refunds, cards, course).play(before?.size);
}

/** A round that is played again. */
class Played {
	at = 0;
	/** @type {rounds.Win[]} */
	wins = [];
	commitment = "";
	witness = "";
	ended = "";
	/** @type {number | undefined} drawn so far; nothing before the closing */
	balls;
	/** @type {number[] | undefined} */
	order;
	/** @type {import("./note.mjs").Key | undefined} of the witness */
	key;
	/** @type {bigint | undefined} when the sale may be closed */
	closes;
	/** @type {{number: number, series: number}[] | undefined} */
	starts;
	/** @type {{amounts: number[], digest: string, pots: rounds.Pot[]} | undefined} */
	closed;
	/** @type {Map<number, Map<number, number[]>>} by pattern and ball, the places that reach it */
	reached = new Map();

	/**
	 * @param {Head} file
	 * @param {Said[]} facts
	 * @param {Refund[]} refunds
	 * @param {rounds.Card[]} cards
	 * @param {import("./verify.mjs").Course} course
	 */
	constructor(file, facts, refunds, cards, course) {
		this.file = file;
		this.facts = facts;
		this.refunds = refunds;
		this.cards = cards;
		this.course = course;
		this.id = String(file.round);
		/** @type {rounds.Proposal} */
		this.proposal = facts[0].said.proposal;
		/** @type {number[]} balls after which a refunded card left, by place; Infinity for others */
		this.left = cards.map(() => Infinity);
		this.paidBack = 0;
		/** @type {Map<number, number>} players of winning cards */
		this.players = new Map();
	}

	/**
	 * The next fact, if it is of a kind; it is passed.
	 * @param {string} kind
	 */
	pass(kind) {
		return this.facts[this.at]?.kind === kind ? this.facts[this.at++] : undefined;
	}

	/**
	 * What the next fact says, which must be of a kind.
	 * @param {string} kind
	 * @param {string} step
	 */
	take(kind, step) {
		const f = this.pass(kind);
		need(f, step, `${kind} is wanted, the fact is ${this.facts[this.at]?.kind ?? "none"}`);
		return f;
	}

	/** @param {number | undefined} signed the size of the checkpoint before the sale */
	play(signed) {
		const planned = this.take("round_planned", "planned");
		need(planned.said.id === this.file.round, "planned", `it is planned as round ${planned.said.id}`);
		rounds.checkProposal(this.proposal);
		this.course.say("planned", { round: this.file.round, number: planned.said.number });

		const committed = this.take("round_committed", "committed");
		this.commit(committed.said);
		const opened = this.pass("sale_opened");
		need((opened !== undefined) === (signed !== undefined), "committed", "a sale without a checkpoint before it, or the other way round");
		if (opened && signed !== undefined) {
			need(committed.index < signed && opened.index >= signed, "committed", "the commitments were not signed before the sale");
			this.open(opened.said);
		} else need(this.cards.length === 0, "committed", "cards without a sale");
		this.course.say("committed", { before: signed ?? 0 });
		if (this.key) this.course.say("witness", { key: fingerprint(this.key) });
		else this.course.say("alone");

		this.faults();
		if (opened && this.facts[this.at]?.kind === "sale_closed") this.drawAll(this.take("sale_closed", "cards").said);
		const voided = this.ended ? undefined : this.take("round_voided", "ended");
		if (voided) this.void(voided.said, opened !== undefined);
		const revealed = this.take("secret_revealed", "secret");
		this.unseal(revealed.said.secret);
		need(this.at === this.facts.length, "secret", "a fact follows the last one");
		this.refund(() => true);
		this.course.say("secret");
		if (voided) this.course.say("voided", { balls: this.balls ?? 0 });
		else this.course.say("balls", { balls: this.balls ?? 0 });
		for (const w of voided ? [] : this.wins) {
			const { name } = (w.pot ? this.proposal.pots : this.proposal.prizes)[w.prize];
			this.course.say("won", { name, amount: w.amount, ball: w.ball, cards: w.winners.length });
		}
	}

	/** @param {{commitment: string, key: string, signed: string, witness: string}} c */
	commit(c) {
		this.commitment = c.commitment;
		this.witness = c.witness;
		need(c.commitment !== "" && c.commitment !== c.witness, "committed", "there is no commitment, or it is the witness's");
		if (c.key === "" && c.signed === "" && c.witness === "") return;
		this.key = parseKey(c.key, "the key of the witness");
		need(utf8(c.signed).length <= 1024, "committed", "what the witness signed is too long");
		const note = openNote(c.signed, this.key, "committed", "the commitment of the witness");
		need(note.signatures === 1 && note.text === `boulier/witness/v1\nround ${this.id}\ncommitment ${c.witness}\n` &&
			rounds.digits64(c.witness), "committed", "the witness signed something else");
	}

	/** @param {{most: number, starts: {number: number, series: number}[], tracks: rounds.Track[], window: {opens: string, closes: string}}} s */
	open(s) {
		const p = this.proposal;
		need(JSON.stringify(s.tracks) === JSON.stringify(p.tracks) && s.most === p.most_cards, "offered", "the sale is not that of the proposal");
		need(s.starts.length === p.tracks.length && s.starts.every((c, i) =>
			c.number >= 1 && c.number <= p.tracks[i].size && c.series < p.tracks[i].series.length), "offered", "the sale starts outside its series");
		this.closes = rounds.nanos(s.window.closes);
		need(this.closes === rounds.nanos(s.window.opens) + BigInt(p.sale_time), "offered", "the window is not as long as the sale");
		this.starts = s.starts;
	}

	faults() {
		for (let f = this.pass("fault_recorded"); f; f = this.pass("fault_recorded")) {
			need(this.starts && rounds.said(f.said.what), "facts", "a fault without words, or without a sale");
		}
	}

	/** Holds that the cards of each price are in the order of their track. */
	checkOrder() {
		const p = this.proposal;
		const next = (this.starts ?? []).map((c) => ({ ...c, sold: 0 }));
		this.cards.forEach((c, place) => {
			const t = p.tracks.findIndex((x) => x.price === c.price);
			const [track, at] = [p.tracks[t], next[t]];
			need(track && at.sold < track.size && track.series[at.series] === c.series && at.number === c.number, "cards",
				`place ${place} has card ${c.series}-${c.number}, out of order`);
			at.sold++;
			if (++at.number > track.size) [at.number, at.series] = [1, (at.series + 1) % track.series.length];
		});
		this.refund((r) => !r.house);
	}

	/**
	 * Makes the refunds that are wanted and not made yet.
	 * @param {(r: Refund) => boolean} want
	 */
	refund(want) {
		for (const r of this.refunds) {
			if (r.done || !want(r)) continue;
			r.done = true;
			let sum = 0;
			for (const place of r.places) {
				need(place < this.cards.length && this.left[place] === Infinity, "cards", `place ${place} is refunded twice, or is none`);
				this.left[place] = r.house ? r.left : 0;
				sum += this.cards[place].price;
			}
			need(sum === r.amount && sum > 0, "cards", `refunded ${r.amount}, the cards cost ${sum}`);
			this.paidBack += sum;
		}
	}

	/** @param {{amounts: number[], at: string, cards: number, digest: string, faces: string, pots: rounds.Pot[], sales: number}} c */
	drawAll(c) {
		this.checkOrder();
		const paid = this.cards.reduce((n, x) => n + x.price, 0) - this.paidBack;
		const playing = this.left.filter((n) => n === Infinity).length;
		const [digest, faces] = [new Sha256(), new Sha256()];
		for (const x of this.cards) {
			digest.add(utf8(`${x.series},${x.number},${x.price}\n`));
			faces.add(utf8(`${x.series},${x.number},${x.lines.flat().join(",")}\n`));
		}
		need(hex(digest.sum()) === c.digest && hex(faces.sum()) === c.faces, "cards", "the cards are not those of the closing");
		need(c.cards === playing && c.sales === paid, "cards", `${c.cards} cards for ${c.sales} were announced, they are ${playing} for ${paid}`);
		const due = rounds.nanos(c.at);
		need(this.closes !== undefined && due >= this.closes, "cards", "the sale was closed before its time");
		this.course.say("cards", { cards: this.cards.length, refunded: this.cards.length - playing, sales: paid });

		need(JSON.stringify(rounds.amounts(this.proposal.prizes, paid)) === JSON.stringify(c.amounts), "prizes", "the amounts are not those of the proposal");
		need(c.pots.length === this.proposal.pots.length, "prizes", "the pots are not those of the proposal");
		this.course.say("prizes", { amounts: c.amounts });
		this.closed = c;
		this.balls = 0;
		if (playing === 0) {
			this.end("no_cards", c.pots);
			return;
		}
		this.drawBalls(due);
	}

	/** @param {bigint} before when the sale closed */
	drawBalls(before) {
		let mixed;
		for (;;) {
			this.faults();
			const witness = this.witness !== "" && mixed === undefined ? this.pass("witness_opened") : undefined;
			if (!witness) {
				if (this.facts[this.at]?.kind !== "ball_drawn" && this.facts[this.at]?.kind !== "round_ended") return;
				this.order ??= this.orderOf(mixed);
				const due = before + BigInt(this.proposal.rhythm);
				before = this.ball(due);
				if (this.ended) return;
				continue;
			}
			mixed = rounds.digits64(witness.said.secret);
			need(mixed && hex(commitment("bingo/witness", this.id, mixed)) === this.witness, "secret",
				"the secret of the witness is not the one committed to");
		}
	}

	/**
	 * The balls in their order, and what each card reaches when.
	 * @param {Uint8Array | undefined} mixed the secret of the witness
	 */
	orderOf(mixed) {
		need((this.witness !== "") === (mixed !== undefined), "secret", "a ball was drawn without the witness");
		const secret = this.unseal(this.facts[this.facts.length - 1].said.secret ?? "");
		const digest = rounds.digits64(this.closed?.digest ?? "");
		need(digest, "cards", "the digest of the cards is damaged");
		const order = shuffle(Array.from({ length: 90 }, (_, i) => i + 1), stream("bingo/round", this.id, secret, mixed ? join(digest, mixed) : digest));
		const out = new Uint8Array(91);
		order.forEach((n, i) => (out[n] = i + 1));
		for (const p of [...this.proposal.prizes, ...this.proposal.pots].map((z) => z.pattern)) {
			if (this.reached.has(p)) continue;
			/** @type {Map<number, number[]>} */
			const by = new Map();
			this.cards.forEach((c, place) => {
				const n = rounds.reached(p, c.lines, out);
				const list = by.get(n);
				if (list) list.push(place);
				else by.set(n, [place]);
			});
			this.reached.set(p, by);
		}
		return order;
	}

	/**
	 * The places in play that reach a pattern on a ball.
	 * @param {number} pattern
	 * @param {number} ball
	 */
	winners(pattern, ball) {
		return (this.reached.get(pattern)?.get(ball) ?? []).filter((place) => this.left[place] >= ball);
	}

	/**
	 * The next ball and what it wins, and when it was drawn.
	 * @param {bigint} due
	 */
	ball(due) {
		const n = (this.balls ?? 0) + 1;
		this.refund((r) => r.house && r.left < n);
		const pots = this.closed?.pots ?? [];
		if (this.left.every((x) => x < n)) {
			need(BigInt(this.facts[this.at].at) * 1000n >= due, "balls", "the round ended before its next ball was due");
			this.end("no_cards", pots);
			return due;
		}
		const f = this.take("ball_drawn", "balls");
		const at = rounds.nanos(f.said.at);
		need(n <= 90 && f.said.number === n && f.said.ball === this.order?.[n - 1], "balls", `ball ${n} is ${f.said.ball}, the secret gives ${this.order?.[n - 1]}`);
		need(at >= due, "balls", `ball ${n} came before its time`);
		this.balls = n;
		for (const i of rounds.order(this.proposal.prizes)) {
			this.win(false, i, this.proposal.prizes[i].pattern, this.closed?.amounts[i] ?? 0, n);
		}
		this.proposal.pots.forEach((z, i) => {
			if (n <= z.within && pots[i].amount > 0) this.win(true, i, z.pattern, pots[i].amount, n);
		});
		const all = this.proposal.prizes.every((_, i) => this.won(false, i));
		if (this.winners(rounds.full, n).length > 0) this.end("completed", this.potsAfter());
		else if (all) this.end("all_won", this.potsAfter());
		return at;
	}

	/**
	 * @param {boolean} pot
	 * @param {number} prize
	 */
	won(pot, prize) {
		return this.wins.some((w) => w.pot === pot && w.prize === prize);
	}

	/**
	 * Holds that a prize is won on this ball exactly by those who must.
	 * @param {boolean} pot
	 * @param {number} prize
	 * @param {number} pattern
	 * @param {number} amount
	 * @param {number} ball
	 */
	win(pot, prize, pattern, amount, ball) {
		if (this.won(pot, prize)) return;
		const places = this.winners(pattern, ball);
		if (places.length === 0) return;
		/** @type {rounds.Win} */
		const w = this.take("prize_won", "winners").said.win;
		const shares = rounds.share(amount, places.map((p) => this.cards[p].price));
		need(w.pot === pot && w.prize === prize && w.ball === ball && w.amount === amount && w.winners.length === places.length, "winners",
			`prize ${prize} on ball ${ball}: ${places.length} cards win ${amount}, the file says ${w.winners.length} and ${w.amount}`);
		w.winners.forEach((x, i) => {
			const c = this.cards[places[i]];
			const known = this.players.get(x.place) ?? x.player;
			need(x.place === places[i] && x.serial === `${c.series}-${c.number}` && x.price === c.price && x.share === shares[i] &&
				x.player > 0 && x.player === known, "winners", `prize ${prize}: ${x.serial} has ${x.share}, ${c.series}-${c.number} wins ${shares[i]}`);
			this.players.set(x.place, x.player);
		});
		this.wins.push(w);
	}

	potsAfter() {
		return (this.closed?.pots ?? []).map((pot, i) => {
			if (!this.won(true, i)) return pot;
			const z = this.proposal.pots[i];
			const refill = Math.min(Number((BigInt(pot.reserve) * BigInt(z.refill)) / 10_000n), z.cap);
			return { amount: refill, reserve: pot.reserve - refill };
		});
	}

	/**
	 * @param {string} reason
	 * @param {rounds.Pot[]} pots
	 */
	end(reason, pots) {
		const f = this.take("round_ended", "ended").said;
		need(f.reason === reason && JSON.stringify(f.pots) === JSON.stringify(pots), "ended", `the round ends by ${reason}, not by ${f.reason}, or with other pots`);
		this.ended = reason;
	}

	/**
	 * @param {{reason: string, refund: number, taken: number}} v
	 * @param {boolean} sold
	 */
	void(v, sold) {
		if (!this.closed && sold) this.checkOrder();
		this.refund(() => true);
		const paid = this.cards.reduce((n, c) => n + c.price, 0) - this.paidBack;
		const taken = this.wins.reduce((n, w) => n + w.amount, 0);
		need(rounds.said(v.reason) && v.refund === paid && v.taken === taken, "ended", `refunded ${v.refund} and taken back ${v.taken}, should be ${paid} and ${taken}`);
	}

	/** @param {string} digits */
	unseal(digits) {
		const secret = rounds.digits64(digits);
		need(secret && hex(commitment("bingo/round", this.id, secret)) === this.commitment, "secret", "the secret is not the one committed to");
		return secret;
	}
}
