// The screen of a hall. A number is shown with the fact that tells it, before anything else
// is asked for; whatever else happens, the live stream takes the part of the page again. The
// screen is kept awake.

import { keepAwake } from "./awake.js";
import "./live-until.js"; // a break may come while the screen is shown

class HallScreen extends HTMLElement {
	connectedCallback() {
		document.addEventListener("live:fact", this.#told);
		document.addEventListener("visibilitychange", this.#wake);
		this.#wake();
	}

	disconnectedCallback() {
		document.removeEventListener("live:fact", this.#told);
		document.removeEventListener("visibilitychange", this.#wake);
	}

	/** @param {Event} event */
	#told = (event) => {
		if (!(event instanceof CustomEvent) || event.detail.topic !== this.getAttribute("topic")) return;
		const ball = event.detail.data?.ball;
		if (event.detail.name === "ball_called" && ball) this.#show(Number(ball));
		document.dispatchEvent(new CustomEvent("live:want"));
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

	#wake = () => keepAwake(this);
}

customElements.define("hall-screen", HallScreen);

export {};
