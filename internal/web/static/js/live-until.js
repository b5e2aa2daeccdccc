// Counts down to a moment of the server's clock, in minutes and seconds.

/**
 * A time that is left, as ui.MinutesSeconds writes it.
 * @param {number} left whole seconds
 */
export const minutesSeconds = (left) => `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;

class LiveUntil extends HTMLElement {
	connectedCallback() {
		const ahead = Number(this.dataset.now) - Date.now();
		const tick = () => {
			const left = Math.max(0, Math.ceil((Number(this.dataset.until) - Date.now() - ahead) / 1000));
			this.textContent = minutesSeconds(left);
			if (left > 0 && this.isConnected) setTimeout(tick, 500);
		};
		tick();
	}
}

customElements.define("live-until", LiveUntil);
