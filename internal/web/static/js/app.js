// What every page gets: forms sent once, switches without a reload, dialogs where the
// browser lacks commands, and the custom elements that the page holds.
import "./forms.js";
import "./switches.js";
import "./dialogs.js";

/** Custom elements and the modules that define them; loaded only where they stand. */
const elements = new Map([
	["live-stream", "./live-stream.js"],
	["live-amount", "./live-amount.js"],
	["live-progress", "./live-progress.js"],
	["live-figure", "./live-figure.js"],
	["play-unit", "./play-unit.js"],
	["scratch-card", "./scratch-card.js"],
	["slip-clock", "./slip-clock.js"],
	["board-picker", "./board-picker.js"],
	["verify-here", "./verify-here.js"],
	["loto-keys", "./loto-keys.js"],
	["loto-till", "./loto-till.js"],
	["photo-field", "./photo-field.js"],
	["hall-screen", "./hall-screen.js"],
	["live-until", "./live-until.js"],
	["bingo-terminal", "./bingo-terminal.js"],
	["bingo-hall", "./bingo-hall.js"],
]);

// Listeners first: the stream must find whoever follows it.
const wanted = [...elements].filter(([name]) => document.querySelector(name));
await Promise.all(wanted.filter(([name]) => name !== "live-stream").map(([, module]) => import(module)));
if (document.querySelector("live-stream")) await import("./live-stream.js");

document.addEventListener("click", (event) => {
	if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});
document.documentElement.dataset.ready = "";

export {};
