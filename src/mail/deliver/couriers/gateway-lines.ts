// Reads a gateway's response, which has one line of JSON for each attempt
// (docs/egress-protocol.md).
import * as z from "zod";
import { SMTP_STAGES } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { logWarning } from "../../../lib/log.ts";
import type { Outcome } from "../../message.ts";
import type { OutcomeTimes, UntakenCopy } from "../courier.ts";

/** A gateway's response about one attempt. */
export type AttemptStatus =
  | { readonly kind: "known"; readonly outcome: Outcome; readonly times: OutcomeTimes }
  /**
   * The outcome is not known yet. `waitsSince` is the time at which the copy first arrived at the
   * gateway, in Unix milliseconds. Absent if the copy does not wait for a connection.
   */
  | { readonly kind: "under_way"; readonly waitsSince?: number }
  /** No server was asked. The gateway has forgotten the attempt, or keeps its queue position. */
  | UntakenCopy
  | { readonly kind: "never_heard" };

const LONGEST_LINE = 8_192;
/** The longest time for which a gateway may postpone a copy. */
const LONGEST_ROOM_MS = 15 * 60_000;

/** The ages of an attempt. A gateway of an earlier version leaves them out. */
const AGES = {
  taken_ms_ago: z.number().nonnegative().optional(),
  replied_ms_ago: z.number().nonnegative().default(0),
};

const Line = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    key: z.string(),
    code: z.int().min(200).max(599),
    enhanced: z.string().nullable(),
    text: z.string(),
    stage: z.enum(SMTP_STAGES),
    mx_host: z.string().nullable(),
    tls: z.string().nullable(),
    ...AGES,
  }),
  z.object({
    kind: z.literal("failure"),
    key: z.string(),
    cause: z.enum(["no_mail_server", "null_mx", "dns", "tls", "connect", "limit", "other"]),
    detail: z.string(),
    mx_host: z.string().nullable(),
    ...AGES,
  }),
  z.object({
    kind: z.enum(["under_way", "not_taken", "never_heard"]),
    key: z.string(),
    room_in_ms: z.number().nonnegative().optional(),
    waited_ms: z.number().nonnegative().optional(),
  }),
]);

/**
 * Reads a line that came at `now`, in Unix milliseconds. If the line can't be read, logs it and
 * returns undefined.
 */
export function readOutcomeLine(
  line: string,
  now: number,
): { readonly key: string; readonly answer: AttemptStatus } | undefined {
  const parsed = Line.safeParse(parseJson(line));
  if (!parsed.success) {
    logWarning("egress_line_unreadable", { length: line.length });
    return undefined;
  }
  const { key, ...said } = parsed.data;
  if (!("mx_host" in said)) return { key, answer: statusOf(said, now) };
  const { mx_host: mxHost, taken_ms_ago: taken, replied_ms_ago: replied, ...outcome } = said;
  const times = { repliedAt: now - replied, ...(taken !== undefined && { takenAt: now - taken }) };
  return { key, answer: { kind: "known", outcome: { ...outcome, mxHost }, times } };
}

/** A line without an outcome. docs/egress-protocol.md describes its members. */
type LineWithoutOutcome = Exclude<z.output<typeof Line>, { readonly mx_host: unknown }>;

function statusOf(
  { kind, room_in_ms: roomIn, waited_ms: waited = 0 }: Omit<LineWithoutOutcome, "key">,
  now: number,
): AttemptStatus {
  const waitsSince = now - waited;
  if (kind === "under_way") return { kind, ...(waited > 0 && { waitsSince }) };
  if (kind === "never_heard" || roomIn === undefined) return { kind };
  return { kind, room: { notBefore: now + Math.min(roomIn, LONGEST_ROOM_MS), waitsSince } };
}

/**
 * Yields the complete lines of each chunk of a body. Throws if a line is longer than a gateway's
 * lines can be.
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_LINE)
      throw new Error(`the gateway sent a line of over ${LONGEST_LINE} characters`);
    yield parts.filter((part) => part !== "");
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
