// The sides of `bench webhooks`. Each delivers a number of batches to the receiver, with a given
// number in flight. It reports the receiver's rate and its own processor time for each batch.
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { request } from "undici";
import {
  type BenchWebhook,
  type BenchWebhookStatus,
  setBenchWebhook,
} from "../harness/http-api.ts";
import type { Child } from "../../harness/child.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import type { Tenant } from "../../harness/tenant.ts";
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
}

export type Deliver = (round: Round) => Promise<SenderSample>;

/**
 * Copy of WEBHOOK_CONNECTIONS in src/limits.ts: the requests of one webhook that may be in flight.
 */
export const CONNECTIONS = 5;
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
    const command: ReceiverCommand = { wait: batches, withinMs: ROUND_TIMEOUT_MS };
    const received = await this.#ask<ReceivedWebhookDeliveries>(command);
    if (received.at.length !== batches || received.batches !== batches)
      throw new Error(
        `${batches} batches were sent, but ${received.at.length} deliveries of ` +
          `${received.batches} batches arrived`,
      );
    return received;
  }

  #ask<Answer = object>(command: ReceiverCommand): Promise<Answer> {
    return this.#child.ask<Answer>(command, ROUND_TIMEOUT_MS + 1_000);
  }
}

/**
 * Measures the worker. Its outboxes are filled while their webhooks are disabled, and emptied when
 * the webhooks are active again.
 */
export async function outboxSide(
  receiver: BenchReceiver,
  worker: Worker,
  team: Tenant,
  hooks: readonly BenchWebhook[],
): Promise<Deliver> {
  const cpu = (): number => cpuSeconds(worker.pid);
  const start = cpu();
  await sleep(IDLE_MS);
  /** The processor time per millisecond that the worker uses without work. */
  const idle = (cpu() - start) / IDLE_MS;
  return async ({ batches, inFlight, run }) => {
    const used = hooks.slice(0, inFlight / CONNECTIONS);
    const set = (status: BenchWebhookStatus): Promise<unknown> =>
      Promise.all(used.map((hook) => setBenchWebhook(team, hook, status)));
    await set("disabled");
    await receiver.forget();
    for (const [index, { id: webhookId }] of used.entries())
      await feedOutbox(worker, {
        teamId: team.teamId,
        webhookId,
        run: `${run}-${index}`,
        batches: batches / used.length,
      });
    const [filled, begun] = [cpu(), performance.now()];
    await set("active");
    await receiver.take(batches);
    const ids = used.map(({ id }) => id);
    while ((await countWaitingIn(worker, ids)) > 0) await sleep(POLL_MS);
    const spent = cpu() - filled - idle * (performance.now() - begun);
    const received = await receiver.take(batches);
    for (const delivery of received.sample)
      new Webhook(verify(delivery, used)).verify(delivery.body, delivery.headers);
    return { rate: rateOf(received), cpuMs: (spent * 1_000) / batches };
  };
}

/** Returns a side that only makes the bodies, signs and posts. */
export function directSide(
  receiver: BenchReceiver,
  pid: number,
  target: BenchWebhook,
  post: (posting: Posting) => Promise<void>,
): Deliver {
  return async ({ batches, inFlight, run }) => {
    await receiver.forget();
    const before = cpuSeconds(pid);
    await post({ url: target.url, run, batches, inFlight, secret: target.signing_secret });
    const spent = cpuSeconds(pid) - before;
    const received = await receiver.take(batches);
    for (const delivery of received.sample) verify(delivery, [target]);
    return { rate: rateOf(received), cpuMs: (spent * 1_000) / batches };
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

/** Verifies Service-Signature. Returns the webhook's secret that fits. */
function verify(
  { headers, body }: ReceivedWebhookDelivery,
  hooks: readonly BenchWebhook[],
): string {
  const time = headers["service-timestamp"];
  const hook = hooks.find(({ signing_secret: secret }) => {
    const digest = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    return headers["service-signature"] === `t=${time},v1=${digest}`;
  });
  const { batch_id: id } = JSON.parse(body) as { readonly batch_id: string };
  if (!hook || id !== headers["service-batch-id"])
    throw new Error(`a delivery has a wrong signature or body: ${JSON.stringify(headers)}`);
  return hook.signing_secret;
}
