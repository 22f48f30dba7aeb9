// `npm start` and `npm run dev` with a worker that wrangler can't build: the first says why and
// ends, the other says why and goes on when the sources are mended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FreshCopy } from "./fresh-copy.ts";

const SYNTAX = "\nthis does not build (";
const IMPORT = '\nimport { absent } from "./absent.ts";\nconsole.log(absent);\n';
const ANY_PORTS = {
  PORT: "0",
  SMTP_PORT: "0",
  INBOX_PORT: "0",
  MX_PORT: "0",
  DNS_PORT: "0",
  EGRESS_PORT: "0",
};

let copy: FreshCopy;

beforeEach(() => {
  copy = new FreshCopy();
});

afterEach(() => {
  copy.remove();
});

/** Writes the worker's entry anew, with a fault at its end. */
function write(fault: string): void {
  const original = new URL("../../src/worker.ts", import.meta.url);
  writeFileSync(join(copy.path, "src/worker.ts"), readFileSync(original, "utf8") + fault);
}

function start(...options: readonly string[]) {
  const child = spawn(process.execPath, ["tools/dev/start.ts", ...options], {
    cwd: copy.path,
    env: { ...copy.environment, ...ANY_PORTS },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (output += data.toString()));
  const closed = once(child, "close");
  /** Waits for the words, and takes the output up to them away. */
  const says = async (words: string): Promise<void> => {
    while (!output.includes(words)) {
      if (child.exitCode !== null) throw new Error(`it never said "${words}":\n${output}`);
      await new Promise((go) => setTimeout(go, 50));
    }
    output = output.slice(output.indexOf(words) + words.length);
  };
  return { child, closed, says, output: () => output };
}

it("npm start says at once which import is missing, and ends with 1", async () => {
  write(IMPORT);
  const { closed, output } = start();
  expect((await closed)[0]).toBe(1);
  expect(output()).toMatch(/postern: the worker does not build:\n[^]*"\.\/absent\.ts"/);
});

it("npm run dev says what does not build, and comes up when it is mended", async () => {
  write(SYNTAX);
  const { child, closed, says } = start("--reload");
  await says("Build failed with 1 error");
  await says("the worker did not start and is started again when its sources change");
  write(IMPORT);
  await says("Build failed with 1 error");
  write("");
  await says("Postern is up");
  child.kill("SIGINT");
  expect((await closed)[0]).toBe(0);
});
