// Stores the content of claimed messages for look-ups (contract.md §Kept content), even of messages
// that are suppressed or whose domain is deleted. No delivery waits for the storage. A message that
// can't be stored is logged, and a repeated attempt tries again.
import { contentDaysOf } from "../../content-days.ts";
import { DAY_MS } from "../../limits.ts";
import { logError } from "../../lib/log.ts";
import { isStored, type SentName, putSent } from "../../resources/sent-content/sent-objects.ts";
import type { ClaimedMessage } from "../../rpc/ledger-calls.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import type { DeliveryRun } from "./claim.ts";
import { readContent } from "./outbound-copies.ts";

/**
 * Maximum number of writes to R2 at one time. The courier needs the other connections of the six
 * that a worker has.
 */
const PUTS_AT_ONCE = 3;

/** A claimed message whose content must be stored. */
interface Unkept extends SentName {
  readonly stored: ClaimedMessage;
  /**
   * True if the claim has the first attempt for the first recipient, so that no earlier claim
   * stored the content.
   */
  readonly isFirst: boolean;
}

/**
 * Begins to store the messages of a claim. Content that the claim did not return is read now, one
 * message at a time, because the ledger deletes it after the last outcome. Returns a function that
 * stores the rest. The caller calls it when the courier has its copies, because compression takes
 * processor time.
 */
export function beginKeeping(
  run: DeliveryRun,
  claimed: readonly ClaimedDelivery[],
): () => Promise<void> {
  const days = contentDaysOf(run.team, run.settings.content);
  if (days === 0) return () => Promise.resolve();
  const unkept = unkeptOf(run.team.id, claimed).filter(
    ({ startsAt }) => startsAt + days * DAY_MS > Date.now(),
  );
  const keep = async (one: Unkept): Promise<void> => {
    try {
      if (!one.isFirst && (await isStored(run.env.CONTENT, one, days))) return;
      const { startsAt, meta } = one.stored;
      const content = one.stored.content ?? (await readContent(run, one.stored));
      if (content === null) throw new Error("the content is gone");
      await putSent(run.env.CONTENT, one, days, { startsAt, meta, content });
    } catch (error) {
      logError("keep_failed", error, { team_id: one.teamId, email_id: one.emailId });
    }
  };
  const keepAll = async (some: readonly Unkept[], atOnce: number): Promise<void> => {
    const queue = some.values();
    const work = async (): Promise<void> => {
      for (const one of queue) await keep(one);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  const read = unkept.filter(({ stored }) => stored.content !== null);
  const unread = unkept.filter(({ stored }) => stored.content === null);
  const reading = keepAll(unread, 1);
  return async () => {
    await Promise.all([reading, keepAll(read, PUTS_AT_ONCE)]);
  };
}

function unkeptOf(teamId: string, claimed: readonly ClaimedDelivery[]): Unkept[] {
  const byMessage = Map.groupBy(claimed, ({ message }) => message.id);
  return Array.from(byMessage.values(), (deliveries) => {
    const [{ message, stored }] = deliveries as [ClaimedDelivery];
    const isFirst = deliveries.some(
      ({ grant }) => grant.attempt === 1 && grant.recipientIndex === 0,
    );
    return { message, stored, isFirst };
  }).flatMap(({ message, stored, isFirst }) =>
    stored === null || message.sensitive
      ? []
      : [{ teamId, emailId: message.id, startsAt: stored.startsAt, stored, isFirst }],
  );
}
