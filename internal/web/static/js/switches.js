// The theme changes without a reload; the cookie is set by the same form as without
// scripts. The language reloads the page, since every word of it changes.

const order = /** @type {const} */ (["auto", "dark", "light"]);

/**
 * @param {HTMLButtonElement} button
 * @param {string} theme auto, dark or light
 */
function show(button, theme) {
	const root = document.documentElement;
	if (theme === "auto") delete root.dataset.theme;
	else root.dataset.theme = theme;
	button.value = order[(order.findIndex((t) => t === theme) + 1) % order.length] ?? "auto";
	const label = button.querySelector("[data-theme-label]");
	if (label) label.textContent = button.dataset[theme] ?? "";
}

document.addEventListener("submit", (event) => {
	const form = event.target;
	const button = event.submitter;
	if (!(form instanceof HTMLFormElement) || form.dataset.preferences === undefined) return;
	if (!(button instanceof HTMLButtonElement) || button.name !== "theme") return;
	event.preventDefault();
	const body = new URLSearchParams({ theme: button.value });
	show(button, button.value);
	fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true });
});

export {};
