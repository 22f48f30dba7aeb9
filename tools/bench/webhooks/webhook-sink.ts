// The target of all webhooks of a bench: an HTTP server that answers 200 at once, counts deliveries
// by batch id, and keeps one in fifty whole, so that its signatures can be verified after the
// measurement.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { answerQuestions } from "../../harness/command-loop.ts";

/**
 * `forget` resets the count. `wait` waits for this many deliveries and answers with what is known
 * of them.
 */
export type ReceiverQuestion =
  | { readonly forget: true }
  | { readonly wait: number; readonly withinMs: number };

export interface SunkDeliveries {
  /** Milliseconds since the first one. */
  readonly at: readonly number[];
  /** Number of different batch ids. */
  readonly batches: number;
  readonly sample: readonly SunkDelivery[];
}

export interface SunkDelivery {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SAMPLE_EVERY = 50;

let at: number[] = [];
let batches = new Set<string>();
let sample: SunkDelivery[] = [];
let arrived: () => void = () => {};

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.end("ok");
    const headers = request.headers as Record<string, string>;
    batches.add(headers["service-batch-id"] ?? "");
    if (at.length % SAMPLE_EVERY === 0)
      sample.push({ headers, body: Buffer.concat(chunks).toString() });
    at.push(performance.now());
    arrived();
  });
}

async function answer(question: ReceiverQuestion): Promise<object> {
  if ("wait" in question) return waitFor(question.wait, question.withinMs);
  at = [];
  batches = new Set();
  sample = [];
  return {};
}

async function waitFor(deliveries: number, withinMs: number): Promise<SunkDeliveries> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  arrived = (): void => {
    if (at.length >= deliveries) resolve();
  };
  const timer = setTimeout(
    () => reject(new Error(`${at.length} of ${deliveries} deliveries came within ${withinMs} ms`)),
    withinMs,
  );
  arrived();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    arrived = () => {};
  }
  return { at: at.map((one) => one - at[0]!), batches: batches.size, sample };
}

const server = createServer(receive);
console.log(`listening on ${await listenOnLoopback(server)}`);
await answerQuestions((question) => answer(question as ReceiverQuestion));
process.exit(0);
