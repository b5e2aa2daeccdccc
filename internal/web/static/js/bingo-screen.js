// What the screens of the bingo share: they follow the facts of the round and of the day,
// and show each at once. The page is asked for again only when another round begins, or when
// something was missed.

import { amount } from "./live-amount.js";
import { keepAwake } from "./awake.js";
import { minutesSeconds } from "./live-until.js";

const count = new Intl.NumberFormat(document.documentElement.lang);

const line = 1 << 15; // any one line of the card, as ninety.Line
const twoLines = 1 << 16;

/**
 * How many numbers a card lacks for a goal, as ninety.Goal.Missing.
 * @param {number} goal
 * @param {number[]} card its fifteen numbers, five a line
 * @param {Set<number>} drawn
 */
export function missing(goal, card, drawn) {
	const lines = [0, 1, 2].map((l) => card.slice(5 * l, 5 * l + 5).filter((n) => !drawn.has(n)).length);
	const all = lines.reduce((a, b) => a + b, 0);
	if (goal === line) return Math.min(...lines);
	if (goal === twoLines) return all - Math.max(...lines);
	return card.filter((n, i) => (goal >> i) & 1 && !drawn.has(n)).length;
}

/** How long an announcement stays, in milliseconds. */
const said = 9000;

export class BingoScreen extends HTMLElement {
	/** @type {Record<string, string>} */
	words = {};
	#ahead = 0; // how far the server's clock is ahead of this device's, in milliseconds
	#timer = 0;
	/** @type {string[]} */
	#queue = [];
	#saying = 0;
	#notices = 0; // that are announced

	connectedCallback() {
		this.words = JSON.parse(this.dataset.words ?? "{}");
		this.#ahead = Number(this.screen?.dataset.now) - Date.now() || 0;
		document.addEventListener("live:fact", this.#fact);
		document.addEventListener("live:gauge", this.#gauge);
		document.addEventListener("live:clock", this.#clock);
		document.addEventListener("live:state", this.#state);
		document.addEventListener("visibilitychange", this.#wake);
		this.#notices = this.notices;
		this.#timer = window.setInterval(() => this.tick(), 250);
		this.tick();
		this.#wake();
	}

	disconnectedCallback() {
		document.removeEventListener("live:fact", this.#fact);
		document.removeEventListener("live:gauge", this.#gauge);
		document.removeEventListener("live:clock", this.#clock);
		document.removeEventListener("live:state", this.#state);
		document.removeEventListener("visibilitychange", this.#wake);
		clearInterval(this.#timer);
		clearTimeout(this.#saying);
	}

	/** The part that snapshots replace. */
	get screen() {
		const screen = this.querySelector("#bingo");
		return screen instanceof HTMLElement ? screen : null;
	}

	/** How many changes of prizes the page announces. */
	get notices() {
		return this.querySelectorAll("[data-notice]").length;
	}

	/** The balls that are out. */
	get drawn() {
		return new Set([...this.querySelectorAll(".board [data-out]")].map((b) => Number(b.getAttribute("data-ball"))));
	}

	/** The prizes that can still be won, in the order in which a ball awards them. */
	get open() {
		return [...this.querySelectorAll("[data-prize]:not([data-won])")]
			.map((p) => ({ goal: Number(p.getAttribute("data-goal")), name: p.getAttribute("data-name") ?? "" }))
			.sort((a, b) => this.#rank(a.goal) - this.#rank(b.goal));
	}

	/** @param {number} goal */
	#rank(goal) {
		if (goal === line) return 0;
		if (goal === twoLines) return 10;
		return goal.toString(2).replaceAll("0", "").length;
	}

	/**
	 * A sentence of the page with its blanks filled in.
	 * @param {string} key
	 * @param {Record<string, string | number>} parts
	 */
	word(key, parts = {}) {
		return Object.entries(parts).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), this.words[key] ?? "");
	}

	/**
	 * One of two sentences that count.
	 * @param {string} key
	 * @param {number} n
	 * @param {Record<string, string | number>} parts
	 */
	counted(key, n, parts = {}) {
		const own = n < 2 && this.words[`${key}.${n}`] !== undefined ? `${key}.${n}` : key;
		return this.word(own, { ...parts, n: count.format(n) });
	}

	#wake = () => keepAwake(this);

	/** @param {Event} event */
	#clock = (event) => {
		if (event instanceof CustomEvent && event.detail.now) this.#ahead = event.detail.now - Date.now();
	};

	/** A screen that hears nothing says so: its clock would lie. @param {Event} event */
	#state = (event) => {
		if (event instanceof CustomEvent) this.toggleAttribute("data-stale", !event.detail.connected);
	};

	/** @param {Event} event */
	#fact = (event) => {
		if (!(event instanceof CustomEvent)) return;
		const { topic, name, data } = event.detail;
		if (topic === "bingo/session") this.#day(name);
		else if (topic === this.screen?.dataset.topic) this.#round(name, data);
	};

	/** @param {string} name */
	#day(name) {
		const key = { session_paused: "paused", session_resumed: "resumed", session_closed: "closed", programme_changed: "programme" }[name];
		if (key) this.say(this.word(key));
		if (name !== "round_finished") this.want();
	}

	/** Asks for the page as it is now. */
	want() {
		document.dispatchEvent(new CustomEvent("live:want"));
	}

	/**
	 * @param {string} name
	 * @param {any} data
	 */
	#round(name, data) {
		switch (name) {
			case "sale_opened":
				this.#opened(data);
				break;
			case "sale_closed":
				this.#closed(data);
				break;
			case "ball_drawn":
				this.ball(data.ball, data.number);
				break;
			case "prize_won":
				this.#won(data);
				break;
			case "round_ended":
				this.phase("over");
				break;
			case "witness_opened":
				this.want(); // the balls waited, and the page said so
				break;
			case "round_voided":
				this.say(this.word("void"));
				this.want();
				break;
		}
	}

	/** @param {string} phase */
	phase(phase) {
		if (this.screen) this.screen.dataset.phase = phase;
	}

	/** @param {{closes: number, last: boolean}} data */
	#opened(data) {
		this.phase("selling");
		const clock = this.querySelector("[data-until]");
		if (clock instanceof HTMLElement) clock.dataset.until = String(data.closes);
		const mark = this.querySelector("[data-last-mark]");
		if (mark instanceof HTMLElement) mark.hidden = !data.last;
		this.screen?.toggleAttribute("data-last", data.last);
		this.say(this.word("sale", { number: this.screen?.dataset.number ?? "" }) + (data.last ? ` ${this.word("last")}` : ""));
		this.tick();
	}

	/** The start is announced: cards sold and prizes. @param {{cards: number, amounts: number[], pots: number[]}} data */
	#closed(data) {
		this.phase("drawing");
		this.sold(data.cards);
		this.amounts("prize", data.amounts);
		this.amounts("pot", data.pots);
		for (const state of this.querySelectorAll("[data-prize] [data-state]")) state.textContent = this.word("near.0");
		const prizes = [...this.querySelectorAll("[data-prize], [data-pot]")].map((p) => this.word("start.prize", {
			name: p.getAttribute("data-name") ?? "", amount: p.querySelector("[data-amount]")?.textContent ?? "" }));
		const last = this.screen?.hasAttribute("data-last") ? ` ${this.word("last")}` : "";
		this.say(`${this.word("start", { number: this.screen?.dataset.number ?? "", cards: this.counted("cards", data.cards) })} ${prizes.join(" ")}${last}`);
	}

	/** @param {number} cards */
	sold(cards) {
		const sold = this.querySelector("[data-sold]");
		if (sold) sold.textContent = count.format(cards);
	}

	/**
	 * @param {string} kind prize or pot
	 * @param {number[]} list
	 */
	amounts(kind, list) {
		list?.forEach((cents, i) => {
			const shown = this.querySelector(`[data-${kind}="${i}"] [data-amount]`);
			if (shown) shown.textContent = amount(cents);
		});
	}

	/**
	 * Shows a ball: large, on the board, and the one before among those before.
	 * @param {number} n
	 * @param {number} number of the ball in the round
	 */
	ball(n, number) {
		const place = this.querySelector("[data-last-ball]");
		const cell = this.querySelector(`.board [data-ball="${n}"]`);
		if (!place || !cell || cell.hasAttribute("data-out")) return;
		const before = this.querySelector("[data-before]");
		const old = place.querySelector("svg");
		if (before instanceof HTMLElement && old) {
			const item = document.createElement("li");
			item.append(old);
			before.prepend(item);
			while (before.children.length > Number(before.dataset.before)) before.lastElementChild?.remove();
		}
		place.replaceChildren(this.draw(n));
		place.toggleAttribute("data-fresh", true);
		this.querySelector(".board [data-last]")?.removeAttribute("data-last");
		cell.toggleAttribute("data-out", true);
		cell.toggleAttribute("data-last", true);
		const out = this.querySelector("[data-count]");
		if (out) out.textContent = String(number);
	}

	/** Draws a ball after the model of the page. @param {number} n */
	draw(n) {
		const model = this.querySelector("template[data-ball-model]");
		if (!(model instanceof HTMLTemplateElement)) return document.createTextNode(String(n));
		const drawn = model.content.firstElementChild?.cloneNode(true);
		if (!(drawn instanceof SVGElement)) return document.createTextNode(String(n));
		drawn.dataset.ten = String(Math.min(Math.floor(n / 10), 8));
		drawn.setAttribute("aria-label", (drawn.getAttribute("aria-label") ?? "").replace("6", String(n)));
		const figures = drawn.querySelector(".ball-figures");
		if (figures) figures.textContent = String(n);
		const turned = [...String(n)].reverse().map((c) => ({ 6: "9", 9: "6" })[c] ?? c).join("");
		const turnable = !/[23457]/.test(turned) && Number(turned) !== n && Number(turned) >= 1 && Number(turned) <= 90;
		if (!turnable) drawn.querySelector(".ball-under")?.remove();
		return drawn;
	}

	/** @param {{prize: number, pot: boolean, ball: number, amount: number, winners: number, serials: string[]}} win */
	#won(win) {
		const row = this.querySelector(`[data-${win.pot ? "pot" : "prize"}="${win.prize}"]`);
		if (!row) return;
		row.toggleAttribute("data-won", true);
		const winners = this.counted("winners", win.winners, { ball: win.ball });
		const state = row.querySelector("[data-state]");
		if (state) state.textContent = winners;
		const of = win.winners <= win.serials.length ? `${win.serials.join(", ")}.` : "";
		this.say(this.word(win.pot ? "pot" : "prize", { name: row.getAttribute("data-name") ?? "", ball: win.ball,
			amount: amount(win.amount), winners: of }).trim());
		this.prized(win, row);
	}

	/**
	 * For screens that show more of a win.
	 * @param {object} _win
	 * @param {Element} _row
	 */
	prized(_win, _row) {}

	/** @param {Event} event */
	#gauge = (event) => {
		if (!(event instanceof CustomEvent)) return;
		const { topic, name, data } = event.detail;
		if (topic === "bingo/session" && name === "notice") this.want();
		if (topic !== this.screen?.dataset.topic) return;
		const phase = this.screen?.dataset.phase;
		if (name === "sold" && phase === "selling") {
			this.sold(data.cards);
			this.amounts("prize", data.amounts);
			this.amounts("pot", data.pots);
		}
		if (name === "near" && phase === "drawing") {
			data.cards.forEach((/** @type {number} */ n, /** @type {number} */ i) => {
				const row = this.querySelector(`[data-prize="${i}"]:not([data-won])`);
				const state = row?.querySelector("[data-state]");
				if (state) state.textContent = this.counted("near", n);
				row?.toggleAttribute("data-close", n > 0);
			});
		}
	};

	/** Counts down to the end of the sale, by the server's time; says when prizes will change. */
	tick() {
		if (this.notices > this.#notices) {
			const told = [...this.querySelectorAll("[data-notice]")].at(-1)?.getAttribute("data-notice") ?? "";
			this.say(`${this.word("notice")} ${told}`);
		}
		this.#notices = this.notices;
		const clock = this.querySelector("[data-until]");
		if (!(clock instanceof HTMLElement)) return;
		const left = Math.max(0, Math.ceil((Number(clock.dataset.until) - Date.now() - this.#ahead) / 1000));
		const text = minutesSeconds(left);
		if (clock.textContent !== text) clock.textContent = text;
		clock.toggleAttribute("data-short", left <= 10);
		this.screen?.toggleAttribute("data-shut", left === 0);
	}

	/** Says something on the screen, one sentence after the other. @param {string} text */
	say(text) {
		if (!text) return;
		this.#queue.push(text);
		this.speak(text);
		if (!this.#saying) this.#next();
	}

	/** For screens that speak. @param {string} _text */
	speak(_text) {}

	#next() {
		const place = this.querySelector("[data-say]");
		const text = this.#queue.shift();
		this.#saying = 0;
		if (!(place instanceof HTMLElement)) return;
		place.hidden = text === undefined;
		place.textContent = text ?? "";
		if (text !== undefined) this.#saying = window.setTimeout(() => this.#next(), this.#queue.length ? said / 3 : said);
	}
}
