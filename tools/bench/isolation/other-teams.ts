// The disturbances for the team that the bench's probe watches: endpoints that hang, and floods of
// labels.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  callApi,
  createBenchWebhook,
  type BenchWebhook,
  type BenchWebhookStatus,
  setBenchWebhook,
} from "../harness/http-api.ts";
import type { Child } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { startServer } from "../system/bench-system.ts";
import { SendConnections } from "../harness/load.ts";
import { BATCH, MESSAGE } from "../../harness/sample-message.ts";
import { ADMIN_TOKEN, createTenant, type Tenant } from "../../harness/tenant.ts";
import { feedOutbox } from "../webhooks/fed-bundle.ts";
import { CONNECTIONS } from "../webhooks/sender-sides.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { HangingRequests } from "./hanging-receiver.ts";

/** A disturbance that can be started and ended in each round. */
export interface Disturbance {
  begin(): Promise<void>;
  end(): Promise<void>;
}

const HANGING_TEAMS = ["never", "late"];
/**
 * The number of batches for each webhook. It is so high that the batches last longer than the
 * disturbance.
 */
const BATCHES_EACH = 200;
const ASK_MS = 5_000;
const LOOK_EVERY_MS = 50;
const LABELS_EACH = 10;
/** The label caps of a new team (contract.md §Operator API). */
const STANDARD_CAPS = {
  tags_per_hour: 1_000,
  topic_per_hour: 100,
  campaign_per_hour: 200,
  campaign_per_72_hours: 1_000,
};
const FLOOD_EVERY_MS = 100;
const FLOOD_CONNECTIONS = 16;
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
  const entry = import.meta.resolve("./hanging-receiver.ts");
  const { child: receiver, port } = await startServer(cleanup, entry);
  const hooks: (readonly [Tenant, BenchWebhook])[] = [];
  for (const path of HANGING_TEAMS) {
    const team = await createTenant(worker);
    for (let index = 0; index < hooksPerTeam; index += 1) {
      const hook = await createBenchWebhook(team, `http://127.0.0.1:${port}/${path}`);
      await setBenchWebhook(team, hook, "disabled");
      const batches = { webhookId: hook.id, run: hook.id, batches: BATCHES_EACH };
      await feedOutbox(worker, { teamId: team.teamId, ...batches });
      hooks.push([team, hook]);
    }
  }
  const all = (status: BenchWebhookStatus): Promise<unknown> =>
    Promise.all(hooks.map(([team, hook]) => setBenchWebhook(team, hook, status)));
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
): Promise<Disturbance> {
  const capped = await createNeighbour(worker, { label_caps: STANDARD_CAPS });
  const limits = { delivery_rate_per_minute: WAITING_RATE };
  const open = await createNeighbour(worker, { limits });
  const next = (): object => ({ ...MESSAGE, ...makeLabels() });
  for (let sent = 0; sent < counted; sent += BATCH.messages)
    await callApi(open, "POST", BATCH.path, {
      emails: Array.from({ length: Math.min(BATCH.messages, counted) }, next),
    });
  const pools = [capped, open].map((team) => new SendConnections(team, FLOOD_CONNECTIONS));
  cleanup.add(() => Promise.all(pools.map((pool) => pool.close())));
  let timer: ReturnType<typeof setInterval> | undefined;
  let sends: Promise<unknown>[] = [];
  // The service soon refuses the team with caps.
  const send = (pool: SendConnections): unknown =>
    sends.push(pool.post(JSON.stringify(next())).catch(() => undefined));
  return {
    async begin() {
      timer = setInterval(() => pools.map(send), FLOOD_EVERY_MS);
    },
    async end() {
      clearInterval(timer);
      await Promise.all(sends);
      sends = [];
    },
  };
}

/** Creates another team with these settings and without other limits. */
async function createNeighbour(worker: Worker, settings: object): Promise<Tenant> {
  const team = await createTenant(worker);
  const operator = { origin: worker.origin, apiKey: ADMIN_TOKEN };
  await callApi(operator, "PATCH", `/admin/teams/${team.teamId}`, settings);
  return team;
}

function makeLabels(): object {
  const label = (): string => randomBytes(8).toString("hex");
  return { tags: Array.from({ length: LABELS_EACH }, label), topic: label(), campaign: label() };
}
