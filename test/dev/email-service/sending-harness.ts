// Starts the double of the Email Service with an inbox for the mail that it sends, and a worker's
// route that collects its events.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import {
  type EmailService,
  type EmailServiceOptions,
  startEmailService,
} from "../../../tools/dev/email-service/sending-server.ts";
import type { SendingEvent } from "../../../tools/dev/email-service/sending-events.ts";
import { emailBinding } from "../../../tools/dev/email-service/wrapped-worker.ts";
import { type HttpServer, serveHttp } from "../../../tools/dev/http-server.ts";
import { type Inbox, startInbox } from "../../../tools/dev/inbox/inbox.ts";
import type { MessageHead } from "../../../tools/dev/inbox/inbox-store.ts";

const TOKEN = "token-for-tests";
const SPEEDUP = 6_000;
export const FROM = "noreply@example.test";
export const TO = "ann@receiver.test";
export const HEADER = [
  `From: Shop <${FROM}>`,
  `To: ${TO}`,
  "Subject: Welcome",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: 7bit",
];

let directory: string;
let inbox: Inbox;
let worker: HttpServer;
let service: EmailService;
/** The events that the worker received from the double, in the order of arrival. */
export let published: SendingEvent[];
/** False: the worker's route for events answers 503. */
export const route = { isUp: true };

/** Starts an inbox, a worker's route and the double for each test of the calling file. */
export function useEmailService(options: Partial<EmailServiceOptions> = {}): void {
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "email-service-"));
    published = [];
    route.isUp = true;
    inbox = await startInbox({ http: 0, mx: 0 }, join(directory, "inbox"));
    worker = await serveHttp(0, ({ headers, body }) => {
      if (!route.isUp || headers.authorization !== `Bearer ${TOKEN}`)
        return Promise.resolve({ status: 503 });
      published.push(...(JSON.parse(body.toString()) as SendingEvent[]));
      return Promise.resolve({ status: 204 });
    });
    await open(options);
  });
  afterEach(async () => {
    await Promise.all([service.close(), worker.close(), inbox.close()]);
    rmSync(directory, { recursive: true });
  });
}

/** Stops the double without emptying its queue, and starts it with the same state. */
export async function restart(options: Partial<EmailServiceOptions> = {}): Promise<void> {
  await service.close();
  await open(options);
}

async function open(options: Partial<EmailServiceOptions>): Promise<void> {
  service = await startEmailService(0, {
    directory: join(directory, "state"),
    token: TOKEN,
    eventsUrl: `http://127.0.0.1:${worker.port}/events`,
    route: { host: "127.0.0.1", port: inbox.mxPort, dns: null },
    retrySpeedup: SPEEDUP,
    ...options,
  });
}

/** Sends as the worker's binding does. Returns the id, or the error's code, or else its text. */
export async function send({
  header = HEADER,
  body = "It works.\r\n",
  from = FROM,
  to = TO,
}: Partial<Record<"body" | "from" | "to", string>> & {
  header?: readonly string[];
} = {}): Promise<string> {
  const binding = emailBinding(`http://127.0.0.1:${service.port}`, TOKEN);
  const raw = `${header.join("\r\n")}\r\n\r\n${body}`;
  try {
    const sent = await binding.send({ from, to, "EmailMessage::raw": raw });
    return sent.messageId;
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  }
}

export async function control(path: string, method = "GET", body?: unknown): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.port}${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  });
}

export async function inboxRules(...rules: readonly Record<string, unknown>[]): Promise<void> {
  await fetch(`http://127.0.0.1:${inbox.httpPort}/api/rules`, {
    method: "PUT",
    body: JSON.stringify({ rules }),
  });
}

/** Resolves with the mail in the inbox, oldest first. */
export async function mail(): Promise<MessageHead[]> {
  const response = await fetch(`http://127.0.0.1:${inbox.httpPort}/api/messages`);
  return ((await response.json()) as MessageHead[]).toReversed();
}

export async function rawMail(id = ""): Promise<string> {
  return (await fetch(`http://127.0.0.1:${inbox.httpPort}/api/messages/${id}/raw`)).text();
}

/** Waits until `count` events are published, and returns their types without the prefix. */
export async function eventTypes(count: number): Promise<string[]> {
  await vi.waitFor(
    () => {
      if (published.length < count) throw new Error(`${published.length} events of ${count}`);
    },
    { interval: 20 },
  );
  return published.map(({ type }) => type.replace("cf.email.sending.message.", ""));
}
