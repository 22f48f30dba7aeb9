// Dispatches rows of the log, first to suppressions and then to webhooks (docs/architecture.md
// §Settle). A dispatch begins when the row is on disk. No caller awaits it. The ledger's alarm
// repeats only the parts that failed. A repetition changes nothing: the suppressions exist already,
// and the same events make a batch with the same id.
import { suppressionsOf } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { logError, logWarning } from "../../lib/log.ts";
import { BoundedMap } from "../../lib/bounded-cache.ts";
import { HOUR_MS, WEBHOOKS_PER_TEAM } from "../../limits.ts";
import { count } from "../../metrics/isolate-counts.ts";
import { correlationOf, type EventRecord } from "../../rpc/event-records.ts";
import {
  suppressForBounce,
  suppressForComplaint,
} from "../../resources/suppressions/automatic-suppressions.ts";
import { evidenceOf } from "../../resources/suppressions/suppression-evidence.ts";
import { fanOut } from "../../resources/webhooks/fan-out.ts";
import type { LoggedMessage } from "../../rpc/ledger-calls.ts";
import type { CoreFacts } from "../core-facts.ts";
import type { EventLog } from "./event-log.ts";
import type { LogRow } from "./chunk-plans.ts";
import { toOwnEvent } from "./log-rows.ts";

const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Age of a row at which the ledger stops trying to dispatch it to webhooks and suppressions. */
const PATIENCE_MS = 72 * HOUR_MS;
const ROWS_PER_ROUND = 1_000;
const ROWS_AT_ONCE = 16;
/**
 * Maximum number of rows that wait for dispatch in memory. retry() adds the other rows when it
 * runs.
 */
const QUEUED_MOST = 10_000;
/**
 * Maximum number of rows for which memory has the targets that still need the row. Any other row is
 * dispatched to all targets again, which does no harm.
 */
const DEBTS_MOST = 10_000;
/**
 * Maximum number of targets whose last success is remembered. Deleted webhooks are forgotten first.
 */
const TARGETS_MOST = WEBHOOKS_PER_TEAM + 1;
const CALL_TIMEOUT_MS = 30_000;
/**
 * Number of failures after which the row itself counts as the cause, and the ledger gives up on it.
 * A failure counts only if all failed targets have accepted other rows since the row's previous
 * failure.
 */
const OWN_FAILURES = 3;
const SUPPRESSIONS = "suppressions";

/** The objects and functions that the work on a team's log needs. */
export interface LogSurroundings {
  readonly teamId: string;
  readonly env: () => Env;
  readonly facts: CoreFacts;
  readonly log: () => EventLog;
  /** Divisor, at least 1, of the waits between two tries to dispatch a row. */
  readonly speedup: number;
  /** Runs work in the next group commit. */
  readonly write: <Result>(work: () => Result) => Promise<Result>;
  /** Called when the time of dueAt() may be earlier than before. */
  readonly scheduleWake: () => void;
}

type DispatchDependencies = Omit<LogSurroundings, "write">;

/** A row that has not reached all its targets, with the targets that still need the row. */
interface Debt {
  /**
   * The targets that still need the row: SUPPRESSIONS and ids of webhooks. Null means all targets.
   */
  owed: ReadonlySet<string> | null;
  /** The time at which the dispatch of the row last failed, in Unix milliseconds. */
  failedAt: number;
  ownFailures: number;
}

export class LogRowDispatch {
  readonly #using: DispatchDependencies;
  readonly #debts = new BoundedMap<number, Debt>(DEBTS_MOST);
  /** The time at which each target last accepted a row, in Unix milliseconds. */
  readonly #tookAt = new BoundedMap<string, number>(TARGETS_MOST);
  readonly #underWay = new Set<number>();
  readonly #suppressing = new Set<Promise<void>>();
  #queue: LogRow[] = [];
  #active = 0;
  #waitMs = FIRST_WAIT_MS;
  #retryAt = Number.POSITIVE_INFINITY;

  constructor(using: DispatchDependencies) {
    this.#using = using;
  }

  /**
   * The time at which retry() must be called next, in Unix milliseconds. Infinity means that all
   * rows are dispatched.
   */
  dueAt(now: number): number {
    if (!this.#using.log().hasUndelivered) return Number.POSITIVE_INFINITY;
    if (this.#retryAt === Number.POSITIVE_INFINITY)
      this.#retryAt = now + FIRST_WAIT_MS / this.#using.speedup;
    return this.#retryAt;
  }

  /** Begins to dispatch rows that are on disk. Returns at once. */
  begin(rows: readonly LogRow[]): void {
    for (const row of rows) this.#enqueue(row);
  }

  /** Begins to dispatch the rows that failed, if their wait is over. Returns at once. */
  retry(now: number): void {
    if (now < this.dueAt(now)) return;
    this.#retryAt = now + this.#waitMs / this.#using.speedup;
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
    for (const row of this.#using.log().undelivered.slice(0, ROWS_PER_ROUND)) this.#enqueue(row);
  }

  /** Resolves when each suppression write that is now running has succeeded or failed. */
  async awaitSuppressions(): Promise<void> {
    await Promise.allSettled(this.#suppressing);
  }

  #enqueue(row: LogRow): void {
    if (this.#underWay.has(row.seq) || this.#queue.length >= QUEUED_MOST) return;
    this.#underWay.add(row.seq);
    this.#queue.push(row);
    if (this.#active < ROWS_AT_ONCE) void this.#work();
  }

  async #work(): Promise<void> {
    this.#active += 1;
    for (let row = this.#queue.shift(); row; row = this.#queue.shift()) {
      const left = await this.#deliver(row).catch((error: unknown) =>
        this.#noteFailure(row, null, [error], []),
      );
      this.#underWay.delete(row.seq);
      if (left) this.#using.scheduleWake();
      else this.#finish(row);
    }
    this.#active -= 1;
  }

  /** Dispatches a row. Returns whether the row must be dispatched again. */
  async #deliver(row: LogRow): Promise<boolean> {
    const now = Date.now();
    const { teamId, env, facts, log, speedup } = this.#using;
    if (row.at < now - PATIENCE_MS / speedup) {
      logWarning("row_dispatch_given_up", { team_id: teamId, seq: row.seq, events: row.count });
      return false;
    }
    const messages = log().read(row.seq);
    const team = await facts.team(now);
    if (!team) return false;
    const owed = this.#debts.get(row.seq)?.owed ?? null;
    const errors: unknown[] = [];
    const failed = new Set<string>();
    const took: string[] = [];
    if ((owed === null || owed.has(SUPPRESSIONS)) && suppressesSome(messages)) {
      try {
        await this.#suppress(messages, suppressionsOf(env(), team), now);
        took.push(SUPPRESSIONS);
      } catch (error) {
        errors.push(error);
        failed.add(SUPPRESSIONS);
      }
    }
    const subscriptions = (await facts.subscriptions(now)).filter(
      ({ id }) => owed === null || owed.has(id),
    );
    const fannedOut = await fanOut(
      env(),
      teamId,
      eventsOf(messages),
      subscriptions,
      CALL_TIMEOUT_MS,
    );
    took.push(...fannedOut.took);
    for (const [id, error] of fannedOut.failed) {
      errors.push(error);
      failed.add(id);
    }
    if (failed.size > 0) return this.#noteFailure(row, failed, errors, took);
    this.#noteSuccess(took, now);
    return false;
  }

  #suppress(
    messages: readonly LoggedMessage[],
    scope: ReturnType<typeof suppressionsOf>,
    now: number,
  ): Promise<void> {
    const causes = messages.flatMap(({ message: { emailId }, events }) =>
      events.flatMap((event) =>
        event.suppress
          ? [{ ...event.suppress, ...evidenceOf(emailId, event), email: event.recipient }]
          : [],
      ),
    );
    const bounced = causes.filter((one) => one.kind === "bounce");
    const complained = causes.filter((one) => one.kind === "complaint");
    const writing = withTimeout(CALL_TIMEOUT_MS, async () => {
      await suppressForBounce(scope, bounced, now);
      await suppressForComplaint(scope, complained, now);
    });
    this.#suppressing.add(writing);
    return writing.finally(() => this.#suppressing.delete(writing));
  }

  /**
   * Remembers the targets that have not accepted the row. Null means all targets. Returns whether
   * the row is tried again.
   */
  #noteFailure(
    row: LogRow,
    owed: ReadonlySet<string> | null,
    errors: readonly unknown[],
    took: readonly string[],
  ): boolean {
    const now = Date.now();
    const debt = this.#debts.get(row.seq) ?? { owed, failedAt: now, ownFailures: 0 };
    const tookOtherRows = [...(owed ?? this.#tookAt.keys())].every(
      (target) => (this.#tookAt.get(target) ?? 0) > debt.failedAt,
    );
    this.#noteSuccess(took, now);
    if (tookOtherRows && this.#tookAt.size > 0) debt.ownFailures += 1;
    logError("row_dispatch_failed", errors[0], {
      team_id: this.#using.teamId,
      seq: row.seq,
      owed: owed && [...owed],
    });
    if (debt.ownFailures >= OWN_FAILURES) {
      count("postern_log_set_aside_total");
      logError("row_dispatch_set_aside", errors[0], {
        team_id: this.#using.teamId,
        seq: row.seq,
        events: row.count,
      });
      return false;
    }
    this.#debts.set(row.seq, { ...debt, owed, failedAt: now });
    return true;
  }

  #finish(row: LogRow): void {
    this.#debts.delete(row.seq);
    this.#using.log().noteHandedOver(row.seq);
    this.#waitMs = FIRST_WAIT_MS;
    if (!this.#using.log().hasUndelivered) this.#retryAt = Number.POSITIVE_INFINITY;
  }

  #noteSuccess(targets: readonly string[], now: number): void {
    for (const target of targets) this.#tookAt.setLast(target, now);
  }
}

function suppressesSome(messages: readonly LoggedMessage[]): boolean {
  return messages.some(({ events }) => events.some(({ suppress }) => suppress !== undefined));
}

function eventsOf(messages: readonly LoggedMessage[]): EventRecord[] {
  return messages.flatMap(({ message, events }) =>
    events.map((event) => ({ ...correlationOf(message), ...toOwnEvent(event) })),
  );
}
