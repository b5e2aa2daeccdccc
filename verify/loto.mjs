// The checks of an exported day of loto: it is played again from its secrets and cards.

import { hex, need, unhex, utf8 } from "./bytes.mjs";
import { commitment, shuffle, stream } from "./draw.mjs";
import { fact, parseLeaf, proofOf, prove } from "./facts.mjs";
import { object, read } from "./json.mjs";
import * as lotos from "./lotos.mjs";
import { extended, included, leafHash } from "./merkle.mjs";
import { openCheckpoint } from "./note.mjs";
import { digits64, nanos, said } from "./rounds.mjs";
import { Sha256 } from "./sha256.mjs";

/** @typedef {{day: number, round: number, before: string, consistency: string, checkpoint: string, facts: number, series: number, cards: number}} Head */
/** @typedef {{kind: string, at: number, index: number, said: any}} Said a fact of the day; nothing said is withheld */
/** @typedef {{lined: boolean, cards: Map<number, number[][]>}} Series */
/** @typedef {{series: string, number: number, price: number, desk: number, sale: number}} Sold */
/** @typedef {{round: number, prize: number, mode: string, calls: number[], claims: lotos.Claim[], tie: lotos.Tie | undefined, won: {prize: number, calls: number, awards: lotos.Award[]}[], cards: number, balls: number[], awards: lotos.Award[]}} Play */

const registered = object({
	series: "text", kind: "text", cards: "number", first: "number", last: "number", lined: "flag", profile: "text",
	value: "number", digest: "text", faces: "text", by: "number",
});
const cardShape = object({ number: "number", lines: { list: { list: "number" } } });
const soldShape = object({ series: "text", number: "number", price: "number", desk: "number", sale: "number" });
const seriesForm = /^[A-Z][A-Z0-9]{0,7}$/;
const nothing = "0".repeat(32);

/**
 * @param {Head} file
 * @param {import("./verify.mjs").Lines} lines
 * @param {import("./verify.mjs").Course} course
 */
export function checkLoto(file, lines, course) {
	need(file.day >= 1 && file.facts >= 3 && file.facts <= 100_000 && file.series >= 1 && file.series <= 100 &&
		file.cards <= 10_000_000 && file.before !== "", "format", "the counts are of no day of loto");
	const head = openCheckpoint(file.checkpoint, course.key);
	course.say("signed", { name: course.key.name, size: head.size });
	const before = openCheckpoint(file.before, course.key);
	need(extended(proofOf(file.consistency, "extended"), before.size, head.size, before.root, head.root), "extended",
		"the journal does not extend that of before the sale");
	course.say("extended", { before: before.size, size: head.size });

	const next = (/** @type {string} */ what) => {
		const line = lines.next();
		need(line !== undefined, "format", `the file ends before its last ${what}`);
		return line;
	};
	/** @type {Said[]} */
	const facts = [];
	for (let n = 1; n <= file.facts; n++) {
		const f = readFact(next("fact"), head);
		need(f.leaf.stream === `loto/day/${file.day}` && f.leaf.number === n, "dayfacts", `the leaf is ${f.leaf.kind} ${f.leaf.number} of ${f.leaf.stream}`);
		need(n === 1 || f.index > facts[n - 2].index, "dayfacts", "a fact stands before the one before it");
		facts.push({ kind: f.leaf.kind, at: f.leaf.at, index: f.index, said: f.said });
		if (n % 256 === 0) course.progress(n, file.facts);
	}
	course.say("dayfacts", { day: file.day, facts: facts.length });
	/** @type {Map<string, Series>} */
	const all = new Map();
	for (let n = 0; n < file.series; n++) readSeries(next, head, before.size, all, course);
	/** @type {Map<string, Sold>} in the order of sale, by serial */
	const sold = new Map();
	for (let n = 0; n < file.cards; n++) {
		/** @type {Sold} */
		const c = read(next("card sold"), soldShape);
		const serial = `${c.series}-${c.number}`;
		need(!sold.has(serial) && all.get(c.series)?.cards.has(c.number) && c.desk >= 1 && c.sale >= 1, "daysold",
			`card ${serial} is sold twice, or is none`);
		sold.set(serial, c);
	}
	need(lines.next() === undefined, "format", "something follows the cards");
	new Day(file, facts, all, sold, course).play(before.size);
}

/**
 * A fact of the day, or its leaf alone where its words are of people.
 * @param {string} line
 * @param {import("./note.mjs").Head} head
 */
function readFact(line, head) {
	/** @type {import("./facts.mjs").Fact} */
	const f = read(line, fact);
	const leaf = parseLeaf(f.leaf);
	if (lotos.withheld.has(leaf.kind) && f.payload === "" && f.salt === nothing) {
		need(included(proofOf(f.proof, "dayfacts"), f.index, head.size, leafHash(utf8(f.leaf)), head.root), "dayfacts",
			`${leaf.stream} ${leaf.number} is not leaf ${f.index} of the journal`);
		return { leaf, index: f.index, said: undefined };
	}
	prove(f, head, "dayfacts");
	return { leaf, index: f.index, said: lotos.parse(leaf.kind, f.payload) };
}

/**
 * A series and its cards, which must be those that were registered before the sale.
 * @param {(what: string) => string} next
 * @param {import("./note.mjs").Head} head
 * @param {number} signed
 * @param {Map<string, Series>} all
 * @param {import("./verify.mjs").Course} course
 */
function readSeries(next, head, signed, all, course) {
	/** @type {import("./facts.mjs").Fact} */
	const f = read(next("series"), fact);
	const leaf = prove(f, head, "dayseries");
	const r = read(f.payload, registered);
	need(leaf.stream === `ninety/series/${r.series}` && leaf.number === 1 && leaf.kind === "series_registered" && f.index < signed,
		"dayseries", `series ${r.series} was not registered before the sale`);
	need(seriesForm.test(r.series) && r.cards >= 1 && r.cards <= 10_000_000 && !all.has(r.series), "dayseries", `no series is ${r.series}`);
	/** @type {Map<number, number[][]>} */
	const cards = new Map();
	const faces = new Sha256();
	for (let n = 0, last = 0; n < r.cards; n++) {
		/** @type {{number: number, lines: number[][]}} */
		const c = read(next("card"), cardShape);
		const numbers = c.lines.flat();
		need(c.number > last && c.lines.length === 3 && c.lines.every((l) => l.length === 5 && l.every((b, i) => i === 0 || b > l[i - 1])) &&
			numbers.every(lotos.isBall) && new Set(numbers).size === 15, "dayseries", `card ${r.series}-${c.number} is none`);
		last = c.number;
		faces.add(Uint8Array.from(numbers));
		cards.set(c.number, c.lines);
		if (n % 4096 === 0) course.progress(n, r.cards);
	}
	need(hex(faces.sum()) === r.faces, "dayseries", `the cards of series ${r.series} are not those that were registered`);
	all.set(r.series, { lined: r.lined, cards });
	course.say("dayseries", { series: r.series, cards: r.cards });
}

/** @param {lotos.SaleRef} r */
const nameOf = (r) => `${r.desk}/${r.sale}`;
const numbers = () => Array.from({ length: 90 }, (_, i) => i + 1);

/** A day that is played again. */
class Day {
	phase = "planning";
	day = 0;
	/** @type {lotos.Plan | undefined} */
	plan;
	/** @type {string[]} */
	commitments = [];
	/** @type {string[]} */
	ties = [];
	recalled = false;
	caller = 0;
	paused = false;
	/** @type {Play | undefined} */
	now;
	/** @type {Map<number, number>} the last sale of each desk that plays */
	upto = new Map();
	results = 0;
	/** @type {number[]} rounds whose secrets follow */
	owed = [];
	/** @type {{kind: string, said: any}[]} facts that must follow */
	due = [];
	/** @type {Set<string>} sales that are void */
	excluded = new Set();
	/** @type {{partners: string[]}} */
	shown = { partners: [] };
	saleOpened = false;

	/**
	 * @param {Head} file
	 * @param {Said[]} facts
	 * @param {Map<string, Series>} series
	 * @param {Map<string, Sold>} sold
	 * @param {import("./verify.mjs").Course} course
	 */
	constructor(file, facts, series, sold, course) {
		this.file = file;
		this.facts = facts;
		this.series = series;
		this.sold = sold;
		this.course = course;
		this.at = 0;
		/** @type {Map<number, {round: number, secret: string, ties: string[]}>} by round, wherever they stand */
		this.secrets = new Map(facts.filter((f) => f.kind === "secrets_revealed").map((f) => [f.said.round, f.said]));
	}

	/** @type {(holds: unknown, what: string) => asserts holds} */
	want(holds, what) {
		need(holds, "daycourse", `${this.facts[this.at]?.kind ?? "the end"}, fact ${this.at + 1}: ${what}`);
	}

	/** @param {number} signed the size of the checkpoint before the sale */
	play(signed) {
		/** @type {Record<string, (said: any, f: Said) => void>} */
		const steps = this.steps(signed);
		for (; this.at < this.facts.length; this.at++) {
			const f = this.facts[this.at];
			const must = this.due.shift();
			/** @type {(holds: unknown, what: string) => asserts holds} */
			const want = (holds, what) => this.want(holds, what);
			want(!must || (must.kind === f.kind && JSON.stringify(must.said) === JSON.stringify(f.said)), `here should stand ${must?.kind} ${JSON.stringify(must?.said)}`);
			want(this.owed.length === 0 || f.kind === "secrets_revealed", "the secrets of a round should stand here");
			const step = Object.hasOwn(steps, f.kind) ? steps[f.kind] : undefined;
			want(step, "a day has no such fact");
			want(must || !["claims_rejected", "tie_found", "prize_awarded"].includes(f.kind), "nothing brings it about");
			step(f.said, f);
		}
		this.want(this.due.length === 0 && this.owed.length === 0, "something should follow the last fact");
		if (this.file.round === 0) this.want(this.phase === "closed", "the day is not over");
		else this.want(this.phase === "open" && !this.now && this.results === this.file.round, "the file does not end with its round");
		this.course.say("daysecret");
	}

	/**
	 * What each kind of fact does.
	 * @param {number} signed
	 * @returns {Record<string, (said: any, f: Said) => void>}
	 */
	steps(signed) {
		return {
			planned: (e) => {
				this.want(this.phase === "planning" && this.day === 0, "the day has opened");
				this.plan = e.plan;
				this.shown.partners = [...e.plan.partners];
			},
			pictured: (e) => this.picture(e),
			day_opened: (e, f) => this.openDay(e, f.index < signed),
			sale_opened: (_, f) => {
				this.want(this.phase === "opening", "the day does not open");
				need(this.saleOpened || f.index >= signed, "daysigned", "the sale opened within the checkpoint said to be before");
				if (!this.saleOpened) this.course.say("daysigned", { before: signed });
				this.saleOpened = true;
				this.phase = "open";
			},
			control_taken: (e) => {
				this.want(this.phase === "open" && e.caller !== this.caller, "the day is not open, or nothing changes");
				this.caller = e.caller;
			},
			rules_recalled: () => {
				this.want(this.phase === "open" && !this.recalled, "the day is not open, or they were recalled");
				this.recalled = true;
			},
			paused: (e, f) => {
				this.want(this.phase === "open" && !this.paused && (!this.now || ["drawing", "over"].includes(this.now.mode)), "no break can begin");
				this.want(e.until !== "" && nanos(e.until) > BigInt(f.at) * 1000n, "the break is over before it begins");
				this.paused = true;
			},
			pause_ended: () => {
				this.want(this.paused, "there is no break");
				this.paused = false;
			},
			dispute_decided: (e) => this.want(this.phase === "open" && (!e || (said(e.question) && said(e.decision))), "the day is not open, or nothing is decided"),
			exclusion_explained: () => this.want(this.phase === "open" && this.facts[this.at - 1]?.kind === "person_excluded", "nobody is excluded"),
			person_excluded: (e) => this.exclude(e),
			day_postponed: (e, f) => {
				this.want(this.phase === "open" && !this.now && said(e.reason), "the day cannot be postponed");
				this.want(e.doors !== "" && e.start !== "" && nanos(e.doors) > BigInt(f.at) * 1000n && nanos(e.start) > nanos(e.doors), "it is postponed to no later day");
				[this.phase, this.recalled, this.paused] = ["planning", false, false];
			},
			day_closed: (e) => {
				const rounds = this.plan?.rounds ?? [];
				this.want(this.phase === "open" && !this.now && (this.results === rounds.length || said(e.reason)), "the day is not over");
				this.phase = "closed";
				for (let n = this.results + 1; n <= rounds.length; n++) if (!rounds[n - 1].cage) this.owed.push(n);
			},
			secrets_revealed: (e) => this.reveal(e),
			round_opened: (e) => this.openRound(e),
			...this.roundSteps(),
		};
	}

	/** What the facts between the opening and the closing of a round do. */
	roundSteps() {
		/** @type {Record<string, (said: any) => void>} */
		const steps = {
			ball_called: (e) => this.call(e),
			call_corrected: (e) => this.correct(e),
			call_repeated: (e) => {
				const p = this.correctable(e.ball, e.reason);
				this.want(e.number === p.calls.length, "it is another number");
			},
			draw_stopped: () => {
				const p = this.running("drawing");
				this.want(p.calls.length > 0, "no number is out");
				[p.mode, p.claims] = ["stopped", []];
			},
			draw_resumed: () => {
				const p = this.running("stopped");
				this.want(p.claims.length === 0, "there are claims");
				p.mode = "drawing";
			},
			claim_made: (e) => this.claim(e.claim),
			check_began: () => {
				const p = this.running("stopped");
				this.want(p.claims.length > 0, "there are no claims");
				p.mode = "checking";
			},
			claim_checked: (e) => this.check(e),
			claims_rejected: () => {
				const p = this.running("checking");
				[p.mode, p.claims] = ["drawing", []];
			},
			tie_found: (e) => {
				const p = this.running("checking");
				[p.mode, p.tie] = ["tied", { ...e.tie, tokens: [] }];
			},
			share_answered: (e) => this.answer(e.agreed),
			token_drawn: (e) => this.token(e.token),
			prize_awarded: (e) => {
				const p = this.playing();
				[p.mode, p.awards] = ["awarding", e.awards];
			},
			prize_handed_over: () => this.handOver(),
			round_closed: (e) => this.closeRound(e),
		};
		return steps;
	}

	/** The round that is being played. */
	playing() {
		this.want(this.now, "no round is being played");
		return this.now;
	}

	/** The round that is being played, outside a break, in a mode. @param {string} [mode] */
	running(mode) {
		const p = this.playing();
		this.want(!this.paused && (!mode || p.mode === mode), `the round is ${p.mode}, or there is a break`);
		return p;
	}

	/** The plan, its round and its prize. */
	current() {
		const p = this.playing();
		this.want(this.plan, "there is no plan");
		const round = this.plan.rounds[p.round - 1];
		return { plan: this.plan, round, prize: round.prizes[p.prize] };
	}

	/** @param {{gone: boolean, name: string, prize: number, round: number}} e */
	picture(e) {
		const list = this.shown.partners;
		this.want(this.phase !== "closed", "the day is over");
		if (e.round === 0) {
			this.want(e.prize === 0 && list.includes(e.name) === e.gone && (e.gone || (e.name !== "" && list.length < 12)), "no partner is shown so");
			this.shown.partners = e.gone ? list.filter((n) => n !== e.name) : [...list, e.name];
			return;
		}
		this.want(!e.gone && e.prize >= 1 && e.prize <= (this.plan?.rounds[e.round - 1]?.prizes.length ?? 0), "there is no such prize");
	}

	/**
	 * @param {{commitments: string[], ties: string[]}} e
	 * @param {boolean} signed
	 */
	openDay(e, signed) {
		this.want(this.plan && this.phase === "planning", "the day does not open");
		const { rounds } = this.plan;
		need(this.day > 0 || signed, "daysigned", "the commitments were not signed before the sale");
		this.want(e.commitments.length === rounds.length && e.ties.length === lotos.tieIndex(this.plan, rounds.length + 1, 0), "commitments are missing");
		rounds.forEach((r, i) => {
			const at = lotos.tieIndex(/** @type {lotos.Plan} */ (this.plan), i + 1, 0);
			for (const c of [e.commitments[i], ...e.ties.slice(at, at + r.prizes.length)]) this.want((c === "") === r.cage, "a round has a commitment and a cage, or neither");
		});
		if (this.day === 0) {
			lotos.checkPlan(this.plan);
			this.course.say("dayplan", { title: this.plan.title, rounds: rounds.length });
			[this.commitments, this.ties] = [e.commitments, e.ties];
		}
		this.want(JSON.stringify([this.commitments, this.ties]) === JSON.stringify([e.commitments, e.ties]), "the postponed day commits anew");
		[this.phase, this.day] = ["opening", this.day + 1];
	}

	/** Whether the cards of a sale play in the round opened last. @param {lotos.SaleRef} s */
	plays(s) {
		return s.sale <= (this.upto.get(s.desk) ?? -1);
	}

	/** @param {{cards: number, round: number, salt: string, upto: lotos.SaleRef[]}} e */
	openRound(e) {
		this.want(this.phase === "open" && !this.paused && this.recalled && !this.now && e.round === this.results + 1 &&
			e.round <= (this.plan?.rounds.length ?? 0), "no such round can be opened");
		const { plan } = this;
		this.want(plan, "there is no plan");
		const round = plan.rounds[e.round - 1];
		for (const [desk, sale] of this.upto) this.want(e.upto.some((u) => u.desk === desk && u.sale >= sale), "a sale plays no more");
		this.upto = new Map();
		for (const u of e.upto) this.upto.set(u.desk, Math.max(u.sale, this.upto.get(u.desk) ?? 0));
		const digest = new Sha256();
		let cards = 0;
		for (const c of this.sold.values()) {
			if (!this.plays(c) || this.excluded.has(nameOf(c)) || !round.prizes.some((z) => z.series.includes(c.series))) continue;
			digest.add(utf8(`${c.series},${c.number},${c.price}\n`));
			cards++;
		}
		need(cards === e.cards && hex(digest.sum()) === e.salt, "daysold", `the cards of round ${e.round} are not those of the file`);
		const balls = round.cage ? [] : this.drawn("loto/round", this.id(e.round), this.secrets.get(e.round)?.secret, e.salt);
		this.now = { round: e.round, prize: 0, mode: "drawing", calls: [], claims: [], tie: undefined, won: [], cards, balls, awards: [] };
	}

	/** @param {number} round @param {number} [prize] from 1 */
	id(round, prize) {
		return `${this.file.day}/${round}${prize === undefined ? "" : `/${prize}`}`;
	}

	/**
	 * The numbers in the order in which a secret and a salt give them.
	 * @param {string} use
	 * @param {string} id
	 * @param {string | undefined} secret
	 * @param {string} salt
	 */
	drawn(use, id, secret, salt) {
		const key = digits64(secret ?? "");
		const raw = unhex(salt);
		need(key && raw, "daydraw", `the secret of ${use} ${id} is not revealed`);
		return shuffle(numbers(), stream(use, id, key, raw));
	}

	/** @param {{ball: number, number: number}} e */
	call(e) {
		const p = this.running("drawing");
		this.want(p.calls.length < 90 && e.number === p.calls.length + 1 && lotos.isBall(e.ball) && !p.calls.includes(e.ball), `number ${e.ball} cannot be called`);
		need(this.current().round.cage || p.balls[e.number - 1] === e.ball, "daydraw", `number ${e.number} of round ${p.round} is ${e.ball}, the secret gives ${p.balls[e.number - 1]}`);
		p.calls.push(e.ball);
	}

	/**
	 * The round, if its last number may be touched.
	 * @param {number} was
	 * @param {string} reason
	 */
	correctable(was, reason) {
		const p = this.running();
		this.want(said(reason) && was > 0 && was === p.calls[p.calls.length - 1], "it is not the last number, or no reason is given");
		this.want(!["tied", "awarding", "over"].includes(p.mode) && p.won.every((w) => w.calls !== p.calls.length), "a prize depends on it");
		return p;
	}

	/** @param {{ball: number, number: number, reason: string, was: number}} e */
	correct(e) {
		const p = this.correctable(e.was, e.reason);
		this.want(this.current().round.cage, "a number that was drawn stays drawn");
		this.want(e.number === p.calls.length && e.ball !== e.was && (e.ball === 0 || (lotos.isBall(e.ball) && !p.calls.includes(e.ball))), "no such number can take its place");
		p.calls.pop();
		if (e.ball !== 0) p.calls.push(e.ball);
		if (p.mode === "checking") p.mode = "stopped";
		p.claims = p.claims.map((c) => ({ ...c, checked: false }));
	}

	/** @param {lotos.Claim} c */
	claim(c) {
		const p = this.running("stopped");
		this.want(p.claims.length < 90 && p.claims.every((d) => d.serial !== c.serial), "the card is claimed already");
		this.want(/^[A-Z][A-Z0-9]{0,7}-[1-9][0-9]{0,9}$/.test(c.serial), "no card has such a serial");
		this.want(c.typed.every((l) => l.length === 5 && l.every(lotos.isBall) && new Set(l).size === 5), "what was typed is no line");
		this.want(!c.checked && JSON.stringify(c.verdict) === JSON.stringify(lotos.refusal("")), "a claim comes with its verdict");
		p.claims.push(c);
	}

	/** @param {{claim: number, verdict: lotos.Verdict}} e */
	check(e) {
		const p = this.running("checking");
		const c = p.claims[e.claim];
		this.want(c && !c.checked, "there is no such claim, or it has its verdict");
		const v = this.judge(c, e.verdict);
		need(JSON.stringify(v) === JSON.stringify(e.verdict), "daycheck", `card ${c.serial} in round ${p.round}: the verdict should be ${JSON.stringify(v)}`);
		p.claims[e.claim] = { ...c, checked: true, verdict: v };
		if (p.claims.every((d) => d.checked)) this.conclude(p);
	}

	/**
	 * The verdict on a claim. Whether a card is stamped is the word of who looked at it.
	 * @param {lotos.Claim} c
	 * @param {lotos.Verdict} told what the file says of it
	 */
	judge(c, told) {
		const { plan, prize } = this.current();
		const p = this.playing();
		const [name, number] = c.serial.split("-");
		const of = this.series.get(name);
		need(of || !lotos.knows(plan, name), "dayseries", `series ${name} is not in the file`);
		const lines = of?.cards.get(Number(number));
		const known = of ? lines !== undefined : told.reason !== "card_unknown" && told.vouched === "";
		if (told.vouched !== "") {
			need(!known && c.typed.length > 0, "daycheck", `card ${c.serial} was taken on its typed numbers, but is known`);
			return { ...lotos.readLines(plan, prize.stage, c.typed, p.calls), vouched: told.vouched };
		}
		if (!known) return lotos.refusal("card_unknown");
		if (!prize.series.includes(name) || !of || !lines) return lotos.refusal("series_refused");
		const sold = this.sold.get(c.serial);
		if (sold && this.plays(sold)) {
			need(nameOf(c.sale) === nameOf(sold), "daycheck", `card ${c.serial} was claimed as sold in another sale`);
			if (this.excluded.has(nameOf(sold))) return lotos.refusal("card_void");
		} else {
			need(!this.plays(c.sale), "daycheck", `card ${c.serial} was claimed as sold in another sale`);
			const may = told.reason === "card_sold_late" || (told.reason === "card_void" && this.excluded.has(nameOf(c.sale)));
			return lotos.refusal(may ? told.reason : "card_unsold");
		}
		if (told.reason === "card_unstamped") return lotos.refusal("card_unstamped");
		return lotos.readLines(plan, of.lined ? prize.stage : 3, lines, p.calls);
	}

	/** Says what must follow once every claim has its verdict. @param {Play} p */
	conclude(p) {
		const { plan, prize } = this.current();
		const winners = p.claims.flatMap((c, i) => (c.verdict.valid ? [i] : []));
		if (winners.length === 0) this.due.push({ kind: "claims_rejected", said: {} });
		else if (winners.length === 1) {
			const award = { amount: prize.amount, claim: winners[0], consolation: false, serial: p.claims[winners[0]].serial, token: 0 };
			this.due.push({ kind: "prize_awarded", said: { awards: [award], how: "sole" } });
		} else {
			const tie = lotos.tieOf(plan, prize, p.claims, winners);
			this.due.push({ kind: "tie_found", said: { tie } });
			if (tie.keep === winners.length && !tie.asked) this.due.push({ kind: "prize_awarded", said: lotos.settle(tie, prize, p.claims) });
		}
	}

	/** @param {boolean} agreed */
	answer(agreed) {
		const p = this.running("tied");
		this.want(p.tie?.asked, "nobody is asked to share");
		p.tie = { ...p.tie, asked: false, keep: agreed ? p.tie.keep : 1 };
		if (agreed && p.tie.keep === p.tie.winners.length) this.due.push({ kind: "prize_awarded", said: lotos.settle(p.tie, this.current().prize, p.claims) });
	}

	/** @param {lotos.Token} t */
	token(t) {
		const p = this.running("tied");
		const { tie } = p;
		this.want(tie && !tie.asked && t.claim === tie.winners[tie.tokens.length], "no token is to be drawn for it");
		this.want(lotos.isBall(t.ball) && tie.tokens.every((x) => x.ball !== t.ball), "the token is out of the bag");
		if (!this.current().round.cage) {
			const bag = this.drawn("loto/tie", this.id(p.round, p.prize + 1), this.secrets.get(p.round)?.ties[p.prize], tie.salt);
			need(bag[tie.tokens.length] === t.ball, "daydraw", `a token of round ${p.round} is ${t.ball}, the secret gives ${bag[tie.tokens.length]}`);
		}
		tie.tokens.push(t);
		if (tie.tokens.length === tie.winners.length) this.due.push({ kind: "prize_awarded", said: lotos.settle(tie, this.current().prize, p.claims) });
	}

	handOver() {
		const p = this.running("awarding");
		p.won.push({ prize: p.prize, calls: p.calls.length, awards: p.awards });
		[p.claims, p.tie, p.awards, p.mode] = [[], undefined, [], "over"];
		if (p.prize + 1 < this.current().round.prizes.length) {
			p.prize++;
			p.mode = "drawing";
		}
	}

	/** @param {{reason: string}} e */
	closeRound(e) {
		const p = this.running();
		const { round } = this.current();
		this.want(p.mode === "over" || (p.mode === "drawing" && said(e.reason)), "the round is not over");
		this.course.say(round.cage ? "daycage" : "dayround", { round: p.round, cards: p.cards, balls: p.calls.length });
		for (const w of p.won) {
			const serials = w.awards.filter((a) => !a.consolation).map((a) => a.serial).join(", ");
			this.course.say("dayprize", { round: p.round, name: round.prizes[w.prize].name, ball: w.calls, serials });
		}
		if (!round.cage) this.owed.push(p.round);
		this.results++;
		this.now = undefined;
	}

	/** @param {{refund: number, sales: lotos.SaleRef[]}} e */
	exclude(e) {
		this.want(this.phase === "open" && e.sales.length > 0, "nobody can be excluded");
		let [paid, known] = [0, 0];
		for (const s of e.sales) {
			this.want(!this.excluded.has(nameOf(s)), "a sale is void already");
			this.excluded.add(nameOf(s));
			const cards = [...this.sold.values()].filter((c) => nameOf(c) === nameOf(s));
			if (cards.length > 0) known++;
			paid += cards.reduce((n, c) => n + c.price, 0);
		}
		need(known < e.sales.length || paid === e.refund, "daysold", `${e.refund} was paid back, the cards cost ${paid}`);
	}

	/** @param {{round: number, secret: string, ties: string[]}} e */
	reveal(e) {
		this.want(this.owed.shift() === e.round, "no secrets of this round can stand here");
		const { plan } = this;
		this.want(plan && e.ties.length === plan.rounds[e.round - 1].prizes.length, "there is no secret for each prize");
		/** @type {(use: string, id: string, digits: string, want: string) => void} */
		const holds = (use, id, digits, want) => {
			const secret = digits64(digits);
			need(secret && hex(commitment(use, id, secret)) === want, "daysecret", `the secret of ${use} ${id} is not the one committed to`);
		};
		holds("loto/round", this.id(e.round), e.secret, this.commitments[e.round - 1]);
		e.ties.forEach((digits, k) => holds("loto/tie", this.id(e.round, k + 1), digits, this.ties[lotos.tieIndex(plan, e.round, k)]));
	}
}
