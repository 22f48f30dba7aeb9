// `npm test [-- <vitest arguments>]`: runs Vitest. It leaves out test/memory and test/browser
// unless a path or a project names them. A run has its own temporary folder. When the run ends,
// fails or is interrupted, it removes the folder and ends the remaining processes. The next run
// removes the remains of a killed run.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandOf, ENDING_SIGNALS, signalGroup } from "../tools/harness/process-table.ts";
import { ROOT } from "../tools/dev/dev-settings.ts";

const PREFIX = "postern-test-";
/**
 * The names of all projects to run. Vitest runs a project that matches any given name, so two
 * negated names would exclude nothing.
 */
const PROJECTS = ["worker", "node", "stack", "e2e"];
const INTERRUPTED_WITHIN_MS = 10_000;
const VITEST = join(fileURLToPath(import.meta.resolve("vitest/package.json")), "..", "vitest.mjs");
/** Node keeps compiled programs in this folder, because the tests start hundreds of programs. */
const COMPILED = join(ROOT, "node_modules", ".cache", "node-compile");

for (const left of readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX))) {
  const [, run = ""] = /-(\d+)-[^-]+$/.exec(left) ?? [];
  if (commandOf(Number(run)) === null)
    rmSync(join(tmpdir(), left), { recursive: true, force: true });
}
const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
const given = process.argv.slice(2);
const asked = given.some(
  (argument) => argument.startsWith("test/") || argument.startsWith("--project"),
)
  ? given
  : [...PROJECTS.map((name) => `--project=${name}`), ...given];
const vitest = spawn(process.execPath, [VITEST, "run", ...asked], {
  cwd: ROOT,
  // A separate process group, so that the run can end everything that a test started.
  detached: true,
  env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: COMPILED },
  stdio: ["ignore", "inherit", "inherit"],
});
const group = vitest.pid ?? 0;
for (const signal of ENDING_SIGNALS)
  process.on(signal, () => {
    signalGroup(group, signal);
    setTimeout(() => signalGroup(group, "SIGKILL"), INTERRUPTED_WITHIN_MS).unref();
  });
vitest.once("exit", (code, signal) => {
  signalGroup(group, "SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.exitCode = code ?? 128 + constants.signals[signal ?? "SIGKILL"];
});
