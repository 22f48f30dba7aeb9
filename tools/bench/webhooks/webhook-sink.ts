// The receiver of all webhooks of a bench: an HTTP server that answers 200 immediately and counts
// deliveries by batch id. It stores one delivery in fifty, so that signatures can be verified after
// the measurement.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { serveCommands } from "../../harness/command-loop.ts";
import { Arrivals } from "../harness/arrivals.ts";

/**
 * `forget` resets the count. `wait` waits for this many deliveries and answers with their figures.
 */
export type ReceiverCommand =
  | { readonly forget: true }
  | { readonly wait: number; readonly withinMs: number };

export interface ReceivedWebhookDeliveries {
  /** Milliseconds from the first delivery to each delivery. */
  readonly at: readonly number[];
  /** Number of different batch ids. */
  readonly batches: number;
  readonly sample: readonly ReceivedWebhookDelivery[];
}

export interface ReceivedWebhookDelivery {
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const SAMPLE_EVERY = 50;

const arrivals = new Arrivals();
let batches = new Set<string>();
let sample: ReceivedWebhookDelivery[] = [];

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.end("ok");
    const headers = request.headers as Record<string, string>;
    batches.add(headers["service-batch-id"] ?? "");
    if (arrivals.count % SAMPLE_EVERY === 0)
      sample.push({ headers, body: Buffer.concat(chunks).toString() });
    arrivals.note();
  });
}

async function answer(question: ReceiverCommand): Promise<object> {
  if ("wait" in question) {
    const at = await arrivals.wait(question.wait, question.withinMs);
    return { at, batches: batches.size, sample } satisfies ReceivedWebhookDeliveries;
  }
  arrivals.forget();
  batches = new Set();
  sample = [];
  return {};
}

const server = createServer(receive);
console.log(`listening on ${await listenOnLoopback(server)}`);
await serveCommands((question) => answer(question as ReceiverCommand));
process.exit(0);
