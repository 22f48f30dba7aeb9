// Decides which messages go to the worker in one request (docs/gateway-protocol.md §Several
// messages). While a request of a key and IP address runs, further messages of the same key and
// address wait some milliseconds and share the next request. One request with many messages costs
// less than many requests. A client that submits one message at a time never waits.
import type { WorkerResponse, WorkerApi } from "./worker-api.ts";

/**
 * Maximum number of milliseconds that a message waits for others, to share one request with them. A
 * request takes much longer than this.
 */
const BUNDLE_WAIT_MS = 5;
/** Size up to which frames share a request. A larger frame has a request for itself. */
export const SMALL_BYTES = 64 * 1024;
export const BUNDLE_FRAMES = 32;
export const BUNDLE_BYTES = 1024 * 1024;
/**
 * Milliseconds in which no messages share a request, after the worker proved too old for such
 * requests.
 */
const NO_BUNDLES_MS = 60_000;

interface Waiting {
  readonly frame: Buffer;
  readonly resolve: (answer: WorkerResponse | null) => void;
}

/** The messages of one key from one IP address. */
interface Submitter {
  readonly name: string;
  readonly key: string;
  readonly address: string;
  underWay: number;
  waiting: Waiting[];
  bytes: number;
  timer: NodeJS.Timeout | undefined;
}

export class Bundler {
  readonly #worker: WorkerApi;
  /** The clients with a running request, by IP address and key. */
  readonly #clients = new Map<string, Submitter>();
  #unsupportedUntil = Number.NEGATIVE_INFINITY;

  constructor(worker: WorkerApi) {
    this.#worker = worker;
  }

  /** Resolves with the worker's answer to this message. Resolves with null if no answer came. */
  submit(key: string, address: string, frame: Buffer): Promise<WorkerResponse | null> {
    const name = `${address} ${key}`;
    const client = this.#clients.get(name) ?? {
      name,
      key,
      address,
      underWay: 0,
      waiting: [],
      bytes: 0,
      timer: undefined,
    };
    this.#clients.set(name, client);
    const goesAlone =
      client.underWay === 0 ||
      frame.length > SMALL_BYTES ||
      performance.now() < this.#unsupportedUntil;
    if (goesAlone) return this.#request(client, () => this.#worker.submit(key, address, frame));
    const { promise, resolve } = Promise.withResolvers<WorkerResponse | null>();
    client.waiting.push({ frame, resolve });
    client.bytes += frame.length;
    if (client.waiting.length >= BUNDLE_FRAMES || client.bytes >= BUNDLE_BYTES)
      this.#sendWaiting(client);
    else client.timer ??= setTimeout(() => this.#sendWaiting(client), BUNDLE_WAIT_MS);
    return promise;
  }

  /** Makes a request for the client. Then sends the frames that waited during the request. */
  async #request<Result>(client: Submitter, request: () => Promise<Result>): Promise<Result> {
    client.underWay += 1;
    try {
      return await request();
    } finally {
      client.underWay -= 1;
      if (client.waiting.length > 0) this.#sendWaiting(client);
      else if (client.underWay === 0) this.#clients.delete(client.name);
    }
  }

  #sendWaiting(client: Submitter): void {
    const { waiting } = client;
    clearTimeout(client.timer);
    client.timer = undefined;
    client.waiting = [];
    client.bytes = 0;
    void this.#request(client, () => this.#submitBundle(client, waiting));
  }

  async #submitBundle({ key, address }: Submitter, waiting: readonly Waiting[]): Promise<void> {
    const frames = waiting.map(({ frame }) => frame);
    const answers =
      frames.length === 1 ? null : await this.#worker.submitTogether(key, address, frames);
    if (answers === "unsupported") this.#unsupportedUntil = performance.now() + NO_BUNDLES_MS;
    const settle = async ({ frame, resolve }: Waiting, index: number): Promise<void> =>
      resolve(
        Array.isArray(answers)
          ? (answers[index] ?? null)
          : await this.#worker.submit(key, address, frame),
      );
    await Promise.all(waiting.map(settle));
  }
}
