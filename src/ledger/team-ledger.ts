// One team's ledger: decides what the team may send, and knows the fate of each message
// (docs/architecture.md §Admit, §Settle). This file has the methods that rpc/ledger.ts describes.
// Each folder has the rules of one subject. Every write is part of a group commit
// (ledger-commits.ts), so every fact in a response is on disk.
import { DurableObject } from "cloudflare:workers";
import type { QuestionResults, LeftJobs, MessagesToSettle } from "../rpc/question-calls.ts";
import type {
  AdmitRequest,
  AppendRequest,
  Grant,
  IdempotencyClaim,
  JobRef,
  Policy,
} from "../rpc/ledger-calls.ts";
import type { CopyQuery } from "../rpc/provider-copy-calls.ts";
import type { Ledger, MentioningMessage } from "../rpc/ledger.ts";
import type { LedgerMessagesQuery } from "../rpc/message-list-calls.ts";
import type { AuditQuery, NotedChange } from "../audit.ts";
import type { Cancellation, ScheduledRange } from "../rpc/schedule-calls.ts";
import type { RecentEvents, RecentEventsRequest } from "../rpc/recent-events-calls.ts";
import type { Env } from "../env.ts";
import { HOUR_MS } from "../limits.ts";
import { settingsOf } from "../settings.ts";
import { requestAccountProbe } from "./account-probe.ts";
import { policyOf } from "./admission/decide-items.ts";
import { NewestPolicy } from "./admission/newest-policy.ts";
import { SendAdmission } from "./admission/send-admission.ts";
import { CoreFacts } from "./core-facts.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { LedgerCommits } from "./ledger-commits.ts";
import {
  contentKeysOf,
  findMentioning,
  findMessage,
  findWithContent,
  hasMessage,
  listMessages,
  matchCopies,
  needingContent,
} from "./ledger-look-ups.ts";
import { LedgerMetrics } from "./ledger-metrics.ts";
import { readRecentEvents } from "./log/recent-events.ts";
import { TeamLog } from "./log/team-log.ts";
import { readLargeContent } from "./open/open-lookups.ts";
import { listOpenWork } from "./open-work.ts";
import { recordAskedAttempts } from "./settle/attempt-questions.ts";
import { claimWithFacts } from "./settle/claim-facts.ts";
import { claimJobs, leaveJobs, renewLeases } from "./settle/claims.ts";
import { appendEvents, settleAttempts } from "./settle/settlements.ts";
import { boundsFor } from "./ledger-state.ts";
import { usageOf } from "./usage.ts";

/**
 * Marks the ledger of a deleted team for an hour, until no isolate caches a key of the team any
 * more.
 */
const TOMBSTONE = "destroyed";

export class TeamLedger extends DurableObject<Env> implements Ledger {
  readonly #log: TeamLog;
  readonly #commits: LedgerCommits;
  readonly #admission: SendAdmission;
  readonly #report: LedgerMetrics;
  readonly #alarm: LedgerAlarm;
  readonly #facts: CoreFacts;
  readonly #policy = new NewestPolicy();
  readonly #probing: Parameters<typeof requestAccountProbe>[0];
  #destroyed = false;

  constructor(ctx: DurableObjectState, environment: Env) {
    super(ctx, environment);
    const teamId = ctx.id.name;
    if (teamId === undefined) throw new Error("a ledger is addressed by its team's id");
    const settings = settingsOf(environment);
    const speedup = settings.retrySpeedup;
    const env = () => this.env;
    const isDestroyed = () => this.#destroyed;
    const write = <Result>(work: () => Result) => this.#commits.write(work);
    const subjects = () => this.#commits.subjects;
    const scheduleWake = () => this.#alarm.wake();
    this.#facts = new CoreFacts(teamId, env, (team) => this.#policy.of(policyOf(team)));
    const common = {
      teamId,
      env,
      speedup,
      facts: this.#facts,
      subjects,
      isDestroyed,
      scheduleWake,
    };
    this.#report = new LedgerMetrics({
      ...common,
      kv: ctx.storage.kv,
      isFull: () => this.#admission.wasFull,
      readRecentEvents: (request) => this.readTail(request),
    });
    this.#log = new TeamLog({
      ...common,
      write,
      noteAppended: (messages, now) => this.#report.note(messages, now),
    });
    this.#commits = new LedgerCommits(ctx, {
      ...common,
      log: this.#log,
      bounds: boundsFor(settings),
      beforeCommit: (now) => {
        this.#report.touch(now);
        this.#alarm.wakeForGroup(now);
      },
      afterRollback: () => this.#alarm.reset(),
    });
    this.#admission = new SendAdmission({
      state: subjects,
      isKnown: (emailId) => hasMessage(subjects(), emailId),
      write,
      change: (work) => this.#commits.change(work),
      databaseSize: () => ctx.storage.sql.databaseSize,
    });
    this.#alarm = new LedgerAlarm(ctx.storage, { ...common, report: this.#report });
    this.#probing = { teamId, env, write, holds: () => this.#commits.subjects.open.holds };
    void ctx.blockConcurrencyWhile(async () => {
      this.#destroyed = ctx.storage.kv.get(TOMBSTONE) !== undefined;
      await this.#alarm.load();
      if (this.#destroyed) return;
      this.#commits.load();
      this.#alarm.wake();
    });
  }

  takeRequest(policy: Policy, now: number, session: string | null = null) {
    return this.#admission.takeRequest(this.#policy.of(policy), now, session);
  }

  begin(policy: Policy, claim: IdempotencyClaim, now: number, session: string | null = null) {
    return this.#admission.begin(this.#policy.of(policy), claim, now, session);
  }

  abandon(key: string, lock: string): Promise<void> {
    return this.#admission.abandon(key, lock);
  }

  async admit(request: AdmitRequest) {
    const [admission] = await this.admitEach([request]);
    return admission!;
  }

  admitEach(requests: readonly AdmitRequest[]) {
    return this.#admission.admitEach(requests.map((one) => this.#policy.applyTo(one)));
  }

  recall(requests: readonly AdmitRequest[]) {
    return this.#admission.recall(requests);
  }

  /** Leases jobs. Each claim frees space in the queue, so the ledger then releases waiting jobs. */
  async claim(jobs: readonly JobRef[], now: number, courierRemembers?: boolean, largeBytes = 0) {
    if (this.#destroyed) return { messages: [], grants: [] };
    return claimWithFacts(this.#facts, courierRemembers, now, (isRemembered) =>
      this.#commits.change(({ open, releases }) => ({
        result: claimJobs(open, jobs, now, !isRemembered, largeBytes),
        released: releases.releaseMore(Date.now()),
      })),
    );
  }

  readContent(emailId: string): Uint8Array<ArrayBuffer> | null {
    return readLargeContent(this.#commits.read().open, emailId);
  }

  settle(...[settlements, messages, now]: Parameters<Ledger["settle"]>) {
    return this.#commits.change((all) => settleAttempts(all, settlements, messages, now));
  }

  append(appends: readonly AppendRequest[], now: number): Promise<boolean[]> {
    return this.#commits.change((all) => appendEvents(all, appends, now));
  }

  matchProviderCopies(queries: readonly CopyQuery[]) {
    return this.#commits.write((subjects) => matchCopies(subjects, queries));
  }

  readTail(request: RecentEventsRequest): RecentEvents {
    return readRecentEvents(this.#commits.read().log.rows.recent, request);
  }

  dropPendingSuppressions(email: string): Promise<boolean> {
    return this.#log.dropPendingSuppressions(email);
  }

  /** Reads the team's facts again at once, because a lowered limit must apply to the next send. */
  async webhooksChanged(): Promise<void> {
    this.#facts.forget();
    await this.#facts.team(Date.now());
  }

  hold(grants: readonly Grant[], now: number, courierRemembers = false): Promise<void> {
    return this.#commits.write(({ open }) => renewLeases(open, grants, now, courierRemembers));
  }

  leave(left: LeftJobs, now: number): Promise<void> {
    return this.#commits.change(({ open }) => leaveJobs(open, left, now));
  }

  noteAnswers(answers: QuestionResults, now: number): Promise<MessagesToSettle> {
    return this.#commits.change(({ open }) => recordAskedAttempts(open, answers, now));
  }

  find(emailId: string) {
    return findMessage(this.#commits.read(), emailId);
  }

  findWithContent(emailId: string) {
    return findWithContent(this.#commits.read(), emailId);
  }

  mentioning(text: string, limit: number): MentioningMessage[] {
    return findMentioning(this.#commits.read(), text, limit);
  }

  listHeld(ask: LedgerMessagesQuery) {
    return listMessages(this.#commits.read(), ask);
  }

  cancel(emailId: string, now: number, audit?: NotedChange): Promise<Cancellation> {
    return this.#commits.change(({ releases, audit: trail }) => {
      const canceled = releases.schedule.cancel(emailId, now);
      // A repeated cancelation finds no content to delete.
      if (canceled.unusedContent) trail.add(audit);
      return canceled;
    });
  }

  move(emailId: string, scheduledAt: number, now: number, audit?: NotedChange): Promise<boolean> {
    return this.#commits.change(({ releases, audit: trail }) => {
      const before = releases.schedule.rows.find(emailId)?.scheduledAt;
      const moved = releases.move(emailId, scheduledAt, now);
      if (moved.result && before !== scheduledAt) trail.add(audit);
      return moved;
    });
  }

  cancelCampaign(name: string, limit: number, now: number, audit?: NotedChange) {
    return this.#commits.change(({ releases, audit: trail }) => {
      const canceled = releases.schedule.cancelCampaign(name, limit, now);
      if (canceled.result.emailIds.length > 0) trail.add(audit);
      return canceled;
    });
  }

  listAudit(query: AuditQuery, limit: number) {
    return this.#commits.read().audit.list(query, limit);
  }

  listScheduled(range: ScheduledRange, limit: number) {
    return this.#commits.read().releases.schedule.rows.list(range, limit);
  }

  waitingCampaigns() {
    return this.#commits.read().releases.schedule.rows.waitingCampaigns();
  }

  /**
   * Returns the ids of the messages that still need their content. A deleted team's messages need
   * no content.
   */
  needingContent(emailIds: readonly string[]): string[] {
    return this.#destroyed ? [] : needingContent(this.#commits.subjects, emailIds);
  }

  dropDomain(name: string, now: number): Promise<void> {
    this.#facts.forget();
    return this.#commits.write(({ open }) => open.holds.drop(name, now));
  }

  holdOf(domain: string) {
    return this.#commits.read().open.holds.of(domain) ?? null;
  }

  listHolds() {
    return this.#commits.read().open.holds.named();
  }

  usage(now: number, startingCredits?: number) {
    return usageOf(this.#commits.read(), now, startingCredits);
  }

  openWork(now: number) {
    return listOpenWork(this.#commits.read(), this.env, now);
  }

  /** Sets the alarm again if it was lost. A ledger without calls does not set it by itself. */
  async restoreAlarm(): Promise<void> {
    this.#alarm.wake();
  }

  async setOverageCredits(balance: number): Promise<void> {
    await this.#commits.write(({ counters }) => counters.setOverageCredits(balance));
  }

  /** Deletes the ledger's data. Calls after that throw. */
  async destroy(): Promise<{ contentKeys: string[] }> {
    if (this.#destroyed) return { contentKeys: [] };
    this.#destroyed = true;
    const contentKeys = contentKeysOf(this.#commits.subjects);
    this.ctx.waitUntil(this.#report.forget());
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + HOUR_MS);
    return { contentKeys };
  }

  /**
   * Releases jobs that wait or were lost, and deletes rows that are finished or too old. Never
   * throws, because the platform gives up on an alarm after six failures.
   */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    await this.#alarm.run(async (now) => {
      while (await this.#commits.change(({ releases }) => releases.releaseDue(now)));
      await requestAccountProbe(this.#probing, now);
      await this.#commits.change((subjects) => subjects.round(now));
      this.#log.wake(now);
      this.ctx.waitUntil(this.#report.send(now));
    });
  }
}
