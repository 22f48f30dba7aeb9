// The disturbances for the team that the bench's probe watches: endpoints that hang, and floods of
// labels.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import {
  callApi,
  createBenchWebhook,
  type BenchWebhook,
  type BenchWebhookStatus,
  setBenchWebhook,
} from "../harness/http-api.ts";
import { type Child, startNode } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { LoadTarget } from "../harness/load.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { ADMIN_TOKEN, createTenant, newDkimKey, type Tenant } from "../../harness/tenant.ts";
import { feedOutbox } from "../webhooks/fed-bundle.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { HangingRequests } from "./hanging-receiver.ts";

/** A disturbance that can be started and ended in each round. */
export interface Disturbance {
  begin(): Promise<void>;
  end(): Promise<void>;
}

const HANGING_TEAMS = ["never", "late"] as const;
/** Number of requests that one webhook may have under way in parallel (src/limits.ts). */
const CONNECTIONS = 5;
/**
 * The number of batches for each webhook. It is so high that the batches last longer than the
 * disturbance.
 */
const BATCHES_EACH = 200;
const EVENTS = ["email.delivered"];
const ASK_MS = 5_000;
const LOOK_EVERY_MS = 50;
const FILLERS = 4;
const BATCH_MESSAGES = 100;
const LABELS_EACH = 10;
const PLENTY = 1_000_000_000;
/** The label caps of a new team (contract.md §Operator API). */
const STANDARD_CAPS = {
  tags_per_hour: 1_000,
  topic_per_hour: 100,
  campaign_per_hour: 200,
  campaign_per_72_hours: 1_000,
};
const STANDARD_RATE = 600;
const FLOOD_EVERY_MS = 100;
/**
 * Messages that a team may deliver per minute. The rate is so low that the flood's messages wait.
 */
const WAITING_RATE = 1;

/**
 * Returns a disturbance by webhooks of two teams, `hooksPerTeam` of each, with five requests of
 * each webhook under way. Half of the endpoints never answer. The service pauses their webhooks
 * after ten seconds, when ten requests have failed. The other endpoints answer just in time, so
 * five requests to each hang during the whole round.
 */
export async function hangingWebhooks(
  cleanup: Cleanup,
  worker: Worker,
  hooksPerTeam: number,
): Promise<Disturbance> {
  const most = HANGING_TEAMS.length * hooksPerTeam * CONNECTIONS;
  const receiver = startNode(cleanup, import.meta.resolve("./hanging-receiver.ts"));
  const [, port = ""] = await receiver.says(/^listening on (\d+)$/);
  const hooks: (readonly [LoadTarget, BenchWebhook])[] = [];
  for (const path of HANGING_TEAMS) {
    const { teamId, apiKey } = await createTenant(worker, STANDARD_RATE, newDkimKey());
    const target = { origin: worker.origin, apiKey };
    for (let index = 0; index < hooksPerTeam; index += 1) {
      const hook = await createBenchWebhook(target, `http://127.0.0.1:${port}/${path}`, EVENTS);
      await setBenchWebhook(target, hook, EVENTS, "disabled");
      await feedOutbox(worker, { teamId, webhookId: hook.id, run: hook.id, batches: BATCHES_EACH });
      hooks.push([target, hook]);
    }
  }
  const all = (status: BenchWebhookStatus): Promise<unknown> =>
    Promise.all(hooks.map(([target, hook]) => setBenchWebhook(target, hook, EVENTS, status)));
  return {
    async begin() {
      await all("active");
      await waitUntilHanging(receiver, (count) => count >= most / 2);
    },
    async end() {
      const { requests } = await receiver.ask<HangingRequests>({}, ASK_MS);
      if (requests < most / 4) throw new Error(`only ${requests} requests still hang`);
      await all("disabled");
      await waitUntilHanging(receiver, (count) => count === 0);
    },
  };
}

async function waitUntilHanging(
  receiver: Child,
  isSo: (requests: number) => boolean,
): Promise<void> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const { requests } = await receiver.ask<HangingRequests>({}, ASK_MS);
    if (isSo(requests)) return;
    if (waited > 4 * ASK_MS) throw new Error(`${requests} requests hang`);
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Returns a disturbance by two teams that send ten times a second, each time with ten new tags, a
 * new topic and a new campaign. One team has the standard caps on labels and is soon refused. The
 * other team has no such caps, and its ledger has already counted the labels of `counted` messages.
 */
export async function labelFlood(
  cleanup: Cleanup,
  worker: Worker,
  counted: number,
): Promise<Disturbance & { readonly answered: Map<number, number> }> {
  const capped = await createNeighbour(worker, { label_caps: STANDARD_CAPS });
  const open = await createNeighbour(worker, {
    limits: { delivery_rate_per_minute: WAITING_RATE },
  });
  await sendBatches(open, counted, () => ({ ...MESSAGE, ...makeLabels() }));
  const pool = new Pool(worker.origin, { connections: 16, pipelining: 1 });
  cleanup.add(() => pool.destroy());
  const answered = new Map<number, number>();
  const send = async ({ apiKey }: LoadTarget): Promise<void> => {
    const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ ...MESSAGE, ...makeLabels() });
    const { statusCode, body: answer } = await pool.request({
      method: "POST",
      path: "/v1/email",
      headers,
      body,
    });
    await answer.dump();
    answered.set(statusCode, (answered.get(statusCode) ?? 0) + 1);
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  let sends: Promise<void>[] = [];
  return {
    answered,
    async begin() {
      timer = setInterval(() => sends.push(send(capped), send(open)), FLOOD_EVERY_MS);
    },
    async end() {
      clearInterval(timer);
      await Promise.all(sends);
      sends = [];
    },
  };
}

/** Creates another team with these settings and without other limits. */
async function createNeighbour(worker: Worker, settings: object): Promise<LoadTarget> {
  const { teamId, apiKey }: Tenant = await createTenant(worker, PLENTY, newDkimKey());
  await callApi(
    { origin: worker.origin, apiKey: ADMIN_TOKEN },
    "PATCH",
    `/admin/teams/${teamId}`,
    settings,
  );
  return { origin: worker.origin, apiKey };
}

async function sendBatches(
  target: LoadTarget,
  messages: number,
  message: () => object,
): Promise<void> {
  let left = messages / BATCH_MESSAGES;
  const fill = async (): Promise<void> => {
    while (left-- > 0)
      await callApi(target, "POST", "/v1/email/batch", {
        emails: Array.from({ length: BATCH_MESSAGES }, message),
      });
  };
  await Promise.all(Array.from({ length: FILLERS }, fill));
}

function makeLabels(): object {
  const label = (): string => randomBytes(8).toString("hex");
  return { tags: Array.from({ length: LABELS_EACH }, label), topic: label(), campaign: label() };
}
