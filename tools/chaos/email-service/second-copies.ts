// Tells why a surviving process could not know the fate of a copy that the Email Service carried,
// so that another copy of the message is excused. Pure.
import type { MailFact } from "../recorded-facts.ts";
import type { CarriedCopy, EmailServiceFacts } from "./carried-copies.ts";

/**
 * Time after a moment in which a kill of a process leaves its outcome unknown: the process may not
 * have noted it.
 */
const KILL_WINDOW_MS = 2_000;
/** Time before a send in which a lease of it may have run out. */
const STALL_WINDOW_MS = 10_000;

/** Returns the reason for each copy that the mail server took; null: the copy's fate was known. */
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
    if (copy.status === "failed") return "the server did not answer the service";
    if (isKilled(service.serviceKills, at)) return "the service was killed in its window";
    if (service.noted.has(copy.messageId)) return null;
    if (unanswered.has(copy.messageId)) return "the answer of send() got lost";
    if (isKilled(service.serviceKills, copy.takenAt)) return "the service was killed at send()";
    if (isKilled(service.workerKills, copy.takenAt)) return "the worker was killed after send()";
    return hasStalled(service.stalls, copy.takenAt) ? "the machine stalled for a lease" : null;
  });
}

/** Ids of copies whose answer got lost: of each such send the next copy that was taken. */
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
