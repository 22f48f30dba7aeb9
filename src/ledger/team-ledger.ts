// One team's ledger decides what the team may send, knows what it has in flight and what became of
// it (docs/architecture.md §Admit, §Settle). A shell: the rules are in the pure files beside it,
// the rows in books, idempotency, outbox and log. Every write goes through one group commit, so a
// caller that got its answer can rely on it.
import type { Ledger } from "../contracts/ledger.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { alarmToSet } from "../lib/lost-alarm.ts";
import { crashPoint } from "../lib/crash-point.ts";
import { logError } from "../lib/log.ts";
import { HOUR_MS, STUCK_AFTER_MS } from "../limits.ts";
import type { Gauges } from "../contracts/metrics-contract.ts";
import { GaugeReport } from "../metrics/gauge-report.ts";
import type { MessageRecord } from "../contracts/event-records.ts";
import type {
  AdmitRequest,
  Admission,
  Append,
  Beginning,
  Claim,
  FoundMessage,
  Grant,
  IdempotencyClaim,
  JobRef,
  Policy,
  RateState,
  Settled,
  Settlement,
  Tail,
  TailRequest,
  Usage,
} from "../contracts/ledger-contract.ts";
import { Dispatcher } from "./dispatch.ts";
import { GroupCommit } from "../lib/group-commit.ts";
import type { Waits } from "./job.ts";
import { LedgerState } from "./ledger-state.ts";
import { ROUND_MS } from "./pacing.ts";
import { rollOver } from "./quota.ts";
import { RequestGate } from "./request-gate.ts";
import { settingsOf } from "../settings.ts";
import { TeamLog } from "./log/team-log.ts";

/**
 * How long a consumer has to settle what it claimed. Shorter than the longest SMTP dialogue: the
 * gateway joins an attempt that is still under way.
 */
export const LEASE_MS = 2 * 60_000;
export const RELEASE_WAIT_MS = 30_000;
export const POSTPONED_MS = 15_000;
export const INHERITED_MS = 5_000;
/** After an alarm that failed. */
const ALARM_RETRY_MS = 10_000;
/** Of the platform's 10 GB. */
const FULL_BYTES = 8_000_000_000;
const ADMISSIONS_PER_LOOK = 64;
/** The tail of a quiet team waits in no page for its day's end, which is no news. */
const UNPAGED_TOLD = 1_000;
/**
 * For how long a deleted team's ledger refuses late calls: longer than any isolate remembers a key.
 */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";

export class TeamLedger extends DurableObject<Env> implements Ledger {
  readonly #commit: GroupCommit;
  readonly #dispatcher: Dispatcher;
  readonly #waits: Waits;
  readonly #gate: RequestGate;
  readonly #log: TeamLog;
  #state!: LedgerState;
  /** Since the start, and what the last look at the disk found. */
  #admissions = 0;
  #wasFull = false;
  readonly #report: GaugeReport;
  readonly #stuckMs: number;
  /**
   * The alarm that is set, Unix milliseconds; null: none. While one runs: before everything, since
   * it sets the next one itself.
   */
  #alarmAt: number | null = null;
  #destroyed = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const teamId = ctx.id.name;
    if (teamId === undefined) throw new Error("a ledger is addressed by its team's id");
    const speedup = settingsOf(env).retrySpeedup;
    this.#waits = {
      leaseMs: LEASE_MS / speedup,
      releaseMs: RELEASE_WAIT_MS / speedup,
      postponedMs: POSTPONED_MS / speedup,
      inheritedMs: INHERITED_MS / speedup,
    };
    this.#stuckMs = STUCK_AFTER_MS / speedup;
    this.#report = new GaugeReport(teamId, () => this.env, ctx.storage.kv);
    this.#dispatcher = new Dispatcher(
      teamId,
      () => this.env.DELIVER,
      () => crashPoint(this.env.CRASH_POINT_URL, "after_release"),
    );
    this.#commit = new GroupCommit(ctx.storage, {
      seal: () => this.#seal(),
      committed: () => this.#committed(),
      undone: () => this.#undone(),
    });
    this.#gate = new RequestGate(() => this.#state.keys);
    this.#log = new TeamLog({
      teamId,
      env: () => this.env,
      speedup,
      write: (work) => this.#write(work),
      waiting: () => this.#wakeAgain(),
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#destroyed = ctx.storage.kv.get(TOMBSTONE) !== undefined;
      this.#alarmAt = await ctx.storage.getAlarm();
      if (this.#destroyed) return;
      this.#load();
      this.#wake(this.#nextAlarm(Date.now()));
    });
  }

  /** Takes one request from the team's rate: for every endpoint but the sends. */
  takeRequest(policy: Policy, now: number): { allowed: boolean; rate: RateState } {
    return this.#gate.takeRequest(policy, now);
  }

  /**
   * For a send with an Idempotency-Key whose content must be stored elsewhere before admit(): takes
   * the rate, looks the key up, and locks it (IDEMPOTENCY_LOCK_MS). `begun` must be followed by
   * admit() or abandon() with its `lock`.
   */
  async begin(policy: Policy, claim: IdempotencyClaim, now: number): Promise<Beginning> {
    const { allowed, rate } = this.takeRequest(policy, now);
    if (!allowed) return { kind: "rate_limited", rate };
    const stop = this.#gate.judgeKey(claim, null, now);
    if (stop) return { ...stop, rate };
    const lock = crypto.randomUUID();
    await this.#gate.hold(claim, () => this.#write(() => this.#state.keys.lock(claim, lock, now)));
    return { kind: "begun", rate, lock };
  }

  /** Frees the key that begin() locked: the request ended without an admit(). */
  async abandon(key: string, lock: string): Promise<void> {
    await this.#write(() => this.#state.keys.release(key, lock));
  }

  /**
   * Decides a send in the order of contract.md §Order of checks. An item that it answers as
   * accepted is on disk.
   */
  async admit(request: AdmitRequest): Promise<Admission> {
    const { policy, idempotency: claim, lock, verdict, now } = request;
    const { allowed, rate } = request.takesRate
      ? this.takeRequest(policy, now)
      : this.#gate.peekRequests(policy, now);
    if (!allowed) return { kind: "rate_limited", rate };
    const stop = claim && this.#gate.judgeKey(claim, lock, now);
    if (stop) return { ...stop, rate };
    if (verdict.kind === "items" && !this.#isFull())
      return {
        ...(await this.#gate.hold(claim, () =>
          this.#write(() => this.#state.admit(request, verdict.items)),
        )),
        rate,
      };
    if (verdict.kind === "refused") {
      if (claim)
        await this.#gate.hold(claim, () =>
          this.#write(() => this.#state.keys.answer(claim, verdict, now)),
        );
      return { kind: "answered", rate, replayed: false, answer: verdict };
    }
    if (claim && lock !== null) await this.abandon(claim.key, lock);
    return { kind: "unavailable", rate, items: [] };
  }

  /** Decides each as admit() does, in their order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<Admission[]> {
    return Promise.all(requests.map((request) => this.admit(request)));
  }

  /**
   * Grants what is released, or due, and not leased; a message comes with its content.
   * `courierRemembers`: asked twice it sends once, so a restart may forget leases.
   */
  claim(jobs: readonly JobRef[], now: number, courierRemembers = false): Promise<Claim> {
    return this.#write(() => this.#state.claim(jobs, now, !courierRemembers));
  }

  /**
   * Notes outcomes and appends their events to the log, in one transaction. `messages`: those of
   * the settlements, by their ids.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Promise<Settled> {
    return this.#write(() => this.#state.settle(settlements, messages, now));
  }

  /**
   * Appends events that no attempt led to. Answers of each whether it was: what may happen once and
   * had happened is not, nor what is too old to be kept.
   */
  append(appends: readonly Append[], now: number): Promise<boolean[]> {
    return this.#write(() => this.#state.append(appends, now));
  }

  /** The events that are in no page yet, as far as they are asked for. */
  readTail(request: TailRequest): Tail {
    this.#refuseIfDestroyed();
    return this.#log.readTail(request);
  }

  /**
   * Suppressions of this address that are not handed over yet are struck. Answers whether there
   * were any; from then on none is on its way either.
   */
  async strike(email: string): Promise<boolean> {
    const struck = await this.#write(() => this.#log.rows.strike(email));
    await this.#log.suppressed();
    return struck;
  }

  /**
   * The team's webhooks have changed: what is handed over from now on goes to those that there are
   * then.
   */
  webhooksChanged(): void {
    this.#log.webhooksChanged();
  }

  /**
   * Claimed jobs whose courier is still at them, and would send them twice if they were offered
   * again: their leases begin anew.
   */
  hold(grants: readonly Grant[], now: number): Promise<void> {
    return this.#write(() => this.#state.outbox.hold(grants, now));
  }

  /**
   * Claimed jobs that the courier could not take: offered again as the same attempt, after a wait
   * that grows.
   */
  postpone(grants: readonly Grant[], now: number): Promise<void> {
    return this.#write(() => this.#state.outbox.postpone(grants, now));
  }

  /** A message on its way, or one with events that are in no page yet. */
  find(emailId: string): FoundMessage {
    this.#refuseIfDestroyed();
    return { open: this.#state.outbox.find(emailId) ?? null, logged: this.#log.rows.find(emailId) };
  }

  usage(now: number): Usage {
    this.#refuseIfDestroyed();
    const { dailyUsed, monthlyUsed, overageCredits } = rollOver(this.#state.books.quota, now);
    const { unpaged, undelivered } = this.#log;
    return {
      dailyUsed,
      monthlyUsed,
      overageCredits,
      ...this.#state.outbox.size,
      unpaged,
      undelivered,
    };
  }

  /**
   * For the hourly sweep: an alarm that was lost is set again. Nothing else would ever wake a
   * ledger that is sent nothing new.
   */
  async restoreAlarm(): Promise<void> {
    if (!this.#destroyed) this.#wake(this.#nextAlarm(Date.now()));
  }

  /** Sets the prepaid messages that may be sent beyond the monthly cap. */
  async setOverageCredits(balance: number): Promise<void> {
    await this.#write(() => {
      this.#state.books.quota = { ...this.#state.books.quota, overageCredits: balance };
    });
  }

  /**
   * The team is deleted: everything goes, and later calls throw. Returns the R2 keys of content
   * that nobody needs any more.
   */
  async destroy(): Promise<{ contentKeys: string[] }> {
    if (this.#destroyed) return { contentKeys: [] };
    this.#destroyed = true;
    const contentKeys = this.#state.outbox.contentKeys();
    this.ctx.waitUntil(this.#report.send(null, Date.now()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + TOMBSTONE_MS);
    return { contentKeys };
  }

  /**
   * Releases what waits and what got lost, and throws away what is over. Never throws: the platform
   * gives up on an alarm after six failures.
   */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    this.#alarmAt = Number.NEGATIVE_INFINITY;
    let next: number;
    try {
      const now = Date.now();
      await this.#write(() => this.#state.round(now));
      this.#log.wake(now);
      this.ctx.waitUntil(this.#report.send(this.#gauges(), now));
      next = this.#nextAlarm(now);
    } catch (error) {
      logError("ledger_alarm_failed", error, { team_id: this.ctx.id.name });
      next = Date.now() + ALARM_RETRY_MS;
    }
    this.#alarmAt = null;
    if (!this.#destroyed) this.#wake(next);
  }

  #load(): void {
    const { sql } = this.ctx.storage;
    this.#state = new LedgerState(sql, this.ctx.id.name ?? "", this.#log, {
      waits: this.#waits,
      stuckMs: this.#stuckMs,
    });
  }

  #refuseIfDestroyed(): void {
    if (this.#destroyed) throw new Error("this team was deleted");
  }

  /**
   * Beyond that the ledger takes no more messages: what it has must still find room to be settled.
   * One look serves several admissions.
   */
  #isFull(): boolean {
    if (this.#admissions % ADMISSIONS_PER_LOOK === 0)
      this.#wasFull = this.ctx.storage.sql.databaseSize >= FULL_BYTES;
    this.#admissions += 1;
    return this.#wasFull;
  }

  #write<Result>(work: () => Result): Promise<Result> {
    return this.#commit.run(() => {
      this.#refuseIfDestroyed();
      return work();
    });
  }

  /**
   * The end of a group's block: what is written once for all, and an alarm that is early enough for
   * everything in it.
   */
  #seal(): void {
    const now = Date.now();
    this.#state.books.save();
    this.#report.touch(now);
    this.#wake(Math.min(this.#state.outbox.takeTouchedWake(), this.#nextRound(now)));
  }

  async #committed(): Promise<void> {
    const { isAccepted, released, freed } = this.#state.takeFollowUp();
    if (isAccepted) await crashPoint(this.env.CRASH_POINT_URL, "after_admit");
    if (released.length > 0) this.#dispatcher.send(released);
    await this.#log.committed();
    if (freed.length > 0) void this.#deleteContent(freed);
  }

  /** What is not deleted now the hourly sweep finds. */
  async #deleteContent(keys: string[]): Promise<void> {
    await this.env.CONTENT.delete(keys).catch((error: unknown) =>
      logError("content_not_deleted", error, { team_id: this.ctx.id.name }),
    );
  }

  #gauges(): Gauges | null {
    const open = this.#state.outbox.gauges();
    const { unpaged, undelivered } = this.#log;
    if (open === null && undelivered === 0 && unpaged < UNPAGED_TOLD) return null;
    return { ...open, unpaged, undelivered, full: this.#wasFull ? 1 : 0 };
  }

  #undone(): void {
    this.#alarmAt = null;
    if (this.#destroyed) return;
    try {
      this.#load();
      this.#wake(this.#nextAlarm(Date.now()));
    } catch (error) {
      this.ctx.abort(`the books can't be read again: ${String(error)}`);
    }
  }

  #nextAlarm(now: number): number {
    const next = Math.min(
      this.#state.outbox.nextWake(),
      this.#nextRound(now),
      this.#state.nextReport(),
    );
    return Math.max(next, now + ROUND_MS);
  }

  /** When something is due that no message in flight asks for. */
  #nextRound(now: number): number {
    return Math.min(this.#state.nextRound(now), this.#report.dueAt, this.#log.dueAt(now));
  }

  /** Something of the log has to be tried again later. */
  #wakeAgain(): void {
    if (!this.#destroyed) this.#wake(this.#nextAlarm(Date.now()));
  }

  /**
   * Sets the alarm, unless one is set that comes early enough. Infinity: there is nothing to do.
   */
  #wake(at: number): void {
    const next = alarmToSet(this.#alarmAt, at, Date.now());
    if (next === null) return;
    this.#alarmAt = next;
    void this.ctx.storage.setAlarm(next);
  }
}
