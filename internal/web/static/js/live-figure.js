// A figure that follows the gauge « sales » of its topic: one field of its data, named by
// name, added to data-base; an amount in cents or a count, as kind says.

import { amount } from "./live-amount.js";

const count = new Intl.NumberFormat(document.documentElement.lang);

class LiveFigure extends HTMLElement {
	connectedCallback() {
		document.addEventListener("live:gauge", this.#follow);
	}

	disconnectedCallback() {
		document.removeEventListener("live:gauge", this.#follow);
	}

	/** @param {Event} event */
	#follow = (event) => {
		if (!(event instanceof CustomEvent)) return;
		const { topic, name, data } = event.detail;
		if (topic !== this.getAttribute("topic") || name !== "sales") return;
		const now = Number(this.dataset.base) + data[this.getAttribute("name") ?? ""];
		this.textContent = this.getAttribute("kind") === "amount" ? amount(now) : count.format(now);
	};
}

customElements.define("live-figure", LiveFigure);

export {};
