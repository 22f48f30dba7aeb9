// Checks the replies of a round. Each reply that the service accepted must exist exactly once, even
// if its sender sent it several times (contract.md §Replies). Pure.
import { hash } from "node:crypto";
import type { SentMessage } from "../clients.ts";
import type { EventFact, MailFact } from "../recorded-facts.ts";
import type { SentReply } from "./sent-replies.ts";
import type { ToldReply } from "../webhook-receiver.ts";
import type { Violation } from "../check/check.ts";

/** A reply as the API shows it. */
export interface StoredReplyFact {
  readonly id: string;
  readonly email_id: string;
  readonly recipient: string | null;
  readonly from_recipient: boolean;
  readonly message_id: string | null;
  readonly subject: string;
  readonly auto: boolean;
  readonly received_at: string;
  /** The answer's own text, without the quotation. */
  readonly text: string;
  /** The raw mail's digest. */
  readonly digest: string;
}

export interface ToldWebhookFact {
  readonly name: string;
  /** True: the webhook asks for automatic replies too. */
  readonly wantsAuto: boolean;
  /** The webhook deliveries about each reply, by the reply's id. */
  readonly replies: ReadonlyMap<string, ToldReply>;
}

export interface RoundReplies {
  readonly sent: readonly SentReply[];
  readonly stored: readonly StoredReplyFact[];
  readonly hooks: readonly ToldWebhookFact[];
}

interface CheckedRound {
  readonly sent: readonly SentMessage[];
  readonly events: readonly EventFact[];
  readonly mail: readonly MailFact[];
}

export function findWrongReplies(
  round: CheckedRound,
  { sent, stored, hooks }: RoundReplies,
): Violation[] {
  const rows = Map.groupBy(stored, ({ message_id: id }) => id);
  const own = new Set<string | null>(sent.map(({ messageId }) => messageId));
  const violations = sent.flatMap((reply) => {
    const found = rows.get(reply.messageId) ?? [];
    const wrong = [
      ...wrongSending(reply, found),
      ...found.flatMap((row) => wrongRow(round, reply, row)),
    ];
    if (found.some(({ digest }) => digest !== digestOf(reply.raw)))
      wrong.push("the raw mail is not the one that was sent");
    const untold = found.flatMap((row) => hooks.flatMap((hook) => wrongTelling(hook, row)));
    return [...wrong, ...untold].map((detail) => ({
      rule: "reply",
      token: reply.token,
      detail: `${reply.name} by ${reply.door}: ${detail}`,
    }));
  });
  const strangers = stored.filter(({ message_id: id }) => !own.has(id));
  return [
    ...violations,
    ...strangers.map(({ id, subject }) => ({
      rule: "reply",
      token: null,
      detail: `${id} (${subject}) is stored, but no reader sent it`,
    })),
    ...findUnaddressed(round),
  ];
}

export function digestOf(raw: Uint8Array): string {
  return hash("sha256", raw);
}

function wrongSending(
  { accepted, refused }: SentReply,
  found: readonly StoredReplyFact[],
): string[] {
  if (refused !== null) return [`refused: ${refused}`];
  if (found.length === 1) return [];
  return [`accepted ${accepted} times, and ${found.length} times among the replies`];
}

function wrongRow(
  { events }: CheckedRound,
  reply: SentReply,
  { email_id: id, recipient, from_recipient: isRecipients, auto, text }: StoredReplyFact,
): string[] {
  // The event history has another Message-ID, because the Email Service gives each copy its own.
  const isAnswered = events.some(
    (event) =>
      event.email_id === id &&
      event.subject === reply.token &&
      (reply.isServices || event.message_id === reply.answered),
  );
  return [
    ...(isAnswered ? [] : [`belongs to ${id}, but the answered copy belongs to another message`]),
    ...(recipient === reply.recipient && isRecipients
      ? []
      : [`belongs to the recipient ${recipient}`]),
    ...(auto === reply.isAuto ? [] : [`auto is ${auto}`]),
    ...(text.includes(reply.name) ? [] : [`its text is ${text.slice(0, 80)}`]),
  ];
}

/**
 * A repeated webhook delivery has the same ids as the first delivery, so a receiver can recognise
 * it.
 */
function wrongTelling(
  { name, wantsAuto, replies }: ToldWebhookFact,
  { id, auto }: StoredReplyFact,
): string[] {
  const told = replies.get(id);
  if (auto && !wantsAuto) return told ? [`${name} did not ask for automatic replies`] : [];
  if (!told) return [`${name} never got it`];
  return told.events.size === 1 && told.batches.size === 1
    ? []
    : [`${name} got the reply in ${told.events.size} events of ${told.batches.size} batches`];
}

/**
 * Only copies of a message that tracks replies may have a reply address, and each of them must have
 * one.
 */
function findUnaddressed({ sent, mail }: CheckedRound): Violation[] {
  const tracked = new Map(sent.map(({ token, isTracked }) => [token, isTracked === true]));
  return mail
    .filter(({ what }) => what === "taken")
    .filter(({ subject = "", replyTo = "" }) => tracked.get(subject) !== replyTo.includes("r+"))
    .map(({ subject = "", to, replyTo }) => ({
      rule: "reply address",
      token: subject,
      detail: `the copy to ${to} has the Reply-To "${replyTo}"`,
    }));
}
