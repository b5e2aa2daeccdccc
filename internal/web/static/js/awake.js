// Keeps a screen awake. Plain http has no wake lock: there a silent picture that plays does
// the same.

/** @param {HTMLElement} screen */
export function keepAwake(screen) {
	if (document.visibilityState !== "visible") return;
	if ("wakeLock" in navigator) {
		navigator.wakeLock.request("screen").catch(() => {});
		return;
	}
	if (screen.querySelector("video")) return;
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 2;
	const paint = canvas.getContext("2d");
	if (!paint || !canvas.captureStream) return;
	const video = document.createElement("video");
	video.muted = true;
	video.className = "unseen";
	video.setAttribute("aria-hidden", "true");
	video.srcObject = canvas.captureStream(1);
	screen.append(video);
	video.play().catch(() => {});
	window.setInterval(() => paint.fillRect(0, 0, 2, 2), 1000);
}
