// Decides which messages go to the worker together (docs/gateway-protocol.md §Several messages):
// those that come by one key and from one address while a request of theirs is under way. A request
// costs more than a message, at the worker and at the gateway; a session that submits alone never
// waits.
import type { WorkerAnswer } from "./replies.ts";
import type { WorkerApi } from "../worker-api.ts";

/** As long as a message waits for those before it: next to nothing where the worker is far away. */
const WAIT_MS = 5;
/** Larger ones go alone. */
const SMALL_BYTES = 64 * 1024;
const BUNDLE_FRAMES = 32;
const BUNDLE_BYTES = 1024 * 1024;
/** For how long a worker that does not know bundles is sent none: it is older than this gateway. */
const UNKNOWN_MS = 60_000;

interface Waiting {
  readonly frame: Buffer;
  readonly resolve: (answer: WorkerAnswer | null) => void;
}

/** One key from one address. */
interface Lane {
  readonly name: string;
  readonly key: string;
  readonly client: string;
  underWay: number;
  waiting: Waiting[];
  bytes: number;
  timer: NodeJS.Timeout | undefined;
}

export class Bundler {
  readonly #worker: WorkerApi;
  /** Those with a request under way. */
  readonly #lanes = new Map<string, Lane>();
  #unknownUntil = Number.NEGATIVE_INFINITY;

  constructor(worker: WorkerApi) {
    this.#worker = worker;
  }

  /** The worker's answer to this message, null where none came. */
  submit(key: string, client: string, frame: Buffer): Promise<WorkerAnswer | null> {
    const name = `${client} ${key}`;
    const lane = this.#lanes.get(name) ?? {
      name,
      key,
      client,
      underWay: 0,
      waiting: [],
      bytes: 0,
      timer: undefined,
    };
    this.#lanes.set(name, lane);
    const goesAlone =
      lane.underWay === 0 || frame.length > SMALL_BYTES || performance.now() < this.#unknownUntil;
    if (goesAlone) return this.#during(lane, () => this.#worker.submit(key, client, frame));
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer | null>();
    lane.waiting.push({ frame, resolve });
    lane.bytes += frame.length;
    if (lane.waiting.length >= BUNDLE_FRAMES || lane.bytes >= BUNDLE_BYTES) this.#sendWaiting(lane);
    else lane.timer ??= setTimeout(() => this.#sendWaiting(lane), WAIT_MS);
    return promise;
  }

  async #during<Result>(lane: Lane, request: () => Promise<Result>): Promise<Result> {
    lane.underWay += 1;
    try {
      return await request();
    } finally {
      lane.underWay -= 1;
      if (lane.waiting.length > 0) this.#sendWaiting(lane);
      else if (lane.underWay === 0) this.#lanes.delete(lane.name);
    }
  }

  #sendWaiting(lane: Lane): void {
    const { waiting } = lane;
    clearTimeout(lane.timer);
    lane.timer = undefined;
    lane.waiting = [];
    lane.bytes = 0;
    void this.#during(lane, () => this.#ask(lane, waiting));
  }

  async #ask({ key, client }: Lane, waiting: readonly Waiting[]): Promise<void> {
    const frames = waiting.map(({ frame }) => frame);
    const answers =
      frames.length === 1 ? null : await this.#worker.submitTogether(key, client, frames);
    if (answers === "unknown") this.#unknownUntil = performance.now() + UNKNOWN_MS;
    const one = async ({ frame, resolve }: Waiting, index: number): Promise<void> =>
      resolve(
        Array.isArray(answers)
          ? (answers[index] ?? null)
          : await this.#worker.submit(key, client, frame),
      );
    await Promise.all(waiting.map(one));
  }
}
