// The sides of `bench webhooks`: each delivers so many batches to the receiver, so many at a time,
// and tells its rate there and its processor time a batch.
import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import type { BenchWebhook, HookStatus } from "../harness/http-api.ts";
import type { Child } from "../harness/child.ts";
import { cpuSeconds } from "../harness/machine.ts";
import type { Worker } from "../harness/workerd.ts";
import { feedOutbox, waitingIn } from "./fed-bundle.ts";
import type { Posting } from "./posting.ts";
import type { SunkDelivery, SunkDeliveries, ReceiverQuestion } from "./webhook-sink.ts";

interface Round {
  readonly batches: number;
  readonly inFlight: number;
  /** Different in every round: part of the batch ids. */
  readonly run: string;
}

export interface SenderSample {
  /** Batches a second. */
  readonly rate: number;
  /** Processor milliseconds a batch. */
  readonly cpuMs: number;
  /** What taking a batch cost before it was delivered; NaN where nothing is stored. */
  readonly takingMs: number;
}

export type Deliver = (round: Round) => Promise<SenderSample>;

const ROUND_TIMEOUT_MS = 60_000;
const POLL_MS = 10;
const IDLE_MS = 2_000;
/**
 * Of what came, before and after what is counted: while some connections are not at work yet, or no
 * more.
 */
const UNCOUNTED_SHARE = 0.05;

/** The receiver as a bench sees it. */
export class BenchReceiver {
  readonly #child: Child;

  constructor(child: Child) {
    this.#child = child;
  }

  async forget(): Promise<void> {
    await this.#ask({ forget: true });
  }

  /** Waits for so many deliveries, each of a batch of its own. */
  async take(batches: number): Promise<SunkDeliveries> {
    const received = await this.#ask<SunkDeliveries>({ wait: batches, withinMs: ROUND_TIMEOUT_MS });
    if (received.at.length !== batches || received.batches !== batches)
      throw new Error(
        `${batches} batches were sent, and ${received.at.length} deliveries of ${received.batches} batches came`,
      );
    return received;
  }

  #ask<Answer = object>(question: ReceiverQuestion): Promise<Answer> {
    return this.#child.ask<Answer>(question, ROUND_TIMEOUT_MS + 1_000);
  }
}

/** Processor seconds a second of a process without work. */
export async function idleShare(pid: number): Promise<number> {
  const before = cpuSeconds(pid);
  await sleep(IDLE_MS);
  return (cpuSeconds(pid) - before) / (IDLE_MS / 1_000);
}

export interface Outboxes {
  readonly worker: Worker;
  readonly teamId: string;
  readonly hooks: readonly BenchWebhook[];
  /** What each has under way at most. */
  readonly connections: number;
  /** Sets the status of a webhook, by the API. */
  readonly patch: (hook: BenchWebhook, status: HookStatus) => Promise<void>;
}

/**
 * The worker: outboxes are filled while their webhooks are disabled, and drained when they are
 * active again.
 */
export function throughOutboxes(
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
    while ((await waitingIn(worker, ids)) > 0) await sleep(POLL_MS);
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

/** Whoever only signs and posts; and makes the bodies of their events, unless they are ready. */
export function straight(
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

function rateOf({ at }: SunkDeliveries): number {
  const first = Math.floor(at.length * UNCOUNTED_SHARE);
  const last = at.length - 1 - first;
  return ((last - first) * 1_000) / (at[last]! - at[first]!);
}

/** By both schemes, with the secret of one of those webhooks. */
function verify(delivery: SunkDelivery, hooks: readonly BenchWebhook[]): void {
  const { signing_secret: secret } = verifyOwn(delivery, hooks);
  new Webhook(secret).verify(delivery.body, delivery.headers);
}

/** By Service-Signature. Returns whose it is. */
function verifyOwn({ headers, body }: SunkDelivery, hooks: readonly BenchWebhook[]): BenchWebhook {
  const [, time = "", given = ""] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["service-signature"] ?? "") ?? [];
  const hook = hooks.find(({ signing_secret: secret }) => {
    const digest = createHmac("sha256", secret).update(`${time}.${body}`).digest();
    const other = Buffer.from(given, "hex");
    return other.length === digest.length && timingSafeEqual(other, digest);
  });
  const { batch_id: id } = JSON.parse(body) as { readonly batch_id: string };
  if (!hook || time !== headers["service-timestamp"] || id !== headers["service-batch-id"])
    throw new Error(`a delivery is not what it says: ${JSON.stringify(headers)}`);
  return hook;
}
