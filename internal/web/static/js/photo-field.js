// A photograph that is sent as soon as it is taken, made smaller first: a phone's own size is
// ten times what a code needs. Without this module the same form posts the file as it is.
// Where the browser gives a live camera (https), pictures of it are sent until a code is read.

const longest = 1800; // dots

class PhotoField extends HTMLElement {
	connectedCallback() {
		this.addEventListener("change", this.#taken);
		const live = this.querySelector("[data-live-camera]");
		if (live instanceof HTMLElement && navigator.mediaDevices) {
			live.hidden = false;
			live.addEventListener("click", () => this.#watch(live));
		}
	}

	/**
	 * Looks through the camera until a code is read, then fills the field that asks for it.
	 * @param {HTMLElement} button
	 */
	async #watch(button) {
		const video = this.querySelector("video");
		const form = this.querySelector("form");
		if (!video || !form) return;
		let stream;
		try {
			stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
		} catch {
			button.hidden = true; // no camera, or not allowed: a photograph does
			return;
		}
		button.hidden = true;
		video.hidden = false;
		video.srcObject = stream;
		await video.play();
		const canvas = document.createElement("canvas");
		while (this.isConnected) {
			await new Promise((soon) => setTimeout(soon, 250));
			const scale = Math.min(1, 1200 / Math.max(video.videoWidth, video.videoHeight, 1));
			canvas.width = Math.round(video.videoWidth * scale);
			canvas.height = Math.round(video.videoHeight * scale);
			if (canvas.width === 0) continue;
			canvas.getContext("2d")?.drawImage(video, 0, 0, canvas.width, canvas.height);
			const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.8));
			const body = new FormData(form);
			if (!(blob instanceof Blob)) continue;
			body.set("photo", blob, "live.jpg");
			let text = "";
			try {
				const answer = await fetch(this.getAttribute("code") ?? "", { method: "POST", body });
				if (answer.ok) text = await answer.text();
			} catch {
				continue; // the banner says that the connection is lost
			}
			if (text === "") continue;
			for (const track of stream.getTracks()) track.stop();
			const field = document.querySelector("input[name=serial]:not([type=hidden])");
			if (field instanceof HTMLInputElement) field.value = text;
			document.querySelector("button[value=look]")?.dispatchEvent(new MouseEvent("click"));
			return;
		}
	}

	/** @param {Event} event */
	#taken = async (event) => {
		const field = event.target;
		if (!(field instanceof HTMLInputElement) || field.type !== "file") return;
		const file = field.files?.[0];
		if (!file) return;
		this.toggleAttribute("data-busy", true);
		try {
			const smaller = await shrunk(file);
			if (smaller) {
				const list = new DataTransfer();
				list.items.add(smaller);
				field.files = list.files;
			}
		} catch {
			// As it is, then: the server takes the whole photograph too.
		}
		field.form?.requestSubmit();
	};
}

/** @param {File} file */
async function shrunk(file) {
	const picture = await createImageBitmap(file);
	const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
	if (scale === 1) return null;
	const canvas = document.createElement("canvas");
	canvas.width = Math.round(picture.width * scale);
	canvas.height = Math.round(picture.height * scale);
	canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
	const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
	return blob instanceof Blob ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : null;
}

customElements.define("photo-field", PhotoField);

export {};
