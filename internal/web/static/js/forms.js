// Forms are sent once. The true guard is the server's, by the request identifier in each
// form; this one spares a second click, and gives a page reached by « back » the
// identifier it was sent with, so that sending it again brings the first answer.

/** @typedef {{requests?: Record<string, string>}} Kept what history keeps of this page */

/** @returns {Kept} */
const kept = () => history.state ?? {};

/**
 * The name of a form within its page.
 * @param {HTMLFormElement} form
 */
function nameOf(form) {
	const same = [...document.forms].filter((f) => f.action === form.action);
	return `${new URL(form.action).pathname}#${same.indexOf(form)}`;
}

/**
 * The field with the request identifier, when the form has one.
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement | null}
 */
const request = (form) => form.querySelector('input[type="hidden"][name="request"]');

/** Gives back to the forms the identifiers they were sent with. */
function restore() {
	const requests = kept().requests ?? {};
	for (const form of document.forms) {
		const field = request(form);
		const id = field && requests[nameOf(form)];
		if (field && id) field.value = id;
	}
}

/** @param {boolean} sending */
function mark(sending) {
	for (const button of document.querySelectorAll("button[data-sending]")) {
		if (!sending) button.removeAttribute("data-sending");
	}
	for (const form of document.forms) if (!sending) delete form.dataset.sent;
}

document.addEventListener("submit", (event) => {
	const form = event.target;
	if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
	if (form.dataset.sent !== undefined) {
		event.preventDefault();
		return;
	}
	if (event.defaultPrevented) return;
	const field = request(form);
	if (field) {
		const requests = { ...kept().requests, [nameOf(form)]: field.value };
		history.replaceState({ ...kept(), requests }, "");
		form.dataset.sent = "";
		event.submitter?.setAttribute("data-sending", "");
	}
});

// A page that comes back from the browser's memory can be sent again.
window.addEventListener("pageshow", (event) => {
	if (event.persisted) mark(false);
});

const [navigation] = performance.getEntriesByType("navigation");
if (navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward") restore();

export {};
