// Settles the outcomes of attempts in the team's ledger, which appends their events to its log in
// the same transaction (docs/architecture.md §Settle). Outcomes are gathered for a short time, so
// that a batch takes a few calls instead of one call for each outcome.
import type { FailureCause } from "../../classify/own-replies.ts";
import type { Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import type { SettleResult, Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import type { AttemptRecord, Outcome } from "../message.ts";
import { clockStartOf } from "../message-start.ts";
import { toEvents, toMessageRecord } from "../record/record.ts";
import { toAttemptRecord, withSimulatedFeedback } from "./attempt-record.ts";
import type { SimulatedFeedback, TakenByProvider } from "./courier.ts";
import type { GrantedAttempt } from "./claimed-delivery.ts";
import { keepRenewing } from "./leases.ts";
import { logOutcomes } from "./outcomes.ts";
import { recordNoVerdict, recordTaken } from "./provider-record.ts";
import { nextAttempt } from "./retry-schedule.ts";
import { objectOf } from "../../object-of.ts";

/** The times of an attempt, in Unix milliseconds, and the simulator's additions to its outcome. */
interface Circumstances extends Partial<SimulatedFeedback> {
  /** The time at which the courier got the copy. Null means that no courier got it. */
  readonly handedAt: number | null;
  /** True if the team's courier took or judged the copy. */
  readonly isCarried?: boolean;
  readonly now: number;
}

interface Result extends Pick<
  Settlement,
  "nextAttemptAt" | "awaits" | "copyTaken" | "verdict" | "isCarried"
> {
  readonly delivery: GrantedAttempt;
  readonly record: AttemptRecord;
}

/**
 * Time for which an outcome waits so that other outcomes can join the same call. If the process is
 * killed during the wait, a courier that remembers keys reports the same outcome to the next
 * process.
 */
export const GATHER_MS = 100;
/**
 * Time for which an outcome waits if the courier does not remember keys. The time is short, because
 * the copy would be sent again if its outcome were lost.
 */
const GATHER_BRIEFLY_MS = 10;
const ROUND_OUTCOMES = 100;
/**
 * The minimum waits before each repetition of a failed call to the ledger. The call is repeated
 * only for a courier that does not remember keys. A random part is added, because many consumers
 * may call one overloaded ledger.
 */
const REPEAT_AFTER_MS: readonly number[] = [100, 1_000, 5_000];

export class SettlementQueue {
  readonly #env: Env;
  readonly #teamId: string;
  readonly #records = new Map<string, MessageRecord>();
  readonly #courierRemembers: boolean;
  #waiting: Result[] = [];
  /** The results that the current call to the ledger settles. */
  #round: readonly Result[] = [];
  #closing = false;
  #hurry = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;

  /**
   * Makes the queue. `courierRemembers` means that a courier which gets a key twice sends the copy
   * only once.
   */
  constructor(env: Env, teamId: string, courierRemembers: boolean) {
    this.#env = env;
    this.#teamId = teamId;
    this.#courierRemembers = courierRemembers;
  }

  /** Judges a courier's outcome and adds the result to the queue. */
  enterOutcome(
    delivery: GrantedAttempt,
    outcome: Outcome,
    { now, handedAt, events, ...given }: Circumstances,
  ): void {
    const { recipient, grant } = delivery;
    const nextAttemptAt = this.#nextAttempt(delivery, now, given.nextAttemptAt);
    const context = { recipient, attempt: grant.attempt, handedAt, nextAttemptAt, now };
    const { record, isTerminal } = toAttemptRecord(outcome, context);
    this.#enter({
      delivery,
      record: events ? withSimulatedFeedback(record, context, events) : record,
      nextAttemptAt: isTerminal ? null : nextAttemptAt,
      ...(given.isCarried && { isCarried: true }),
    });
  }

  /** Bounces a delivery that goes to no courier, for a cause that the service itself found. */
  endUncarried(delivery: GrantedAttempt, cause: FailureCause, detail: string): void {
    this.enterOutcome(
      delivery,
      { kind: "failure", cause, detail, mxHost: null },
      { handedAt: null, nextAttemptAt: null, now: Date.now() },
    );
  }

  /** Adds to the queue a copy that the courier's provider took, or may have taken. */
  enterTaken(
    delivery: GrantedAttempt,
    taken: Omit<TakenByProvider, "kind">,
    { now, handedAt, ...given }: Circumstances,
  ): void {
    const nextAttemptAt = this.#nextAttempt(delivery, now, given.nextAttemptAt);
    const times = { handedAt, nextAttemptAt, now };
    const speedup = settingsOf(this.#env).retrySpeedup;
    const carried = given.isCarried ? { isCarried: true as const } : {};
    this.#enter({ delivery, ...recordTaken(delivery, taken, times, speedup), ...carried });
  }

  /** Ends a copy without a verdict by the provider, and adds the result to the queue. */
  enterUnheard(delivery: GrantedAttempt, unheard: NoVerdict, now: number): void {
    const record = recordNoVerdict(delivery, unheard, now);
    this.#enter({ delivery, record, nextAttemptAt: null, verdict: { eventId: null } });
  }

  /**
   * Adds a result to the queue. `nextAttemptAt` is in Unix milliseconds. Null means that the
   * outcome is final. If the settlement fails, close() throws.
   */
  enterRecord(delivery: GrantedAttempt, record: AttemptRecord, nextAttemptAt: number | null): void {
    this.#enter({ delivery, record, nextAttemptAt });
  }

  /**
   * Returns the time of the next attempt after a failure at `now`. Null means that no attempt
   * follows.
   */
  #nextAttempt(
    { message, grant }: GrantedAttempt,
    now: number,
    given: number | null | undefined,
  ): number | null {
    if (given !== undefined) return given;
    const speedup = settingsOf(this.#env).retrySpeedup;
    return nextAttempt(clockStartOf(message), grant.attempt, now, Math.random(), speedup);
  }

  #enter(result: Result): void {
    this.#waiting.push(result);
    if (this.#waiting.length >= ROUND_OUTCOMES) this.#hurry.resolve();
    this.#settling ??= this.#courierRemembers ? this.#settle() : this.#settleHeld();
    // close() reports the error. Before close(), no code awaits this promise.
    this.#settling.catch(() => undefined);
  }

  /** Waits until all results that were added are settled. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#hurry.resolve();
    await this.#settling;
  }

  /**
   * Settles the waiting results, and renews the leases during that time. If a lease expired, the
   * copy would be sent again.
   */
  #settleHeld(): Promise<void> {
    const ledger = objectOf(this.#env, "TEAM_LEDGER", this.#teamId);
    const renew = (): Promise<void> =>
      ledger.hold(
        [...this.#round, ...this.#waiting].map(({ delivery }) => delivery.grant),
        Date.now(),
      );
    return keepRenewing(renew, settingsOf(this.#env).leaseSpeedup, () => this.#settle());
  }

  async #settle(): Promise<void> {
    const gatherMs = this.#courierRemembers ? GATHER_MS : GATHER_BRIEFLY_MS;
    while (this.#waiting.length > 0) {
      if (!this.#closing) await Promise.race([this.#hurry.promise, scheduler.wait(gatherMs)]);
      this.#hurry = Promise.withResolvers();
      this.#round = this.#waiting;
      this.#waiting = [];
      await this.#settleRound();
    }
    this.#settling = undefined;
  }

  async #settleRound(): Promise<void> {
    const round = this.#round;
    const settlements = round.map(({ delivery, record, ...result }): Settlement => {
      const { emailId, recipientIndex, attempt } = delivery.grant;
      const events = toEvents(delivery.message.id, record);
      return { emailId, recipientIndex, attempt, ...result, events };
    });
    const messages = Object.fromEntries(
      round.map(({ delivery }) => [delivery.grant.emailId, this.#messageRecord(delivery)]),
    );
    const { applied, refused } = await this.#settleInLedger(settlements, messages);
    await crashPoint(this.#env.CRASH_POINT_URL, "after_settle");
    if (applied.length === 0) return;
    const settled = applied.map((place) => settlements[place]!);
    logOutcomes(this.#teamId, settled, new Set(refused));
  }

  /**
   * Calls the ledger. Repeats a failed call, unless the courier remembers the outcomes. If only the
   * response of the call got lost, a repetition does no harm, because the ledger applies an
   * attempt's outcome only once.
   */
  async #settleInLedger(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
  ): Promise<SettleResult> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        const ledger = objectOf(this.#env, "TEAM_LEDGER", this.#teamId);
        return await ledger.settle(settlements, messages, Date.now());
      } catch (error) {
        const wait = this.#courierRemembers ? undefined : REPEAT_AFTER_MS[repeats];
        if (wait === undefined) throw error;
        logError("settle_repeated", error, { team_id: this.#teamId });
        await scheduler.wait(wait * (1 + Math.random()));
      }
    }
  }

  #messageRecord({ message, grant }: GrantedAttempt): MessageRecord {
    const known = this.#records.get(grant.emailId) ?? toMessageRecord(message);
    this.#records.set(grant.emailId, known);
    return known;
  }
}
