// Tests `npm start -- --account=<case>` (docs/local.md §An account): from an empty account to a
// delivered message, by the button's build first, and what the doctor says of the deployment when
// its account breaks.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUILDS_TOKEN, LOGIN_TOKEN } from "../../../tools/dev/account/cloudflare-account.ts";
import { ownPorts } from "../../../tools/harness/loopback.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TO = "someone@example.net";
const state = mkdtempSync(join(tmpdir(), "account-"));
let stack: ChildProcess;
let given: Record<string, string>;
let inbox: string;
let account: string;

function start(program: string, args: readonly string[], env: Record<string, string>) {
  return spawn(process.execPath, ["--no-warnings", program, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a command of set-up in the account. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = start(`tools/setup/${program}.ts`, args, { ...given, ...env });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise((ended) => child.once("close", ended));
  return { code, text };
}

beforeAll(async () => {
  const names = ["PORT", "SMTP_PORT", "INBOX_PORT", "MX_PORT", "DNS_PORT", "EGRESS_PORT"];
  const ports = await ownPorts(...names, "EMAIL_SERVICE_PORT", "ACCOUNT_PORT");
  inbox = `http://127.0.0.1:${ports["INBOX_PORT"]}`;
  account = `http://127.0.0.1:${ports["ACCOUNT_PORT"]}/account`;
  const env = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
  stack = start("tools/dev/start.ts", ["--account=routing"], {
    ...Object.fromEntries(env),
    POSTERN_STATE: state,
  });
  const file = join(state, "account", "env.sh");
  let said = "";
  for (const stream of [stack.stdout, stack.stderr])
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes("In another shell")) {
    if (stack.exitCode !== null) throw new Error(`the account did not start:\n${said}`);
    await wait(100);
  }
  expect(existsSync(file)).toBe(true);
  given = Object.fromEntries(
    Array.from(readFileSync(file, "utf8").matchAll(/^export (\w+)='(.*)'$/gm), (found) =>
      found.slice(1, 3),
    ) as [string, string][],
  );
});

afterAll(async () => {
  const gone = new Promise((resolve) => stack.once("exit", resolve));
  stack.kill("SIGINT");
  await gone;
  rmSync(state, { recursive: true });
});

it("the button's build deploys a worker that says what it lacks, with the token that it has", async () => {
  const built = await run("deploy", [], { CLOUDFLARE_API_TOKEN: BUILDS_TOKEN });
  expect([built.code, built.text]).toEqual([0, expect.stringMatching(/done +deploy +version/)]);
  const health = await fetch(`${given["API_URL"]}/healthz`);
  expect([health.status, await health.text()]).toEqual([
    503,
    expect.stringContaining("npm run setup"),
  ]);
});

it("set-up leads to a delivered message, and the doctor finds no fault", async () => {
  const { code, text } = await run("main", ["--yes"]);
  expect([code, text]).toEqual([0, expect.stringMatching(/done +message +.*, delivered/)]);
  const found = await run("doctor/main", ["--send", TO]);
  // Onboarding publishes a DMARC record without an address for reports.
  expect([found.code, found.text.match(/^(?:warn|FAIL) +\S+/gm)]).toEqual([
    0,
    [expect.stringMatching(/^warn +domain\.dmarc/)],
  ]);
  expect(found.text.match(/^ok +mailboxes\.delivery .* was taken$/gm)).toHaveLength(2);
  expect(found.text).toMatch(/^ok +send .* was delivered after /m);
  const listed = await fetch(`${inbox}/api/messages?to=${TO}`);
  expect((await listed.json()) as unknown[]).toHaveLength(1);
});

it("the doctor names each thing that breaks in the account", async () => {
  const before = (await (await fetch(account)).json()) as Record<string, object>;
  const { databases, tokens } = before;
  const broken = {
    tokens: { ...tokens, [LOGIN_TOKEN]: ["Queues"] },
    databases: { ...databases, "postern-shard-0": [] },
    config_rules: [],
    routing: [],
  };
  await fetch(account, { method: "PUT", body: JSON.stringify(broken) });
  const { code, text } = await run("doctor/main", []);
  expect(code).toBe(1);
  for (const line of [
    /^FAIL +account\.rights +Queues: .*10000/m,
    /^FAIL +account\.migrations +postern-shard-0 lacks/m,
    /^FAIL +worker\.programs .*1010/m,
    /^warn +mailboxes\.postmaster .*550 5\.1\.1/m,
  ])
    expect(text).toMatch(line);
});
