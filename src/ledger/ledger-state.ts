// Builds the in-memory state of a ledger from its database: one object for each subject, such as
// open messages or quotas (docs/architecture.md §Admit). Combines several of these objects where a
// result concerns them all: the next time of the alarm, and the rows that are too old. A rollback
// builds all objects again, so that memory matches the disk.
import { HOLD_LIMIT_MS, IDEMPOTENCY_LOCK_MS, STUCK_AFTER_MS } from "../limits.ts";
import type { Settings } from "../settings.ts";
import { AuditRows } from "./audit-rows.ts";
import { LedgerCounters } from "./admission/counters.ts";
import { IdempotencyKeys } from "./admission/idempotency.ts";
import type { LedgerChange } from "./after-commit.ts";
import { createLedgerTable } from "./ledger-table.ts";
import type { TeamLog } from "./log/team-log.ts";
import { type Waits, waitsFor } from "./open/job-waits.ts";
import { Holds, PROBE_MS } from "./open/hold-periods.ts";
import { MESSAGES_IN_MEMORY } from "./open/open-memory.ts";
import { OpenMessages } from "./open/open-messages.ts";
import { Backlog } from "./release/backlog.ts";
import { releaseHeld } from "./release/held-releases.ts";
import { Releases } from "./release/releases.ts";
import { releaseDueJobs } from "./settle/claims.ts";
import { ProviderCopies } from "./settle/provider-copies.ts";

/** The waits and time limits of a deployment, and the limit of its ledgers' memory. */
export interface Bounds {
  readonly waits: Waits;
  readonly messagesInMemory: number;
  /** Time without an outcome after which a message is reported as stuck. */
  readonly stuckMs: number;
  /** Time for which a request locks its Idempotency-Key. */
  readonly lockMs: number;
  /** Time between two probes of a sending domain on hold. */
  readonly probeMs: number;
  /** Time after which mail on hold expires. */
  readonly holdMs: number;
}

/** Returns the bounds of a deployment. Test stacks divide the times (docs/settings.md). */
export function boundsFor(settings: Settings): Bounds {
  return {
    messagesInMemory: MESSAGES_IN_MEMORY,
    waits: waitsFor(settings),
    stuckMs: STUCK_AFTER_MS / settings.retrySpeedup,
    lockMs: IDEMPOTENCY_LOCK_MS / settings.leaseSpeedup,
    probeMs: PROBE_MS / settings.retrySpeedup,
    holdMs: HOLD_LIMIT_MS / settings.retrySpeedup,
  };
}

export class Subjects {
  readonly log: TeamLog;
  readonly counters: LedgerCounters;
  readonly open: OpenMessages;
  readonly releases: Releases;
  readonly copies: ProviderCopies;
  readonly keys: IdempotencyKeys;
  readonly audit: AuditRows;
  readonly #teamId: string;

  constructor(sql: SqlStorage, teamId: string, log: TeamLog, bounds: Bounds) {
    this.#teamId = teamId;
    createLedgerTable(sql);
    log.load(sql);
    this.audit = new AuditRows(sql);
    this.log = log;
    this.counters = new LedgerCounters(sql);
    this.keys = new IdempotencyKeys(sql, bounds.lockMs);
    const holds = new Holds(sql, bounds);
    const backlog = new Backlog(sql, holds);
    this.open = new OpenMessages(sql, log, { past: backlog, holds }, bounds, Date.now());
    this.releases = new Releases(sql, backlog, this.open, this.counters);
    this.copies = new ProviderCopies(sql);
  }

  /** Writes the state that a group of changes needs to write only once. */
  beforeCommit(): void {
    this.open.memory.leaveMemory();
    this.log.rows.saveSometimes();
    this.counters.save();
  }

  /** Releases jobs that wait or were lost, and deletes rows that are finished or too old. */
  round(now: number): LedgerChange<void> {
    const allowed = this.open.outage.allowance(now);
    this.open.memory.loadDue(now, Math.min(allowed, this.releases.retryRoom));
    const room = Math.min(allowed, this.releases.retryRoom);
    const held = releaseHeld(this.open, this.releases.backlog, now, room);
    const waiting = this.releases.releaseWaiting(now, allowed);
    const { released = [], ...rest } = releaseDueJobs(this.open, now);
    this.open.memory.stuck.report(this.#teamId);
    this.counters.sweepLabels(now);
    this.log.rows.sweep();
    this.open.holds.sweep(now);
    const { keys, log, copies, releases } = this;
    for (const { tables } of [keys, log.once, copies, releases.schedule.canceled])
      tables.sweep(now);
    return { ...rest, released: [...held, ...waiting, ...released] };
  }

  /**
   * The time at which the alarm is due next, in Unix milliseconds. Ignores the messages in flight,
   * whose time is OpenMemory.nextWake().
   */
  nextRound(now: number): number {
    return Math.min(
      this.keys.tables.sweepAt,
      this.releases.schedule.canceled.tables.sweepAt,
      this.counters.labelSweepAt,
      this.releases.nextAt(now),
      this.log.dueAt(now),
    );
  }
}
