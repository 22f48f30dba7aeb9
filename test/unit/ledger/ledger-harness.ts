// What the ledger's tests share: teams of their own, sends of any shape, and a queue that only
// writes down what it is given.
import { runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { vi } from "vitest";
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
  Settled,
} from "../../../src/contracts/ledger-contract.ts";
import type { TeamLedger } from "../../../src/ledger/team-ledger.ts";
import { uuidv7 } from "../../../src/lib/ids.ts";
import type { DeliverBody } from "../../../src/contracts/queue-jobs.ts";
import { eventId, type MessageRecord } from "../../../src/contracts/event-records.ts";

const env = bindings as unknown as TestEnv;

/**
 * A Wednesday noon far ahead: no alarm that is set relative to it goes off by itself while tests
 * run.
 */
export const NOON = Date.UTC(2031, 0, 15, 12);

export type Ledger = DurableObjectStub<TeamLedger>;

export function newLedger(): Ledger {
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
    ...over,
  };
}

export function candidate(over: Partial<Candidate> = {}): Candidate {
  const id = over.id ?? `email_${uuidv7(NOON)}`;
  return {
    id,
    recipientCount: 1,
    stream: "",
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

/** A send of one message to one recipient, unless told otherwise. */
export function send(over: Partial<AdmitRequest> = {}): AdmitRequest {
  return {
    policy: policy(),
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

export interface Queued {
  /** In the order in which they came, however many a message carries. */
  jobs: JobRef[];
  /** How many jobs each batch had. */
  readonly batches: number[];
  /** How many jobs each message had. */
  readonly messages: number[];
  refuses: boolean;
}

/**
 * Puts a queue in place that keeps what it is given, in order; or fails while `refuses` is set.
 * Gone when the object restarts.
 */
export async function recordQueue(ledger: Ledger, settings: Partial<Env> = {}): Promise<Queued> {
  const seen: Queued = { jobs: [], batches: [], messages: [], refuses: false };
  const sendBatch = async (messages: Iterable<MessageSendRequest<DeliverBody>>) => {
    if (seen.refuses) throw new Error("the queue is down");
    const shares = Array.from(messages, ({ body }) => ("jobs" in body ? body.jobs : [body]));
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

export function alarmOf(ledger: Ledger): Promise<number | null> {
  return runInDurableObject(ledger, (_, state) => state.storage.getAlarm());
}

/** Sets the clock of test and object alike, leaving timers alone. */
export function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/** A message as its events show it. */
export function messageOf(emailId: string, over: Partial<MessageRecord> = {}): MessageRecord {
  return {
    teamId: "team_00000000-0000-4000-8000-000000000000",
    emailId,
    from: "hello@shop.example",
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

/** An event of a message, of a delivery unless told otherwise. */
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

/** Settles what was granted: delivered or, where there is a next attempt, delayed. */
export function settle(
  ledger: Pick<Ledger, "settle">,
  grants: readonly Grant[],
  now: number,
  nextAttemptAt: number | null = null,
): Promise<Settled> {
  const type = nextAttemptAt === null ? "email.delivered" : "email.delayed";
  const settlements = grants.map((grant) => ({
    ...grant,
    events: [eventOf(grant.emailId, now, { type, attempt: grant.attempt })],
    nextAttemptAt,
  }));
  const messages = Object.fromEntries(grants.map(({ emailId }) => [emailId, messageOf(emailId)]));
  return ledger.settle(settlements, messages, now);
}
