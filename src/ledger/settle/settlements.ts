// Applies the outcomes of attempts and appends their events to the log (docs/architecture.md
// §Settle). Also appends events that no attempt caused. If such an event is a bounce, it ends the
// attempts for its recipient. All changes run inside a group commit.
import type { MessageRecord } from "../../rpc/event-records.ts";
import type {
  AppendRequest,
  JobRef,
  LoggedMessage,
  SettleResult,
  Settlement,
} from "../../rpc/ledger-calls.ts";
import type { LedgerChange } from "../after-commit.ts";
import { providerKey } from "../log/once-only-events.ts";
import type { TeamLog } from "../log/team-log.ts";
import { beforeHeld } from "../open/held-job.ts";
import { isReleased, jobUnderWay } from "../open/in-flight.ts";
import { endAttempts, settleJob, type Job } from "../open/job.ts";
import { copyName } from "../open/hold-periods.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import { endOutage, groupByMessage } from "./leased-jobs.ts";
import type { ProviderCopies } from "./provider-copies.ts";

/** A settlement and its index in the call. */
type Placed = Settlement & { readonly place: number };

/**
 * A settlement that is applied. `isRepeated` means that an earlier settlement has settled the same
 * attempt.
 */
type Applied = Placed & { readonly isRepeated: boolean };

/** The state of a ledger that a settlement changes (ledger-state.ts). */
interface Books {
  readonly open: OpenMessages;
  readonly log: TeamLog;
  readonly copies: ProviderCopies;
}

/**
 * Applies outcomes. `messages` has the messages of the settlements, by id. Ignores a provider's
 * event that was already applied.
 */
export function settleAttempts(
  books: Books,
  settlements: readonly Settlement[],
  messages: Readonly<Record<string, MessageRecord>>,
  now: number,
): LedgerChange<SettleResult> {
  const { open, log } = books;
  const placed = settlements.map((settlement, place) => ({ ...settlement, place }));
  const applied = applyEach(
    open,
    placed.filter((one) => !isKnown(log, one)),
  );
  if (applied.some(isCarried)) endOutage(open, now);
  if (!open.holds.isEmpty) judgeHolds(open, applied, messages, now);
  const refused: string[] = [];
  const logged = applied.map((settlement): LoggedMessage => {
    const message = messages[settlement.emailId];
    if (!message) throw new Error(`a settlement lacks its message ${settlement.emailId}`);
    note(books, settlement, now);
    const { events } = settlement;
    const kept = events.filter((event) => takes(log, settlement, message, event, now));
    refused.push(...events.filter((event) => !kept.includes(event)).map(({ id }) => id));
    return { message, events: kept };
  });
  const unusedContent = open.finish(logged, now);
  return { result: { applied: applied.map(({ place }) => place), refused }, unusedContent };
}

/** Appends events that no attempt caused. Returns for each event whether it was appended. */
export function appendEvents(
  { open, log }: Omit<Books, "copies">,
  appends: readonly AppendRequest[],
  now: number,
): LedgerChange<boolean[]> {
  const areNew = appends.map((one) => log.take(one, now));
  const fresh = appends.filter((_, index) => areNew[index]);
  for (const { event, message, recipientIndex } of fresh)
    if (event.type === "email.bounced")
      endRecipient(open, { emailId: message.emailId, recipientIndex }, now);
  const logged = fresh.map(({ message, event }) => ({ message, events: [event] }));
  return { result: areNew, unusedContent: open.finish(logged, now) };
}

/** Returns whether the settlement comes from a provider's event that was already applied. */
function isKnown({ once }: TeamLog, { verdict }: Settlement): boolean {
  return typeof verdict?.eventId === "string" && once.isTaken(providerKey(verdict.eventId));
}

/** Changes the jobs, and returns the settlements that are applied. */
function applyEach(open: OpenMessages, settlements: readonly Placed[]): readonly Applied[] {
  const applied: Applied[] = [];
  for (const [emailId, outcomes] of groupByMessage(settlements)) {
    const entry = open.memory.find(emailId);
    if (!entry) continue;
    const settled: Record<number, Job> = {};
    for (const outcome of outcomes) {
      const { recipientIndex, attempt } = outcome;
      const under = jobUnderWay(entry.jobs[recipientIndex], attempt, entry);
      const known = outcome.verdict ? beforeHeld(under, attempt) : under;
      const before = settled[recipientIndex] ?? known;
      const job = settleJob(before, outcome);
      if (!job) continue;
      settled[recipientIndex] = job;
      applied.push({ ...outcome, isRepeated: before?.state !== "leased" });
    }
    open.settle(emailId, entry, settled);
  }
  return applied;
}

/**
 * Ends the holds of domains whose copies the courier took. If a probe's recipient ended without a
 * copy, for example because the address is suppressed, another probe is due at once.
 */
function judgeHolds(
  { holds }: OpenMessages,
  applied: readonly Settlement[],
  messages: Readonly<Record<string, MessageRecord>>,
  now: number,
): void {
  for (const settlement of applied) {
    const domain = messages[settlement.emailId]?.fromDomain ?? "";
    if (settlement.isCarried) holds.free(domain, settlement.copyTaken?.at ?? now, now);
    else if (settlement.nextAttemptAt === null) holds.endProbe(copyName(settlement), now);
  }
}

/** Stores that a provider took a copy, and that a provider's event was applied. */
function note(
  { log, copies }: Books,
  { copyTaken, verdict, ...grant }: Settlement,
  now: number,
): void {
  if (copyTaken) copies.note(grant, copyTaken, verdict === undefined, now);
  if (typeof verdict?.eventId === "string") log.once.take(providerKey(verdict.eventId), now);
}

/**
 * Decides whether an event is appended. An attempt has only one `email.sent` event: the courier
 * or the provider reports it.
 */
function takes(
  log: TeamLog,
  { isRepeated, recipientIndex }: Applied,
  message: MessageRecord,
  event: AppendRequest["event"],
  now: number,
): boolean {
  return (
    !(isRepeated && event.type === "email.sent") &&
    log.take({ message, recipientIndex, event, once: null }, now)
  );
}

/** Stops further attempts for a recipient whose bounce was reported. */
function endRecipient(open: OpenMessages, { emailId, recipientIndex }: JobRef, now: number): void {
  const entry = open.memory.find(emailId);
  if (!entry || !isReleased(recipientIndex, entry)) return;
  const job = endAttempts(entry.jobs[recipientIndex], now, open.waits.leaseMs);
  if (job) open.settle(emailId, entry, { [recipientIndex]: job });
}

/** Returns whether a courier has just carried the attempt's copy. */
function isCarried({ copyTaken, verdict, events }: Settlement): boolean {
  return !verdict && (copyTaken !== undefined || events.some(({ smtpCode }) => smtpCode !== null));
}
