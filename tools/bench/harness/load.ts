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

/**
 * Sends for this many seconds. `between` is called after the warm-up, right before the first
 * counted message.
 */
export async function sendFor(
  target: LoadTarget,
  callers: number,
  seconds: number,
  between: () => void = () => {},
  send: Send = SINGLE,
): Promise<LoadResult> {
  let until = 0;
  const quota = {
    begin: () => (until = performance.now() + seconds * 1_000),
    more: () => performance.now() < until,
  };
  return drive(target, callers, between, quota, send);
}

/** Sends this many messages. `bodyOf` makes each request body. */
export async function sendMessages(
  target: LoadTarget,
  callers: number,
  messages: number,
  bodyOf: () => string = () => SINGLE.body,
): Promise<LoadResult> {
  let left = messages;
  return drive(
    target,
    callers,
    () => {},
    { begin: () => {}, more: () => left-- > 0 },
    SINGLE,
    0,
    bodyOf,
  );
}

interface Quota {
  begin(): void;
  /** Tells whether to make another request. It is called once before each request. */
  more(): boolean;
}

async function drive(
  { origin, apiKey }: LoadTarget,
  callers: number,
  between: () => void,
  quota: Quota,
  { path, body: sameBody, messages: messagesEach }: Send,
  warmUp = WARM_UP,
  bodyOf: () => string = () => sameBody,
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: callers, pipelining: 1 });
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const latencies: number[] = [];
  const send = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: "POST",
      path,
      headers,
      body: bodyOf(),
    });
    const text = await body.text();
    if (statusCode !== ACCEPTED)
      throw new Error(`POST ${origin}${path}: ${statusCode} ${text.slice(0, ERROR_CHARACTERS)}`);
  };
  const everyone = Array.from({ length: callers });
  try {
    await Promise.all(
      everyone.map(async () => {
        for (let sent = 0; sent < warmUp; sent += 1) await send();
      }),
    );
    between();
    const start = performance.now();
    quota.begin();
    await Promise.all(
      everyone.map(async () => {
        while (quota.more()) {
          const sentAt = performance.now();
          await send();
          latencies.push(performance.now() - sentAt);
        }
      }),
    );
    const seconds = (performance.now() - start) / 1_000;
    const messages = latencies.length * messagesEach;
    return {
      messages,
      seconds,
      rate: messages / seconds,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    };
  } finally {
    await pool.destroy();
  }
}
