// Tests `npm run listen` with the real stack: a developer's receiver gets deliveries, and three
// independent libraries verify them with the printed secret. test/dev/listen.test.ts tests the
// command with an API of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook as Standard } from "standardwebhooks";
import { Stripe } from "stripe";
import { Webhook as Svix } from "svix";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { sharedStack } from "./shared-stack.ts";
import type { StackClient } from "./stack-client.ts";

const POSTERN = new URL("../../packages/postern/src/cli/main.ts", import.meta.url).pathname;
const TO = "bounced@simulator.postern.test";

interface Batch {
  readonly events: readonly { readonly type: string; readonly data: { recipient: string } }[];
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
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];

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
});

afterAll(() => {
  listening?.kill("SIGKILL");
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = request.headers as Record<string, string>;
  received.push({ headers, body: await text(request) });
  response.writeHead(204).end();
}

it("a developer's receiver gets deliveries that three libraries verify, and the terminal shows a line for each event", async () => {
  expect((await stack.send(TO, "Hello")).status).toBe(202);
  const types = () =>
    received
      .flatMap(({ body }) => (JSON.parse(body) as Batch).events)
      .flatMap(({ type, data }) => (data.recipient === TO ? [type] : []));
  await expect.poll(types, { interval: 200 }).toContain("email.bounced");
  const secret = /whsec_\S+/.exec(said)?.[0] ?? "";
  for (const { headers, body } of received) {
    const verifiers = [
      (given: string) => new Standard(secret).verify(given, headers),
      (given: string) => new Svix(secret).verify(given, headers),
      (given: string): unknown =>
        Stripe.webhooks.constructEvent(given, headers["service-signature"] ?? "", secret),
    ];
    for (const verify of verifiers) {
      expect(() => verify(body)).not.toThrow();
      expect(() => verify(`${body} `)).toThrow(/signature/i);
    }
  }
  await expect
    .poll(() => said)
    .toMatch(/\d\d:\d\d:\d\d +email\.bounced +bounced@simulator\.postern\.test +204\n/);
});

it("Ctrl-C ends the command and deletes its webhook", async () => {
  const ended = once(listening, "close");
  listening.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
  expect(said).toMatch(/the webhook wh_[0-9a-f-]{36} is deleted/);
  const response = await stack.api("GET", "/v1/webhooks");
  expect(((await response.json()) as { data: unknown[] }).data).toEqual([]);
});
