// Applies the outcomes of attempts and appends their events to the log (docs/architecture.md
// §Settle). Also appends events that no attempt caused; if such an event is a bounce, it ends the
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
import type { TeamLog } from "../log/team-log.ts";
import { beforeHeld } from "../open/held-job.ts";
import { isReleased, jobUnderWay } from "../open/in-flight.ts";
import { endAttempts, settleJob, type Job } from "../open/job.ts";
import { copyName } from "../open/hold-periods.ts";
import type { Waits } from "../open/job-waits.ts";
import type { FinishedMessage, OpenMessages } from "../open/open-messages.ts";
import { endOutage, groupByMessage } from "./leased-jobs.ts";
import type { ProviderCopies } from "./provider-copies.ts";

/** A settlement and its index in the call. */
type Placed = Settlement & { readonly place: number };

/**
 * A settlement that is applied. `isRepeated`: an earlier settlement has settled the same attempt.
 */
type Applied = Placed & { readonly isRepeated: boolean };

export class Settlements {
  readonly #open: OpenMessages;
  readonly #log: TeamLog;
  readonly #copies: ProviderCopies;
  readonly #waits: Waits;

  constructor(open: OpenMessages, log: TeamLog, copies: ProviderCopies, waits: Waits) {
    this.#open = open;
    this.#log = log;
    this.#copies = copies;
    this.#waits = waits;
  }

  /**
   * Applies outcomes. `messages`: the messages of the settlements, by id. If a provider's event was
   * applied before, it is not applied again.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): LedgerChange<SettleResult> {
    const placed = settlements.map((settlement, place) => ({ ...settlement, place }));
    const { applied, finished } = this.#apply(placed.filter((one) => !this.#isKnown(one)));
    if (applied.some(isCarried)) endOutage(this.#open, now);
    if (!this.#open.holds.isEmpty) this.#judgeHolds(applied, messages, now);
    const refused: string[] = [];
    const logged = applied.map((settlement): LoggedMessage => {
      const message = messages[settlement.emailId];
      if (!message) throw new Error(`a settlement lacks its message ${settlement.emailId}`);
      this.#note(settlement, now);
      const { events } = settlement;
      const kept = events.filter((event) => this.#takes(settlement, message, event, now));
      refused.push(...events.filter((event) => !kept.includes(event)).map(({ id }) => id));
      return { message, events: kept };
    });
    const unusedContent = this.#open.finish(finished, logged, now);
    return { result: { applied: applied.map(({ place }) => place), refused }, unusedContent };
  }

  /** Appends events that no attempt caused. Returns for each event whether it was appended. */
  append(appends: readonly AppendRequest[], now: number): LedgerChange<boolean[]> {
    const areNew = appends.map((one) => this.#log.take(one, now));
    const fresh = appends.filter((_, index) => areNew[index]);
    const finished = fresh.flatMap(({ event: { type }, message: { emailId }, recipientIndex }) =>
      type === "email.bounced" ? this.#endAttempts({ emailId, recipientIndex }, now) : [],
    );
    const logged = fresh.map(({ message, event }) => ({ message, events: [event] }));
    return { result: areNew, unusedContent: this.#open.finish(finished, logged, now) };
  }

  /** Tells whether the settlement comes from a provider's event that was applied before. */
  #isKnown({ verdict }: Settlement): boolean {
    return typeof verdict?.eventId === "string" && this.#log.isApplied(verdict.eventId);
  }

  /**
   * Changes the jobs. Returns the settlements that are applied, and the messages that they finish.
   */
  #apply(settlements: readonly Placed[]): {
    readonly applied: readonly Applied[];
    readonly finished: readonly FinishedMessage[];
  } {
    const applied: Applied[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, outcomes] of groupByMessage(settlements)) {
      const entry = this.#open.memory.find(emailId);
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
      finished.push(...this.#open.settle(emailId, entry, settled));
    }
    return { applied, finished };
  }

  /**
   * Ends the holds of domains of which the courier carried a copy. If a probe's recipient ended
   * without a copy, for example because the address is suppressed, another probe follows at once.
   */
  #judgeHolds(
    applied: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): void {
    const { holds } = this.#open;
    for (const settlement of applied) {
      const domain = messages[settlement.emailId]?.fromDomain ?? "";
      if (settlement.isCarried) holds.free(domain, settlement.copyTaken?.at ?? now, now);
      else if (settlement.nextAttemptAt === null) holds.endProbe(copyName(settlement), now);
    }
  }

  /** Stores that a provider took a copy, and that a provider's event was applied. */
  #note({ copyTaken, verdict, ...grant }: Settlement, now: number): void {
    if (copyTaken) this.#copies.note(grant, copyTaken, verdict === undefined, now);
    if (typeof verdict?.eventId === "string") this.#log.noteApplied(verdict.eventId, now);
  }

  /**
   * Decides whether an event is appended. An attempt has only one `email.sent` event: the courier
   * or the provider reports it.
   */
  #takes(
    { isRepeated, recipientIndex }: Applied,
    message: MessageRecord,
    event: AppendRequest["event"],
    now: number,
  ): boolean {
    return (
      !(isRepeated && event.type === "email.sent") &&
      this.#log.take({ message, recipientIndex, event, once: null }, now)
    );
  }

  /**
   * Stops further attempts for a recipient whose bounce was reported. Returns the message if all
   * its recipients are done now.
   */
  #endAttempts({ emailId, recipientIndex }: JobRef, now: number): readonly FinishedMessage[] {
    const entry = this.#open.memory.find(emailId);
    if (!entry || !isReleased(recipientIndex, entry)) return [];
    const job = endAttempts(entry.jobs[recipientIndex], now, this.#waits.leaseMs);
    return job ? this.#open.settle(emailId, entry, { [recipientIndex]: job }) : [];
  }
}

/** Tells whether a courier carried the attempt's copy just now. */
function isCarried({ copyTaken, verdict, events }: Settlement): boolean {
  return !verdict && (copyTaken !== undefined || events.some(({ smtpCode }) => smtpCode !== null));
}
