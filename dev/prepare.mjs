// What wrangler.toml has `wrangler dev` run before it builds, the first time and at every edit:
// brings about what a fresh clone lacks. Plain JavaScript for the Node that the machine happens to
// have: the dependencies, a newer Node among them, may only arrive with it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const NODE = "node_modules/.bin/node";

/** Ends this process with the program's own code when that fails. */
function run(program, script) {
  const { status } = spawnSync(program, [script], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// POSTERN_PREPARED is set by a start that has seen to all of it by itself (local-wrangler.ts).
if (!process.env["POSTERN_PREPARED"]) {
  run(process.execPath, "dev/bootstrap.mjs");
  run(existsSync(NODE) ? NODE : process.execPath, "dev/prepare.ts");
}
