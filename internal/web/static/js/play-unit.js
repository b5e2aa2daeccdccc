// A unit in play: when the last zone is scratched, the server is told, and what the unit
// has won is shown without leaving the page. If the server cannot be reached the page says
// so: the unit is in the history whatever happens.

class PlayUnit extends HTMLElement {
	connectedCallback() {
		this.addEventListener("scratch:complete", this.#finish);
	}

	disconnectedCallback() {
		this.removeEventListener("scratch:complete", this.#finish);
	}

	#finish = async () => {
		const form = this.querySelector("scratch-card form");
		const result = this.querySelector("#result");
		if (!(form instanceof HTMLFormElement) || !result) return;
		const answers = new URLSearchParams();
		for (const [name, value] of new FormData(form)) answers.append(name, String(value));
		answers.set("zone", "all");
		try {
			const answer = await fetch(form.action, { method: "POST", body: answers });
			if (!answer.ok) throw new Error(`status ${answer.status}`);
			const page = new DOMParser().parseFromString(await answer.text(), "text/html");
			const now = page.getElementById("result");
			if (now) result.replaceWith(document.adoptNode(now));
			history.replaceState(history.state, "", answer.url);
			document.getElementById("result")?.querySelector("button")?.focus({ preventScroll: true });
		} catch {
			location.assign("/history");
		}
	};
}

customElements.define("play-unit", PlayUnit);

export {};
