// The load of `bench smtp`, in its own process. Concurrent sessions each send one message after the
// other. A session may connect again after a number of messages. Each message has its own
// Message-ID.
import { stuffDots } from "../../../smtp-gateway/src/smtp/dot-stuffing.ts";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { serveCommands } from "../../harness/command-loop.ts";
import type { LoadResult } from "../harness/load.ts";
import { percentile } from "../harness/bench-result.ts";
import { messageOf, NUMBER_PLACEHOLDER } from "./nodemailer-message.ts";
import { type SubmissionServer, Submitter } from "./submitter.ts";

export interface LoadCommand {
  readonly server: SubmissionServer;
  readonly sessions: number;
  /** Size of the message. */
  readonly bytes: number;
  /**
   * Number of messages after which a session connects again. Null: a session never connects again.
   */
  readonly messagesPerConnection: number | null;
  /** The duration of the load, or the number of messages that it sends. */
  readonly until: { readonly seconds: number } | { readonly messages: number };
  /** Uncounted messages of each session at the start. */
  readonly warmUp: number;
}

export interface LoadTotals extends LoadResult {
  /** Size of each message, without its final dot. */
  readonly bytes: number;
  /** Number of accepted messages, including the warm-up. */
  readonly accepted: number;
}

/** Does not resume TLS sessions, because most clients that connect for each message can't. */
const secureContext = createSecureContext({
  ca: await readFile(process.env["BENCH_CERTIFICATE"] ?? ""),
});
const templates = new Map<number, Buffer>();
let number = Date.now();

class Session {
  readonly #question: LoadCommand;
  readonly #template: Buffer;
  #connection: Submitter | null = null;
  #sent = 0;

  constructor(question: LoadCommand, template: Buffer) {
    this.#question = question;
    this.#template = template;
  }

  async send(): Promise<void> {
    const connection = (this.#connection ??= await Submitter.open(
      this.#question.server,
      secureContext,
    ));
    const data = Buffer.from(this.#template);
    number += 1;
    data.write(
      number.toString(16).padStart(NUMBER_PLACEHOLDER.length, "0"),
      data.indexOf(NUMBER_PLACEHOLDER),
      "latin1",
    );
    await connection.send(data);
    this.#sent += 1;
    if (this.#sent === this.#question.messagesPerConnection) await this.quit();
  }

  async quit(): Promise<void> {
    await this.#connection?.quit();
    this.#connection = null;
    this.#sent = 0;
  }
}

async function load(question: LoadCommand): Promise<LoadTotals> {
  const { sessions, bytes, until, warmUp } = question;
  const template = templates.get(bytes) ?? (await dataOf(bytes));
  templates.set(bytes, template);
  const everyone = Array.from({ length: sessions }, () => new Session(question, template));
  await Promise.all(
    everyone.map(async (session) => {
      for (let sent = 0; sent < warmUp; sent += 1) await session.send();
    }),
  );
  const latencies: number[] = [];
  const start = performance.now();
  let left = "messages" in until ? until.messages : Number.POSITIVE_INFINITY;
  const end = "seconds" in until ? start + until.seconds * 1_000 : Number.POSITIVE_INFINITY;
  await Promise.all(
    everyone.map(async (session) => {
      for (let at = performance.now(); at < end && left > 0;) {
        left -= 1;
        await session.send();
        const then = performance.now();
        latencies.push(then - at);
        at = then;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(everyone.map((session) => session.quit()));
  return {
    messages: latencies.length,
    seconds,
    rate: latencies.length / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    bytes: template.length - FINAL_DOT.length,
    accepted: latencies.length + sessions * warmUp,
  };
}

const FINAL_DOT = ".\r\n";

async function dataOf(bytes: number): Promise<Buffer> {
  return Buffer.from(stuffDots(await messageOf(bytes)));
}

console.log("ready");
await serveCommands((question) => load(question as LoadCommand));
process.exit(0);
