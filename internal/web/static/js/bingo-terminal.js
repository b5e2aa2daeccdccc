// A terminal of the bingo: a player's own cards, which mark themselves, the nearest first,
// and the buying of cards.

import { BingoScreen, missing } from "./bingo-screen.js";
import { amount } from "./live-amount.js";

class BingoTerminal extends BingoScreen {
	connectedCallback() {
		super.connectedCallback();
		this.addEventListener("click", this.#touch);
		this.addEventListener("input", () => this.#total());
		this.addEventListener("keydown", this.#scanned);
		this.addEventListener("submit", this.#leaving);
		document.addEventListener("live:fact", this.#money);
		document.addEventListener("live:gauge", this.#seat);
		this.#total();
	}

	disconnectedCallback() {
		super.disconnectedCallback();
		document.removeEventListener("live:fact", this.#money);
		document.removeEventListener("live:gauge", this.#seat);
	}

	tick() {
		super.tick();
		this.#total();
	}

	/** A scanner ends with « Enter »: the PIN comes next. @param {KeyboardEvent} event */
	#scanned = (event) => {
		if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || event.target.name !== "card") return;
		const pin = this.querySelector("[name=pin]");
		if (!(pin instanceof HTMLInputElement) || pin.value) return;
		event.preventDefault();
		pin.focus();
	};

	/** Money that moves otherwise than by a page changes the hand, too. @param {Event} event */
	#money = (event) => {
		if (event instanceof CustomEvent && event.detail.topic.startsWith("wallet/")) this.want();
	};

	/** Who leaves is shown where the form leads. @param {Event} event */
	#leaving = (event) => {
		if (event.target instanceof HTMLFormElement && event.target.action.endsWith("/leave")) delete this.dataset.seat;
	};

	/** An account that is presented elsewhere, or blocked, is not shown here any more. @param {Event} event */
	#seat = (event) => {
		if (!(event instanceof CustomEvent) || event.detail.name !== "seat" || !this.dataset.seat) return;
		if (String(event.detail.data.terminal) !== this.dataset.seat) location.reload();
	};

	/**
	 * @param {number} n
	 * @param {number} number
	 */
	ball(n, number) {
		super.ball(n, number);
		for (const cell of this.querySelectorAll(".bingo-card [data-last]")) cell.removeAttribute("data-last");
		for (const cell of this.querySelectorAll(`.bingo-card [data-n="${n}"]`)) {
			cell.toggleAttribute("data-out", true);
			cell.toggleAttribute("data-last", true);
		}
		this.#sort();
	}

	/** A prize that one of the own cards has won: the page says how much. */
	prized(/** @type {any} */ win, /** @type {Element} */ row) {
		const goal = Number(row.getAttribute("data-goal"));
		const drawn = this.drawn;
		const own = this.#cards().filter((c) => missing(goal, c.numbers, drawn) === 0);
		for (const c of own) c.element.toggleAttribute("data-won", true);
		if (own.length > 0) {
			this.say(this.word("own"));
			this.want();
		}
		this.#sort();
		return win;
	}

	#cards() {
		return [...this.querySelectorAll(".bingo-card")].map((element, i) => ({
			element, i, numbers: (element.getAttribute("data-card") ?? "").split(" ").map(Number) }));
	}

	/** Puts the nearest cards first, each with what it lacks. */
	#sort() {
		const list = this.querySelector("[data-cards]");
		if (!list) return;
		const open = this.open;
		const drawn = this.drawn;
		const cards = this.#cards().map((c) => ({ ...c, lacks: open.map((p) => missing(p.goal, c.numbers, drawn)) }));
		for (const c of cards) {
			const first = open[0];
			const lack = c.lacks[0];
			if (!first || lack === undefined) continue;
			c.element.setAttribute("data-nearest", String(Math.min(...c.lacks)));
			const state = c.element.querySelector("[data-lacks]");
			if (!state || c.element.hasAttribute("data-won")) continue;
			const key = lack === 0 ? "reached" : lack === 1 ? "missing.1" : "missing";
			state.textContent = this.word(key, { n: lack, prize: first.name });
		}
		const sorted = cards.toSorted((a, b) => {
			for (const [k, lack] of a.lacks.entries()) if (lack !== b.lacks[k]) return lack - (b.lacks[k] ?? 0);
			return a.i - b.i;
		});
		if (sorted.some((c, k) => c.i !== k)) list.append(...sorted.map((c) => c.element));
	}

	/** @returns {HTMLInputElement | null} */
	get #how() {
		return this.querySelector("[data-how]");
	}

	/** @param {Event} event */
	#touch = (event) => {
		const button = event.target instanceof Element ? event.target.closest("[data-step], [data-take]") : null;
		const how = this.#how;
		if (!(button instanceof HTMLElement) || !how) return;
		const most = Number(button.closest("form")?.dataset.most);
		const wanted = button.dataset.take ? Number(button.dataset.take) : (Number(how.value) || 0) + Number(button.dataset.step);
		how.value = String(Math.max(1, Math.min(most, wanted)));
		this.#total();
	};

	/** What the cards cost, and whether they can be bought. */
	#total() {
		const form = this.querySelector("[data-buy]");
		const how = this.#how;
		if (!(form instanceof HTMLFormElement) || !how) return;
		const n = Number(how.value);
		const price = Number(new FormData(form).get("price"));
		const cost = n * price;
		const short = cost > Number(form.dataset.credits);
		const total = form.querySelector("[data-total]");
		const text = Number.isFinite(cost) && cost > 0 ? `${n} × ${amount(price)} = ${amount(cost)}` : "";
		if (total && total.textContent !== text) total.textContent = text;
		const note = form.querySelector("[data-short]");
		if (note instanceof HTMLElement) note.hidden = !short;
		const pay = form.querySelector("[type=submit]");
		const shut = this.screen?.hasAttribute("data-shut") ?? false;
		if (pay instanceof HTMLButtonElement) pay.disabled = short || shut || !(n >= 1 && n <= Number(form.dataset.most));
		for (const quick of form.querySelectorAll("[data-take]")) {
			quick.toggleAttribute("data-chosen", Number(quick.getAttribute("data-take")) === n);
		}
	}
}

customElements.define("bingo-terminal", BingoTerminal);

export {};
