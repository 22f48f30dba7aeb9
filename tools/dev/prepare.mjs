// Prepares a fresh clone. wrangler.toml makes `wrangler dev` run this program before it builds, at
// the start and at every edit. It is plain JavaScript, because the machine's own Node runs it: this
// program may first have to install the dependencies and a newer Node.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const NODE = "node_modules/.bin/node";

/** Runs a script. If it fails, this process exits with the script's exit code. */
function run(program, script) {
  const { status } = spawnSync(program, [script], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// A program that has prepared everything sets POSTERN_PREPARED (local-wrangler.ts).
if (!process.env["POSTERN_PREPARED"]) {
  run(process.execPath, "tools/dev/bootstrap.mjs");
  run(existsSync(NODE) ? NODE : process.execPath, "tools/dev/prepare.ts");
}
