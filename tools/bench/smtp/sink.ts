// A mail server that accepts everything and records only the time of each message. Every sender in
// `bench deliver` delivers to it. It offers PIPELINING and no TLS. A shut sink answers no command,
// so that mail piles up in front of it. With BENCH_DEFERS, it defers each address once.
import { serveCommands } from "../../harness/command-loop.ts";
import { Arrivals } from "../harness/arrivals.ts";
import { listenForMail, PLAIN_SERVER } from "../../harness/smtp/smtp-server.ts";
import type { SmtpResponder, SmtpStep } from "../../harness/smtp/smtp-session.ts";

/**
 * `open` opens or shuts the sink, and resets the count. `wait` waits for this many messages since
 * the reset, and answers with the time of each.
 */
export type SinkCommand =
  | { readonly open: boolean }
  | { readonly wait: number; readonly withinMs: number };

export interface ReceivedMessages {
  /** Milliseconds from the first message to each message. */
  readonly at: readonly number[];
}

const arrivals = new Arrivals();
let gate: PromiseWithResolvers<void> | undefined;

const take: SmtpResponder = (step) => (gate ? gate.promise.then(() => count(step)) : count(step));

const defers = process.env["BENCH_DEFERS"] !== undefined;
const deferred = new Set<string>();

function count({ verb, address, usual }: SmtpStep): string {
  if (defers && verb === "rcpt" && !deferred.has(address)) {
    deferred.add(address);
    return "450 4.2.1 later";
  }
  if (verb === "end") arrivals.note();
  return usual;
}

async function answer(question: SinkCommand): Promise<object> {
  if ("wait" in question) return { at: await arrivals.wait(question.wait, question.withinMs) };
  arrivals.forget();
  gate?.resolve();
  gate = question.open ? undefined : Promise.withResolvers();
  return {};
}

const { port } = await listenForMail(0, "127.0.0.1", PLAIN_SERVER, () => take);
console.log(`listening on ${port}`);
await serveCommands((question) => answer(question as SinkCommand));
process.exit(0);
