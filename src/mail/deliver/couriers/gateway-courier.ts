// The default courier: hands composed copies to the gateway's egress in one streamed request, and
// reads the outcomes line by line as they are known (docs/egress-protocol.md). The gateway down, or
// its answer cut short, leaves parcels without an outcome: they are offered again.
import { Buffer } from "node:buffer";
import * as z from "zod";
import { logError, logWarning } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { Courier, OutboundCopy } from "./courier.ts";

/** Longer than the gateway's own longest transaction, shorter than a queue consumer may live. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;
const LONGEST_LINE = 8_192;
/**
 * What is handed over at once, if it is so much; the first parcel goes by itself. A chunk costs
 * both sides about what composing a copy does.
 */
const CHUNK_BYTES = 16 * 1_024;
/** How long outcomes gather, while there are parcels to hand over. */
const READ_EVERY_MS = 50;

const encoder = new TextEncoder();

const Report = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    key: z.string(),
    code: z.int().min(200).max(599),
    enhanced: z.string().nullable(),
    text: z.string(),
    stage: z.enum(["connect", "helo", "starttls", "mail", "rcpt", "data", "end"]),
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
  return async (parcels, onOutcome) => {
    const uploaded = Promise.withResolvers<void>();
    try {
      const response = await fetch(`${egressUrl}/deliver`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${gatewayToken}`,
          "Content-Type": "application/octet-stream",
        },
        body: framed(parcels, uploaded.resolve),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        logWarning("egress_refused", { gateway, status: response.status });
        return;
      }
      const pause = () => Promise.race([uploaded.promise, scheduler.wait(READ_EVERY_MS)]);
      for await (const read of lines(response.body, pause))
        for (const line of read) report(line, onOutcome);
    } catch (error) {
      logError("egress_unreachable", error, { gateway });
    }
  };
}

function report(line: string, onOutcome: (key: string, outcome: Outcome) => void): void {
  const parsed = Report.safeParse(parseJson(line));
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
 * The request's body: one frame a parcel, pulled only as fast as the gateway reads. `ended`:
 * nothing more of it is there, or wanted.
 */
function framed(
  parcels: AsyncIterable<OutboundCopy>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const iterator = parcels[Symbol.asyncIterator]();
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

/** Frames of at least so many bytes, head and message in turn; fewer at the end. */
async function nextFrames(
  parcels: AsyncIterator<OutboundCopy>,
  wanted: number,
): Promise<{ frames: Uint8Array[]; done: boolean }> {
  const frames: Uint8Array[] = [];
  for (let size = 0; size < wanted;) {
    const { done, value } = await parcels.next();
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

/** The lines that each read brings. `pause` is waited for before the next. */
async function* lines(
  body: ReadableStream<Uint8Array>,
  pause: () => Promise<unknown>,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new Error("the egress answered a line without an end");
    yield parts.filter((part) => part !== "");
    await pause();
  }
}
