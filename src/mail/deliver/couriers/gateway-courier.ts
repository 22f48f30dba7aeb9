// The default courier: sends composed copies to the gateway in one streamed request, waits a few
// seconds, and reports the outcomes that are known by then (docs/egress-protocol.md). The gateway
// continues with the other copies, and the ledger asks for their outcomes after some time (ask.ts).
import { Buffer } from "node:buffer";
import { logError, logWarning } from "../../../lib/log.ts";
import type { Courier, OnOutcome, OutboundCopy } from "../courier.ts";
import { readOutcomeLine, readLines } from "./gateway-lines.ts";

/**
 * Number of whole seconds for which the courier waits for outcomes after the last copy. Most mail
 * servers have replied by then, and the ledger asks for the other outcomes.
 */
export const STAY_SECONDS = 3;
/**
 * Time without any read or write after which the request ends, because the gateway or the
 * connection to it hangs. The wait for outcomes is added to this time.
 */
const STALL_MS = 10_000;
/**
 * Minimum size of a chunk of the request's body, because a chunk costs both sides about as much as
 * composing a copy. The first chunk may be smaller, because it is sent as soon as one copy is
 * composed.
 */
const CHUNK_BYTES = 16 * 1_024;
/** Interval between reads of the response while copies are still being uploaded. */
const READ_EVERY_MS = 50;

const encoder = new TextEncoder();

/** Makes the courier. `egressUrl` is the gateway's URL without a final slash. */
export function gatewayCourier(
  egressUrl: string,
  gatewayToken: string,
  staySeconds = STAY_SECONDS,
): Courier {
  const gateway = URL.parse(egressUrl)?.host ?? "";
  return async (copies, onOutcome) => {
    const uploaded = Promise.withResolvers<void>();
    const stall = new Stall(staySeconds * 1_000 + STALL_MS);
    try {
      const response = await fetch(`${egressUrl}/deliver`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${gatewayToken}`,
          "Content-Type": "application/octet-stream",
          Prefer: `wait=${staySeconds}`,
        },
        body: frameCopies(copies, stall, uploaded.resolve),
        signal: stall.signal,
      });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        logWarning("egress_refused", { gateway, status: response.status });
        return "down";
      }
      for await (const lines of readLines(response.body)) {
        stall.restart();
        for (const line of lines) reportAnswer(line, onOutcome);
        await Promise.race([uploaded.promise, scheduler.wait(READ_EVERY_MS)]);
      }
    } catch (error) {
      logError("egress_unreachable", error, { gateway });
      return "down";
    } finally {
      stall.end();
    }
    return undefined;
  };
}

/** Aborts a request that did not read or write for some time. */
class Stall {
  readonly #ms: number;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Reports an outcome to the caller. A running attempt is not reported, so the caller counts the
 * copy as transferred to the gateway.
 */
function reportAnswer(line: string, onOutcome: OnOutcome): void {
  const { key, answer } = readOutcomeLine(line, Date.now()) ?? {};
  if (key === undefined || !answer) return;
  if (answer.kind === "known") onOutcome(key, answer.outcome, answer.times);
  else if (answer.kind === "not_taken") onOutcome(key, answer);
}

/**
 * Returns the request's body: one frame for each copy, made only as fast as the gateway reads.
 * Calls `ended` when no copy is left, or when the gateway takes no more copies.
 */
function frameCopies(
  copies: AsyncIterable<OutboundCopy>,
  stall: Stall,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const iterator = copies[Symbol.asyncIterator]();
  let isFirst = true;
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      stall.restart();
      const { frames, done } = await nextFrames(iterator, isFirst ? 1 : CHUNK_BYTES);
      isFirst = false;
      if (frames.length <= 2) for (const piece of frames) controller.enqueue(piece);
      else controller.enqueue(Buffer.concat(frames));
      if (!done) return;
      ended();
      controller.close();
    },
    async cancel() {
      ended();
      await iterator.return?.();
    },
  } satisfies UnderlyingSource<Uint8Array>;
  // The stream reads no copy ahead. So without a connection, no copy counts as transferred.
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}

/**
 * Returns the next frames, each as a head and a message. Their messages have at least `wanted`
 * bytes together, unless no copy is left.
 */
async function nextFrames(
  copies: AsyncIterator<OutboundCopy>,
  wanted: number,
): Promise<{ frames: Uint8Array[]; done: boolean }> {
  const frames: Uint8Array[] = [];
  for (let size = 0; size < wanted;) {
    const { done, value } = await copies.next();
    if (done) return { frames, done };
    frames.push(frameHead(value), value.bytes);
    size += value.bytes.length;
  }
  return { frames, done: false };
}

function frameHead(copy: OutboundCopy): Uint8Array {
  const { key, mailFrom, rcptTo, pool, team, priority, waitsSince, bytes } = copy;
  const head = encoder.encode(
    JSON.stringify({
      key,
      mail_from: mailFrom,
      rcpt_to: rcptTo,
      pool,
      team,
      priority,
      ...(waitsSince !== undefined && { waited_ms: Math.max(0, Date.now() - waitsSince) }),
      converted: true,
      size: bytes.length,
    }),
  );
  const frame = new Uint8Array(4 + head.length);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, 4);
  return frame;
}
