// The verifier in the page: a file that was chosen, or the unit in hand, is checked by the
// modules of verify/ in a worker. Once they are loaded nothing is asked of the network.

/** @typedef {{step: string, [value: string]: any}} Line */
/** @typedef {{ok: boolean, fingerprint: string, lines: Line[], failure?: {step: string, detail: string, line?: number}}} Report */

const lang = document.documentElement.lang;
const euros = new Intl.NumberFormat(lang, { style: "currency", currency: "EUR" });
const count = new Intl.NumberFormat(lang);
const moment = new Intl.DateTimeFormat(lang, {
	year: "numeric", month: "long", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short",
});
const amounts = new Set(["price", "stake", "prize", "sales", "amount"]);

/**
 * A value as people read it: units are counted from 1, as everywhere else in the pages.
 * @param {string} name
 * @param {unknown} value
 */
function written(name, value) {
	if (Array.isArray(value)) return value.map((v) => euros.format(v / 100)).join(" · ");
	if (typeof value !== "number") return String(value ?? "");
	if (amounts.has(name)) return euros.format(value / 100);
	if (name === "at") return moment.format(new Date(value / 1000));
	return count.format(name === "index" ? value + 1 : value);
}

class VerifyHere extends HTMLElement {
	/** @type {Worker | undefined} */
	#worker;
	/** @type {Promise<void> | undefined} */
	#ready;
	/** @type {ArrayBuffer | undefined} the proof of the unit in hand, once fetched */
	#proof;
	#busy = false;

	connectedCallback() {
		const form = this.querySelector("form");
		form?.addEventListener("submit", (event) => {
			event.preventDefault();
			this.#check(form);
		});
		form?.addEventListener("change", () => this.querySelector("[data-result]")?.replaceChildren());
		if (!this.dataset.proof) this.#prepare().catch(() => this.#say("unloaded"));
	}

	disconnectedCallback() {
		this.#worker?.terminate();
		this.#worker = this.#ready = undefined;
	}

	/** Loads the verifier, once; resolves when all its modules are here. */
	#prepare() {
		this.#ready ??= new Promise((resolve, reject) => {
			const worker = new Worker(new URL("../verify/worker.mjs", import.meta.url), { type: "module" });
			worker.addEventListener("message", (event) => {
				if (event.data.ready) {
					if (!this.dataset.proof) this.#say("ready");
					resolve();
				}
			});
			worker.addEventListener("error", () => {
				worker.terminate();
				this.#worker = this.#ready = undefined; // the next try loads it again
				reject(new Error("the verifier did not load"));
			});
			this.#worker = worker;
		});
		return this.#ready;
	}

	/** @param {string} state */
	#say(state) {
		const said = this.querySelector("[data-state]");
		if (said) said.textContent = this.#word(state)?.textContent ?? "";
	}

	/** @param {string} name */
	#word(name) {
		const words = this.querySelector("template[data-words]");
		if (!(words instanceof HTMLTemplateElement)) return undefined;
		const found = words.content.querySelector(`[data-word="${name}"]`);
		return found instanceof HTMLElement ? found : undefined;
	}

	/** @param {HTMLFormElement} form */
	async #check(form) {
		if (this.#busy) return;
		this.#busy = true;
		this.setAttribute("aria-busy", "true");
		try {
			this.#say("loading");
			await this.#prepare();
			const input = await this.#input(form);
			if (!input) return;
			this.#say("checking");
			this.#show(await this.#run(input));
		} catch (e) {
			this.#say(e instanceof RangeError ? "toolarge" : "unloaded");
		} finally {
			this.#busy = false;
			this.removeAttribute("aria-busy");
			const progress = this.querySelector("[data-progress]");
			if (progress instanceof HTMLElement) progress.hidden = true;
		}
	}

	/**
	 * What is to be checked: the proof of the unit, or the file that was chosen.
	 * @param {HTMLFormElement} form
	 */
	async #input(form) {
		const { proof } = this.dataset;
		if (proof) {
			if (!this.#proof) {
				const answer = await fetch(proof);
				if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
				this.#proof = await answer.arrayBuffer();
			}
			return { files: { file: new Uint8Array(this.#proof) }, key: undefined };
		}
		const data = new FormData(form);
		const [file, since] = [data.get("file"), data.get("since")];
		if (!(file instanceof File) || file.name === "") {
			this.#say("nofile");
			form.querySelector("input")?.focus();
			return undefined;
		}
		const older = since instanceof File && since.name !== "" ? new Uint8Array(await since.arrayBuffer()) : undefined;
		return {
			files: { file: new Uint8Array(await file.arrayBuffer()), since: older },
			key: String(data.get("key") ?? "").trim() || undefined,
		};
	}

	/**
	 * @param {object} input
	 * @returns {Promise<Report>}
	 */
	#run(input) {
		return new Promise((resolve, reject) => {
			const worker = this.#worker;
			/** @param {MessageEvent} event */
			const hear = (event) => {
				const { report, fault, done, total } = event.data;
				if (total) this.#progress(done, total);
				if (!report && !fault) return;
				worker?.removeEventListener("message", hear);
				if (report) resolve(report);
				else reject(new RangeError(fault));
			};
			worker?.addEventListener("message", hear);
			worker?.postMessage(input);
		});
	}

	/**
	 * @param {number} done
	 * @param {number} total
	 */
	#progress(done, total) {
		const part = this.querySelector("[data-progress]");
		const bar = part?.querySelector("progress");
		const output = part?.querySelector("output");
		if (!(part instanceof HTMLElement) || !bar || !output) return;
		part.hidden = false;
		bar.max = total;
		bar.value = done;
		output.value = `${Math.floor((100 * done) / total)}\u00a0%`;
	}

	/** @param {Report} report */
	#show(report) {
		const result = this.querySelector("[data-result]");
		if (!(result instanceof HTMLElement)) return;
		const verdict = this.querySelector(`template[data-verdict="${report.ok ? "holds" : "refused"}"]`);
		const list = document.createElement("ol");
		list.className = "checks";
		for (const line of report.lines) list.append(this.#item(line.step, line, false));
		if (report.failure) {
			const item = this.#item(report.failure.step, {}, true);
			const detail = document.createElement("code");
			detail.textContent = ((report.failure.line ?? 0) > 1 ? `${report.failure.line}: ` : "") + report.failure.detail;
			item.append(detail);
			list.append(item);
		}
		result.replaceChildren();
		if (verdict instanceof HTMLTemplateElement) result.append(verdict.content.cloneNode(true));
		result.append(list);
		if (report.fingerprint) {
			const key = document.createElement("p");
			key.className = "checks-key";
			key.textContent = this.#word("key.text")?.textContent ?? "";
			const digits = document.createElement("code");
			digits.textContent = report.fingerprint;
			key.append(" ", digits);
			result.append(key);
		}
		this.#say("again");
		result.focus({ preventScroll: true });
		result.scrollIntoView({ block: "nearest" });
	}

	/**
	 * One check, in words.
	 * @param {string} step
	 * @param {Record<string, any>} values
	 * @param {boolean} failed
	 */
	#item(step, values, failed) {
		const word = this.#word(step);
		const item = document.createElement("li");
		if (failed) item.dataset.failed = "";
		const title = document.createElement("strong");
		title.textContent = word?.dataset.title ?? step;
		item.append(title);
		const text = document.createElement("span");
		const sentence = failed ? this.#word("failed")?.textContent : word?.textContent;
		text.textContent = (sentence ?? "").replace(/\{(\w+)\}/g, (_, name) => written(name, values[name]));
		item.append(" ", text);
		return item;
	}
}

customElements.define("verify-here", VerifyHere);

export {};
