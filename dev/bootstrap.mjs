// Installs the dependencies when node_modules is missing or older than the lockfile, so that `npm start` and `npm test` are the only
// commands a newcomer needs. Plain JavaScript for the Node that the machine happens to have: Node 24 arrives with this install.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const LOCKFILE = "package-lock.json";
const INSTALLED = "node_modules/.package-lock.json";

if (!existsSync(INSTALLED) || statSync(INSTALLED).mtimeMs < statSync(LOCKFILE).mtimeMs) {
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit" });
  if (install.status !== 0) process.exit(install.status ?? 1);
}
