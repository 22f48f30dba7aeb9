// Builds the worker as a deployment does, into one module.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wranglerEnvironment, WRANGLER } from "../dev/local-wrangler.ts";

/** Returns the text of the worker's module. `work` is a temporary folder. */
export function buildDeployedWorker(root: string, work: string): string {
  const out = join(work, "worker");
  execFileSync(process.execPath, [WRANGLER, "deploy", "--dry-run", "--outdir", out], {
    cwd: root,
    env: { ...process.env, ...wranglerEnvironment(work), WRANGLER_LOG: "error" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const modules = readdirSync(out).filter((name) => !/\.map$|^README/.test(name));
  if (modules.join() !== "worker.js")
    throw new Error(`the worker is one module, not ${modules.join(", ")}`);
  return readFileSync(join(out, "worker.js"), "utf8");
}
