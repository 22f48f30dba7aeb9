// `bench deliver`: measures the way from acceptance to the recipient's mail server over ten
// connections. Four sides deliver to one sink in alternating rounds: the whole pipeline (claim,
// compose, sign, egress, settle, chunks), nodemailer's pool that composes and signs the same
// message, the gateway alone, and ten bare connections.
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type BenchSystem, startSystem, startProgram } from "../system/bench-system.ts";
import { sendMessages } from "../harness/load.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  atLeast,
  median,
  milliseconds,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { postFrames } from "../smtp/gateway-process.ts";
import { signedMessage } from "../smtp/nodemailer-message.ts";
import { createTenant, newDkimKey, type Tenant } from "../../harness/tenant.ts";

const GOAL = 1.5;
const PRELOAD_CALLERS = 16;
/**
 * Number of messages that are not counted at the start of a round. The service and its peer may
 * each compose a queue batch of this size before the sink opens, so these messages arrive too fast.
 */
const UNCOUNTED = 100;
const ROUND_TIMEOUT_MS = 90_000;
const POLL_MS = 20;
const SIDES = ["pipeline", "nodemailer", "gateway", "raw"] as const;

interface Bench extends BenchSystem {
  readonly team: Tenant;
  readonly nodemailer: Child;
  readonly raw: Child;
  readonly signed: Buffer;
}

/** Messages a second of each side, and the processor time of the pipeline's processes. */
type Figures = Readonly<Record<(typeof SIDES)[number] | "workerCpuMs" | "gatewayCpuMs", number>>;

export async function deliver(
  { rounds, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const bench = await start(cleanup);
  const { sink, gateway, signed } = bench;
  const figures: Figures[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    const rateOf = async (send: () => Promise<unknown>): Promise<number> => {
      await sink.setOpen(true);
      await send();
      return rateFrom(await sink.arrivals(messages, ROUND_TIMEOUT_MS));
    };
    const ask = (child: Child) => () => child.ask({ send: messages }, ROUND_TIMEOUT_MS);
    const pipeline = await pipelineRound(bench, messages);
    const nodemailer = await rateOf(ask(bench.nodemailer));
    const alone = await rateOf(() => postRound(gateway.origin, signed, messages, round));
    const raw = await rateOf(ask(bench.raw));
    if (round > 0) figures.push({ ...pipeline, nodemailer, gateway: alone, raw });
  }
  return {
    notes: [
      `${messages} messages a round are accepted while the sink is shut, then delivered; ` +
        `medians of ${rounds} alternating rounds, after a round for warming up`,
      `counted from the ${UNCOUNTED}th to the last message at the sink; all sides: ten ` +
        "connections, a hundred messages on each, no TLS, RSA-2048 signatures",
      "pipeline: the deployment's bundle in workerd with state on disk, the gateway with its " +
        "journal on disk, outcomes in the ledger's log, chunks in D1",
    ],
    rows: rowsOf(figures),
  };
}

async function start(cleanup: Cleanup): Promise<Bench> {
  const dkimKey = newDkimKey();
  const signed = await signedMessage(dkimKey);
  const system = await startSystem(cleanup);
  const env = { BENCH_SINK_PORT: String(system.sink.port) };
  const [nodemailer, raw] = await Promise.all([
    startProgram(cleanup, import.meta.resolve("../smtp/nodemailer-sender.ts"), {
      ...env,
      BENCH_DKIM_KEY: dkimKey,
    }),
    startProgram(cleanup, import.meta.resolve("../smtp/raw-sender.ts"), {
      ...env,
      BENCH_MESSAGE: signed.toString("base64"),
    }),
  ]);
  const team = await createTenant(system.worker, undefined, dkimKey);
  return { ...system, team, nodemailer, raw, signed };
}

async function pipelineRound({ sink, worker, team, gateway }: Bench, messages: number) {
  await sink.setOpen(false);
  await sendMessages(team, PRELOAD_CALLERS, messages);
  const [workerBefore, gatewayBefore] = [cpuSeconds(worker.pid), cpuSeconds(gateway.pid)];
  await sink.setOpen(true);
  const opened = performance.now();
  const at = await sink.arrivals(messages, ROUND_TIMEOUT_MS);
  while (!(await worker.stores.isSettled(team.teamId))) {
    if (performance.now() - opened > ROUND_TIMEOUT_MS)
      throw new Error(["not everything was settled", ...worker.errors()].join("\n"));
    await sleep(POLL_MS);
  }
  const all = await sink.arrivals(messages, ROUND_TIMEOUT_MS);
  if (all.length !== messages)
    throw new Error(`${messages} messages were accepted, but ${all.length} arrived`);
  return {
    pipeline: rateFrom(at),
    workerCpuMs: ((cpuSeconds(worker.pid) - workerBefore) * 1_000) / messages,
    gatewayCpuMs: ((cpuSeconds(gateway.pid) - gatewayBefore) * 1_000) / messages,
  };
}

/** Posts frames to the gateway. Resolves when the gateway has reported every outcome. */
async function postRound(origin: string, message: Buffer, messages: number, round: number) {
  const keys = Array.from({ length: messages }, (_, index) => `round-${round}/${index}`);
  const copies = new Map(keys.map((key) => [key, "someone@recipient.example"]));
  const lines = await postFrames(origin, message, copies);
  const delivered = lines.filter(({ code }) => code === 250).length;
  if (delivered !== messages)
    throw new Error(`the gateway delivered ${delivered} of ${messages}: ${JSON.stringify(lines)}`);
}

function rateFrom(at: readonly number[]): number {
  return ((at.length - UNCOUNTED) * 1_000) / (at.at(-1)! - at[UNCOUNTED - 1]!);
}

function rowsOf(rounds: readonly Figures[]): BenchRow[] {
  const of = (figure: keyof Figures): number => median(rounds.map((round) => round[figure]));
  const [pipeline, nodemailer, gateway, raw] = SIDES.map(of) as [number, number, number, number];
  const [workerCpu, gatewayCpu] = [of("workerCpuMs"), of("gatewayCpuMs")].map(milliseconds);
  const alone = { work: "the gateway alone", measured: perSecond(gateway) };
  return [
    {
      work: "accepted → MX, whole pipeline",
      measured: `${perSecond(pipeline)} (CPU: workerd ${workerCpu}, gateway ${gatewayCpu})`,
      against: `nodemailer pooled, DKIM: ${perSecond(nodemailer)}`,
      ratio: pipeline / nodemailer,
      ...atLeast(GOAL, pipeline / nodemailer),
    },
    { ...alone, against: `nodemailer: ${perSecond(nodemailer)}`, ratio: gateway / nodemailer },
    { ...alone, against: `raw floor: ${perSecond(raw)}`, ratio: gateway / raw },
  ];
}
