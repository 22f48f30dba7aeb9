// Tests `npm run dev`. If the worker does not build at the start, the command prints the error, and
// starts the worker once the error is fixed. An edit of the worker's source, or a new build of the
// console, reloads only the worker, and the command says so. The command prints the error and
// restarts nothing after an edit that does not build.
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FreshCopy } from "./fresh-copy.ts";

const SYNTAX = "\nthis does not build (";
const IMPORT = '\nimport { absent } from "./absent.ts";\nconsole.log(absent);\n';
const PORTS = ["PORT", "SMTP_PORT", "INBOX_PORT", "MX_PORT", "DNS_PORT", "EGRESS_PORT"];

let copy: FreshCopy;
let start: ChildProcess;
let output = "";
let url: string;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  copy = new FreshCopy();
  environment = { ...copy.environment, ...Object.fromEntries(PORTS.map((name) => [name, "0"])) };
  write(SYNTAX);
  start = spawn(process.execPath, ["tools/dev/start.ts", "--reload"], {
    cwd: copy.path,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [start.stdout, start.stderr])
    stream?.on("data", (data: Buffer) => (output += data.toString()));
});

afterAll(async () => {
  if (start.exitCode === null) {
    const gone = new Promise((resolve) => start.once("close", resolve));
    start.kill("SIGINT");
    await gone;
  }
  copy.remove();
});

/** Waits until the command prints the words, and drops the output up to them. */
async function says(words: string): Promise<void> {
  await expect.poll(() => output).toContain(words);
  output = output.slice(output.indexOf(words) + words.length);
}

/** Writes src/worker.ts with `fault` added at its end. */
function write(fault: string): void {
  const original = join(import.meta.dirname, "../../../src/worker.ts");
  writeFileSync(join(copy.path, "src/worker.ts"), readFileSync(original, "utf8") + fault);
}

/** Returns the process ids of the gateway and of the worker's wrangler. */
function processes(): number[] {
  const { groups } = JSON.parse(readFileSync(join(copy.path, ".postern", "pids.json"), "utf8")) as {
    groups: { pid: number }[];
  };
  return groups.map(({ pid }) => pid);
}

/** Changes the value of a header in the health check's response. */
function edit(value: string, more = ""): void {
  const path = join(copy.path, "src/api/middleware.ts");
  const original = readFileSync(
    join(import.meta.dirname, "../../../src/api/middleware.ts"),
    "utf8",
  );
  writeFileSync(path, original.replace('"no-store"', `"${value}"`) + more);
}

const header = async (): Promise<string | null> => (await fetch(url)).headers.get("cache-control");

it("npm run dev prints a build error, and starts the worker when the error is fixed", async () => {
  await says("Build failed with 1 error");
  await says("the worker did not start and is started again when its sources change");
  write(IMPORT);
  await says("Build failed with 1 error");
  write("");
  await says("Postern is up");
  const stack = readFileSync(join(copy.path, ".postern", "dev.json"), "utf8");
  url = `${(JSON.parse(stack) as { api_url: string }).api_url}/healthz`;
});

it("npm run dev reloads only the worker, also after an edit that does not build", async () => {
  const before = processes();
  expect(before).toHaveLength(2);
  expect(await header()).toBe("no-store");

  edit("no-store, edited", '\nconsole.log("a word of the worker");\n');
  await expect.poll(header).toBe("no-store, edited");
  await says("Reloading local server");
  await says("a word of the worker");

  edit("no-store, broken", "\nthis does not build (");
  await says("Build failed with 1 error");
  // Wrangler keeps requests waiting while a build fails. It answers them after the next build that
  // succeeds.
  const held = header();
  edit("no-store, mended");
  expect(await held).toBe("no-store, mended");
  expect(processes()).toEqual(before);
  expect(output).not.toContain("started again");
});

it("npm run dev serves the files of a new build of the console", async () => {
  const name = "console/assets/of-a-new-build.js";
  const status = async () => (await fetch(new URL(name, url))).status;
  expect(await status()).toBe(404);
  writeFileSync(join(copy.path, "public", name), "export {};\n");
  await expect.poll(status).toBe(200);
});

it("npm run dev restarts a worker once after an edit that makes it crash, and again after the next edit", async () => {
  const [gateway] = processes();
  edit("no-store, thrown", '\nthrow new Error("thrown at the top");\n');
  await says("the worker died and is started again when its sources change");
  edit("no-store, alive");
  await expect.poll(() => header().catch(() => null)).toBe("no-store, alive");
  expect(processes()[0]).toBe(gateway);
});

it("npm run dev is refused beside another start of the same state, with one line that explains how to continue", async () => {
  const second = spawn(process.execPath, ["tools/dev/start.ts", "--reload"], {
    cwd: copy.path,
    env: environment,
  });
  let words = "";
  second.stderr.on("data", (data: Buffer) => (words += data.toString()));
  const code = await new Promise((ended) => second.once("close", ended));
  expect([code, words]).toEqual([
    1,
    `postern: ${join(copy.path, ".postern")} is in use by process ` +
      `${start.pid}: end this process, or run \`npx wrangler dev\` beside it\n`,
  ]);
});
