// Tests the edge cases of delivery through Cloudflare's Email Service: the worker, the double of
// that service, and mail servers that misbehave as the table says (scenarios/scenarios.ts). Rules
// derive the expected results from those through the gateway (scenarios/email-service-terms.ts).
// Another table has events that come late, twice or never.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tellsOfEmailService, throughEmailService } from "./scenarios/email-service-terms.ts";
import { EVENT_SCENARIOS } from "./scenarios/event-scenarios.ts";
import { type Fates, runScenarios, startScenarioStack } from "./scenarios/scenario-runner.ts";
import { SCENARIOS, SPEEDUP } from "./scenarios/scenarios.ts";
import { MAIL_HOSTS, oneServer, POLITE } from "./scenarios/scenario-terms.ts";
import type { Stack } from "./stack.ts";

const STORIES = [
  ...SCENARIOS.filter(tellsOfEmailService).map(throughEmailService),
  ...EVENT_SCENARIOS,
];
const PAGE = new URL("../../docs/local.md", import.meta.url);
const WITHIN = { interval: 200 };
const SILENT = "ann@silent.test";

interface ListedMessage {
  readonly recipient: string;
  readonly status: string;
  readonly attempts: number;
}

let stack: Stack;
let fates: Fates;
/**
 * The events of a message for which the Email Service's events have another id than `send()`
 * returned.
 */
let underOtherId: string[];
/**
 * A message that the Email Service had taken, but not yet delivered, when the test killed the
 * stack.
 */
let killed: string;
/** The events of a message to a verified destination of the account. */
let silent: string[];

beforeAll(async () => {
  // The table's speed would let a message expire during the restart. The table therefore starts
  // after the restart.
  stack = await startScenarioStack("cloudflare", 60);
  await control("/settings", "PUT", { verified_destinations: [SILENT] });
  await runUnderOtherId();
  await runSilent();
  killed = await killWhileTaken();
  await stack.up({ RETRY_SPEEDUP: String(SPEEDUP), LEASE_SPEEDUP: "12" });
  fates = await runScenarios(stack, STORIES);
});
afterAll(() => stack.destroy());

/** Calls a control of the Email Service's double. */
async function control(path: string, method = "GET", body?: unknown): Promise<Response> {
  return fetch(`${stack.dev.email_service_url}${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function takenFor(recipient: string): Promise<ListedMessage[]> {
  const response = await control(`/messages?to=${recipient}`);
  return ((await response.json()) as { messages: ListedMessage[] }).messages;
}

async function send(recipient: string): Promise<string> {
  const response = await stack.send(recipient, "Scenario");
  return ((await response.json()) as { id: string }).id;
}

/**
 * Sends to a domain whose events have another id than `send()` returned. The service matches events
 * by address only until one event of the team is matched by its id, so this runs before all other
 * messages.
 */
async function runUnderOtherId(): Promise<void> {
  await publish("other-id.test");
  await control("/event-rules", "PUT", { rules: [{ other_id: true }] });
  const id = await send("ann@other-id.test");
  await vi.waitFor(async () => {
    underOtherId = await stack.history(id);
    if (underOtherId.length < 2) throw new Error("no event about the message");
  });
  await control("/event-rules", "PUT", { rules: [] });
}

/** Sends to a verified destination, and waits until silence about it counts as a delivery. */
async function runSilent(): Promise<void> {
  await publish("silent.test");
  const id = await send(SILENT);
  await vi.waitFor(async () => {
    silent = await stack.history(id);
    if (silent.length < 2) throw new Error("no outcome of the message");
  });
}

/** Kills the stack after the Email Service took a message, and before the mail server answers. */
async function killWhileTaken(): Promise<string> {
  await publish("killed.test");
  await stack.rules([{ rcpt: "@killed", stage: "end", delay_ms: 3_600_000, times: 1 }]);
  const id = await send("ann@killed.test");
  await vi.waitFor(async () => {
    expect(await takenFor("ann@killed.test")).toMatchObject([{ status: "waiting" }]);
    expect(await stack.history(id)).toEqual(["email.sent"]);
    // The rule would also delay the attempt after the restart, so the test kills the stack only
    // after the rule was used.
    const rules = await fetch(`${stack.dev.inbox_url}/api/rules`);
    expect(await rules.json()).toMatchObject({ used: [1] });
  });
  await stack.killAll();
  return id;
}

/** Finds the commands on the page that call the double of the Email Service. */
function commandsOfPage(): string[] {
  const blocks = readFileSync(PAGE, "utf8").matchAll(/^```sh\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, block = ""]) => block.split(/(?<!\\)\n/))
    .flat()
    .filter((command) => command.includes("http://127.0.0.1:8054"));
}

/** Publishes a mail server for the domain. The server takes all mail. */
async function publish(domain: string): Promise<void> {
  expect(MAIL_HOSTS).toContain(POLITE);
  for (const record of oneServer(domain, POLITE)) {
    const url = `${stack.dev.dns_url}/records`;
    await fetch(url, { method: "PUT", body: JSON.stringify(record) });
  }
}

describe("through the Email Service, the outcome of a message with", () => {
  it.each(STORIES.map((story) => [story.title, story] as const))("%s", (_, story) => {
    for (const [address, expected] of Object.entries(story.fates)) {
      const {
        raws: _raws,
        attempts: _attempts,
        ...outcome
      } = fates.get(address) ?? { raws: [], attempts: 0 };
      expect(outcome, address).toEqual(expected);
    }
  });
});

describe("the scenarios that are not run through the Email Service", () => {
  it("are few, and each says why", () => {
    const reasons = SCENARIOS.flatMap(({ gatewayOnly }) => gatewayOnly ?? []);
    expect(reasons.length).toBeLessThan(SCENARIOS.length / 8);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/);
  });
});

describe("the Email Service", () => {
  it("may name a message by an id that send() did not return", () => {
    expect(underOtherId).toEqual(["email.sent", "email.delivered"]);
  });

  it("tells nothing about a verified destination, so the message counts as delivered", async () => {
    expect(silent).toEqual(["email.sent", "email.delivered"]);
    expect(await takenFor(SILENT)).toMatchObject([{ status: "delivered", unpublished_events: 0 }]);
  });

  it("carries mail that is submitted by SMTP, without the headers that it does not take", async () => {
    await publish("submitted.test");
    const { host, port, user, ca } = stack.dev.smtp;
    const transport = createTransport({
      host,
      port,
      requireTLS: true,
      tls: { ca: readFileSync(ca) },
      auth: { user, pass: stack.dev.api_key },
    });
    const { response } = await transport.sendMail({
      from: "Shop <hello@example.test>",
      to: "ann@submitted.test",
      subject: "Scenario",
      text: "Submitted.",
      headers: { "X-Campaign": "autumn", "Disposition-Notification-To": "hello@example.test" },
    });
    const [, id = ""] = /^250 2\.0\.0 (email_\S+)$/.exec(response) ?? [];
    await expect.poll(() => stack.history(id), WITHIN).toEqual(["email.sent", "email.delivered"]);
    const [message] = await stack.inbox("&to=ann@submitted.test");
    expect(message?.mail_from).toMatch(/^bounces\+[A-Za-z0-9]{36}@cf-bounce\.example\.test$/);
    const [header] = (await stack.raw(message?.id ?? "")).toString().split("\r\n\r\n");
    expect(header).toContain("X-Campaign: autumn");
    expect(header).not.toContain("Disposition-Notification-To");
  });

  it("is the only one that may put events onto the queue", async () => {
    const response = await fetch(`${stack.dev.api_url}/__email-service/events`, {
      method: "POST",
      headers: { authorization: "Bearer wrong" },
      body: "[]",
    });
    expect(response.status).toBe(403);
  });

  it("gets a recipient's complaint, which suppresses the recipient", async () => {
    await publish("complaining.test");
    const id = await send("ann@complaining.test");
    await expect.poll(() => stack.history(id), WITHIN).toContain("email.delivered");
    await control("/complaints", "POST", { recipient: "ann@complaining.test" });
    await expect
      .poll(() => stack.history(id), WITHIN)
      .toEqual(["email.sent", "email.delivered", "email.complained"]);
    await expect
      .poll(async () => (await stack.api("GET", "/v1/suppressions/ann@complaining.test")).status)
      .toBe(200);
  });

  it("refuses a recipient of the account's suppression list; the service does not suppress the recipient", async () => {
    await publish("account-suppressed.test");
    await control("/suppressions", "POST", { recipient: "ann@account-suppressed.test" });
    const id = await send("ann@account-suppressed.test");
    await expect.poll(() => stack.history(id), WITHIN).toEqual(["email.sent", "email.bounced"]);
    expect(await takenFor("ann@account-suppressed.test")).toEqual([]);
    const { status } = await stack.api("GET", "/v1/suppressions/ann@account-suppressed.test");
    expect(status).toBe(404);
  });

  it("gets no mail while the day's limit is reached, and carries the mail when there is room again", async () => {
    await publish("daily-limit.test");
    await control("/settings", "PUT", { daily_limit: 0 });
    const id = await send("ann@daily-limit.test");
    await wait(3_000);
    expect(await stack.history(id)).toEqual([]);
    await control("/settings", "PUT", {});
    await expect.poll(() => stack.history(id), WITHIN).toEqual(["email.sent", "email.delivered"]);
    expect(await takenFor("ann@daily-limit.test")).toMatchObject([{ attempts: 1 }]);
  });

  it("stands beside the console, which the stack serves with every switch on", async () => {
    const { status, headers } = await fetch(`${stack.dev.api_url}/console/`);
    expect([status, headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching("text/html"),
    ]);
  });

  it("carries mail with every switch of its double off", async () => {
    await publish("kind.test");
    await control("/settings", "PUT", { platform: [] });
    const id = await send("ann@kind.test");
    await expect.poll(() => stack.history(id), WITHIN).toEqual(["email.sent", "email.delivered"]);
    await control("/settings", "PUT", {});
  });

  it("answers the commands of docs/local.md", async () => {
    await publish("example.net");
    const id = await send("someone@example.net");
    await expect.poll(() => stack.history(id), WITHIN).toContain("email.delivered");
    const commands = commandsOfPage();
    expect(commands.length).toBeGreaterThanOrEqual(4);
    for (const command of commands) {
      const here = command.replaceAll("http://127.0.0.1:8054", stack.dev.email_service_url ?? "");
      const { stdout } = await promisify(execFile)("bash", ["-c", here]);
      expect(JSON.parse(stdout), command).not.toHaveProperty("error");
    }
    await control("/settings", "PUT", {});
    await control("/event-rules", "PUT", { rules: [] });
  });

  it("keeps what it took when the stack is killed", async () => {
    await expect
      .poll(() => stack.history(killed), WITHIN)
      .toEqual(["email.sent", "email.delivered"]);
    expect(await takenFor("ann@killed.test")).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });
});
