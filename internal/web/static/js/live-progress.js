// A progress bar that follows the gauge « progress » of its topic; the data of the gauge
// are {done, total}.

class LiveProgress extends HTMLElement {
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
		if (topic !== this.getAttribute("topic") || name !== "progress") return;
		const bar = this.querySelector("progress");
		const output = this.querySelector("output");
		if (bar) {
			bar.max = data.total;
			bar.value = data.done;
		}
		if (output) output.value = `${Math.floor((100 * data.done) / data.total)}\u00a0%`;
	};
}

customElements.define("live-progress", LiveProgress);

export {};
