// Makes teams, sends of any form, and a queue that records its jobs, for the ledger's tests.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { TestEnv } from "../../support/api.ts";
import type { Env } from "../../../src/env.ts";
import type {
  AdmitItem,
  AdmitRequest,
  Candidate,
  Grant,
  JobRef,
  LoggedEvent,
  Policy,
  SettleResult,
} from "../../../src/rpc/ledger-calls.ts";
import type { TeamLedger } from "../../../src/ledger/team-ledger.ts";
import { uuidv7 } from "../../../src/lib/ids.ts";
import type { HostQuestions, DeliverBody } from "../../../src/rpc/queue-jobs.ts";
import { eventId, type MessageRecord } from "../../../src/rpc/event-records.ts";

const env = bindings as unknown as TestEnv;

/**
 * A Wednesday noon far ahead, so that no alarm set relative to it goes off by itself during the
 * tests.
 */
export const NOON = Date.UTC(2031, 0, 15, 12);

export type LedgerStub = DurableObjectStub<TeamLedger>;

export function newLedger(): LedgerStub {
  return env.TEAM_LEDGER.getByName(`team_${crypto.randomUUID()}`);
}

export function policy(over: Partial<Policy> = {}): Policy {
  return {
    daily: 10_000,
    monthly: 100_000,
    deliveryRatePerMinute: 600,
    requestsPerSecond: 1_000,
    tagsPerHour: 1_000,
    topicPerHour: 100,
    campaignPerHour: 200,
    campaignPer72Hours: 1_000,
    asOf: 0,
    ...over,
  };
}

export function candidate(over: Partial<Candidate> = {}): Candidate {
  const id = over.id ?? `email_${uuidv7(NOON)}`;
  return {
    id,
    recipientCount: 1,
    stream: over.campaign ?? "",
    domain: "",
    tags: [],
    topic: null,
    campaign: null,
    meta: JSON.stringify({ id }),
    content: '{"text":"hi"}',
    contentKey: null,
    ...over,
  };
}

export function itemsOf(...candidates: Partial<Candidate>[]): AdmitItem[] {
  return candidates.map((over) => ({ kind: "candidate", candidate: candidate(over) }));
}

/** The request for a send; by default, the send has one message to one recipient. */
export function send(over: Partial<AdmitRequest> = {}): AdmitRequest {
  return {
    policy: policy(),
    session: null,
    takesRate: true,
    idempotency: null,
    lock: null,
    verdict: { kind: "items", items: itemsOf({}) },
    now: NOON,
    ...over,
  };
}

export function sendOf(
  candidates: Partial<Candidate>[],
  over: Partial<AdmitRequest> = {},
): AdmitRequest {
  return send({ verdict: { kind: "items", items: itemsOf(...candidates) }, ...over });
}

/** The request for a send of a team that may deliver `perMinute` messages a minute. */
export const pacedSend = (candidates: Partial<Candidate>[], perMinute: number): AdmitRequest =>
  sendOf(candidates, { policy: policy({ deliveryRatePerMinute: perMinute }) });

/** Names jobs of a message; by default, the job of its first recipient. */
export const refs = (emailId: string, ...recipientIndexes: number[]): JobRef[] =>
  (recipientIndexes.length === 0 ? [0] : recipientIndexes).map((recipientIndex) => ({
    emailId,
    recipientIndex,
  }));

export interface Queued {
  /** The jobs of all queue messages, in the order in which they came. */
  jobs: JobRef[];
  /** Number of jobs in each batch that the ledger sent to the queue. */
  readonly batches: number[];
  /** Number of jobs in each message that the ledger put into the queue. */
  readonly messages: number[];
  /**
   * The ledger's questions about attempts, with one entry for each gateway in each queue message.
   */
  asks: HostQuestions[];
  refuses: boolean;
}

/**
 * Installs a queue that records its jobs in order. While `refuses` is set, the queue fails. A
 * restart of the ledger removes the queue.
 */
export async function recordQueue(
  ledger: LedgerStub,
  settings: Partial<Env> = {},
): Promise<Queued> {
  const seen: Queued = { jobs: [], batches: [], messages: [], asks: [], refuses: false };
  const sendBatch = async (messages: Iterable<MessageSendRequest<DeliverBody>>) => {
    if (seen.refuses) throw new Error("the queue is down");
    const shares = Array.from(messages, ({ body }) => body).flatMap((body) => {
      if ("asks" in body) seen.asks.push(...body.asks);
      return "asks" in body ? [] : ["jobs" in body ? body.jobs : [body]];
    });
    seen.messages.push(...shares.map(({ length }) => length));
    seen.batches.push(shares.flat().length);
    seen.jobs.push(
      ...shares.flat().map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex })),
    );
  };
  await runInDurableObject(ledger, (instance) => {
    const holder = instance as unknown as { env: unknown };
    holder.env = { ...env, ...settings, DELIVER: { sendBatch } };
  });
  return seen;
}

/** Restarts a ledger, and records its queue again. */
export async function restart(ledger: LedgerStub): Promise<Queued> {
  await evictDurableObject(ledger);
  return recordQueue(ledger);
}

/** Makes a ledger with a recorded queue. */
export async function queuedLedger(): Promise<{ ledger: LedgerStub; queue: Queued }> {
  const ledger = newLedger();
  return { ledger, queue: await recordQueue(ledger) };
}

/** Makes a ledger with a recorded queue, and sets the clock of test and object to NOON. */
export function noonLedger(): Promise<{ ledger: LedgerStub; queue: Queued }> {
  setClock(NOON);
  return queuedLedger();
}

export function alarmOf(ledger: LedgerStub): Promise<number | null> {
  return runInDurableObject(ledger, (_, state) => state.storage.getAlarm());
}

/** Sets the clock of the test and of the object. Timers stay as they are. */
export function setClock(now: number): void {
  vi.setSystemTime(now);
}

/** Makes a message as its events show it. */
export function messageOf(emailId: string, over: Partial<MessageRecord> = {}): MessageRecord {
  return {
    teamId: "team_00000000-0000-4000-8000-000000000000",
    emailId,
    from: "hello@shop.example",
    fromName: "Shop",
    fromDomain: "shop.example",
    subject: "Hi",
    messageId: `<${emailId}@shop.example>`,
    tags: [],
    topic: null,
    campaign: null,
    templateId: null,
    ipPool: null,
    headers: {},
    domainId: "domain_1",
    recipients: ["ann@example.com", "bob@example.com", "cy@example.com"],
    roles: "ttt",
    ...over,
  };
}

/** Makes an event of the message. By default the event says that the message was delivered. */
export function eventOf(
  emailId: string,
  occurredAt: number,
  over: Partial<LoggedEvent> = {},
): LoggedEvent {
  const { type = "email.delivered", recipient = "ann@example.com", attempt = 1 } = over;
  return {
    id: eventId(occurredAt, emailId, recipient, type, String(attempt)),
    type,
    occurredAt,
    recipient,
    attempt,
    smtpCode: 250,
    bounce: null,
    complaint: null,
    suppression: null,
    tracking: null,
    exchange: null,
    ...over,
  };
}

/** Records an outcome for each grant: delivered, or delayed if there is a next attempt. */
export function settle(
  ledger: Pick<LedgerStub, "settle">,
  grants: readonly Grant[],
  now: number,
  nextAttemptAt: number | null = null,
): Promise<SettleResult> {
  const type = nextAttemptAt === null ? "email.delivered" : "email.delayed";
  const settlements = grants.map((grant) => ({
    ...grant,
    events: [eventOf(grant.emailId, now, { type, attempt: grant.attempt })],
    nextAttemptAt,
  }));
  const messages = Object.fromEntries(grants.map(({ emailId }) => [emailId, messageOf(emailId)]));
  return ledger.settle(settlements, messages, now);
}

/** Sets the clock to `now` and runs the ledger's alarm. */
export async function alarmAt(ledger: LedgerStub, now: number): Promise<void> {
  setClock(now);
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
}

/** Waits until the ledger has dispatched its events. */
export async function dispatched(ledger: LedgerStub): Promise<void> {
  await vi.waitFor(async () => expect((await ledger.usage(NOON)).undelivered).toBe(0));
}

/** Returns the email ids of jobs, in their order. */
export function emailIds(jobs: readonly JobRef[]): string[] {
  return jobs.map((job) => job.emailId);
}

/** Claims the jobs and returns what the ledger grants. */
export async function claimAll(
  ledger: LedgerStub,
  jobs: readonly JobRef[],
  now: number,
): Promise<readonly Grant[]> {
  return (await ledger.claim(jobs, now)).grants;
}

/** Gives claimed jobs back to the ledger, because no courier took them. */
export async function postpone(
  ledger: LedgerStub,
  grants: readonly Grant[],
  now: number,
  notBefore = 0,
): Promise<void> {
  const postponed = grants.map((grant) => ({ ...grant, notBefore }));
  await ledger.leave({ handedOver: [], postponed, courierRemembers: false }, now);
}
