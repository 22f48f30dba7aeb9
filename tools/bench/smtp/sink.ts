// A mail server that accepts everything and only keeps the time of each message: the destination of
// every sender in `bench deliver`. It offers PIPELINING and no TLS. While it is shut it answers no
// command, so that mail can pile up before it.
import { answerQuestions } from "../../harness/command-loop.ts";
import { Arrivals } from "../harness/arrivals.ts";
import { listenForMail } from "../../harness/smtp/smtp-server.ts";
import type { SmtpAnswer, SmtpStep } from "../../harness/smtp/smtp-session.ts";

/**
 * `shut` and `open` also reset the count. `wait` waits for this many messages since the reset and
 * answers with each one's time.
 */
export type SinkQuestion =
  | { readonly shut: true }
  | { readonly open: true }
  | { readonly wait: number; readonly withinMs: number };

export interface SunkMessages {
  /** Milliseconds since the first one. */
  readonly at: readonly number[];
}

const OPTIONS = {
  name: "sink.example",
  extensions: ["PIPELINING", "SIZE 10485760", "8BITMIME", "ENHANCEDSTATUSCODES"],
};

const arrivals = new Arrivals();
let gate: PromiseWithResolvers<void> | undefined;

const take: SmtpAnswer = (step) => (gate ? gate.promise.then(() => count(step)) : count(step));

function count({ verb, usual }: SmtpStep): string {
  if (verb === "end") arrivals.note();
  return usual;
}

async function answer(question: SinkQuestion): Promise<object> {
  if ("wait" in question) return { at: await arrivals.wait(question.wait, question.withinMs) };
  arrivals.forget();
  gate?.resolve();
  gate = "shut" in question ? Promise.withResolvers<void>() : undefined;
  return {};
}

const { port } = await listenForMail(0, "127.0.0.1", OPTIONS, () => take);
console.log(`listening on ${port}`);
await answerQuestions((question) => answer(question as SinkQuestion));
process.exit(0);
