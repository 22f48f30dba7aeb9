// Installs the dependencies when node_modules is missing or older than the lockfile, so that `npm start` and `npm test` are the only
// commands a newcomer needs; and puts the API reference's script into the assets. Plain JavaScript for the Node that the machine happens to have: Node 24 arrives with this install.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";

const LOCKFILE = "package-lock.json";
const NODE_MAJOR = 24;
const INSTALLED = "node_modules/.package-lock.json";
const REFERENCE = "public/docs/scalar.js";

if (!existsSync(INSTALLED) || statSync(INSTALLED).mtimeMs < statSync(LOCKFILE).mtimeMs) {
  // npm would empty the folder that a link leads to, under whoever else uses it.
  if (lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      "postern: node_modules is a link to something older than package-lock.json: remove the link, or run npm ci where it leads",
    );
    process.exit(1);
  }
  const install = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit" });
  if (install.status !== 0) process.exit(install.status ?? 1);
}

const [major] = process.versions.node.split(".");
if (Number(major) < NODE_MAJOR && !existsSync("node_modules/.bin/node")) {
  console.error(`postern: Node ${NODE_MAJOR} or newer is needed on this platform; this is ${process.version}`);
  process.exit(1);
}

if (!existsSync(REFERENCE) || statSync(REFERENCE).mtimeMs < statSync(INSTALLED).mtimeMs) {
  const node = existsSync("node_modules/.bin/node") ? "node_modules/.bin/node" : process.execPath;
  const reference = spawnSync(node, ["dev/reference.ts"], { stdio: "inherit" });
  if (reference.status !== 0) process.exit(reference.status ?? 1);
}
