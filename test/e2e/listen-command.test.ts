// `npm run listen` at the real stack: a developer's receiver gets deliveries that three independent
// libraries verify, before a secret rotation and during its window. Also retries, a replay, and a
// kill in the middle of one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { Webhook as Standard } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { Stack } from "./stack.ts";

const POSTERN = new URL("../../packages/postern/src/cli/main.ts", import.meta.url).pathname;
/** Sends of 50 copies each. Together they make more batches than a replay keeps ahead. */
const ROUNDS = 30;
const SIMULATED = "simulator.postern.test";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly batch: {
    readonly batch_id: string;
    readonly timestamp: number;
    readonly events: readonly Event[];
  };
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly email_id: string; readonly recipient: string };
}

let stack: Stack;
let server: Server;
let listening: ChildProcess;
let said = "";
let secret = "";
let webhookId = "";
const received: Received[] = [];
/** Statuses of the next answers. 204 when the list is empty. */
const answers: number[] = [];
/** Deliveries that wait for their answers. Undefined: each is answered at once. */
let held: (() => void)[] | undefined;

beforeAll(async () => {
  stack = await Stack.start({ RETRY_SPEEDUP: "120" });
  server = createServer((request, response) => void receive(request, response));
  const forward = `http://127.0.0.1:${await listenOnLoopback(server)}/hook`;
  listening = spawn(process.execPath, [POSTERN, "webhooks", "listen", "--forward", forward], {
    env: { ...process.env, POSTERN_STATE: stack.state },
  });
  for (const stream of [listening.stdout, listening.stderr])
    stream?.on("data", (data: Buffer) => (said += data.toString()));
  await vi.waitFor(() => expect(said).toContain("Forwarded"));
  secret = /whsec_\S+/.exec(said)?.[0] ?? "";
  webhookId = /wh_[0-9a-f-]{36}/.exec(said)?.[0] ?? "";
});

afterAll(async () => {
  listening?.kill("SIGKILL");
  server?.closeAllConnections();
  server?.close();
  await stack?.destroy();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  received.push({ headers: request.headers, body, batch: JSON.parse(body) as Received["batch"] });
  const answer = () => response.writeHead(answers.shift() ?? 204).end();
  if (held) held.push(answer);
  else answer();
}

const eventsOf = (emailId: string) =>
  received.flatMap(({ batch }) => batch.events).filter(({ data }) => data.email_id === emailId);
const told = (emailId: string, ...types: string[]) =>
  expect
    .poll(() => [...new Set(eventsOf(emailId).map(({ type }) => type))].toSorted(), {
      interval: 200,
    })
    .toEqual(types.toSorted());

async function send(name: string): Promise<string> {
  const response = await stack.send(`${name}@${SIMULATED}`, name);
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

/** Returns the libraries that accept the delivery. */
function verifiedBy({ headers, body }: Received, withSecret: string): string[] {
  const libraries = {
    standardwebhooks: () =>
      new Standard(withSecret).verify(body, headers as Record<string, string>),
    svix: () => new Svix(withSecret).verify(body, headers as Record<string, string>),
    stripe: () =>
      Stripe.webhooks.constructEvent(body, headers["service-signature"] ?? "", withSecret),
  };
  return Object.entries(libraries).flatMap(([name, verify]) => {
    try {
      verify();
      return [name];
    } catch {
      return [];
    }
  });
}

const ALL = ["standardwebhooks", "svix", "stripe"];

describe("a developer's receiver", () => {
  it("gets deliveries that three libraries verify, and the terminal shows a line for each event", async () => {
    const id = await send("bounced");
    await told(id, "email.sent", "email.bounced");
    for (const one of received) {
      expect(verifiedBy(one, secret)).toEqual(ALL);
      expect(verifiedBy({ ...one, body: `${one.body} ` }, secret)).toEqual([]);
      expect(one.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Service-Webhooks/1.0",
      });
      expect(one.headers["service-batch-id"]).toBe(one.batch.batch_id);
    }
    await expect
      .poll(() => said)
      .toMatch(/\d\d:\d\d:\d\d +email\.bounced +bounced@simulator\.postern\.test +204\n/);
  });

  it("that fails gets the same batch again under a new signature", async () => {
    received.length = 0;
    answers.push(500, 503);
    const id = await send("delivered");
    await told(id, "email.sent", "email.delivered");
    await expect.poll(() => received.length).toBeGreaterThan(2);
    const attempts = Map.groupBy(received, ({ batch }) => batch.batch_id);
    const repeated = [...attempts.values()].filter((group) => group.length > 1);
    expect(repeated.length).toBeGreaterThan(0);
    for (const group of repeated) expect(new Set(group.map(({ body }) => body)).size).toBe(1);
    expect(received.every((one) => verifiedBy(one, secret).length === ALL.length)).toBe(true);
    await expect.poll(() => said).toContain("500, to be tried again");
    await expect.poll(() => said).toContain("503, to be tried again");
  });

  it("can verify with the new secret and with the previous one while the secret is rotated", async () => {
    const response = await stack.api("POST", `/v1/webhooks/${webhookId}/rotate-secret`);
    const { signing_secret: fresh } = (await response.json()) as { signing_secret: string };
    received.length = 0;
    await told(await send("delivered+rotated"), "email.sent", "email.delivered");
    for (const one of received) {
      expect(verifiedBy(one, fresh)).toEqual(ALL);
      expect(verifiedBy(one, secret)).toEqual(ALL);
      expect(verifiedBy(one, `whsec_${Buffer.alloc(32).toString("base64")}`)).toEqual([]);
    }
    secret = fresh;
  });
});

describe("a replay", () => {
  it("reaches the last event even if the worker is killed while it runs", async () => {
    const recipients = Array.from({ length: 50 }, (_, index) => `delivered+${index}@${SIMULATED}`);
    const start = new Date().toISOString();
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = {
        from: "hello@example.test",
        to: recipients,
        subject: `Round ${round}`,
        text: "Round.",
      };
      expect((await stack.api("POST", "/v1/email", body)).status).toBe(202);
    }
    // Each copy has email.sent and email.delivered.
    const count = 2 * ROUNDS * recipients.length;
    const distinct = () =>
      new Set(received.flatMap(({ batch }) => batch.events.map(({ id }) => id)));
    const since = async () =>
      new Set((await history(start)).filter((id) => distinct().has(id))).size;
    await expect.poll(since, { interval: 1_000 }).toBe(count);
    const expected = await history(start);
    received.length = 0;
    held = [];
    expect((await stack.api("POST", `/v1/webhooks/${webhookId}/replay`, { start })).status).toBe(
      202,
    );
    await expect.poll(() => held?.length).toBeGreaterThan(3);
    stack.killWorker();
    expect(distinct().size).toBeLessThan(count);
    for (const answer of held) answer();
    held = undefined;
    await expect.poll(() => distinct().size, { interval: 200 }).toBe(count);
    expect(expected.filter((id) => !distinct().has(id))).toEqual([]);
  });
});

describe("the end", () => {
  it("by Ctrl-C deletes the webhook", async () => {
    await expect.poll(isUp).toBe(true);
    const ended = once(listening, "close");
    listening.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
    expect(said).toContain(`the webhook ${webhookId} is deleted`);
    const response = await stack.api("GET", "/v1/webhooks");
    expect(((await response.json()) as { data: unknown[] }).data).toEqual([]);
  });
});

async function isUp(): Promise<boolean> {
  try {
    return (await stack.api("GET", "/v1/whoami")).ok;
  } catch {
    return false;
  }
}

/** Returns the ids of the events since `start`. */
async function history(start: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ;) {
    const response = await stack.api("GET", `/v1/events?limit=100&start=${start}${after}`);
    const page = (await response.json()) as { data: { id: string }[]; next_cursor: string | null };
    ids.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) return ids;
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}
