// Tests that `npm start` says in one line why it can't start, and ends, and that it keeps running
// when its output can't be written.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";

const START = new URL("../../../tools/dev/start.ts", import.meta.url).pathname;
const LOST_OUTPUT = new URL("../../../tools/dev/processes/log-file.ts", import.meta.url).href;

it("npm start names a taken port and its setting, ends with 1, and removes the file of an earlier stack", async () => {
  const state = mkdtempSync(join(tmpdir(), "start-"));
  const occupant = createServer();
  const taken = await listenOnLoopback(occupant);
  writeFileSync(join(state, "dev.json"), "{}");
  const others = ["PORT", "SMTP_PORT", "MX_PORT", "DNS_PORT", "EGRESS_PORT"].map((name) => [
    name,
    "0",
  ]);
  const child = spawn(process.execPath, [START], {
    env: {
      ...process.env,
      ...Object.fromEntries(others),
      INBOX_PORT: String(taken),
      POSTERN_STATE: state,
    },
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(said.join("")).toBe(`postern: port ${taken} (INBOX_PORT) is taken\n`);
  expect(existsSync(join(state, "dev.json"))).toBe(false);
  occupant.close();
  rmSync(state, { recursive: true });
});

it.each(["a file on a full disk", "a pipe whose reader is gone"])(
  "npm start keeps running when its output goes to %s",
  async (place) => {
    const isPipe = place.startsWith("a pipe");
    const full = openSync("/dev/full", "w");
    const lines =
      `for (let line = 0; line < 3; line += 1) { console.log("x"); console.error("x"); await ` +
      "new Promise((go) => setTimeout(go, 20)); }";
    const script =
      "import { dropLostOutput } from " +
      `${JSON.stringify(LOST_OUTPUT)};\ndropLostOutput();\nprocess.stdin.on("data", async () ` +
      `=> { ${lines} process.exit(7); });`;
    const output = isPipe ? "pipe" : full;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
      stdio: ["pipe", output, output],
    });
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.stdin?.write("go");
    expect(await once(child, "exit")).toEqual([7, null]);
    closeSync(full);
  },
);
