// One team's ledger: decides what the team may send, and knows what is in flight and what became of
// it (docs/architecture.md §Admit, §Settle). This file has the RPC methods; the rules are in the
// pure files beside it, the rows behind ledger-state.ts. Every write goes through one group commit,
// so an answered caller can rely on it.
import type { Ledger } from "../contracts/ledger.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { settingsOf } from "../settings.ts";
import { crashPoint } from "../lib/crash-point.ts";
import { logError } from "../lib/log.ts";
import { HOUR_MS, STUCK_AFTER_MS } from "../limits.ts";
import { GaugeReport } from "../metrics/gauge-report.ts";
import type { MessageRecord } from "../contracts/event-records.ts";
import type { Cancellation, ScheduledPage } from "../contracts/schedule-contract.ts";
import type { Usage } from "../contracts/usage-contract.ts";
import type {
  AdmitRequest,
  Admission,
  Append,
  Begun,
  Claim,
  FoundMessage,
  Grant,
  CopyMatch,
  CopyQuery,
  IdempotencyClaim,
  JobRef,
  Policy,
  Recalled,
  Settled,
  Settlement,
} from "../contracts/ledger-contract.ts";
import type { Tail, TailRequest } from "../contracts/tail-contract.ts";
import { SendAdmission } from "./admission/send-admission.ts";
import { Dispatcher } from "./release/dispatch.ts";
import { GroupCommit } from "../lib/group-commit.ts";
import { type Waits, waitsFor } from "./open/job.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { LedgerState } from "./ledger-state.ts";
import { TeamLog } from "./log/team-log.ts";
import { gaugesOf, usageOf } from "./usage.ts";
import { useLinkOnce } from "./used-links.ts";

/**
 * Time for which a deleted team's ledger refuses late calls: longer than any isolate caches a key.
 */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";

export class TeamLedger extends DurableObject<Env> implements Ledger {
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

  /** Takes a request from the rate of the team or its session, for every endpoint but sends. */
  takeRequest(policy: Policy, now: number, session: string | null = null) {
    return this.#admission.takeRequest(policy, now, session);
  }

  /** Begins a send whose content must be stored elsewhere before admit(). */
  begin(policy: Policy, claim: IdempotencyClaim, now: number, session: string | null = null) {
    return this.#admission.begin(policy, claim, now, session);
  }

  /** Frees the key that begin() locked, because the request ended without admit(). */
  abandon(key: string, lock: string): Promise<void> {
    return this.#admission.abandon(key, lock);
  }

  /**
   * Decides a send in the order of contract.md §Order of checks. An item that is answered as
   * accepted is on disk. The answer is that of begin() without room for the send's large content.
   */
  admit(request: AdmitRequest): Promise<Admission | Begun> {
    return this.#admission.admit(request);
  }

  /** Decides each send as admit() does, in order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<(Admission | Begun)[]> {
    return Promise.all(requests.map((request) => this.admit(request)));
  }

  /** Tells what became of sends whose answer got lost. Revokes those that are not found. */
  recall(requests: readonly AdmitRequest[]): Promise<Recalled[]> {
    return this.#admission.recall(requests);
  }

  /** Grants jobs that are released or due and not leased, and returns their messages. */
  claim(
    jobs: readonly JobRef[],
    now: number,
    courierRemembers = false,
    largeBytes = 0,
  ): Promise<Claim> {
    return this.#write(() => this.#state.claim(jobs, now, !courierRemembers, largeBytes));
  }

  /** Reads content that a claim did not bring along; null: its message has the last outcome. */
  readContent(emailId: string): Uint8Array<ArrayBuffer> | null {
    this.#refuseIfDestroyed();
    return this.#state.messages.readLarge(emailId);
  }

  /**
   * Stores outcomes and appends their events to the log, in one transaction. `messages` holds the
   * settlements' messages by id.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Promise<Settled> {
    return this.#write(() => this.#state.settle(settlements, messages, now));
  }

  /** Appends events that no attempt led to. Returns for each whether it was appended (once.ts). */
  append(appends: readonly Append[], now: number): Promise<boolean[]> {
    return this.#write(() => this.#state.append(appends, now));
  }

  /** Finds the attempts that a provider's events are about, one for each query. */
  matchProviderCopies(queries: readonly CopyQuery[]): Promise<CopyMatch[]> {
    return this.#write(() => this.#state.matchProviderCopies(queries));
  }

  /** Reads events that are in no page yet. */
  readTail(request: TailRequest): Tail {
    this.#refuseIfDestroyed();
    return this.#log.readTail(request);
  }

  /**
   * Drops suppressions of this address that are not handed over yet. Returns whether there were
   * any. Once it resolves, none is on its way either.
   */
  async dropPendingSuppressions(email: string): Promise<boolean> {
    const hasDropped = await this.#write(() => this.#log.rows.dropPendingSuppressions(email));
    await this.#log.awaitSuppressions();
    return hasDropped;
  }

  /** Forgets which webhooks the team has, because they changed. */
  webhooksChanged(): void {
    this.#log.webhooksChanged();
  }

  /**
   * Restarts the leases of claimed jobs, because their courier still works on them and would send
   * them twice if they were offered again.
   */
  hold(grants: readonly Grant[], now: number): Promise<void> {
    return this.#write(() => this.#state.outbox.hold(grants, now));
  }

  /**
   * Offers claimed jobs that the courier could not take again, as the same attempt, after a wait
   * that grows and that ends at `notBefore` at the earliest.
   */
  postpone(grants: readonly Grant[], now: number, notBefore = 0): Promise<void> {
    return this.#write(() => this.#state.outbox.postpone(grants, now, notBefore));
  }

  /** Finds a message that is on its way, or has events in no page yet, or was never released. */
  find(emailId: string): FoundMessage {
    this.#refuseIfDestroyed();
    return this.#state.find(emailId);
  }

  cancel(emailId: string, now: number): Promise<Cancellation> {
    return this.#write(() => this.#state.cancel(emailId, now));
  }

  move(emailId: string, scheduledAt: number, now: number): Promise<boolean> {
    return this.#write(() => this.#state.move(emailId, scheduledAt, now));
  }

  listScheduled(limit: number, before: string | null): ScheduledPage {
    this.#refuseIfDestroyed();
    return this.#state.schedule.list(limit, before);
  }

  /** A deleted team needs no content. */
  needingContent(emailIds: readonly string[]): string[] {
    return this.#destroyed ? [] : this.#state.needingContent(emailIds);
  }

  usage(now: number): Usage {
    this.#refuseIfDestroyed();
    return usageOf(this.#state, this.#log, now);
  }

  /** Uses up a link that signs in to the console. Returns whether that is its first use. */
  useLink(id: string, expiresAt: number, now: number): boolean {
    this.#refuseIfDestroyed();
    return useLinkOnce(this.ctx.storage.kv, id, expiresAt, now);
  }

  /** Sets a lost alarm again, for the hourly sweep: nothing else wakes a quiet ledger. */
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
   * Deletes everything, because the team is deleted; later calls throw. Returns the R2 keys of
   * content that is not needed any more.
   */
  async destroy(): Promise<{ contentKeys: string[] }> {
    if (this.#destroyed) return { contentKeys: [] };
    this.#destroyed = true;
    const { messages, schedule } = this.#state;
    const contentKeys = [...messages.contentKeys(), ...schedule.contentKeys()];
    this.ctx.waitUntil(this.#report.send(null, Date.now()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + TOMBSTONE_MS);
    return { contentKeys };
  }

  /**
   * Releases waiting and lost jobs, and deletes what is finished or too old. Never throws, because
   * the platform gives up on an alarm after six failures.
   */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    await this.#alarm.run(async (now) => {
      while (await this.#write(() => this.#state.releaseDue(now)));
      await this.#write(() => this.#state.round(now));
      this.#log.wake(now);
      const gauges = gaugesOf(this.#state, this.#log, this.#admission.wasFull);
      this.ctx.waitUntil(this.#report.send(gauges, now));
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
   * Ends a group's block: writes what is written once per group, and makes sure that the alarm is
   * early enough for the whole group.
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

  /** Content that can't be deleted now is found by the hourly sweep. */
  async #deleteContent(keys: string[]): Promise<void> {
    await this.env.CONTENT.delete(keys).catch((error: unknown) =>
      logError("content_not_deleted", error, { team_id: this.ctx.id.name }),
    );
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
