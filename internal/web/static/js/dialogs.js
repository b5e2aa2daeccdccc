// Buttons with commandfor open their dialog natively in newer browsers; this is the same
// for the others.
if (!("commandForElement" in HTMLButtonElement.prototype)) {
	document.addEventListener("click", (event) => {
		if (!(event.target instanceof Element)) return;
		const button = event.target.closest("button[commandfor]");
		const dialog = document.getElementById(button?.getAttribute("commandfor") ?? "");
		if (button && dialog instanceof HTMLDialogElement) dialog.showModal();
	});
}

export {};
