// A slip closes line by line while it is on the screen. The server's time decides: the page
// knows how far this device's clock is from it, and closes a line at its limit, so that
// nobody fills in what would be refused. What was validated before stays.

class SlipClock extends HTMLElement {
	#timer = 0;
	#ahead = 0; // how far the server's clock is ahead of this device's, in milliseconds

	connectedCallback() {
		this.#ahead = Date.parse(this.dataset.now ?? "") - Date.now();
		this.#look();
		document.addEventListener("visibilitychange", this.#look);
	}

	disconnectedCallback() {
		clearTimeout(this.#timer);
		document.removeEventListener("visibilitychange", this.#look);
	}

	#look = () => {
		clearTimeout(this.#timer);
		const now = Date.now() + this.#ahead;
		let next = Infinity;
		let open = false;
		for (const line of this.querySelectorAll("fieldset[data-limit]")) {
			if (!(line instanceof HTMLFieldSetElement)) continue;
			const limit = Date.parse(line.dataset.limit ?? "");
			if (limit > now) {
				next = Math.min(next, limit);
				open = true;
			} else if (!line.disabled) {
				this.#close(line);
			}
		}
		if (!open) for (const button of this.querySelectorAll(".slip-send button")) button.setAttribute("disabled", "");
		// Timers of browsers hold at most some days.
		if (open) this.#timer = setTimeout(this.#look, Math.min(next - now + 20, 86_400_000));
	};

	/** @param {HTMLFieldSetElement} line */
	#close(line) {
		line.disabled = true;
		const said = document.createElement("p");
		said.className = "slip-over";
		said.setAttribute("role", "status");
		said.textContent = this.dataset.passed ?? "";
		line.append(said);
	}
}

customElements.define("slip-clock", SlipClock);

export {};
