// One stream a page. Facts have a dense number in their topic and are applied only in
// order; a gap asks for a snapshot. Gauges have no number, the latest wins. Silence for
// two beats shows the banner « connection lost »; attempts to come back are jittered.
//
// Whoever follows listens on document:
//   live:fact   detail {topic, number, name, data}
//   live:gauge  detail {topic, name, data}
//   live:state  detail {connected}
//   live:clock  detail {now}, the server's time in milliseconds
// and asks for a snapshot with live:want, for which a crowd takes its time.

/**
 * @typedef {{topic: string, number: number, name: string, data: unknown}} Fact
 * @typedef {{topic: string, name: string, data: unknown}} Gauge
 */

const firstDelay = 500; // milliseconds before the first attempt to come back, at most
const longestDelay = 15_000;
const overtaken = 3; // pages in a row that were older than what was shown, before the stream waits

/**
 * The numbers of a cursor such as "bingo/17:42,wallet/9:7".
 * @param {string} cursor
 * @returns {Map<string, number>}
 */
export function parseCursor(cursor) {
	const numbers = new Map();
	for (const part of cursor.split(",")) {
		const colon = part.lastIndexOf(":");
		if (colon > 0) numbers.set(part.slice(0, colon), Number(part.slice(colon + 1)));
	}
	return numbers;
}

/**
 * The cursor of these numbers.
 * @param {Map<string, number>} numbers
 */
export const formatCursor = (numbers) =>
	[...numbers].map(([topic, number]) => `${topic}:${number}`).join(",");

export class LiveStream extends HTMLElement {
	/** @type {Map<string, number>} */
	#numbers = new Map();
	/** @type {EventSource | null} */
	#source = null;
	#beat = 5000; // milliseconds, as the server says in its first event
	#attempts = 0;
	#watch = 0;
	#retry = 0;
	#renewing = false;
	#stale = false; // whether the snapshot that is being taken is too old already
	#crowd = 0; // how many screens follow the same
	#wanted = 0;
	#renewed = -Infinity; // when the last snapshot was taken

	connectedCallback() {
		this.#numbers = parseCursor(this.getAttribute("cursor") ?? "");
		this.#open();
		window.addEventListener("online", this.#again);
		document.addEventListener("visibilitychange", this.#again);
		document.addEventListener("live:want", this.#want);
	}

	disconnectedCallback() {
		window.removeEventListener("online", this.#again);
		document.removeEventListener("visibilitychange", this.#again);
		document.removeEventListener("live:want", this.#want);
		clearTimeout(this.#wanted);
		this.#close();
	}

	/** A phone that wakes up does not wait for the next attempt. */
	#again = () => {
		if (this.#retry && document.visibilityState === "visible") this.#open();
	};

	/** A thousand screens that want a snapshot at once take a third of a second for it. */
	#want = () => {
		clearTimeout(this.#wanted);
		const room = Math.min(4000, 0.3 * this.#crowd);
		this.#wanted = setTimeout(() => this.#renew(true), Math.random() * room);
	};

	#close() {
		clearTimeout(this.#watch);
		clearTimeout(this.#retry);
		this.#retry = 0;
		this.#source?.close();
		this.#source = null;
	}

	#open() {
		this.#close();
		const source = new EventSource(`/live?cursor=${encodeURIComponent(formatCursor(this.#numbers))}`);
		this.#source = source;
		source.addEventListener("hello", (e) => {
			const { beat, now, crowd } = JSON.parse(e.data);
			this.#beat = beat;
			this.#crowd = crowd;
			this.#tell("live:clock", { now });
			this.#heard();
		});
		source.addEventListener("beat", () => this.#heard());
		source.addEventListener("fact", (e) => {
			this.#heard();
			this.#apply(JSON.parse(e.data));
		});
		source.addEventListener("gauge", (e) => {
			this.#heard();
			this.#tell("live:gauge", JSON.parse(e.data));
		});
		source.addEventListener("snapshot", () => this.#renew());
		source.addEventListener("error", () => this.#lost());
		this.#listen();
	}

	/** Two beats of silence are a lost connection, whatever the browser believes. */
	#listen() {
		clearTimeout(this.#watch);
		this.#watch = setTimeout(() => this.#lost(), 2 * this.#beat);
	}

	#heard() {
		this.#attempts = 0;
		this.#state(true);
		this.#listen();
	}

	#lost() {
		this.#close();
		this.#state(false);
		const most = Math.min(longestDelay, firstDelay * 2 ** this.#attempts++);
		this.#retry = setTimeout(() => this.#open(), most / 2 + (Math.random() * most) / 2);
	}

	/** @param {Fact} fact */
	#apply(fact) {
		const last = this.#numbers.get(fact.topic);
		if (last === undefined || fact.number <= last) return; // already applied
		if (fact.number > last + 1) {
			this.#renew();
			return;
		}
		this.#numbers.set(fact.topic, fact.number);
		this.#tell("live:fact", fact);
		// A part that is drawn from the whole topic is drawn again.
		if (document.querySelector(`[data-live-topic="${CSS.escape(fact.topic)}"]`)) this.#renew();
	}

	/**
	 * Takes a snapshot: the page itself as it is now, of which the parts marked with
	 * data-live and an id replace those shown, and the cursor that goes with them. A page that
	 * wants one goes on following meanwhile; one that is older than what it has shown by then
	 * is asked for again.
	 * @param {boolean} following
	 */
	async #renew(following = false) {
		this.#stale = this.#renewing;
		if (this.#renewing) return;
		this.#renewing = true;
		if (!following) this.#close();
		try {
			let page = await this.#take();
			for (let tries = 1; this.#stale || this.#older(page); tries++) {
				// Facts faster than pages wait: the stream goes on from the page that is shown.
				if (tries === overtaken) this.#close();
				if (tries > 2 * overtaken) throw new Error("snapshot: always overtaken");
				this.#stale = false;
				page = await this.#take();
			}
			this.#replace(page);
			const now = parseCursor(page.querySelector("live-stream")?.getAttribute("cursor") ?? "");
			const same = now.size === this.#numbers.size && [...now.keys()].every((topic) => this.#numbers.has(topic));
			if (now.size > 0) this.#numbers = now;
			if (following && same && this.#source) return;
			// Snapshots that follow each other are spaced, so that a page never runs in circles.
			const soon = !following && performance.now() - this.#renewed < 10_000;
			this.#renewed = performance.now();
			this.#close();
			this.#retry = setTimeout(() => this.#open(), soon ? 1000 + Math.random() * 2000 : 0);
		} catch {
			this.#lost();
		} finally {
			this.#renewing = false;
		}
	}

	/** The page as it is now. */
	async #take() {
		const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
		if (!answer.ok) throw new Error(`snapshot: status ${answer.status}`);
		return new DOMParser().parseFromString(await answer.text(), "text/html");
	}

	/** @param {Document} page */
	#older(page) {
		const numbers = parseCursor(page.querySelector("live-stream")?.getAttribute("cursor") ?? "");
		return [...numbers].some(([topic, number]) => number < (this.#numbers.get(topic) ?? 0));
	}

	/** @param {Document} page */
	#replace(page) {
		for (const part of document.querySelectorAll("[data-live][id]")) {
			const now = page.getElementById(part.id);
			if (now) part.replaceWith(document.adoptNode(now));
		}
		for (const shown of document.querySelectorAll("live-amount[topic]")) {
			const now = page.querySelector(`live-amount[topic="${CSS.escape(shown.getAttribute("topic") ?? "")}"]`);
			if (now) shown.textContent = now.textContent;
		}
	}

	/** @param {boolean} connected */
	#state(connected) {
		const banner = document.querySelector("[data-lost]");
		if (banner instanceof HTMLElement && banner.hidden !== connected) {
			banner.hidden = connected;
			this.#tell("live:state", { connected });
		}
	}

	/**
	 * @param {string} type
	 * @param {unknown} detail
	 */
	#tell(type, detail) {
		document.dispatchEvent(new CustomEvent(type, { detail }));
	}
}

customElements.define("live-stream", LiveStream);
