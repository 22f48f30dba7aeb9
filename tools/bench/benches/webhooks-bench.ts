// `bench webhooks`: the webhooks' outboxes deliver batches of ten events to one receiver, with 1,
// 10 and 50 batches in flight. The peers are a worker that only signs and fetches, and undici in
// Node. All sides run in alternating rounds.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBenchWebhook, type BenchWebhook, setBenchWebhook } from "../harness/http-api.ts";
import { type Bundle, bundleParts } from "../../harness/worker-bundle.ts";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { median, milliseconds, type BenchResult, type BenchRow } from "../harness/bench-result.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { webhookBatchBody, EVENTS } from "../webhooks/webhook-batch.ts";
import { bundleFed } from "../webhooks/fed-bundle.ts";
import {
  type Deliver,
  idleShare,
  type Outboxes,
  postFrom,
  postThrough,
  BenchReceiver,
  type SenderSample,
  directSide,
  outboxSide,
} from "../webhooks/sender-sides.ts";
import { startWorker } from "../../harness/workerd.ts";

/**
 * `share` times the option `messages` is the number of batches in a round. It is small for one
 * batch in flight, because such a round is slow.
 */
const LEVELS = [
  { inFlight: 1, share: 0.5 },
  { inFlight: 10, share: 2 },
  { inFlight: 50, share: 2 },
] as const;
const JUDGED = 10;
const GOAL = 0.8;
const DELIVERY_RATE = 1;
/**
 * Copy of WEBHOOK_CONNECTIONS in src/limits.ts: the requests of one webhook that may be in flight.
 */
const CONNECTIONS = 5;
const HOOKS = 10;
const SUBSCRIBED = ["email.delivered"];
const SIDES = ["ours", "bare", "undici", "ready"] as const;

type SideName = (typeof SIDES)[number];
type Samples = Map<string, SenderSample[]>;

export async function webhooks(
  { rounds, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const sides = await start(cleanup);
  const samples: Samples = new Map();
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const { inFlight, share } of LEVELS) {
      for (const side of SIDES.filter((one) => one !== "ready" || inFlight === JUDGED)) {
        const sample = await sides(
          side,
          inFlight,
        )({ batches: messages * share, inFlight, run: `${round}-${side}-${inFlight}` });
        const key = keyOf(side, inFlight);
        if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample]);
      }
    }
  }
  const [share] = LEVELS.filter(({ inFlight }) => inFlight === JUDGED).map((level) => level.share);
  return {
    notes: [
      `batches of ${EVENTS} events, ${webhookBatchBody("wb_").length} bytes; ` +
        `${messages * (share ?? 1)} batches a round, ${messages * LEVELS[0].share} at 1 in ` +
        `flight; medians of ${rounds} alternating rounds, after a round for warming up`,
      "the receiver is a Node process that answers 200 at once; its first and last twentieth " +
        "of arrivals are not counted; every batch came once, with valid signatures",
      "ours: the deployment's bundle in workerd, outboxes on disk: each batch is read, signed " +
        "by both schemes, posted, logged and settled; 5 in flight for each webhook, so " +
        "2 and 10 webhooks",
      "ours at 1 in flight: the same bundle, but with only 1 request in flight for each webhook",
      "bare workerd and undici make each body of its ten events, sign it by one scheme and " +
        "post it; they do not store or log",
    ],
    rows: rowsOf(samples),
  };
}

async function start(cleanup: Cleanup): Promise<(side: SideName, inFlight: number) => Deliver> {
  const root = await temporaryFolder(cleanup);
  const child = startNode(cleanup, import.meta.resolve("../webhooks/webhook-sink.ts"));
  const [, port = ""] = await child.says(/^listening on (\d+)$/);
  const url = `http://127.0.0.1:${port}/hook`;
  const receiver = new BenchReceiver(child);

  const bundle = await bundleFed(cleanup, await folderFor(root, "worker"));
  const wide = await startOutboxes(cleanup, bundle, join(root, "state"), url, HOOKS, CONNECTIONS);
  const narrow = await startOutboxes(
    cleanup,
    await withOneConnection(bundle, root),
    join(root, "narrow-state"),
    url,
    1,
    1,
  );
  const bareFolder = await folderFor(root, "bare");
  const bareBundle = await bundleParts(
    cleanup,
    bareFolder,
    [],
    import.meta.resolve("../webhooks/bare-worker.ts"),
  );
  const bareWorker = await startWorker(cleanup, bareBundle, {
    state: join(root, "bare-state"),
    vars: {},
  });
  const undici = startNode(cleanup, import.meta.resolve("../webhooks/undici-sender.ts"));
  await undici.says(/^ready$/);

  const target = wide.hooks[0]!;
  const [wideIdle, narrowIdle] = await Promise.all([
    idleShare(wide.worker.pid),
    idleShare(narrow.worker.pid),
  ]);
  const [many, one] = [
    outboxSide(receiver, wide, wideIdle),
    outboxSide(receiver, narrow, narrowIdle),
  ];
  const peers = {
    bare: directSide(receiver, bareWorker.pid, target, false, postThrough(bareWorker)),
    ready: directSide(receiver, bareWorker.pid, target, true, postThrough(bareWorker)),
    undici: directSide(receiver, undici.pid, target, false, postFrom(undici)),
  };
  return (side, inFlight) => (side !== "ours" ? peers[side] : inFlight === 1 ? one : many);
}

/** Builds the worker so that it posts one batch at a time for each webhook. */
async function withOneConnection({ config, script }: Bundle, root: string): Promise<Bundle> {
  const parts = (await readFile(script, "utf8")).split(`WEBHOOK_CONNECTIONS = ${CONNECTIONS};`);
  if (parts.length !== 2)
    throw new Error("the bundle does not contain the number of connections for each webhook");
  const narrow = join(await folderFor(root, "narrow"), "worker.js");
  await writeFile(narrow, parts.join("WEBHOOK_CONNECTIONS = 1;"));
  return { config, script: narrow };
}

async function startOutboxes(
  cleanup: Cleanup,
  bundle: Bundle,
  state: string,
  url: string,
  count: number,
  connections: number,
): Promise<Outboxes> {
  const worker = await startWorker(cleanup, bundle, {
    state,
    vars: { ...VARS, WEBHOOK_ALLOW_PRIVATE: "true" },
  });
  const tenant = await createTenant(worker, DELIVERY_RATE, newDkimKey());
  const target = { origin: worker.origin, apiKey: tenant.apiKey };
  const hooks: BenchWebhook[] = [];
  while (hooks.length < count) hooks.push(await createBenchWebhook(target, url, SUBSCRIBED));
  const patch: Outboxes["patch"] = (hook, status) =>
    setBenchWebhook(target, hook, SUBSCRIBED, status);
  return { worker, teamId: tenant.teamId, hooks, connections, patch };
}

async function folderFor(root: string, name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  return folder;
}

function keyOf(side: SideName, inFlight: number): string {
  return `${side} ${inFlight}`;
}

function rowsOf(samples: Samples): BenchRow[] {
  const of = (side: SideName, inFlight: number, figure: keyof SenderSample): number =>
    median((samples.get(keyOf(side, inFlight)) ?? []).map((sample) => sample[figure]));
  const rate = (side: SideName, inFlight: number): string =>
    `${Math.round(of(side, inFlight, "rate")).toLocaleString("en-US")} batches/s`;
  const cpu = (side: SideName, inFlight: number): string =>
    milliseconds(of(side, inFlight, "cpuMs"));
  const ratio = (figure: keyof SenderSample, inFlight: number, peer: SideName): number =>
    of("ours", inFlight, figure) / of(peer, inFlight, figure);
  const rates = (
    peer: SideName,
    name: string,
    levels: readonly number[] = LEVELS.map(({ inFlight }) => inFlight),
  ): BenchRow[] =>
    levels.map((inFlight) => {
      const isJudged = inFlight === JUDGED && peer === "bare";
      const share = ratio("rate", inFlight, peer);
      return {
        work: `webhooks, ${inFlight} in flight`,
        measured: rate("ours", inFlight),
        against: `${name}: ${rate(peer, inFlight)}`,
        ratio: share,
        goal: isJudged ? `≥ ${GOAL}x` : null,
        met: isJudged ? share >= GOAL : null,
      };
    });
  const cpuRow = (peer: SideName, name: string): BenchRow => ({
    work: `CPU a batch, ${JUDGED} in flight (1, 50)`,
    measured: `${cpu("ours", JUDGED)} (${cpu("ours", 1)}, ${cpu("ours", 50)})`,
    against: `${name}: ${cpu(peer, JUDGED)} (${cpu(peer, 1)}, ${cpu(peer, 50)})`,
    ratio: ratio("cpuMs", JUDGED, peer),
    goal: null,
    met: null,
  });
  const [bare, undici] = ["bare workerd, fetch and HMAC", "undici in Node with HMAC"];
  const taking = milliseconds(of("ours", JUDGED, "takingMs"));
  return [
    ...rates("bare", bare),
    ...rates("ready", "bare workerd, bodies made in advance", [JUDGED]),
    cpuRow("bare", bare),
    ...rates("undici", undici),
    cpuRow("undici", undici),
    {
      work: "CPU of storing a batch before its delivery",
      measured: taking,
      against: "",
      ratio: null,
      goal: null,
      met: null,
    },
  ];
}
