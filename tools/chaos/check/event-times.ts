// Checks that each event of a recipient has the right time. The time must not be after the webhook
// delivery nor before the mail server's reply. It must be close to the reply, even if the worker
// asked the gateway much later (docs/egress-protocol.md).
import { patience } from "../../harness/slowness.ts";
import type { EventFact, MailFact, RoundFacts } from "../recorded-facts.ts";

/**
 * Milliseconds by which times may differ. Two processes round their times, and workerd's clock
 * stands still while code runs.
 */
const CLOCK_MS = 100;
/** A process on a busy machine may read a reply this many milliseconds late. */
const READ_MS = patience(1_500);

/**
 * Describes the wrong times of a recipient's events. `taken` has the recipient's copies at the mail
 * server.
 */
export function findWrongTimes(
  facts: RoundFacts,
  recipient: string,
  events: readonly EventFact[],
  taken: readonly MailFact[],
): string[] {
  return events.flatMap((event) => {
    const at = Date.parse(event.occurred_at);
    const toldAt = earliest(facts.hooks.flatMap(({ firstAt }) => firstAt.get(event.id) ?? []));
    const repliedAt = earliest(replyTimes(facts, recipient, event, taken));
    return [
      ...(at > toldAt + CLOCK_MS
        ? [`${event.type} is ${at - toldAt} ms later than its webhook`]
        : []),
      ...(repliedAt < Infinity && at < repliedAt - CLOCK_MS
        ? [`${event.type} is ${repliedAt - at} ms earlier than the reply`]
        : []),
      ...findLateTime(facts, event, { at, toldAt }, taken),
    ];
  });
}

/** Returns the times of all replies that may have caused the event. */
function replyTimes(
  { mail }: RoundFacts,
  recipient: string,
  { type }: EventFact,
  taken: readonly MailFact[],
): number[] {
  if (type === "email.delivered") return taken.map(({ at }) => at);
  if (type !== "email.bounced") return [];
  return mail
    .filter(
      ({ what, to, reply = "" }) => what === "refused" && to === recipient && reply[0] === "5",
    )
    .map(({ at }) => at);
}

/**
 * Finds a delivery whose time is that of the worker's question instead of the reply. Two cases are
 * excused. A host that restarted between the reply and the webhook does not know how long it was
 * down. If the machine stalled after the reply, the gateway may have read the reply late.
 */
function findLateTime(
  { mail, emailService, gatewayRestarts, stalls }: RoundFacts,
  { type }: EventFact,
  { at, toldAt }: { readonly at: number; readonly toldAt: number },
  taken: readonly MailFact[],
): string[] {
  if (type !== "email.delivered" || emailService || !gatewayRestarts) return [];
  const numbers = new Set(taken.map(({ n }) => n));
  const answers = mail.filter(({ what, n }) => what === "answered" && numbers.has(n));
  const answeredAt = Math.max(...answers.map((answer) => answer.at));
  const isExcused =
    gatewayRestarts.some((restart) => restart >= answeredAt && restart <= toldAt) ||
    stalls.some((stall) => stall >= answeredAt && stall <= at);
  return at > answeredAt + READ_MS && answers.length > 0 && !isExcused
    ? [`${type} is ${at - answeredAt} ms later than the reply`]
    : [];
}

function earliest(times: readonly number[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}
