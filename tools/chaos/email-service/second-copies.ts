// Finds the reason why no surviving process could know that the Email Service had taken a copy.
// Such a reason excuses another copy of the message. Pure.
import type { MailFact } from "../recorded-facts.ts";
import type { CarriedCopy, EmailServiceFacts } from "./carried-copies.ts";

/**
 * Milliseconds after a send or a transaction. A process that is killed in this time may not have
 * recorded the outcome.
 */
const KILL_WINDOW_MS = 2_000;
/**
 * Milliseconds before a send. If the machine stalled in this time, a retry may have come before the
 * event about the previous copy.
 */
const STALL_WINDOW_MS = 10_000;

/**
 * Returns one entry for each copy that the mail server took: the reason that excuses the copy, or
 * null without an excuse.
 */
export function excusesOf(
  service: EmailServiceFacts,
  recipient: string,
  taken: readonly MailFact[],
): (string | null)[] {
  const carried = service.copies.filter((copy) => copy.recipient === recipient);
  const unanswered = unansweredIds(service, recipient, carried);
  return taken.map(({ at, messageId }) => {
    const copy = carried.find((one) => one.messageId === messageId);
    if (!copy) return null;
    if (copy.status === "failed") return "the mail server did not answer the Email Service";
    if (isKilled(service.serviceKills, at))
      return "the Email Service was killed during the transaction";
    if (service.noted.has(copy.messageId)) return null;
    if (unanswered.has(copy.messageId)) return "the answer of send() was lost";
    if (isKilled(service.serviceKills, copy.takenAt))
      return "the Email Service was killed at send()";
    if (isKilled(service.workerKills, copy.takenAt)) return "the worker was killed after send()";
    return hasStalled(service.stalls, copy.takenAt)
      ? "the machine stalled longer than a retry waits"
      : null;
  });
}

/**
 * Returns the ids of the copies that belong to sends without an answer. Such a send belongs to the
 * next copy that the Email Service took.
 */
function unansweredIds(
  { lostAnswers }: EmailServiceFacts,
  recipient: string,
  carried: readonly CarriedCopy[],
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const lost of lostAnswers.filter((one) => one.recipient === recipient)) {
    const next = carried.find(
      ({ takenAt, messageId }) => takenAt >= lost.at && !ids.has(messageId),
    );
    if (next) ids.add(next.messageId);
  }
  return ids;
}

function isKilled(kills: readonly number[], at: number): boolean {
  return kills.some((kill) => kill >= at - KILL_WINDOW_MS && kill <= at + KILL_WINDOW_MS);
}

function hasStalled(stalls: readonly number[], takenAt: number): boolean {
  return stalls.some(
    (stall) => stall >= takenAt - STALL_WINDOW_MS && stall <= takenAt + KILL_WINDOW_MS,
  );
}
