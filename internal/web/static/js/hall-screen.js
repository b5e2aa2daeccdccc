// The screen of a hall. A number is shown with the fact that tells it, before anything else
// is asked for; whatever else happens, the part of the page is taken again. The screen is
// kept awake, and breaks count down.

import { keepAwake } from "./awake.js";

/** How many pages in a row may be overtaken by facts before one is shown all the same. */
const patience = 4;

class HallScreen extends HTMLElement {
	#taking = false;
	#stale = false;
	#timer = 0;

	connectedCallback() {
		document.addEventListener("live:fact", this.#told);
		document.addEventListener("visibilitychange", this.#wake);
		this.#timer = window.setInterval(this.#tick, 500);
		this.#tick();
		this.#wake();
	}

	disconnectedCallback() {
		document.removeEventListener("live:fact", this.#told);
		document.removeEventListener("visibilitychange", this.#wake);
		clearInterval(this.#timer);
	}

	/** @param {Event} event */
	#told = (event) => {
		if (!(event instanceof CustomEvent) || event.detail.topic !== this.getAttribute("topic")) return;
		const ball = event.detail.data?.ball;
		if (event.detail.name === "ball_called" && ball) this.#show(Number(ball));
		this.#take();
	};

	/**
	 * Shows a number at once: very large, on the board, and the one before among the five.
	 * @param {number} ball
	 */
	#show(ball) {
		const last = this.querySelector("[data-last-number]");
		const cell = this.querySelector(`[data-ball="${ball}"]`);
		if (!last || !cell) return;
		const before = last.textContent?.trim() ?? "";
		last.textContent = String(ball);
		last.toggleAttribute("data-fresh", true);
		this.querySelector(".board [data-last]")?.removeAttribute("data-last");
		cell.toggleAttribute("data-out", true);
		cell.toggleAttribute("data-last", true);
		const count = this.querySelector("[data-count]");
		if (count) count.textContent = String(this.querySelectorAll(".board [data-out]").length);
		const five = this.querySelector("[data-five]");
		if (five && /^\d+$/.test(before)) {
			const item = document.createElement("li");
			item.textContent = before;
			five.prepend(item);
			while (five.children.length > 5) five.lastElementChild?.remove();
		}
	}

	async #take() {
		if (this.#taking) {
			this.#stale = true;
			return;
		}
		this.#taking = true;
		let tries = 0;
		do {
			this.#stale = false;
			tries++;
			try {
				const answer = await fetch(location.href);
				const page = new DOMParser().parseFromString(await answer.text(), "text/html");
				// A number told meanwhile is shown already: the page before it would take it away.
				if (this.#stale && tries < patience) continue;
				const part = this.querySelector("#hall");
				const now = page.getElementById("hall");
				if (part && now && part.innerHTML !== now.innerHTML) part.replaceWith(document.adoptNode(now));
			} catch {
				// The banner of the live stream tells it; the next fact or snapshot mends it.
			}
		} while (this.#stale);
		this.#taking = false;
		this.#tick();
	}

	#tick = () => {
		const timer = this.querySelector("[data-until]");
		if (!(timer instanceof HTMLElement)) return;
		const left = Math.max(0, Math.round((Number(timer.dataset.until) - Date.now()) / 1000));
		timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
	};

	#wake = () => keepAwake(this);
}

customElements.define("hall-screen", HallScreen);

export {};
