// A card with zones under a film to scratch: by finger or mouse, or by keyboard, zone by
// zone or all at once.
//
// Without scripts the cover of a zone is a button of a form, and the server shows what is
// under it. With scripts the film lies over the cover. What is under it is asked from the
// server when the film is touched (the address in « from »), or waits in a <template>; it
// stands behind the film only while a pointer scratches, hidden from assistive technology.
//
// A zone with data-locked is not to be scratched before another is open: the one under which
// an element has the data-key that the zone names in « needs ».
//
// Events on the card: scratch:open, detail {zone}, for each; scratch:complete at the last;
// scratch:locked when a locked zone is touched; scratch:remains when what is left is shown;
// scratch:unanswered when the server did not say what is under a zone. It takes scratch:again
// to ask once more.

const cells = 10; // a zone is opened when enough of its cells × cells are touched
const enough = 0.5;
const brush = 0.17; // of the smaller side of the zone
const finger = 13; // pixels: a brush is no finer, however small the zone

/**
 * How wide a stroke is, from its middle.
 * @param {number} width
 * @param {number} height
 */
const stroke = (width, height) => Math.max(finger, brush * Math.min(width, height));

/**
 * Draws the film: the accent of the page, hatched like an engraving.
 * @param {HTMLCanvasElement} canvas
 * @param {Element} zone
 * @param {string} label
 */
function drawFilm(canvas, zone, label) {
	const scale = Math.min(window.devicePixelRatio || 1, 2);
	const { clientWidth: width, clientHeight: height } = zone;
	canvas.width = width * scale;
	canvas.height = height * scale;
	const pen = canvas.getContext("2d");
	if (!pen) return;
	const style = getComputedStyle(zone.querySelector(".zone-probe") ?? zone);
	pen.scale(scale, scale);
	pen.fillStyle = style.backgroundColor;
	pen.fillRect(0, 0, width, height);
	pen.strokeStyle = style.color;
	pen.globalAlpha = 0.28;
	pen.lineWidth = 1;
	for (let x = -height; x < width; x += 7) {
		pen.beginPath();
		pen.moveTo(x, height);
		pen.lineTo(x + height, 0);
		pen.stroke();
	}
	pen.globalAlpha = 1;
	pen.fillStyle = style.color;
	pen.font = `800 ${Math.round(height * 0.34)}px ${style.fontFamily}`;
	pen.textAlign = "center";
	pen.textBaseline = "middle";
	const size = Math.round(height * 0.5);
	pen.save();
	pen.fillStyle = style.backgroundColor;
	pen.beginPath();
	pen.arc(width / 2, height / 2, size / 1.7, 0, 7);
	pen.fill();
	pen.restore();
	pen.fillText(label, width / 2, height / 2 + 1);
	pen.globalCompositeOperation = "destination-out";
	pen.lineCap = "round";
	pen.lineJoin = "round";
	pen.lineWidth = 2 * stroke(width, height);
}

class ScratchZone extends HTMLElement {
	/** @type {HTMLCanvasElement | null} */
	#canvas = null;
	/** @type {Set<number>} cells touched so far */
	#touched = new Set();
	/** @type {{x: number, y: number} | null} */
	#last = null;
	/** @type {Promise<void> | null} what is under the film, once asked for */
	#shown = null;

	/** Whether what is under the film is shown to all. */
	get open() {
		return this.dataset.open !== undefined;
	}

	/** Whether it is not to be scratched, or not yet. */
	get locked() {
		return this.dataset.locked !== undefined;
	}

	connectedCallback() {
		const cover = this.querySelector(".zone-cover");
		if (!(cover instanceof HTMLButtonElement) || this.#canvas) return;
		cover.addEventListener("click", (event) => {
			event.preventDefault(); // no need of the server: the answer is here
			if (this.locked) this.dispatchEvent(new CustomEvent("scratch:locked", { bubbles: true }));
			else this.uncover();
		});
		if (!this.locked) this.#lay();
	}

	/**
	 * From now on it is to be scratched.
	 * @param {string} opener the zone whose face has its key
	 */
	unlock(opener) {
		delete this.dataset.locked;
		this.setAttribute("from", `${this.getAttribute("from")}?with=${opener}`);
		const cover = this.querySelector(".zone-cover");
		cover?.removeAttribute("tabindex");
		cover?.removeAttribute("aria-disabled");
		this.#lay();
	}

	/** Lays the film over the cover. */
	#lay() {
		const canvas = document.createElement("canvas");
		canvas.setAttribute("aria-hidden", "true");
		this.#canvas = canvas;
		this.append(canvas);
		this.#draw();
		this.dataset.film = "";
		canvas.addEventListener("pointerdown", (e) => {
			// A stroke goes on over the next zone.
			if (canvas.hasPointerCapture(e.pointerId)) canvas.releasePointerCapture(e.pointerId);
			this.#last = null;
			this.#scratch(e);
		});
		for (const type of /** @type {const} */ (["pointermove", "pointerleave"])) {
			canvas.addEventListener(type, (e) => {
				if (e.buttons) this.#scratch(e);
				if (type === "pointerleave") this.#last = null;
			});
		}
		new ResizeObserver(() => this.redraw()).observe(this);
	}

	/** Draws the film anew for another size or theme, unless it is scratched already. */
	redraw() {
		if (!this.#touched.size && !this.open) this.#draw();
	}

	#draw() {
		if (this.#canvas) drawFilm(this.#canvas, this, this.getAttribute("film") ?? this.getAttribute("number") ?? "");
	}

	/** What is under the film, from the page or from the server. */
	async #under() {
		const from = this.getAttribute("from");
		if (!from) return this.querySelector("template")?.content.cloneNode(true) ?? "";
		const answer = await fetch(from, { headers: { Accept: "text/html" } });
		if (!answer.ok) throw new Error(`zone: status ${answer.status}`);
		const page = new DOMParser().parseFromString(await answer.text(), "text/html");
		return document.adoptNode(page.body.firstElementChild ?? page.body);
	}

	/** Puts what is under the film in its place, still unread by assistive technology. */
	#showBehind() {
		this.#shown ??= this.#under().then((under) => {
			const face = document.createElement("div");
			face.className = "zone-face";
			face.setAttribute("aria-hidden", "true");
			face.append(under);
			this.prepend(face);
		});
		this.#shown.catch(() => {
			if (this.#shown) this.dispatchEvent(new CustomEvent("scratch:unanswered", { bubbles: true }));
			this.#shown = null; // to be asked again
		});
		return this.#shown;
	}

	/** @param {PointerEvent} e */
	#scratch(e) {
		const pen = this.#canvas?.getContext("2d");
		if (!pen || this.open) return;
		if (!this.#last) this.#showBehind().catch(() => {}); // it is said where it is asked
		const { clientWidth: width, clientHeight: height } = this;
		const radius = stroke(width, height);
		// Browsers gather several moves in one event: each counts.
		const gathered = e.getCoalescedEvents?.() ?? [];
		for (const move of gathered.length ? gathered : [e]) {
			const to = this.#place(move);
			const from = this.#last ?? to;
			pen.beginPath();
			pen.moveTo(from.x, from.y);
			pen.lineTo(to.x + 0.01, to.y);
			pen.stroke();
			this.#touch(from, to, radius, width, height);
			this.#last = to;
		}
		if (this.#touched.size >= enough * cells * cells) this.uncover();
	}

	/** @param {PointerEvent} e */
	#place(e) {
		const box = this.getBoundingClientRect();
		return { x: e.clientX - box.left, y: e.clientY - box.top };
	}

	/**
	 * Notes the cells that a stroke goes over.
	 * @param {{x: number, y: number}} from
	 * @param {{x: number, y: number}} to
	 * @param {number} radius
	 * @param {number} width
	 * @param {number} height
	 */
	#touch(from, to, radius, width, height) {
		const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / radius) || 1;
		for (let i = 0; i <= steps; i++) {
			const x = from.x + ((to.x - from.x) * i) / steps;
			const y = from.y + ((to.y - from.y) * i) / steps;
			for (let row = 0; row < cells; row++) {
				for (let column = 0; column < cells; column++) {
					const dx = ((column + 0.5) * width) / cells - x;
					const dy = ((row + 0.5) * height) / cells - y;
					if (dx * dx + dy * dy <= radius * radius) this.#touched.add(row * cells + column);
				}
			}
		}
	}

	/** Opens the zone for everyone and says so. */
	async uncover() {
		if (this.open) return;
		try {
			await this.#showBehind();
		} catch {
			return; // it has been said; the film can be touched again
		}
		if (this.open) return;
		this.dataset.open = "";
		const face = this.querySelector(".zone-face");
		face?.removeAttribute("aria-hidden");
		const cover = this.querySelector(".zone-cover");
		const held = cover === document.activeElement;
		cover?.remove();
		this.querySelector(".zone-probe")?.remove();
		const detail = { zone: this.getAttribute("number"), text: face?.textContent?.trim() ?? "", held };
		this.dispatchEvent(new CustomEvent("scratch:open", { bubbles: true, detail }));
	}
}

class ScratchCard extends HTMLElement {
	#themes = matchMedia("(prefers-color-scheme: dark)");
	#redraw = () => this.#zones().forEach((zone) => zone.redraw());
	#switch = new MutationObserver(this.#redraw);
	#all = false; // zones are uncovered as soon as they may be

	disconnectedCallback() {
		this.#themes.removeEventListener("change", this.#redraw);
		this.#switch.disconnect();
	}

	connectedCallback() {
		this.#themes.addEventListener("change", this.#redraw);
		this.#switch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
		this.addEventListener("scratch:open", this.#opened);
		this.addEventListener("scratch:again", () => this.#all && this.#left().forEach((zone) => zone.uncover()));
		this.querySelector("[data-uncover-all]")?.addEventListener("click", (event) => {
			event.preventDefault();
			this.#all = true;
			for (const zone of this.#left()) zone.uncover();
		});
		this.querySelector("[data-show-remains]")?.addEventListener("click", (event) => {
			event.preventDefault();
			for (const zone of this.#left()) zone.dataset.remains = "";
			this.#lead();
			this.dispatchEvent(new CustomEvent("scratch:remains", { bubbles: true }));
		});
	}

	/** @returns {ScratchZone[]} */
	#zones() {
		return [...this.querySelectorAll("scratch-zone")].filter((z) => z instanceof ScratchZone);
	}

	/** What is still to be scratched, as far as can be told. */
	#left() {
		return this.#zones().filter((zone) => !zone.open && !zone.locked);
	}

	/** Leads the keyboard to the next zone. */
	#lead() {
		const cover = this.#left()[0]?.querySelector(".zone-cover");
		if (cover instanceof HTMLElement) cover.focus();
	}

	/** @param {Event} event */
	#opened = (event) => {
		if (!(event instanceof CustomEvent) || !(event.target instanceof ScratchZone)) return;
		const said = this.querySelector("[data-said]");
		if (said) said.textContent = `${said.textContent} ${event.detail.text}`.trim();
		const key = event.target.querySelector("[data-key]")?.getAttribute("data-key");
		for (const zone of key ? this.#zones() : []) {
			if (!zone.locked || zone.getAttribute("needs") !== key) continue;
			zone.unlock(event.detail.zone);
			if (this.#all) zone.uncover();
		}
		if (this.#left().length) {
			if (event.detail.held) this.#lead();
			return;
		}
		for (const button of this.querySelectorAll("[data-uncover-all], [data-show-remains]")) button.setAttribute("hidden", "");
		this.dispatchEvent(new CustomEvent("scratch:complete", { bubbles: true }));
	};
}

customElements.define("scratch-zone", ScratchZone);
customElements.define("scratch-card", ScratchCard);

export {};
