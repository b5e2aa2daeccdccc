// The constants of SHA-256 and SHA-512, worked out instead of copied: the first bits of the
// fractional parts of the square and cube roots of the first primes (FIPS 180-4, 4.2 and 5.3).

/**
 * The whole part of the k-th root of n, by bisection.
 * @param {bigint} n
 * @param {bigint} k
 */
function root(n, k) {
	let low = 0n;
	let high = 1n << (BigInt(n.toString(2).length) / k + 1n);
	while (high - low > 1n) {
		const middle = (low + high) >> 1n;
		if (middle ** k <= n) low = middle;
		else high = middle;
	}
	return low;
}

/** @type {bigint[]} */
const primes = [];
for (let n = 2n; primes.length < 80; n++) if (primes.every((p) => n % p !== 0n)) primes.push(n);

const mask = (1n << 64n) - 1n;

/** The eight words that SHA-512 starts with; their upper halves are those of SHA-256. */
export const start = primes.slice(0, 8).map((p) => root(p << 128n, 2n) & mask);

/** The eighty words of SHA-512; the upper halves of the first 64 are those of SHA-256. */
export const rounds = primes.map((p) => root(p << 192n, 3n) & mask);
