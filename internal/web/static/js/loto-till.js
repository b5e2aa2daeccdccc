// A desk that is cut off goes on selling from its own pile. Each sale names the cards that it
// hands out and carries its identifier; one that the server has not answered is kept in this
// browser and shown as not confirmed, then sent again, in order, until it is. The server does
// what it has not done yet, once. A sale that it refuses stays shown, with why.

/**
 * @typedef {{unit: string, series: string, from: number, to: number, size: number}} Pile
 * @typedef {{unit: string, first: string, last: string}} Piece
 * @typedef {{request: string, body: string, pieces: Piece[], total: string, means: string, at: number,
 *   late?: boolean, refused?: string}} Sale
 * @typedef {{form: HTMLFormElement, body: URLSearchParams}} Send
 */

const patience = 4000; // milliseconds for an answer, then the desk goes on without
const again = 3000; // milliseconds between attempts

/**
 * The pieces that were scanned, by the number of their first card: the first of each, or with a
 * last card all pieces from the one to the other. Nothing if a card is in no pile.
 * @param {Pile[]} piles
 * @param {FormData | URLSearchParams} answers
 * @returns {{pile: Pile, first: number}[] | undefined}
 */
function scannedIn(piles, answers) {
	const words = (/** @type {string} */ name) => String(answers.get(name) ?? "").trim().toUpperCase().split(/\s+/).filter(Boolean);
	const [texts, [last]] = [words("scan"), words("last")];
	if (last && texts.length !== 1) return undefined;
	const pieces = [];
	for (const text of texts) {
		const [series, digits] = text.split("-");
		const pile = piles.find((p) => p.series === series && p.from <= Number(digits) && Number(digits) <= p.to);
		if (!pile) return undefined;
		const first = Number(digits) - ((Number(digits) - pile.from) % pile.size);
		const [ending, end] = (last ?? text).split("-");
		if (ending !== series || !(Number(end) >= first && Number(end) <= pile.to) || Number(end) - first >= 50 * pile.size) return undefined;
		for (let n = first; n <= Number(end); n += pile.size) pieces.push({ pile, first: n });
	}
	return pieces;
}

class LotoTill extends HTMLElement {
	/** @type {Sale[]} */
	#kept = [];
	#sending = false;
	#cut = false;
	#timer = 0;

	connectedCallback() {
		this.#kept = this.#read();
		this.addEventListener("keys:send", this.#sell);
		this.addEventListener("click", this.#click);
		this.addEventListener("input", this.#scanned);
		window.addEventListener("online", this.#flush);
		this.#timer = window.setInterval(this.#flush, again);
		this.#draw();
		this.#flush();
	}

	disconnectedCallback() {
		window.removeEventListener("online", this.#flush);
		clearInterval(this.#timer);
	}

	/**
	 * What was scanned is counted where it is asked for, so that the sum is right before it is paid.
	 * @param {Event} event
	 */
	#scanned = (event) => {
		const field = event.target;
		if (!(field instanceof HTMLInputElement) || (field.name !== "scan" && field.name !== "last") || !field.form) return;
		const firsts = scannedIn(JSON.parse(field.form.dataset.piles ?? "[]"), new FormData(field.form)) ?? [];
		for (const step of field.form.querySelectorAll("[data-step]")) {
			if (!(step instanceof HTMLInputElement)) continue;
			step.value = String(firsts.filter((f) => f.pile.unit === step.name).length);
			step.dispatchEvent(new Event("input", { bubbles: true }));
		}
	};

	get #name() {
		return `boulier-till-${this.getAttribute("till")}`;
	}

	/** @returns {Sale[]} */
	#read() {
		try {
			return JSON.parse(localStorage.getItem(this.#name) ?? "[]");
		} catch {
			return [];
		}
	}

	#write() {
		localStorage.setItem(this.#name, JSON.stringify(this.#kept));
		this.#draw();
	}

	/** @param {Event} event */
	#sell = (event) => {
		const send = /** @type {CustomEvent<Send>} */ (event).detail;
		if (send.form.dataset.piles === undefined) return; // no sale
		if (this.#kept.some((s) => s.request === send.body.get("request"))) {
			event.preventDefault(); // the first press counts
			return;
		}
		const pieces = this.#handOut(send);
		if (!pieces) return; // the server says what is wrong with it
		event.preventDefault();
		if (this.#cut && send.body.get("reservation")) {
			this.#say(this.dataset.noreservation ?? "");
			return;
		}
		if (this.#cut && send.body.get("means") === "cheque" && !send.body.get("document")) {
			this.#say(this.dataset.noidentity ?? "");
			return;
		}
		this.#say("");
		send.body.delete("last");
		send.body.set("scan", pieces.map((p) => p.first).join(" "));
		const means = send.form.querySelector(`[name="means"][value="${send.body.get("means")}"] [data-means]`);
		this.#kept.push({
			request: send.body.get("request") ?? "",
			body: send.body.toString(),
			pieces,
			total: send.form.querySelector("[data-sum]")?.textContent ?? "",
			means: means?.textContent ?? "",
			at: Date.now(),
			late: this.#cut,
		});
		// It is kept before it is sent, so that nothing is lost if the machine stops now.
		localStorage.setItem(this.#name, JSON.stringify(this.#kept));
		if (this.#cut) this.#next();
		this.#flush();
	};

	/**
	 * The cards of a sale: those scanned, then the next of the pile, without what is kept.
	 * Nothing if the pile has not so many, or a card is not in it.
	 * @param {Send} send
	 * @returns {Piece[] | undefined}
	 */
	#handOut({ form, body }) {
		/** @type {Pile[]} */
		const piles = JSON.parse(form.dataset.piles ?? "[]");
		const gone = new Set(this.#kept.flatMap((s) => (s.refused ? [] : s.pieces.map((p) => p.first))));
		/** @type {Piece[]} */
		const pieces = [];
		/** @param {Pile} pile @param {number} n */
		const take = (pile, n) => {
			const first = `${pile.series}-${n}`;
			if (gone.has(first)) return false;
			gone.add(first);
			pieces.push({ unit: pile.unit, first, last: `${pile.series}-${n + pile.size - 1}` });
			return true;
		};
		const scanned = scannedIn(piles, body);
		if (!scanned || !scanned.every((s) => take(s.pile, s.first))) return undefined;
		for (const field of form.querySelectorAll("[data-step]")) {
			if (!(field instanceof HTMLInputElement)) continue;
			let wanted = Number(field.value) - pieces.filter((p) => p.unit === field.name).length;
			for (const pile of piles.filter((p) => p.unit === field.name)) {
				for (let n = pile.from; n <= pile.to && wanted > 0; n += pile.size) if (take(pile, n)) wanted--;
			}
			if (wanted > 0) return undefined;
		}
		return pieces.length > 0 ? pieces : undefined;
	}

	/** Sends what is kept, in order; the page that answers the last one is shown. */
	#flush = async () => {
		const next = this.#kept.find((s) => !s.refused);
		if (this.#sending || !next) return;
		this.#sending = true;
		const stop = new AbortController();
		const timer = setTimeout(() => stop.abort(), patience);
		try {
			const answer = await fetch(this.getAttribute("action") ?? "", {
				method: "POST", body: new URLSearchParams(next.body), signal: stop.signal });
			const page = await answer.text();
			clearTimeout(timer);
			if (answer.status >= 500) throw new Error(`status ${answer.status}`);
			if (answer.status === 401 || answer.status === 403) {
				this.#say(this.dataset.signin ?? "");
				this.#lost(); // it is sent once its cashier is here again
				return;
			}
			this.#cut = false;
			this.#settled(next, answer.ok, page);
		} catch {
			this.#lost();
		} finally {
			clearTimeout(timer);
			this.#sending = false;
		}
		if (!this.#cut) this.#flush();
	};

	/**
	 * The server has answered.
	 * @param {Sale} sale @param {boolean} done @param {string} text
	 */
	#settled(sale, done, text) {
		const late = sale.late ?? false;
		const page = new DOMParser().parseFromString(text, "text/html");
		const till = page.querySelector("#till");
		const words = till?.querySelector(".notice")?.textContent?.replace(/\s+/g, " ").trim();
		// What is refused at once is shown by the page; the cards of a late one are handed out.
		if (till && (done || !late)) this.#kept = this.#kept.filter((s) => s !== sale);
		else sale.refused = words || (this.dataset.closed ?? "");
		const now = page.querySelector("form[data-piles]");
		const form = this.querySelector("form[data-piles]");
		if (form instanceof HTMLFormElement && now instanceof HTMLFormElement) form.dataset.piles = now.dataset.piles;
		this.#write();
		if (till && !this.#kept.some((s) => !s.refused) && (!late || !this.#typed())) {
			this.dispatchEvent(new CustomEvent("till:show", { detail: text }));
		}
	}

	/** Whether the next sale is being typed. */
	#typed() {
		const fields = /** @type {NodeListOf<HTMLInputElement>} */ (this.querySelectorAll("form[data-piles] input:not([type=hidden])"));
		return [...fields].some((f) => f.value !== f.defaultValue);
	}

	/** Nobody has answered: what is kept is handed out all the same. */
	#lost() {
		if (!this.#cut) {
			this.#cut = true;
			this.#next();
		}
		for (const sale of this.#kept) sale.late = true;
		this.#write();
	}

	/** Makes the form ready for the next sale, with an identifier of its own. */
	#next() {
		const form = this.querySelector("form[data-piles]");
		if (!(form instanceof HTMLFormElement)) return;
		form.reset();
		const request = form.querySelector('input[name="request"]');
		if (request instanceof HTMLInputElement) request.value = newRequest();
		form.dispatchEvent(new Event("input", { bubbles: true }));
		this.#draw();
	}

	/** @param {Event} event */
	#click = (event) => {
		const button = event.target instanceof Element && event.target.closest("[data-noted]");
		if (!(button instanceof HTMLElement)) return;
		this.#kept = this.#kept.filter((s) => s.request !== button.dataset.noted);
		this.#write();
	};

	/** @param {string} words */
	#say(words) {
		const line = this.querySelector("[data-said]");
		if (line instanceof HTMLElement) {
			line.textContent = words;
			line.hidden = words === "";
		}
	}

	#draw() {
		const waiting = this.querySelector("[data-waiting]");
		const list = waiting?.querySelector("ol");
		const model = this.querySelector("template");
		if (!(waiting instanceof HTMLElement) || !list || !model) return;
		const shown = this.#kept.filter((s) => s.late);
		waiting.hidden = shown.length === 0 && !this.#cut;
		if (!this.#cut) this.#say("");
		list.replaceChildren(...shown.toReversed().map((sale) => {
			const item = /** @type {DocumentFragment} */ (model.content.cloneNode(true));
			/** @param {string} name @param {string} text */
			const put = (name, text) => item.querySelector(`[data-${name}]`)?.replaceChildren(text);
			put("cards", sale.pieces.map((p) => (p.first === p.last ? p.first : `${p.first} → ${p.last}`)).join(", "));
			put("total", `${sale.total} · ${sale.means}`);
			put("at", new Date(sale.at).toLocaleTimeString(document.documentElement.lang));
			put("refused", sale.refused ?? "");
			item.querySelector("li")?.toggleAttribute("data-wrong", sale.refused !== undefined);
			const noted = item.querySelector("[data-noted]");
			if (noted instanceof HTMLElement) {
				noted.dataset.noted = sale.request;
				noted.hidden = sale.refused === undefined;
			}
			const mark = item.querySelector("[data-mark]");
			if (mark instanceof HTMLElement) mark.hidden = sale.refused !== undefined;
			return item;
		}));
	}
}

/** A UUIDv7; plain http has getRandomValues, and not randomUUID. */
function newRequest() {
	const b = crypto.getRandomValues(new Uint8Array(16));
	new DataView(b.buffer).setUint32(0, Math.floor(Date.now() / 0x10000));
	new DataView(b.buffer).setUint16(4, Date.now() % 0x10000);
	b[6] = ((b[6] ?? 0) & 0x0f) | 0x70;
	b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
	const hex = [...b].map((x) => x.toString(16).padStart(2, "0")).join("");
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

customElements.define("loto-till", LotoTill);

export {};
