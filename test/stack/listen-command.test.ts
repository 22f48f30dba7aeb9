// Tests `npm run listen` with the real stack. A developer's receiver gets deliveries, and three
// independent libraries verify them: before a rotation of the secret, and while the old and the new
// secret are both valid.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook as Standard } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { sharedStack } from "./shared-stack.ts";
import type { StackClient } from "./stack-client.ts";

const POSTERN = new URL("../../packages/postern/src/cli/main.ts", import.meta.url).pathname;
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

/**
 * The state folder that the command reads. It names the stack, with the key of the test's team in
 * it.
 */
const folder = mkdtempSync(join(tmpdir(), "listen-"));
let stack: StackClient;
let server: Server;
let listening: ChildProcess;
let said = "";
let secret = "";
let webhookId = "";
const received: Received[] = [];

beforeAll(async () => {
  stack = await (await sharedStack()).team("listen.test");
  writeFileSync(join(folder, "dev.json"), JSON.stringify(stack.dev));
  server = createServer((request, response) => void receive(request, response));
  const forward = `http://127.0.0.1:${await listenOnLoopback(server)}/hook`;
  listening = spawn(process.execPath, [POSTERN, "webhooks", "listen", "--forward", forward], {
    env: { ...process.env, POSTERN_STATE: folder },
  });
  for (const stream of [listening.stdout, listening.stderr])
    stream?.on("data", (data: Buffer) => (said += data.toString()));
  await vi.waitFor(() => expect(said).toContain("Forwarded"));
  secret = /whsec_\S+/.exec(said)?.[0] ?? "";
  webhookId = /wh_[0-9a-f-]{36}/.exec(said)?.[0] ?? "";
});

afterAll(() => {
  listening?.kill("SIGKILL");
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  received.push({ headers: request.headers, body, batch: JSON.parse(body) as Received["batch"] });
  response.writeHead(204).end();
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

describe("the end", () => {
  it("by Ctrl-C deletes the webhook", async () => {
    const ended = once(listening, "close");
    listening.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
    expect(said).toContain(`the webhook ${webhookId} is deleted`);
    const response = await stack.api("GET", "/v1/webhooks");
    expect(((await response.json()) as { data: unknown[] }).data).toEqual([]);
  });
});
