// The little of Node that the command line and the tests of verify/ use.

declare module "node:fs" {
	export function readdirSync(path: string | URL): string[];
	export function readFileSync(path: string | URL): Uint8Array;
	export function readFileSync(path: string | URL, encoding: "utf8"): string;
}
declare module "node:util" {
	export function parseArgs(config: {
		allowPositionals: boolean;
		options: Record<string, { type: "string" }>;
	}): { values: Record<string, string | undefined>; positionals: string[] };
}
declare module "node:test" {
	export function test(name: string, run: () => void): void;
}
declare module "node:url" {
	export function fileURLToPath(url: URL): string;
}
declare module "node:child_process" {
	export function spawnSync(program: string, args: string[], options: { cwd: string; encoding: "utf8" }):
		{ status: number | null; stdout: string; stderr: string };
}
declare module "node:assert/strict" {
	const assert: {
		equal(got: unknown, want: unknown, message?: string): void;
		deepEqual(got: unknown, want: unknown, message?: string): void;
		ok(holds: unknown, message?: string): asserts holds;
		match(got: string, want: RegExp): void;
		throws(run: () => void, is: (e: Error) => boolean, message?: string): void;
		fail(message: string): never;
	};
	export default assert;
}
declare const process: { env: Record<string, string | undefined>; execPath: string; exitCode: number };
