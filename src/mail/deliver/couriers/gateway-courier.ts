// The default courier: hands composed copies to the gateway's egress in one streamed request and
// reads the outcomes line by line as they become known (docs/egress-protocol.md). If the gateway is
// down or its answer is cut short, the remaining copies get no outcome and are offered again.
import { SMTP_STAGES } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { Buffer } from "node:buffer";
import * as z from "zod";
import { logError, logWarning } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { Courier, OutboundCopy } from "../courier.ts";

/** Longer than the gateway's longest transaction, shorter than a queue consumer's lifetime. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;
const LONGEST_LINE = 8_192;
/**
 * Minimum size of a chunk of the request's body, except for the first copy, which goes at once. A
 * chunk costs both sides about as much as composing a copy.
 */
const CHUNK_BYTES = 16 * 1_024;
/** Time between reads of the answer while copies are still being uploaded. */
const READ_EVERY_MS = 50;

const encoder = new TextEncoder();

const OutcomeLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    key: z.string(),
    code: z.int().min(200).max(599),
    enhanced: z.string().nullable(),
    text: z.string(),
    stage: z.enum(SMTP_STAGES),
    mx_host: z.string().nullable(),
    tls: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("failure"),
    key: z.string(),
    cause: z.enum(["no_mail_server", "null_mx", "dns", "tls", "connect", "other"]),
    detail: z.string(),
    mx_host: z.string().nullable(),
  }),
]);

/** `egressUrl`: without a final slash. */
export function gatewayCourier(egressUrl: string, gatewayToken: string): Courier {
  const gateway = URL.parse(egressUrl)?.host ?? "";
  return async (copies, onOutcome) => {
    const uploaded = Promise.withResolvers<void>();
    try {
      const response = await fetch(`${egressUrl}/deliver`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${gatewayToken}`,
          "Content-Type": "application/octet-stream",
        },
        body: frameCopies(copies, uploaded.resolve),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        logWarning("egress_refused", { gateway, status: response.status });
        return;
      }
      const pause = () => Promise.race([uploaded.promise, scheduler.wait(READ_EVERY_MS)]);
      for await (const batch of readLines(response.body, pause))
        for (const line of batch) reportOutcome(line, onOutcome);
    } catch (error) {
      logError("egress_unreachable", error, { gateway });
    }
  };
}

function reportOutcome(line: string, onOutcome: (key: string, outcome: Outcome) => void): void {
  const parsed = OutcomeLine.safeParse(parseJson(line));
  if (!parsed.success) {
    logWarning("egress_line_unreadable", { length: line.length });
    return;
  }
  const { key, mx_host: mxHost, ...rest } = parsed.data;
  onOutcome(key, { ...rest, mxHost });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * The request's body: one frame for each copy, pulled only as fast as the gateway reads. It calls
 * `ended` when no copy is left, or when the gateway wants no more.
 */
function frameCopies(
  copies: AsyncIterable<OutboundCopy>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const iterator = copies[Symbol.asyncIterator]();
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
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
  });
}

/** Frames of at least `wanted` bytes, head and message in turn; fewer at the end. */
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

function frameHead({ key, mailFrom, rcptTo, pool, bytes }: OutboundCopy): Uint8Array {
  const head = encoder.encode(
    JSON.stringify({ key, mail_from: mailFrom, rcpt_to: rcptTo, pool, size: bytes.length }),
  );
  const frame = new Uint8Array(4 + head.length);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, 4);
  return frame;
}

/** Yields the complete lines of each read, and waits for `pause` before the next read. */
async function* readLines(
  body: ReadableStream<Uint8Array>,
  pause: () => Promise<unknown>,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE)
      throw new Error(`the gateway's egress sent a line of over ${LONGEST_LINE} characters`);
    yield parts.filter((part) => part !== "");
    await pause();
  }
}
