// An amount of money that follows the fact « balance » of its topic; the data of the fact
// are {cents}. It writes as the server does: the language of the page, euros.

const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: "EUR" });

/**
 * The amount in words of the page's language, with the true minus.
 * @param {number} cents
 */
export const amount = (cents) => format.format(cents / 100).replace("-", "\u2212");

class LiveAmount extends HTMLElement {
	connectedCallback() {
		document.addEventListener("live:fact", this.#follow);
	}

	disconnectedCallback() {
		document.removeEventListener("live:fact", this.#follow);
	}

	/** @param {Event} event */
	#follow = (event) => {
		if (!(event instanceof CustomEvent)) return;
		const { topic, name, data } = event.detail;
		if (topic === this.getAttribute("topic") && name === "balance") this.textContent = amount(data.cents);
	};
}

customElements.define("live-amount", LiveAmount);
