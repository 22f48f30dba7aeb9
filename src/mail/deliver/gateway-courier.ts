// The default courier: hands composed copies to the gateway's egress in one streamed request, and reads the outcomes line by line as they are
// known (docs/egress-protocol.md). The gateway down, or its answer cut short, leaves parcels without an outcome: they are offered again.
import * as z from "zod";
import { logError, logWarning } from "../../lib/log.ts";
import type { Outcome } from "../message.ts";
import type { Courier, Parcel } from "./courier.ts";

/** Longer than the gateway's own longest transaction, shorter than a queue consumer may live. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;
const LONGEST_LINE = 8_192;

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
    try {
      const response = await fetch(`${egressUrl}/deliver`, {
        method: "POST",
        headers: { Authorization: `Bearer ${gatewayToken}`, "Content-Type": "application/octet-stream" },
        body: framed(parcels),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        logWarning("egress_refused", { gateway, status: response.status });
        return;
      }
      for await (const line of lines(response.body)) report(line, onOutcome);
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

/** The request's body: one frame a parcel, pulled only as fast as the gateway reads. */
function framed(parcels: AsyncIterable<Parcel>): ReadableStream<Uint8Array> {
  const iterator = parcels[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(frameHead(value));
      controller.enqueue(value.bytes);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function frameHead({ key, mailFrom, rcptTo, pool, bytes }: Parcel): Uint8Array {
  const head = encoder.encode(JSON.stringify({ key, mail_from: mailFrom, rcpt_to: rcptTo, pool, size: bytes.length }));
  const frame = new Uint8Array(4 + head.length);
  new DataView(frame.buffer).setUint32(0, head.length);
  frame.set(head, 4);
  return frame;
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new Error("the egress answered a line without an end");
    for (const part of parts) if (part !== "") yield part;
  }
}
