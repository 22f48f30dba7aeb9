// Bundles workers that count what a request costs the platform (counting.ts). V8 does not report
// the promises of `async` and `await`. So TypeScript compiles the bundle's async functions to
// generators, and every step of a generator is counted.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type Bundle, bundleAlone, bundleWrapped } from "../../harness/worker-bundle.ts";

const COUNTING = import.meta.resolve("./counting.ts");
/**
 * The beginning of the helper that TypeScript writes for `await`. It looks for an existing helper.
 * COUNTED_AWAITER replaces it, so that each `await` is counted.
 */
const AWAITER = "(this && this.__awaiter)";
/**
 * The function `countedAwaiter` is looked up at each call, because the bundle defines it after this
 * line.
 */
const COUNTED_AWAITER = "((...given) => globalThis.countedAwaiter(...given))";

/** Bundles the worker. Its ledger is counted separately. */
export async function bundleCountedWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const more = [
    "export class TeamLedger extends parts.TeamLedger {",
    "  constructor(context, env) { added.countStorage(context.storage); super(context, env); }",
    "}",
    "added.countLedger(parts.TeamLedger.prototype, TeamLedger.prototype);",
  ];
  return withCountedWaits(await bundleWrapped(cleanup, folder, COUNTING, "countedWorker", more));
}

/** Bundles the reference worker (reference-worker.ts). */
export async function bundleCountedReference(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const reference = fileURLToPath(import.meta.resolve("../harness/reference-worker.ts"));
  const entry = [
    `import { countedWorker } from ${JSON.stringify(fileURLToPath(COUNTING))};`,
    `import { app } from ${JSON.stringify(reference)};`,
    "export default countedWorker(app);",
  ];
  return withCountedWaits(await bundleAlone(cleanup, folder, entry.join("\n")));
}

async function withCountedWaits(bundle: Bundle): Promise<Bundle> {
  const { outputText } = ts.transpileModule(await readFile(bundle.script, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2016, module: ts.ModuleKind.ESNext },
  });
  if (!outputText.includes(AWAITER))
    throw new Error("the helper that TypeScript writes for await has changed");
  await writeFile(bundle.script, outputText.replace(AWAITER, COUNTED_AWAITER));
  return bundle;
}
