// The verifier in a worker of its own, so that the page stays alive. It says « ready » once
// all its modules are loaded: from then on no network is needed.

import { verify } from "./verify.mjs";

let told = 0;

self.addEventListener("message", (event) => {
	const { files, key } = event.data;
	try {
		const report = verify(files, {
			key,
			progress(done, total) {
				const now = Date.now();
				if (now - told < 100) return;
				told = now;
				self.postMessage({ done, total });
			},
		});
		self.postMessage({ report });
	} catch (e) {
		self.postMessage({ fault: String(e) });
	}
});
self.postMessage({ ready: true });
