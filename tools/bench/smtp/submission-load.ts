// The load of `bench smtp`, in its own process. Concurrent sessions each send one message after the
// other. A session may connect again after a number of messages. Each message has its own
// Message-ID.
import { stuffDots } from "../../../smtp-gateway/src/smtp/dot-stuffing.ts";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { serveCommands } from "../../harness/command-loop.ts";
import { type LoadResult, resultOf } from "../harness/load.ts";
import { messageOf, NUMBER_PLACEHOLDER } from "./nodemailer-message.ts";
import { type SubmissionServer, Submitter } from "./submitter.ts";

export interface LoadCommand {
  readonly server: SubmissionServer;
  readonly sessions: number;
  /** Size of the message. */
  readonly bytes: number;
  /** Number of messages after which a session connects again. Absent: it never connects again. */
  readonly messagesPerConnection?: number;
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

const FINAL_DOT = ".\r\n";
/** Does not resume TLS sessions, because most clients that connect for each message can't. */
const secureContext = createSecureContext({
  ca: await readFile(process.env["BENCH_CERTIFICATE"] ?? ""),
});
const templates = new Map<number, Buffer>();
let number = Date.now();

class Session {
  readonly #command: LoadCommand;
  readonly #template: Buffer;
  #connection: Submitter | null = null;
  #sent = 0;

  constructor(command: LoadCommand, template: Buffer) {
    this.#command = command;
    this.#template = template;
  }

  async send(): Promise<void> {
    this.#connection ??= await Submitter.open(this.#command.server, secureContext);
    const data = Buffer.from(this.#template);
    number += 1;
    const id = number.toString(16).padStart(NUMBER_PLACEHOLDER.length, "0");
    data.write(id, data.indexOf(NUMBER_PLACEHOLDER), "latin1");
    await this.#connection.send(data);
    this.#sent += 1;
    if (this.#sent === this.#command.messagesPerConnection) await this.quit();
  }

  async quit(): Promise<void> {
    await this.#connection?.quit();
    this.#connection = null;
    this.#sent = 0;
  }
}

async function load(command: LoadCommand): Promise<LoadTotals> {
  const { sessions, bytes, until, warmUp } = command;
  const template = templates.get(bytes) ?? Buffer.from(stuffDots(await messageOf(bytes)));
  templates.set(bytes, template);
  const everyone = Array.from({ length: sessions }, () => new Session(command, template));
  const together = (work: (session: Session) => Promise<void>): Promise<unknown> =>
    Promise.all(everyone.map(work));
  await together(async (session) => {
    for (let sent = 0; sent < warmUp; sent += 1) await session.send();
  });
  const latencies: number[] = [];
  const start = performance.now();
  let left = "messages" in until ? until.messages : Number.POSITIVE_INFINITY;
  const end = "seconds" in until ? start + until.seconds * 1_000 : Number.POSITIVE_INFINITY;
  await together(async (session) => {
    for (let at = performance.now(); at < end && left > 0;) {
      left -= 1;
      await session.send();
      const then = performance.now();
      latencies.push(then - at);
      at = then;
    }
  });
  const seconds = (performance.now() - start) / 1_000;
  await together((session) => session.quit());
  return {
    ...resultOf(latencies, seconds, latencies.length),
    bytes: template.length - FINAL_DOT.length,
    accepted: latencies.length + sessions * warmUp,
  };
}

console.log("ready");
await serveCommands((command) => load(command as LoadCommand));
process.exit(0);
