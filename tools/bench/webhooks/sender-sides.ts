// The sides of `bench webhooks`. Each delivers a number of batches to the receiver, with a given
// number in flight. It reports the receiver's rate and its own processor time for each batch.
import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import type { BenchWebhook, BenchWebhookStatus } from "../harness/http-api.ts";
import type { Child } from "../../harness/child.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import type { Worker } from "../../harness/workerd.ts";
import { feedOutbox, countWaitingIn } from "./fed-bundle.ts";
import type { Posting } from "./posting.ts";
import type {
  ReceivedWebhookDelivery,
  ReceivedWebhookDeliveries,
  ReceiverCommand,
} from "./webhook-sink.ts";

interface Round {
  readonly batches: number;
  readonly inFlight: number;
  /** A part of the batch ids that differs in every round. */
  readonly run: string;
}

export interface SenderSample {
  /** Batches per second. */
  readonly rate: number;
  /** Processor milliseconds for each batch. */
  readonly cpuMs: number;
  /** The cost of storing a batch before its delivery. NaN: the side stores nothing. */
  readonly takingMs: number;
}

export type Deliver = (round: Round) => Promise<SenderSample>;

const ROUND_TIMEOUT_MS = 60_000;
const POLL_MS = 10;
const IDLE_MS = 2_000;
/**
 * The fraction of deliveries at the beginning and at the end that is not counted, because not all
 * connections are busy at these times.
 */
const UNCOUNTED_SHARE = 0.05;

/** Controls the receiver, which runs in its own process (webhook-sink.ts). */
export class BenchReceiver {
  readonly #child: Child;

  constructor(child: Child) {
    this.#child = child;
  }

  async forget(): Promise<void> {
    await this.#ask({ forget: true });
  }

  /** Waits for this many deliveries, each of a different batch. */
  async take(batches: number): Promise<ReceivedWebhookDeliveries> {
    const received = await this.#ask<ReceivedWebhookDeliveries>({
      wait: batches,
      withinMs: ROUND_TIMEOUT_MS,
    });
    if (received.at.length !== batches || received.batches !== batches)
      throw new Error(
        `${batches} batches were sent, but ${received.at.length} deliveries of ` +
          `${received.batches} batches arrived`,
      );
    return received;
  }

  #ask<Answer = object>(question: ReceiverCommand): Promise<Answer> {
    return this.#child.ask<Answer>(question, ROUND_TIMEOUT_MS + 1_000);
  }
}

/** Returns the processor seconds per second of a process without work. */
export async function idleShare(pid: number): Promise<number> {
  const before = cpuSeconds(pid);
  await sleep(IDLE_MS);
  return (cpuSeconds(pid) - before) / (IDLE_MS / 1_000);
}

export interface Outboxes {
  readonly worker: Worker;
  readonly teamId: string;
  readonly hooks: readonly BenchWebhook[];
  /** The number of requests of one webhook that may be under way. */
  readonly connections: number;
  /** Sets the status of a webhook through the API. */
  readonly patch: (hook: BenchWebhook, status: BenchWebhookStatus) => Promise<void>;
}

/**
 * Measures the worker. Its outboxes are filled while their webhooks are disabled, and emptied when
 * the webhooks are active again.
 */
export function outboxSide(
  receiver: BenchReceiver,
  { worker, teamId, hooks, connections, patch }: Outboxes,
  idle: number,
): Deliver {
  return async ({ batches, inFlight, run }) => {
    const used = hooks.slice(0, Math.ceil(inFlight / connections));
    const each = batches / used.length;
    await Promise.all(used.map((hook) => patch(hook, "disabled")));
    await receiver.forget();
    const before = cpuSeconds(worker.pid);
    for (const [index, { id: webhookId }] of used.entries())
      await feedOutbox(worker, { teamId, webhookId, run: `${run}-${index}`, batches: each });
    const filled = cpuSeconds(worker.pid);
    const begun = performance.now();
    await Promise.all(used.map((hook) => patch(hook, "active")));
    await receiver.take(batches);
    const ids = used.map(({ id }) => id);
    while ((await countWaitingIn(worker, ids)) > 0) await sleep(POLL_MS);
    const spent = cpuSeconds(worker.pid) - filled - (idle * (performance.now() - begun)) / 1_000;
    const received = await receiver.take(batches);
    for (const delivery of received.sample) verify(delivery, used);
    return {
      rate: rateOf(received),
      cpuMs: (spent * 1_000) / batches,
      takingMs: ((filled - before) * 1_000) / batches,
    };
  };
}

/**
 * Returns a side that only signs and posts. It also makes the bodies, unless the bench made them in
 * advance.
 */
export function directSide(
  receiver: BenchReceiver,
  pid: number,
  target: BenchWebhook,
  isReady: boolean,
  post: (posting: Posting) => Promise<void>,
): Deliver {
  return async ({ batches, inFlight, run }) => {
    await receiver.forget();
    const before = cpuSeconds(pid);
    await post({ url: target.url, run, batches, inFlight, isReady, secret: target.signing_secret });
    const spent = cpuSeconds(pid) - before;
    const received = await receiver.take(batches);
    for (const delivery of received.sample) verifyOwn(delivery, [target]);
    return { rate: rateOf(received), cpuMs: (spent * 1_000) / batches, takingMs: Number.NaN };
  };
}

export function postThrough({ origin }: Worker): (posting: Posting) => Promise<void> {
  return async (posting) => {
    const { statusCode, body } = await request(origin, {
      method: "POST",
      body: JSON.stringify(posting),
      headersTimeout: ROUND_TIMEOUT_MS,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`the bare worker: ${statusCode} ${text}`);
  };
}

export function postFrom(child: Child): (posting: Posting) => Promise<void> {
  return async (posting) => {
    await child.ask(posting, ROUND_TIMEOUT_MS);
  };
}

function rateOf({ at }: ReceivedWebhookDeliveries): number {
  const first = Math.floor(at.length * UNCOUNTED_SHARE);
  const last = at.length - 1 - first;
  return ((last - first) * 1_000) / (at[last]! - at[first]!);
}

/** Verifies both signature schemes with the secret of one of these webhooks. */
function verify(delivery: ReceivedWebhookDelivery, hooks: readonly BenchWebhook[]): void {
  const { signing_secret: secret } = verifyOwn(delivery, hooks);
  new Webhook(secret).verify(delivery.body, delivery.headers);
}

/** Verifies Service-Signature. Returns the webhook whose secret fits. */
function verifyOwn(
  { headers, body }: ReceivedWebhookDelivery,
  hooks: readonly BenchWebhook[],
): BenchWebhook {
  const [, time = "", given = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["service-signature"] ?? "") ?? [];
  const hook = hooks.find(({ signing_secret: secret }) => {
    const digest = createHmac("sha256", secret).update(`${time}.${body}`).digest();
    const other = Buffer.from(given, "hex");
    return other.length === digest.length && timingSafeEqual(other, digest);
  });
  const { batch_id: id } = JSON.parse(body) as { readonly batch_id: string };
  if (!hook || time !== headers["service-timestamp"] || id !== headers["service-batch-id"])
    throw new Error(`a delivery has a wrong signature or body: ${JSON.stringify(headers)}`);
  return hook;
}
