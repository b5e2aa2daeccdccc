// The screen of a hall: what every screen of the bingo shows, and a voice that can be
// switched off. Browsers speak only after somebody has touched the page, hence the button.

import { BingoScreen } from "./bingo-screen.js";

const kept = "boulier-bingo-voice";

class BingoHall extends BingoScreen {
	#on = false;

	connectedCallback() {
		super.connectedCallback();
		const button = this.querySelector("[data-sound]");
		if (!(button instanceof HTMLElement)) return;
		if (!("speechSynthesis" in window)) {
			button.hidden = true;
			return;
		}
		this.#switch(button, localStorage.getItem(kept) === "on");
		button.addEventListener("click", () => this.#switch(button, !this.#on));
	}

	/**
	 * @param {HTMLElement} button
	 * @param {boolean} on
	 */
	#switch(button, on) {
		this.#on = on;
		button.setAttribute("aria-pressed", String(on));
		localStorage.setItem(kept, on ? "on" : "off");
		if (!on) speechSynthesis.cancel();
	}

	/** @param {string} text */
	speak(text) {
		if (!this.#on) return;
		const words = new SpeechSynthesisUtterance(text);
		words.lang = document.documentElement.lang === "en" ? "en-GB" : "fr-FR";
		const voice = speechSynthesis.getVoices().find((v) => v.lang.startsWith(words.lang.slice(0, 2)));
		if (voice) words.voice = voice;
		speechSynthesis.speak(words);
		this.dataset.spoken = text;
	}

	/**
	 * A number is called as in a hall: whole, then figure by figure.
	 * @param {number} n
	 * @param {number} number
	 */
	ball(n, number) {
		super.ball(n, number);
		this.speak(n < 10 ? String(n) : `${n}, ${[...String(n)].join(" ")}`);
	}
}

customElements.define("bingo-hall", BingoHall);

export {};
