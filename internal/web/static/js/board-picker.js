// Pages through the boards of a word game: the board in the middle is the one to play on,
// whether it came there by a finger, the two buttons, a click or the arrows of the keyboard.
// The address remembers it, so that a snapshot of the page keeps it.
//
// Without scripts each board is a choice of the form.

class BoardPicker extends HTMLElement {
	connectedCallback() {
		const strip = this.#strip;
		if (!strip) return;
		const steps = this.querySelector(".boards-steps");
		steps?.removeAttribute("hidden");
		for (const button of this.querySelectorAll("[data-step]")) {
			button.addEventListener("click", () => this.#step(Number(button.getAttribute("data-step"))));
		}
		this.addEventListener("change", () => this.#show(true));
		let settle = 0;
		strip.addEventListener("scroll", () => {
			clearTimeout(settle);
			settle = setTimeout(() => this.#settle(), 120);
		});
		new ResizeObserver(() => this.#show(false)).observe(strip);
		this.dataset.paged = "";
		this.#show(false);
	}

	get #strip() {
		return this.querySelector(".boards");
	}

	/** @returns {HTMLInputElement[]} */
	get #radios() {
		return [...this.querySelectorAll("input")];
	}

	get #at() {
		return this.#radios.findIndex((radio) => radio.checked);
	}

	/** @param {number} by */
	#step(by) {
		const radio = this.#radios.at((this.#at + by) % this.#radios.length);
		if (!radio) return;
		radio.checked = true;
		this.#show(true);
	}

	/**
	 * Brings the chosen board to the middle.
	 * @param {boolean} smoothly
	 */
	#show(smoothly) {
		const strip = this.#strip;
		const radio = this.#radios[this.#at];
		const board = radio?.closest("label");
		if (!strip || !radio || !board) return;
		const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
		const left = board.offsetLeft + board.offsetWidth / 2 - strip.clientWidth / 2;
		strip.scrollTo({ left, behavior: smoothly && !still ? "smooth" : "instant" });
		this.#tell(radio);
	}

	/** The strip has come to rest: what is in the middle is chosen. */
	#settle() {
		const strip = this.#strip;
		if (!strip) return;
		const middle = strip.scrollLeft + strip.clientWidth / 2;
		let nearest = Infinity;
		for (const radio of this.#radios) {
			const board = radio.closest("label");
			if (!board) continue;
			const away = Math.abs(board.offsetLeft + board.offsetWidth / 2 - middle);
			if (away >= nearest) continue;
			nearest = away;
			radio.checked = true;
		}
		const radio = this.#radios[this.#at];
		if (radio) this.#tell(radio);
	}

	/** @param {HTMLInputElement} radio */
	#tell(radio) {
		const at = this.querySelector("output");
		if (!at || at.textContent === radio.value) return;
		at.textContent = radio.value;
		const here = new URL(location.href);
		here.searchParams.set("board", radio.value);
		history.replaceState(history.state, "", here);
	}
}

customElements.define("board-picker", BoardPicker);

export {};
