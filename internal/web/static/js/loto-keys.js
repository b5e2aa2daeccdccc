// A part of a page that is worked by keyboard: the caller's, a desk's. A key presses the
// button that names it; forms marked with data-swap are sent without leaving the page, and
// the parts marked with data-live and an id are replaced by those of the answer. Without
// this module the same forms post and the same buttons work.

class LotoKeys extends HTMLElement {
	/** @type {AbortController | null} */
	#reading = null; // a page that is being read again; a key goes before it
	#sending = false;
	#seen = 0; // number of the last fact that is in what is shown

	connectedCallback() {
		document.addEventListener("keydown", this.#press);
		this.addEventListener("submit", this.#send);
		this.addEventListener("input", this.#sum);
		this.closest("loto-till")?.addEventListener("till:show", this.#shown);
		document.addEventListener("live:fact", this.#told);
		this.#settle();
	}

	disconnectedCallback() {
		document.removeEventListener("keydown", this.#press);
		document.removeEventListener("live:fact", this.#told);
	}

	/** @param {KeyboardEvent} event */
	#press = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
			if (event.repeat && event.key === " " && !this.#typing(event)) event.preventDefault();
			return;
		}
		if (event.key === "Escape" && document.activeElement instanceof HTMLElement) {
			document.activeElement.blur();
			return;
		}
		if (event.key === "Enter" && !this.#typing(event) && this.#sellable()) return;
		if (this.#typing(event) && !/^F\d+$/.test(event.key)) return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const pressed = this.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (pressed instanceof HTMLElement) {
			event.preventDefault();
			pressed.click();
			const more = pressed.closest("details");
			const first = more?.querySelector("input:not([type=hidden])");
			if (pressed.tagName === "SUMMARY" && first instanceof HTMLElement) first.focus();
			return;
		}
		const step = this.querySelector(`[data-step="${CSS.escape(key)}"]`);
		if (step instanceof HTMLInputElement) {
			event.preventDefault();
			step.value = String(Number(step.value) + 1);
			this.#sum();
			return;
		}
		const box = this.querySelector(`[data-toggle="${CSS.escape(key)}"]`);
		if (box instanceof HTMLInputElement) {
			event.preventDefault();
			box.checked = !box.checked;
		}
	};

	#sellable() {
		return document.activeElement instanceof HTMLButtonElement;
	}

	/**
	 * Whether a key belongs to the field that has the cursor. A letter in a field for numbers
	 * does not: it is a key of the page.
	 * @param {KeyboardEvent} event
	 */
	#typing(event) {
		const at = event.target;
		if (at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement) return true;
		if (!(at instanceof HTMLInputElement) || at.type === "checkbox") return false;
		const letter = /^[a-z]$/i.test(event.key);
		return !(letter && at.inputMode === "numeric");
	}

	/** What is asked for so far costs. */
	#sum = () => {
		const sum = this.querySelector("[data-sum]");
		if (!sum) return;
		let cents = 0;
		for (const field of this.querySelectorAll("[data-cents]")) {
			if (field instanceof HTMLInputElement) cents += Number(field.value || 0) * Number(field.dataset.cents);
		}
		sum.textContent = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: "EUR" }).format(cents / 100);
	};

	/** @param {SubmitEvent} event */
	#send = (event) => {
		const form = event.target;
		if (!(form instanceof HTMLFormElement) || form.dataset.swap === undefined) return;
		event.preventDefault();
		if (this.#sending) return; // the first press counts
		const body = new URLSearchParams();
		for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
		const detail = { form, body };
		if (!this.dispatchEvent(new CustomEvent("keys:send", { bubbles: true, cancelable: true, detail }))) return;
		this.#take(form.action, { method: "POST", body });
	};

	/**
	 * A page that somebody else has asked for.
	 * @param {Event} event
	 */
	#shown = (event) => {
		if (event instanceof CustomEvent) this.#swap(new DOMParser().parseFromString(event.detail, "text/html"));
	};

	/** @param {Event} event */
	#told = (event) => {
		if (!(event instanceof CustomEvent) || event.detail.topic !== this.getAttribute("topic")) return;
		if (event.detail.number > this.#seen && !this.#sending && !this.#halfTyped()) this.#take(location.href, {});
	};

	/** Nobody loses what is half typed because something else happened. */
	#halfTyped() {
		const at = document.activeElement;
		return at instanceof HTMLInputElement && this.contains(at) && at.type !== "checkbox" && at.value !== "";
	}

	/**
	 * Sends a request and shows the page that answers.
	 * @param {string} url
	 * @param {RequestInit} request
	 */
	async #take(url, request) {
		this.#reading?.abort();
		this.#reading = null;
		this.#sending = request.method === "POST";
		if (!this.#sending) {
			this.#reading = new AbortController();
			request.signal = this.#reading.signal;
		}
		try {
			const answer = await fetch(url, request);
			this.#swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
		} catch {
			// The banner of the live stream says that the connection is lost; the same key
			// asks again, with the same request identifier.
		} finally {
			if (request.method === "POST") this.#sending = false;
		}
	}

	/** @param {Document} page */
	#swap(page) {
		let swapped = false;
		for (const part of this.querySelectorAll("[data-live][id]")) {
			const now = page.getElementById(part.id);
			if (!now) continue;
			part.replaceWith(document.adoptNode(now));
			swapped = true;
		}
		if (!swapped) {
			location.reload(); // signed out, or another page
			return;
		}
		const cursor = page.querySelector("live-stream")?.getAttribute("cursor") ?? "";
		const own = cursor.split(",").find((c) => c.startsWith(`${this.getAttribute("topic")}:`));
		if (own) this.#seen = Number(own.slice(own.lastIndexOf(":") + 1));
		this.#settle();
	}

	#settle() {
		const field = this.querySelector("[autofocus]");
		if (field instanceof HTMLElement) field.focus();
		this.#sum();
	}
}

customElements.define("loto-keys", LotoKeys);

export {};
