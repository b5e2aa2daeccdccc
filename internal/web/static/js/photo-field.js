// A photograph that is sent as soon as it is taken, made smaller first: a phone's own size is
// ten times what a code needs. Without this module the same form posts the file as it is.

const longest = 1800; // dots

class PhotoField extends HTMLElement {
	connectedCallback() {
		this.addEventListener("change", this.#taken);
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
