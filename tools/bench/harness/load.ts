// Callers of a send endpoint. Each has its own connection, and waits for every answer before its
// next request.
import { Pool } from "undici";
import { type Send, SINGLE } from "../../harness/sample-message.ts";
import { percentile } from "./bench-result.ts";

export interface LoadTarget {
  readonly origin: string;
  readonly apiKey: string;
}

export interface LoadResult {
  readonly messages: number;
  readonly seconds: number;
  /** Messages per second. */
  readonly rate: number;
  /** Latency of one request. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const ACCEPTED = 202;
const ERROR_CHARACTERS = 1_000;
/** Uncounted requests of each caller at the start. */
const WARM_UP = 5;

/** Posts the bodies of sends over kept connections. */
export class SendConnections {
  readonly #target: LoadTarget;
  readonly #path: string;
  readonly #pool: Pool;

  constructor(target: LoadTarget, connections: number, path = SINGLE.path) {
    this.#target = target;
    this.#path = path;
    this.#pool = new Pool(target.origin, { connections, pipelining: 1 });
  }

  /** Returns the body of the answer. Throws if the status is not 202. */
  async post(body: string): Promise<string> {
    const { apiKey } = this.#target;
    const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
    const request = { method: "POST", path: this.#path, headers, body } as const;
    const answer = await this.#pool.request(request);
    const text = await answer.body.text();
    if (answer.statusCode === ACCEPTED) return text;
    throw new Error(`POST ${this.#path}: ${answer.statusCode} ${text.slice(0, ERROR_CHARACTERS)}`);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/**
 * Sends for this many seconds. `begin` is called after the warm-up, right before the first counted
 * message.
 */
export async function sendFor(
  target: LoadTarget,
  callers: number,
  seconds: number,
  send: Send,
  begin: () => void = () => {},
): Promise<LoadResult> {
  const pool = new SendConnections(target, callers, send.path);
  const latencies: number[] = [];
  try {
    await together(callers, async () => {
      for (let sent = 0; sent < WARM_UP; sent += 1) await pool.post(send.body);
    });
    begin();
    const start = performance.now();
    await together(callers, async () => {
      for (let at = start; at < start + seconds * 1_000;) {
        await pool.post(send.body);
        const then = performance.now();
        latencies.push(then - at);
        at = then;
      }
    });
    const took = (performance.now() - start) / 1_000;
    return resultOf(latencies, took, latencies.length * send.messages);
  } finally {
    await pool.close();
  }
}

/** Sends this many messages, each in a request of its own. Returns the number. */
export async function sendMessages(
  target: LoadTarget,
  callers: number,
  messages: number,
  bodyOf: () => string = () => SINGLE.body,
): Promise<number> {
  const pool = new SendConnections(target, callers);
  let left = messages;
  try {
    await together(callers, async () => {
      while (left-- > 0) await pool.post(bodyOf());
    });
  } finally {
    await pool.close();
  }
  return messages;
}

export function resultOf(
  latencies: readonly number[],
  seconds: number,
  messages: number,
): LoadResult {
  return {
    messages,
    seconds,
    rate: messages / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** Runs the work of all callers in parallel. */
async function together(callers: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: callers }, work));
}
