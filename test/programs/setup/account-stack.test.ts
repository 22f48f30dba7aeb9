// Tests `npm start -- --account=<case>` (docs/local.md §An account): from an empty account to a
// delivered message, by the button's build first, and what the doctor says of the deployment when
// its account breaks.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUILDS_TOKEN } from "../../../tools/dev/account/cloudflare-account.ts";
import { ownPorts } from "../../../tools/harness/loopback.ts";
import { follow } from "../../e2e/front-client.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TO = "someone@example.net";
interface TrackedDomain {
  readonly id: string;
  readonly name: string;
  readonly tracking: {
    readonly status: string;
    readonly dns_records: readonly { value: string }[];
  };
}

const state = mkdtempSync(join(tmpdir(), "account-"));
let stack: ChildProcess;
let given: Record<string, string>;
let inbox: string;
let account: string;
let dns: string;
let front: { readonly url: string; readonly ca: string };

function start(program: string, args: readonly string[], env: Record<string, string>) {
  return spawn(process.execPath, ["--no-warnings", program, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Publishes a record in the account's zone. */
async function publish(record: Readonly<Record<string, unknown>>): Promise<void> {
  await fetch(`${dns}/records`, { method: "PUT", body: JSON.stringify(record) });
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
  const ports = await ownPorts(...names, "EMAIL_SERVICE_PORT", "ACCOUNT_PORT", "FRONT_PORT");
  inbox = `http://127.0.0.1:${ports["INBOX_PORT"]}`;
  dns = `http://127.0.0.1:${ports["DNS_PORT"]}`;
  front = { url: `http://127.0.0.1:${ports["FRONT_PORT"]}`, ca: join(state, "front", "ca.pem") };
  account = `http://127.0.0.1:${ports["ACCOUNT_PORT"]}/account`;
  const env = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
  stack = start("tools/dev/start.ts", ["--account=routing", "--front"], {
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

/** Lets the team that set-up made send messages that track replies. */
async function readReplies(): Promise<void> {
  const kept = join(given["POSTERN_STATE"] ?? "", "production.json");
  const { team } = JSON.parse(readFileSync(kept, "utf8")) as { team: { api_key: string } };
  const { status } = await fetch(`${given["API_URL"]}/v1/team`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${team.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ reads_replies: true }),
  });
  expect(status).toBe(200);
}

it("set-up leads to a delivered message, and the doctor finds no fault", async () => {
  await publish({ name: "www.example.com", type: "A", data: "192.0.2.10", proxied: true });
  const { code, text } = await run("main", ["--yes"], { TRACKING_ROUTES: "yes" });
  expect([code, text]).toEqual([0, expect.stringMatching(/done +message +.*, delivered/)]);
  await fetch(account, { method: "PUT", body: JSON.stringify({ subaddressing: true }) });
  await readReplies();
  const found = await run("doctor/main", ["--send", TO]);
  // Onboarding publishes a DMARC record without an address for reports.
  expect([found.code, found.text.match(/^(?:warning|critical) +\S+/gm)]).toEqual([
    0,
    [expect.stringMatching(/^warning +domain\.dmarc/)],
  ]);
  expect(found.text.match(/^ok +mailboxes\.delivery .* was taken$/gm)).toHaveLength(2);
  expect(found.text).toMatch(/^ok +send .* was delivered after /m);
  expect(found.text).toMatch(/^ok +replies +a mail to reply\.post\.example\.com is a reply to /m);
  const listed = await fetch(`${inbox}/api/messages?to=${TO}`);
  expect((await listed.json()) as unknown[]).toHaveLength(1);
});

it("a tracking host works behind the front that set-up prepared, and the operator's website stays", async () => {
  const kept = JSON.parse(readFileSync(join(state, "account", "production.json"), "utf8")) as {
    team: { api_key: string };
  };
  const api = async (method: string, path: string, body?: unknown): Promise<TrackedDomain> => {
    const headers = {
      authorization: `Bearer ${kept.team.api_key}`,
      "content-type": "application/json",
    };
    const answer = await fetch(`${given["API_URL"]}/v1/domains${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const json = (await answer.json()) as { data?: [TrackedDomain] } & TrackedDomain;
    return json.data?.[0] ?? json;
  };
  const { id, name } = await api("GET", "");
  const tracking = { clicks_enabled: true, subdomain: "click" };
  const [alias] = (await api("PATCH", `/${id}`, { tracking })).tracking.dns_records;
  await publish({ type: "CNAME", name: `click.${name}`, data: alias?.value });
  const states: string[] = [];
  for (let times = 0; times < 3; times += 1)
    states.push((await api("POST", `/${id}/verify`)).tracking.status);
  expect(states).toEqual(["pending", "pending", "verified"]);
  const found = await run("doctor/main", ["--skip", "message"]);
  expect(found.text).toMatch(/^ok +tracking\.host +click\.\S+: a link comes through to this/m);
  expect(found.text.match(/^ok +tracking\.(?:origin|route) /gm)).toHaveLength(2);
  const site = await follow(front, "https://www.example.com/");
  expect(site.text).toBe("The website of the operator at www.example.com\n");

  await fetch(account, { method: "PUT", body: JSON.stringify({ worker_routes: [] }) });
  const routeless = await run("doctor/main", ["--skip", "message"]);
  expect(routeless.text).toMatch(/^critical +tracking\.host .*no route .*522\) → npm run setup/m);
  await fetch(account, { method: "PUT", body: JSON.stringify({ custom_hostnames: [] }) });
  const nameless = await run("doctor/main", ["--skip", "message"]);
  expect(nameless.text).toMatch(/^critical +tracking\.host .*\(ECONNRESET\) → verify the domain/m);
});
