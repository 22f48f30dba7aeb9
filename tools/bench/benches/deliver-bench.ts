// `bench deliver`: measures the way from acceptance to the recipient's mail server over ten
// connections. Four sides deliver to one sink in alternating rounds: the whole pipeline (claim,
// compose, sign, egress, settle, pages), nodemailer's pool that composes and signs the same
// message, the gateway alone, and ten bare connections.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { type Child, startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { sendMessages, type LoadTarget } from "../harness/load.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  median,
  milliseconds,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { type GatewayProcess, postFrames, startGateway } from "../smtp/gateway-process.ts";
import { signedMessage } from "../smtp/nodemailer-message.ts";
import type { SinkCommand, ReceivedMessages } from "../smtp/sink.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

const GOAL = 1.5;
/**
 * Messages that the team may deliver per minute. The rate is so high that no message waits for its
 * release.
 */
const DELIVERY_RATE = 1_000_000_000;
const PRELOAD_CALLERS = 16;
/**
 * Number of messages that are not counted at the start of a round. The service and its peer may
 * each compose a queue batch of this size before the sink opens, so these messages arrive too fast.
 */
const UNCOUNTED = 100;
const ROUND_TIMEOUT_MS = 90_000;
const POLL_MS = 20;

interface Bench {
  readonly sink: Child;
  readonly worker: Worker;
  readonly target: LoadTarget;
  readonly teamId: string;
  readonly gateway: GatewayProcess;
  readonly nodemailer: Child;
  readonly raw: Child;
  readonly signed: Buffer;
}

interface Figures {
  readonly rate: number;
  /** Messages a second, measured until the last page is in D1. Only the pipeline writes pages. */
  readonly pagedRate: number;
  readonly workerCpuMs: number;
  readonly gatewayCpuMs: number;
}

export async function deliver(
  { rounds, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const bench = await start(cleanup);
  const pipeline: Figures[] = [];
  const rates: Record<"nodemailer" | "gateway" | "raw", number[]> = {
    nodemailer: [],
    gateway: [],
    raw: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    const figures = await pipelineRound(bench, messages);
    const nodemailer = await rateOf(bench.sink, messages, () =>
      bench.nodemailer.ask({ send: messages }, ROUND_TIMEOUT_MS),
    );
    const gateway = await rateOf(bench.sink, messages, () =>
      postFrames(bench.gateway, bench.signed, messages, `round-${round}`),
    );
    const raw = await rateOf(bench.sink, messages, () =>
      bench.raw.ask({ send: messages }, ROUND_TIMEOUT_MS),
    );
    if (round === 0) continue;
    pipeline.push(figures);
    rates.nodemailer.push(nodemailer);
    rates.gateway.push(gateway);
    rates.raw.push(raw);
  }
  return {
    notes: [
      `${messages} messages a round are accepted while the sink is shut, then delivered; ` +
        `medians of ${rounds} alternating rounds, after a round for warming up`,
      `counted from the ${UNCOUNTED}th to the last message at the sink; all sides: ten ` +
        "connections, a hundred messages on each, no TLS, RSA-2048 signatures",
      "pipeline: the deployment's bundle in workerd with state on disk, the gateway with its " +
        "journal on disk, outcomes in the ledger's log, pages in D1",
    ],
    rows: rowsOf(pipeline, median(rates.nodemailer), median(rates.gateway), median(rates.raw)),
  };
}

async function start(cleanup: Cleanup): Promise<Bench> {
  const root = await temporaryFolder(cleanup);
  const dkimKey = newDkimKey();
  const signed = await signedMessage(dkimKey);
  const sink = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"));
  const [, sinkPort = ""] = await sink.says(/^listening on (\d+)$/);
  const env = { BENCH_SINK_PORT: sinkPort };
  const nodemailer = startNode(cleanup, import.meta.resolve("../smtp/nodemailer-sender.ts"), {
    env: { ...env, BENCH_DKIM_KEY: dkimKey },
  });
  const raw = startNode(cleanup, import.meta.resolve("../smtp/raw-sender.ts"), {
    env: { ...env, BENCH_MESSAGE: signed.toString("base64") },
  });
  await Promise.all([nodemailer.says(/^ready$/), raw.says(/^ready$/)]);
  const gateway = await startGateway(cleanup, Number(sinkPort), join(root, "egress"));
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const worker = await startWorker(cleanup, bundle, {
    state: join(root, "state"),
    vars: { ...VARS, EGRESS_URL: gateway.origin },
  });
  const { teamId, apiKey } = await createTenant(worker, DELIVERY_RATE, dkimKey);
  return {
    sink,
    worker,
    target: { origin: worker.origin, apiKey },
    teamId,
    gateway,
    nodemailer,
    raw,
    signed,
  };
}

async function pipelineRound(
  { sink, worker, target, teamId, gateway }: Bench,
  messages: number,
): Promise<Figures> {
  await toSink(sink, { shut: true });
  await sendMessages(target, PRELOAD_CALLERS, messages);
  const [workerBefore, gatewayBefore] = [cpuSeconds(worker.pid), cpuSeconds(gateway.pid)];
  await toSink(sink, { open: true });
  const opened = performance.now();
  const { at } = await toSink<ReceivedMessages>(sink, {
    wait: messages,
    withinMs: ROUND_TIMEOUT_MS,
  });
  while (!(await worker.stores.isSettled(teamId))) {
    if (performance.now() - opened > ROUND_TIMEOUT_MS)
      throw new Error(["not everything was settled", ...worker.errors()].join("\n"));
    await sleep(POLL_MS);
  }
  const seconds = (performance.now() - opened) / 1_000;
  const { at: all } = await toSink<ReceivedMessages>(sink, {
    wait: messages,
    withinMs: ROUND_TIMEOUT_MS,
  });
  if (all.length !== messages)
    throw new Error(`${messages} messages were accepted, but ${all.length} arrived`);
  return {
    rate: rateFrom(at),
    pagedRate: messages / seconds,
    workerCpuMs: ((cpuSeconds(worker.pid) - workerBefore) * 1_000) / messages,
    gatewayCpuMs: ((cpuSeconds(gateway.pid) - gatewayBefore) * 1_000) / messages,
  };
}

async function rateOf(
  sink: Child,
  messages: number,
  send: () => Promise<unknown>,
): Promise<number> {
  await toSink(sink, { open: true });
  await send();
  return rateFrom(
    (await toSink<ReceivedMessages>(sink, { wait: messages, withinMs: ROUND_TIMEOUT_MS })).at,
  );
}

function toSink<Answer = object>(sink: Child, question: SinkCommand): Promise<Answer> {
  return sink.ask<Answer>(question, ROUND_TIMEOUT_MS + 1_000);
}

function rateFrom(at: readonly number[]): number {
  return ((at.length - UNCOUNTED) * 1_000) / (at.at(-1)! - at[UNCOUNTED - 1]!);
}

function rowsOf(
  pipeline: readonly Figures[],
  nodemailer: number,
  gateway: number,
  raw: number,
): BenchRow[] {
  const of = (figure: keyof Figures): number => median(pipeline.map((round) => round[figure]));
  const rate = of("rate");
  const information = { goal: null, met: null };
  const cpu =
    `CPU a message: workerd ${milliseconds(of("workerCpuMs"))}, gateway ` +
    milliseconds(of("gatewayCpuMs"));
  return [
    {
      work: "accepted → MX, whole pipeline",
      measured: perSecond(rate),
      against: `nodemailer pooled, DKIM: ${perSecond(nodemailer)}`,
      ratio: rate / nodemailer,
      goal: `≥ ${GOAL}x`,
      met: rate >= GOAL * nodemailer,
    },
    {
      work: "the same",
      measured: cpu,
      against: `raw floor: ${perSecond(raw)}`,
      ratio: rate / raw,
      ...information,
    },
    {
      work: "whole pipeline, until D1 has all pages of events",
      measured: perSecond(of("pagedRate")),
      against: "",
      ratio: null,
      ...information,
    },
    {
      work: "the gateway alone",
      measured: perSecond(gateway),
      against: `nodemailer: ${perSecond(nodemailer)}`,
      ratio: gateway / nodemailer,
      ...information,
    },
    {
      work: "the gateway alone",
      measured: perSecond(gateway),
      against: `raw floor: ${perSecond(raw)}`,
      ratio: gateway / raw,
      ...information,
    },
  ];
}
