// Sends a team's mail while a new version of the service is deployed: single sends, batches,
// scheduled messages and submissions. The clients repeat a request under its key until it is
// answered. The load records which messages the mail server and a webhook got.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { submitMessage } from "../../tools/chaos/submit-message.ts";
import type { Cleanup } from "../../tools/harness/cleanup.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { SENDER_DOMAIN } from "../../tools/harness/sample-message.ts";
import { type FakeMx, fakeMx } from "../gateway/fake-mx.ts";

const CALLERS = 4;
/** Number of kinds of requests. Each caller sends one of each kind, and then begins again. */
const KINDS = 5;
const BATCH = 3;
const SCHEDULED_MS = 2_000;
const REPEAT_MS = 50;
/** A caller waits this long between two sends, so that the load is steady but not heavy. */
const PAUSE_MS = 100;
const FROM = `hello@${SENDER_DOMAIN}`;

export interface Door {
  readonly origin: string;
  readonly submissionPort: number;
  readonly apiKey: string;
}

/** A mail server that defers every third recipient once, so that some jobs are always open. */
export async function deferringMx(cleanup: Cleanup): Promise<FakeMx> {
  const deferred = new Set<string>();
  const mx = await fakeMx({
    rcpt: (line) => {
      if (!/customer-\d*[036]@/.test(line) || deferred.has(line)) return "250 2.1.5 ok";
      deferred.add(line);
      return "451 4.7.1 come later";
    },
  });
  cleanup.add(() => mx.close());
  return mx;
}

export class DeploymentLoad {
  /** Recipients of the messages that the service accepted, with 202 over HTTP or 250 over SMTP. */
  readonly accepted: string[] = [];
  /** Responses of the API that stay errors if the client repeats the request. */
  readonly wrong: string[] = [];
  readonly #door: Door;
  /** Ids of the events that the webhook got, by recipient. */
  readonly #told = new Map<string, Set<string>>();
  #next = 0;
  #isOver = false;

  constructor(door: Door) {
    this.#door = door;
  }

  /** Makes the team's webhook. */
  async listen(cleanup: Cleanup): Promise<void> {
    const url = await this.#receive(cleanup);
    const hook = { name: "All", url, events: ["email.delivered", "email.bounced"] };
    await this.#post("/v1/webhooks", hook, "hook");
  }

  /** Sends requests until end() is called and the last request has its answer. */
  async send(): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, () => this.#call()));
  }

  end(): void {
    this.#isOver = true;
  }

  /** Returns the recipients for whom the webhook received no delivery event, or more than one. */
  untold(): string[] {
    return this.accepted.filter((recipient) => this.#told.get(recipient)?.size !== 1);
  }

  async #call(): Promise<void> {
    while (!this.#isOver) {
      const number = this.#next++;
      const to = `customer-${number}@recipient.example`;
      if (number % KINDS === 0) await this.#submit(to, number);
      else if (number % KINDS === 1) await this.#sendBatch(to, number);
      else await this.#send(to, number, number % KINDS === 2);
      await sleep(PAUSE_MS);
    }
  }

  async #send(to: string, number: number, isScheduled: boolean): Promise<void> {
    const at = new Date(Date.now() + SCHEDULED_MS).toISOString();
    const message = { ...messageTo(to), ...(isScheduled && { scheduled_at: at }) };
    await this.#post("/v1/email", message, `single-${number}`);
    this.accepted.push(to);
  }

  async #sendBatch(to: string, number: number): Promise<void> {
    const recipients = Array.from({ length: BATCH }, (_, at) => `b${at}-${to}`);
    await this.#post("/v1/email/batch", { emails: recipients.map(messageTo) }, `batch-${number}`);
    this.accepted.push(...recipients);
  }

  /**
   * Repeats the request until it is answered. A connection error, a 409 or a 5xx does not count as
   * an answer.
   */
  async #post(path: string, body: object, key: string): Promise<void> {
    const { origin, apiKey } = this.#door;
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    for (;;) {
      const answer = await fetch(origin + path, request).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (answer && answer.status < 300 && typeof text === "string") return;
      if (answer && answer.status < 500 && answer.status !== 409)
        return void this.wrong.push(`${path}: ${answer.status} ${text}`);
      await sleep(REPEAT_MS);
    }
  }

  async #submit(to: string, number: number): Promise<void> {
    const { submissionPort: port, apiKey } = this.#door;
    const header = [
      `From: ${FROM}`,
      `To: ${to}`,
      "Subject: Hello",
      `X-Service-Idempotency-Key: smtp-${number}`,
    ];
    const message = `${header.join("\r\n")}\r\n\r\nIt works.\r\n`;
    const submission = { port, apiKey, from: FROM, recipients: [to], message, hangsUpAfter: null };
    for (;;) {
      const reply = await submitMessage(submission).catch(() => "");
      if (reply.startsWith("250")) return void this.accepted.push(to);
      if (reply.startsWith("5")) return void this.wrong.push(`SMTP: ${reply}`);
      await sleep(REPEAT_MS);
    }
  }

  async #receive(cleanup: Cleanup): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { events } = JSON.parse(Buffer.concat(chunks).toString()) as {
          events: { id: string; type: string; data: { recipient: string } }[];
        };
        for (const { id, type, data } of events) {
          if (type !== "email.delivered") this.wrong.push(`${type} ${data.recipient}`);
          const known = this.#told.get(data.recipient) ?? new Set();
          this.#told.set(data.recipient, known.add(id));
        }
        response.end();
      });
    });
    const port = await listenOnLoopback(server);
    cleanup.add(() => server.closeAllConnections());
    cleanup.add(() => server.close());
    return `http://127.0.0.1:${port}/`;
  }
}

/** Counts the copies that the mail server took, by the recipient in their headers. */
export function copiesAt({ messages }: FakeMx): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  for (const message of messages) {
    const [to = "?"] = /(?<=^To:.*?)[\w-]+@recipient\.example/im.exec(message.toString()) ?? [];
    copies.set(to, (copies.get(to) ?? 0) + 1);
  }
  return copies;
}

function messageTo(to: string): object {
  return { from: FROM, to: [to], subject: "Hello", text: "It works." };
}
