// One team's ledger decides what the team may send, knows what it has in flight and what became of
// it (docs/architecture.md §Admit, §Settle). A shell: the rules are in the pure files beside it,
// the rows in books, idempotency, outbox and log. Every write goes through one group commit, so a
// caller that got its answer can rely on it.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { settingsOf } from "../env.ts";
import { crashPoint } from "../lib/crash-point.ts";
import { logError } from "../lib/log.ts";
import { HOUR_MS, STUCK_AFTER_MS } from "../limits.ts";
import type { Gauges } from "../metrics/metrics-contract.ts";
import { GaugeReport } from "../metrics/gauge-report.ts";
import type { MessageRecord } from "../resources/events/records.ts";
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
} from "./ledger-contract.ts";
import { SendAdmission } from "./send-admission.ts";
import { Dispatcher } from "./dispatch.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Waits, waitsFor } from "./job.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { LedgerState } from "./ledger-state.ts";
import { rollOver } from "./quota.ts";
import { TeamLog } from "./log/team-log.ts";

/** The tail of a quiet team waits in no page for its day's end, which is no news. */
const UNPAGED_TOLD = 1_000;
/**
 * For how long a deleted team's ledger refuses late calls: longer than any isolate remembers a key.
 */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";

export class TeamLedger extends DurableObject<Env> {
  readonly #commit: GroupCommit;
  readonly #dispatcher: Dispatcher;
  readonly #waits: Waits;
  readonly #admission: SendAdmission;
  readonly #log: TeamLog;
  #state!: LedgerState;
  readonly #report: GaugeReport;
  readonly #stuckMs: number;
  readonly #alarm: LedgerAlarm;
  #destroyed = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const teamId = ctx.id.name;
    if (teamId === undefined) throw new Error("a ledger is addressed by its team's id");
    const speedup = settingsOf(env).retrySpeedup;
    this.#waits = waitsFor(speedup);
    this.#stuckMs = STUCK_AFTER_MS / speedup;
    this.#report = new GaugeReport(teamId, () => this.env, ctx.storage.kv);
    this.#dispatcher = new Dispatcher(
      teamId,
      () => this.env.DELIVER,
      () => crashPoint(this.env.CRASH_POINT_URL, "after_release"),
    );
    this.#commit = new GroupCommit(ctx.storage, {
      beforeCommit: () => this.#beforeCommit(),
      afterCommit: () => this.#afterCommit(),
      afterRollback: () => this.#afterRollback(),
    });
    this.#admission = new SendAdmission({
      state: () => this.#state,
      write: (work) => this.#write(work),
      databaseSize: () => ctx.storage.sql.databaseSize,
    });
    this.#log = new TeamLog({
      teamId,
      env: () => this.env,
      speedup,
      write: (work) => this.#write(work),
      scheduleWake: () => this.#alarm.wake(),
    });
    this.#alarm = new LedgerAlarm(ctx.storage, {
      teamId,
      state: () => this.#state,
      log: this.#log,
      report: this.#report,
      isDestroyed: () => this.#destroyed,
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#destroyed = ctx.storage.kv.get(TOMBSTONE) !== undefined;
      await this.#alarm.load();
      if (this.#destroyed) return;
      this.#load();
      this.#alarm.wake();
    });
  }

  /** Takes one request from the team's rate: for every endpoint but the sends. */
  takeRequest(policy: Policy, now: number): { allowed: boolean; rate: RateState } {
    return this.#admission.takeRequest(policy, now);
  }

  /**
   * For a send with an Idempotency-Key whose content must be stored elsewhere before admit(): takes
   * the rate, looks the key up, and locks it (IDEMPOTENCY_LOCK_MS). `begun` must be followed by
   * admit() or abandon() with its `lock`.
   */
  begin(policy: Policy, claim: IdempotencyClaim, now: number): Promise<Beginning> {
    return this.#admission.begin(policy, claim, now);
  }

  /** Frees the key that begin() locked: the request ended without an admit(). */
  abandon(key: string, lock: string): Promise<void> {
    return this.#admission.abandon(key, lock);
  }

  /**
   * Decides a send in the order of contract.md §Order of checks. An item that it answers as
   * accepted is on disk.
   */
  admit(request: AdmitRequest): Promise<Admission> {
    return this.#admission.admit(request);
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
  async dropPendingSuppressions(email: string): Promise<boolean> {
    const struck = await this.#write(() => this.#log.rows.dropPendingSuppressions(email));
    await this.#log.awaitSuppressions();
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
    return {
      open: this.#state.messages.find(emailId) ?? null,
      logged: this.#log.rows.find(emailId),
    };
  }

  usage(now: number): Usage {
    this.#refuseIfDestroyed();
    const { dailyUsed, monthlyUsed, overageCredits } = rollOver(this.#state.counters.quota, now);
    const { unpaged, undelivered } = this.#log;
    return {
      dailyUsed,
      monthlyUsed,
      overageCredits,
      ...this.#state.messages.size,
      unpaged,
      undelivered,
    };
  }

  /**
   * For the hourly sweep: an alarm that was lost is set again. Nothing else would ever wake a
   * ledger that is sent nothing new.
   */
  async restoreAlarm(): Promise<void> {
    this.#alarm.wake();
  }

  /** Sets the prepaid messages that may be sent beyond the monthly cap. */
  async setOverageCredits(balance: number): Promise<void> {
    await this.#write(() => {
      this.#state.counters.quota = { ...this.#state.counters.quota, overageCredits: balance };
    });
  }

  /**
   * The team is deleted: everything goes, and later calls throw. Returns the R2 keys of content
   * that nobody needs any more.
   */
  async destroy(): Promise<{ contentKeys: string[] }> {
    if (this.#destroyed) return { contentKeys: [] };
    this.#destroyed = true;
    const contentKeys = this.#state.messages.contentKeys();
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
    await this.#alarm.run(async (now) => {
      await this.#write(() => this.#state.round(now));
      this.#log.wake(now);
      this.ctx.waitUntil(this.#report.send(this.#gauges(), now));
    });
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
  #beforeCommit(): void {
    const now = Date.now();
    this.#state.counters.save();
    this.#report.touch(now);
    this.#alarm.wakeForGroup(now);
  }

  async #afterCommit(): Promise<void> {
    const { isAccepted, released, unusedContent } = this.#state.takeFollowUp();
    if (isAccepted) await crashPoint(this.env.CRASH_POINT_URL, "after_admit");
    if (released.length > 0) this.#dispatcher.send(released);
    await this.#log.afterCommit();
    if (unusedContent.length > 0) void this.#deleteContent(unusedContent);
  }

  /** What is not deleted now the hourly sweep finds. */
  async #deleteContent(keys: string[]): Promise<void> {
    await this.env.CONTENT.delete(keys).catch((error: unknown) =>
      logError("content_not_deleted", error, { team_id: this.ctx.id.name }),
    );
  }

  #gauges(): Gauges | null {
    const open = this.#state.messages.gauges();
    const { unpaged, undelivered } = this.#log;
    if (open === null && undelivered === 0 && unpaged < UNPAGED_TOLD) return null;
    return { ...open, unpaged, undelivered, full: this.#admission.wasFull ? 1 : 0 };
  }

  #afterRollback(): void {
    if (this.#destroyed) return;
    try {
      this.#load();
      this.#alarm.reset();
    } catch (error) {
      this.ctx.abort(`the ledger can't be read again: ${String(error)}`);
    }
  }
}
