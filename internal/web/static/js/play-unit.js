// A unit in play: when the last zone is scratched, the server is told, and what the unit
// has won is shown without leaving the page. While the server does not answer the page says
// so and tries again when the connection is back: asking twice changes nothing.

class PlayUnit extends HTMLElement {
	#asking = false;

	connectedCallback() {
		this.addEventListener("scratch:complete", this.#finish);
		this.addEventListener("scratch:unanswered", this.#unanswered);
		this.addEventListener("scratch:open", this.#count);
		this.addEventListener("scratch:locked", this.#say);
		this.addEventListener("scratch:remains", this.#say);
		this.addEventListener("click", this.#again);
		document.addEventListener("live:state", this.#again);
		window.addEventListener("online", this.#again);
		// Whoever comes back to this address sees a unit played before.
		const here = new URL(location.href);
		if (here.searchParams.has("fresh")) {
			here.searchParams.delete("fresh");
			history.replaceState(history.state, "", here);
		}
	}

	disconnectedCallback() {
		document.removeEventListener("live:state", this.#again);
		window.removeEventListener("online", this.#again);
	}

	get #result() {
		return this.querySelector("#result");
	}

	/** Where something is said to the player. */
	get #place() {
		return this.#result?.querySelector("[data-message]") ?? this.#result;
	}

	/**
	 * A line that counts in words says what the server said, and goes; figures follow. A
	 * framed letter is shown again beside the board, with what it does.
	 * @param {Event} event
	 */
	#count = (event) => {
		const framed = event.target instanceof Element && event.target.querySelector(".letter[data-factor]");
		const room = this.querySelector(".bonus-room");
		if (framed && room) {
			const square = document.createElement("div");
			square.className = "bonus-square";
			square.append(framed.cloneNode(true));
			room.querySelector("[data-none]")?.remove();
			room.append(square);
			for (const hint of this.querySelectorAll("[data-framed]")) {
				hint.toggleAttribute("hidden", hint.getAttribute("data-framed") !== String(room.children.length));
			}
		}
		this.#result?.querySelector("[data-left]")?.remove();
		this.#result?.querySelector("[data-message]")?.replaceChildren();
		for (const figure of this.querySelectorAll("[data-count]")) {
			figure.textContent = String(this.querySelectorAll(figure.getAttribute("data-count") ?? "").length);
		}
	};

	/**
	 * Says what the page holds in words for this event.
	 * @param {Event} event
	 */
	#say = (event) => {
		const words = this.querySelector(`template[data-say="${event.type}"]`);
		if (words instanceof HTMLTemplateElement) this.#place?.replaceChildren(words.content.cloneNode(true));
	};

	#unanswered = () => {
		const words = this.querySelector("template[data-unanswered]");
		if (words instanceof HTMLTemplateElement) this.#place?.replaceChildren(words.content.cloneNode(true));
	};

	/** @param {Event} event */
	#again = (event) => {
		const waiting = this.#result?.querySelector("[data-again]");
		if (!waiting) return;
		if (event.type === "click" && !(event.target instanceof Node && waiting.contains(event.target))) return;
		if (event instanceof CustomEvent && !event.detail.connected) return;
		if (!this.querySelector("scratch-zone:not([data-locked]) .zone-cover")) {
			this.#finish();
			return;
		}
		this.#place?.replaceChildren();
		this.querySelector("scratch-card")?.dispatchEvent(new CustomEvent("scratch:again"));
	};

	#finish = async () => {
		const form = this.querySelector("scratch-card form");
		if (!(form instanceof HTMLFormElement) || this.#asking) return;
		const answers = new URLSearchParams();
		for (const [name, value] of new FormData(form)) answers.append(name, String(value));
		answers.set("zone", "all");
		this.#asking = true;
		try {
			const answer = await fetch(form.action, { method: "POST", body: answers });
			if (!answer.ok) throw new Error(`status ${answer.status}`);
			const page = new DOMParser().parseFromString(await answer.text(), "text/html");
			const now = page.querySelector("play-unit");
			if (!now) throw new Error("no unit in the answer");
			history.replaceState(history.state, "", new URL(answer.url).pathname);
			this.replaceChildren(...document.adoptNode(now).childNodes);
			// Never to the button that buys: a key held down would buy.
			if (this.#result instanceof HTMLElement) this.#result.focus({ preventScroll: true });
			document.querySelector(".play .lead")?.remove();
			// What was still covered can be verified now.
			const check = page.querySelector("#check");
			if (check) document.querySelector("#check")?.replaceWith(document.adoptNode(check));
			import("./verify-here.js").catch(() => {}); // without it the button loads the page again
		} catch {
			this.#unanswered();
		} finally {
			this.#asking = false;
		}
	};
}

customElements.define("play-unit", PlayUnit);

export {};
