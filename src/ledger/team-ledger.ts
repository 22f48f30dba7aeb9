// One team's ledger decides what the team may send and knows what it has in flight (docs/architecture.md §Admit). A shell: the rules are in the pure files
// beside it, the rows in books, idempotency and outbox. Every write goes through one group commit, so a caller that got its answer can rely on it.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { alarmToSet } from "../lib/lost-alarm.ts";
import { settingsOf } from "../env.ts";
import { crashPoint } from "../lib/crash-point.ts";
import { logError, logWarning } from "../lib/log.ts";
import { HOUR_MS, STUCK_AFTER_MS } from "../limits.ts";
import { GaugeReport } from "../metrics/gauge-report.ts";
import { decideAdmission } from "./admission.ts";
import { BACKLOG_SCHEMA } from "./backlog.ts";
import { Books, BOOKS_SCHEMA } from "./books.ts";
import type {
  AdmitItem,
  AdmitRequest,
  Admission,
  Answer,
  Beginning,
  Candidate,
  Claim,
  ForgetRequest,
  Grant,
  IdempotencyClaim,
  JobRef,
  OpenMessage,
  Policy,
  RateState,
  Settlement,
  Usage,
} from "./contract.ts";
import { Dispatcher, type Released } from "./dispatch.ts";
import { GroupCommit } from "./group-commit.ts";
import { IdempotencyKeys, judgeKey } from "./idempotency.ts";
import type { Waits } from "./job.ts";
import { Outbox, OUTBOX_SCHEMA } from "./outbox.ts";
import { Overdue, OVERDUE_SCHEMA } from "./overdue.ts";
import { PACKS_SCHEMA } from "./packs.ts";
import { nextRound, queueRoom, ROUND_MS, takeReleases } from "./pacing.ts";
import { rollOver } from "./quota.ts";
import { peekRequests, takeRequest, type Bucket } from "./rate.ts";

/** How long a consumer has to settle what it claimed. Shorter than the longest SMTP dialogue: the gateway joins an attempt that is still under way. */
export const LEASE_MS = 2 * 60_000;
export const RELEASE_WAIT_MS = 30_000;
export const UNRECORDED_MS = 60_000;
export const POSTPONED_MS = 15_000;
export const INHERITED_MS = 5_000;
/** How many ids one line of the log names. */
const STUCK_IDS = 100;
/** After an alarm that failed. */
const ALARM_RETRY_MS = 10_000;
/** For how long a deleted team's ledger refuses late calls: longer than any isolate remembers a key. */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";

type Standstill = Extract<Admission, { kind: "in_flight" | "mismatch" | "answered" }>;
/** Omit, for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

export class TeamLedger extends DurableObject<Env> {
  readonly #commit: GroupCommit;
  readonly #dispatcher: Dispatcher;
  readonly #waits: Waits;
  #books!: Books;
  #keys!: IdempotencyKeys;
  #outbox!: Outbox;
  #overdue!: Overdue;
  readonly #report: GaugeReport;
  readonly #stuckMs: number;
  /** In memory alone: after a restart a team has its burst again. */
  #requests: Bucket | undefined;
  /** Keys whose request is queued for a commit or in it, with its fingerprint. */
  readonly #atWork = new Map<string, string>();
  /** Jobs that the open group releases when it is on disk. */
  #released: Released[] = [];
  #accepted = false;
  /** The alarm that is set, Unix milliseconds; null: none. While one runs: before everything, since it sets the next one itself. */
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
      unrecordedMs: UNRECORDED_MS / speedup,
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
    const [bucket, taken] = takeRequest(this.#requests, policy.requestsPerSecond, now);
    this.#requests = bucket;
    return taken;
  }

  /**
   * For a send with an Idempotency-Key whose content must be stored elsewhere before admit(): takes the rate, looks the key up, and locks it
   * (IDEMPOTENCY_LOCK_MS). `begun` must be followed by admit() or abandon() with its `lock`.
   */
  async begin(policy: Policy, claim: IdempotencyClaim, now: number): Promise<Beginning> {
    const { allowed, rate } = this.takeRequest(policy, now);
    if (!allowed) return { kind: "rate_limited", rate };
    const standstill = this.#standstill(claim, null, now);
    if (standstill) return { ...standstill, rate };
    const lock = crypto.randomUUID();
    await this.#working(claim, () => this.#keys.lock(claim, lock, now));
    return { kind: "begun", rate, lock };
  }

  /** Frees the key that begin() locked: the request ended without an admit(). */
  async abandon(key: string, lock: string): Promise<void> {
    await this.#write(() => this.#keys.release(key, lock));
  }

  /** Decides a send in the order of contract.md §Order of checks. An item that it answers as accepted is on disk. */
  async admit(request: AdmitRequest): Promise<Admission> {
    const { policy, idempotency: claim, lock, verdict, now } = request;
    const { allowed, rate } = request.takesRate ? this.takeRequest(policy, now) : this.#peekRequests(policy, now);
    if (!allowed) return { kind: "rate_limited", rate };
    const standstill = claim && this.#standstill(claim, lock, now);
    if (standstill) return { ...standstill, rate };
    if (verdict.kind === "items") return { ...(await this.#working(claim, () => this.#admitItems(request, verdict.items))), rate };
    if (verdict.kind === "refused") {
      if (claim) await this.#working(claim, () => this.#keys.answer(claim, verdict, now));
      return { kind: "answered", rate, replayed: false, answer: verdict };
    }
    if (claim && lock !== null) await this.abandon(claim.key, lock);
    return { kind: "unavailable", rate, items: [] };
  }

  /** Decides each as admit() does, in their order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<Admission[]> {
    return Promise.all(requests.map((request) => this.admit(request)));
  }

  /** Grants what is released, or due, and not leased; a message comes with its content. `courierRemembers`: asked twice it sends once, so a restart may forget leases. */
  claim(jobs: readonly JobRef[], now: number, courierRemembers = false): Promise<Claim> {
    return this.#write(() => {
      const claim = this.#outbox.claim(jobs, now, !courierRemembers);
      this.#releaseWaiting(Date.now());
      return claim;
    });
  }

  /** Notes outcomes. Returns the places of those that were applied: an attempt that is settled already, or unknown, is not. */
  settle(settlements: readonly Settlement[], now: number): Promise<number[]> {
    return this.#write(() => this.#outbox.settle(settlements, now));
  }

  /** Claimed jobs whose courier is still at them, and would send them twice if they were offered again: their leases begin anew. */
  hold(grants: readonly Grant[], now: number): Promise<void> {
    return this.#write(() => this.#outbox.hold(grants, now));
  }

  /** Claimed jobs that the courier could not take: offered again as the same attempt, after a wait that grows. */
  postpone(grants: readonly Grant[], now: number): Promise<void> {
    return this.#write(() => this.#outbox.postpone(grants, now));
  }

  /** The facts of these attempts are recorded. Returns the R2 keys of content that nobody needs any more. */
  async forget(requests: readonly ForgetRequest[]): Promise<{ contentKeys: string[] }> {
    return { contentKeys: await this.#write(() => this.#outbox.forget(requests)) };
  }

  /** A message on its way; null: nothing of it is open, or it is not this team's. */
  find(emailId: string): OpenMessage | null {
    this.#refuseIfDestroyed();
    return this.#outbox.find(emailId) ?? null;
  }

  usage(now: number): Usage {
    this.#refuseIfDestroyed();
    const { dailyUsed, monthlyUsed, overageCredits } = rollOver(this.#books.quota, now);
    return { dailyUsed, monthlyUsed, overageCredits, ...this.#outbox.size };
  }

  /** For the hourly sweep: an alarm that was lost is set again. Nothing else would ever wake a ledger that is sent nothing new. */
  async rouse(): Promise<void> {
    if (!this.#destroyed) this.#wake(this.#nextAlarm(Date.now()));
  }

  /** Sets the prepaid messages that may be sent beyond the monthly cap. */
  async setOverageCredits(balance: number): Promise<void> {
    await this.#write(() => {
      this.#books.quota = { ...this.#books.quota, overageCredits: balance };
    });
  }

  /** The team is deleted: everything goes, and later calls throw. Returns the R2 keys of content that nobody needs any more. */
  async destroy(): Promise<{ contentKeys: string[] }> {
    if (this.#destroyed) return { contentKeys: [] };
    this.#destroyed = true;
    const contentKeys = this.#outbox.contentKeys();
    this.ctx.waitUntil(this.#report.send(null, Date.now()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + TOMBSTONE_MS);
    return { contentKeys };
  }

  /** Releases what waits and what got lost, and throws away what is over. Never throws: the platform gives up on an alarm after six failures. */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    this.#alarmAt = Number.NEGATIVE_INFINITY;
    let next: number;
    try {
      const now = Date.now();
      await this.#write(() => this.#round(now));
      this.ctx.waitUntil(this.#report.send(this.#outbox.gauges(), now));
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
    sql.exec(OUTBOX_SCHEMA + PACKS_SCHEMA + OVERDUE_SCHEMA + BACKLOG_SCHEMA + BOOKS_SCHEMA);
    this.#books = new Books(sql);
    this.#keys = new IdempotencyKeys(sql);
    this.#overdue = new Overdue(sql, this.#stuckMs);
    this.#outbox = new Outbox(sql, this.#waits, this.#overdue, Date.now());
  }

  #refuseIfDestroyed(): void {
    if (this.#destroyed) throw new Error("this team was deleted");
  }

  #peekRequests(policy: Policy, now: number): { allowed: true; rate: RateState } {
    return { allowed: true, rate: peekRequests(this.#requests, policy.requestsPerSecond, now) };
  }

  /** Why a request under this key goes no further; null: it does. */
  #standstill(claim: IdempotencyClaim, lock: string | null, now: number): Without<Standstill, "rate"> | null {
    const fingerprint = this.#atWork.get(claim.key);
    if (fingerprint !== undefined) return { kind: fingerprint === claim.fingerprint ? "in_flight" : "mismatch" };
    const standing = judgeKey(this.#keys.find(claim.key), claim, lock, now);
    if (standing.kind === "free") return null;
    return standing.kind === "replay" ? { kind: "answered", replayed: true, answer: standing.answer } : standing;
  }

  /** Commits work on behalf of a key: until it is on disk, a second request under the key is told that the first is in flight. */
  async #working<Result>(claim: IdempotencyClaim | null, work: () => Result): Promise<Result> {
    if (!claim) return this.#write(work);
    this.#atWork.set(claim.key, claim.fingerprint);
    try {
      return await this.#write(work);
    } finally {
      this.#atWork.delete(claim.key);
    }
  }

  #write<Result>(work: () => Result): Promise<Result> {
    return this.#commit.run(() => {
      this.#refuseIfDestroyed();
      return work();
    });
  }

  #admitItems({ policy, idempotency: claim, lock, now }: AdmitRequest, items: readonly AdmitItem[]): Without<Admission, "rate"> {
    const decision = decideAdmission(items, policy, this.#books.quota, this.#books.labels, now);
    if (decision.kind !== "accepted") {
      if (claim && lock !== null) this.#keys.release(claim.key, lock);
      return decision;
    }
    const answer: Answer = { kind: "accepted", createdAt: now, items: decision.items };
    this.#books.quota = decision.book;
    this.#books.saveLabels(this.#books.labels.use(decision.queued, now));
    if (decision.queued.length > 0) this.#store(decision.queued, policy, now);
    if (claim) this.#keys.answer(claim, answer, now);
    return { kind: "answered", replayed: false, answer };
  }

  #store(candidates: readonly Candidate[], policy: Policy, now: number): void {
    const released = this.#outbox.insert(candidates, now, (recipients) => this.#takeRoom(recipients, policy, now));
    this.#released.push(...released);
    this.#accepted = true;
  }

  /** How many of a message's jobs are released at once. While anything waits, none: a stream's turn comes in the next round. */
  #takeRoom(recipients: number, { deliveryRatePerMinute }: Policy, now: number): number {
    const room = this.#outbox.backlog.empty ? queueRoom(deliveryRatePerMinute, this.#outbox.queued) : 0;
    const [bucket, released] = takeReleases(this.#books.pacing.bucket, deliveryRatePerMinute, Math.min(recipients, room), now);
    this.#books.setPacing(bucket, deliveryRatePerMinute);
    return released;
  }

  #round(now: number): void {
    this.#releaseWaiting(now);
    this.#released.push(...this.#outbox.offers(now));
    this.#tellStuck(now);
    this.#keys.sweep(now);
    this.#books.sweepLabels(now);
  }

  /** As much of the backlog as the rate and the queue take now. */
  #releaseWaiting(now: number): void {
    const { backlog, queued } = this.#outbox;
    const { bucket, perMinute } = this.#books.pacing;
    const wanted = backlog.empty ? 0 : Math.min(backlog.waiting, queueRoom(perMinute, queued));
    if (wanted === 0) return;
    const [after, releases] = takeReleases(bucket, perMinute, wanted, now);
    this.#books.setPacing(after, perMinute);
    this.#released.push(...this.#outbox.releaseWaiting(releases, now));
  }

  /** "Accepted, but no outcome": for the operator, who finds the ids in the log and the number in the metrics. */
  #tellStuck(now: number): void {
    const stuck = this.#overdue.tell(now);
    if (stuck.length === 0) return;
    const recipients = stuck.reduce((sum, { jobs }) => sum + jobs, 0);
    const since = new Date(Math.min(...stuck.map((one) => one.since))).toISOString();
    const ids = stuck.slice(0, STUCK_IDS).map(({ emailId }) => emailId);
    logWarning("stuck", { team_id: this.ctx.id.name, recipients, emails: stuck.length, since, email_ids: ids });
  }

  /** The end of a group's block: what is written once for all, and an alarm that is early enough for everything in it. */
  #seal(): void {
    const now = Date.now();
    this.#books.save();
    this.#report.touch(now);
    const { sweepAt } = this.#keys;
    this.#wake(Math.min(this.#outbox.takeTouchedWake(), this.#nextRoundAt(now), sweepAt, this.#books.labelSweepAt, this.#report.dueAt));
  }

  async #committed(): Promise<void> {
    const released = this.#released;
    const accepted = this.#accepted;
    this.#released = [];
    this.#accepted = false;
    if (accepted) await crashPoint(this.env.CRASH_POINT_URL, "after_admit");
    if (released.length > 0) this.#dispatcher.send(released);
  }

  #undone(): void {
    this.#released = [];
    this.#accepted = false;
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
    const { sweepAt } = this.#keys;
    const { labelSweepAt } = this.#books;
    const rounds = Math.min(this.#outbox.nextWake(), this.#nextRoundAt(now), sweepAt, labelSweepAt);
    return Math.max(Math.min(rounds, this.#overdue.nextTelling(), this.#report.dueAt), now + ROUND_MS);
  }

  #nextRoundAt(now: number): number {
    const { bucket, perMinute } = this.#books.pacing;
    return this.#outbox.backlog.empty || !bucket ? Number.POSITIVE_INFINITY : nextRound(bucket, perMinute, now);
  }

  /** Sets the alarm, unless one is set that comes early enough. Infinity: there is nothing to do. */
  #wake(at: number): void {
    const next = alarmToSet(this.#alarmAt, at, Date.now());
    if (next === null) return;
    this.#alarmAt = next;
    void this.ctx.storage.setAlarm(next);
  }
}
