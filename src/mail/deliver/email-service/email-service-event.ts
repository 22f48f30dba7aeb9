// Reads an event of Cloudflare's Email Service about a copy that it took
// (https://developers.cloudflare.com/queues/event-subscriptions/events-schemas/). Pure.
import { Buffer } from "node:buffer";
import * as z from "zod";
import { foldReply } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { LastReply } from "../../../rpc/ledger-calls.ts";

const KINDS = ["delivered", "deferred", "bounced", "failed", "rejected", "complained"] as const;
const TYPE = "cf.email.sending.message.";
const LONGEST_ADDRESS = 320;
/** Maximum length of an id. The ids that the documentation shows are shorter. */
const LONGEST_ID = 255;
/** Maximum length of a quoted reply or explanation. Stored texts are cut to less than this. */
const LONGEST_WORDS = 8_192;

const address = z.string().max(LONGEST_ADDRESS).regex(/@/);
const id = z.string().min(1).max(LONGEST_ID);
/**
 * A reply of a server, or an explanation by the Email Service. An empty value, or a value that is
 * not a string, counts as absent.
 */
const words = z
  .string()
  .transform((text) => text.trim().slice(0, LONGEST_WORDS) || undefined)
  .optional()
  .catch(undefined);
const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(shape).optional().catch(undefined);

const Body = z.object({
  type: z.templateLiteral([TYPE, z.enum(KINDS)]),
  payload: z.object({
    eventId: id,
    messageId: id,
    sender: address,
    recipient: address,
    delivery: group({
      smtpStatusCode: z
        .union([z.string(), z.int().transform(String)])
        .optional()
        .catch(undefined),
      smtpEnhancedStatusCode: words,
      smtpResponse: words,
    }),
    bounce: group({ type: words, reason: words }),
    rejection: group({ reason: words, party: words, detail: words }),
    failure: group({ reason: words }),
    complaint: group({ type: words }),
  }),
  metadata: group({ eventTimestamp: words }),
});

export interface EmailServiceEvent {
  readonly kind: (typeof KINDS)[number];
  readonly eventId: string;
  /** The id that the Email Service gave the copy. */
  readonly providerId: string;
  readonly sender: string;
  readonly recipient: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The reply of the recipient's server. Null means that the event quotes no reply. */
  readonly reply: LastReply | null;
  /** The Email Service's explanation of a bounce, a failure or a rejection. */
  readonly reason: string;
  /** The Email Service's name for the kind of a rejection, such as `suppressed`. */
  readonly rejectedAs: string;
  /**
   * True for a permanent bounce. False if the Email Service stopped trying, or if the event is of
   * another kind.
   */
  readonly isHard: boolean;
  /** The feedback type of a complaint, by RFC 5965. */
  readonly feedbackType: string;
}

/**
 * Reads the body of a queue message that arrived at `receivedAt` (Unix milliseconds). Returns null
 * if the body is not an event of a known kind about a copy.
 */
export function readEmailServiceEvent(body: unknown, receivedAt: number): EmailServiceEvent | null {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return null;
  const { type, payload, metadata } = parsed.data;
  const { eventId, messageId, sender, recipient, rejection } = payload;
  const kind = KINDS.find((one) => type === `${TYPE}${one}`);
  if (!kind) return null;
  return {
    kind,
    eventId,
    providerId: messageId,
    sender,
    recipient,
    at: timeOf(metadata?.eventTimestamp) ?? receivedAt,
    reply: replyIn(payload),
    reason: reasonIn(payload),
    rejectedAs: rejection ? (rejection.reason ?? rejection.detail ?? "") : "",
    isHard: payload.bounce?.type === "hard",
    feedbackType: payload.complaint?.type ?? "abuse",
  };
}

type Payload = z.infer<typeof Body>["payload"];

function timeOf(stamp: string | null | undefined): number | undefined {
  const at = Date.parse(stamp ?? "");
  return Number.isNaN(at) ? undefined : at;
}

function reasonIn({ rejection, failure, bounce }: Payload): string {
  return rejection?.detail ?? rejection?.reason ?? failure?.reason ?? bounce?.reason ?? "";
}

/** Reads a reply of one or more lines. Null means that the payload has no reply code. */
function replyIn({ delivery = {}, bounce }: Payload): LastReply | null {
  const { smtpStatusCode: status = "", smtpEnhancedStatusCode: enhancedStatus = "" } = delivery;
  const text = delivery.smtpResponse ?? bounce?.reason ?? "";
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line !== "");
  const code = /^[2-5]\d\d$/.exec(status)?.[0] ?? /^([2-5]\d\d)(?:[ -]|$)/.exec(text)?.[1];
  if (code === undefined) return null;
  const folded = foldReply({
    code: Number(code),
    lines: lines.map((line) =>
      Buffer.from(line.replace(/^[2-5]\d\d(?:[ -]|$)/, ""), "utf8").toString("latin1"),
    ),
  });
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(enhancedStatus)?.[0] ?? folded.enhanced;
  return { code: Number(code), enhanced, text: folded.text };
}
