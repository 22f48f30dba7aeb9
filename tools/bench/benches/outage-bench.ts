// `bench outage`: a team keeps sending while the gateway is down and after it is back. The bench
// shows whether sends are accepted as fast as before, how fast the backlog drains, and whether
// every message is delivered and reported once.
import { join } from "node:path";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { ownPort } from "../../harness/loopback.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  atLeast,
  atMost,
  type BenchResult,
  type BenchRow,
  percentile,
  perSecond,
  spread,
} from "../harness/bench-result.ts";
import { sendSteadily } from "../harness/ceiling.ts";
import { startSystem } from "../system/bench-system.ts";
import { TimedSends } from "../system/timed-sends.ts";
import { startGateway, toRoutes } from "../smtp/gateway-process.ts";

const RATE = 60;
const DELIVERY_RATE = 200;
const MINUTE_SECONDS = 60;
const WARM_UP_SECONDS = 15;
const CALM_SECONDS = 60;
/**
 * The backlog counts as empty when the messages under way are at most those of this many seconds.
 */
const EMPTY_SECONDS = 2;
/**
 * Time limit for the last arrivals. A copy that the gateway returned when it ended may wait for
 * some minutes.
 */
const ARRIVAL_MS = 5 * 60_000;
const P99_GOAL = 1.3;
const DRAIN_GOAL = 0.95;

/** One part of the run. `accept` has the milliseconds from each request to its 202. */
interface Phase {
  readonly accept: readonly number[];
  readonly seconds: number;
}

export async function outage(
  { minutes, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const state = join(await temporaryFolder(cleanup), "egress");
  const settings = { EGRESS_PORT: String(await ownPort()), EGRESS_STATE: state };
  const { sink, gateway, worker } = await startSystem(cleanup, settings);
  const sends = await TimedSends.start(cleanup, worker, DELIVERY_RATE * MINUTE_SECONDS);
  const phase = async (isOver: (seconds: number) => boolean): Promise<Phase> => {
    const { accept } = sends.begin();
    return { accept, seconds: await sendSteadily(sends, RATE, isOver) };
  };
  const lasts = (wanted: number) => (seconds: number) => seconds >= wanted;
  await phase(lasts(WARM_UP_SECONDS * timeFactor));
  const calm = await phase(lasts(CALM_SECONDS * timeFactor));
  await gateway.stop();
  console.error(`no courier for ${minutes} minutes`);
  const without = await phase(lasts(minutes * MINUTE_SECONDS));
  const backlog = sends.open;
  await startGateway(cleanup, { ...toRoutes(sink.port), ...settings });
  console.error(`the courier is back, and ${backlog} messages wait`);
  const toldBefore = sends.told;
  const back = await phase(() => sends.told > toldBefore);
  const toldAtFirst = sends.told;
  const drain = await phase(() => sends.open <= RATE * EMPTY_SECONDS);
  const drained = (sends.told - toldAtFirst) / drain.seconds;
  const after = await phase(lasts(CALM_SECONDS * timeFactor));
  const errors = await sends.errors(sink, ARRIVAL_MS);
  return {
    notes: [
      `one team sends ${RATE} messages a second at fixed times, each of 2 KB to one recipient; its ` +
        `delivery rate is ${DELIVERY_RATE} a second`,
      `the gateway ends after ${Math.round(calm.seconds)} s of calm, and starts again after ` +
        `${minutes} minutes, with its journal; ${backlog} messages waited then`,
      ...sends.notes,
    ],
    rows: [
      acceptRow("accept, without a courier", without, calm),
      acceptRow("accept, while the backlog drains", drain, calm),
      acceptRow("accept, after that", after, calm),
      {
        work: "the first message after the courier is back",
        measured: `${back.seconds.toFixed(1)} s`,
      },
      {
        work: `the backlog drains in ${Math.round(drain.seconds)} s`,
        measured: perSecond(drained),
        against: `delivery rate ${perSecond(DELIVERY_RATE)}`,
        ratio: drained / DELIVERY_RATE,
        ...atLeast(DRAIN_GOAL, drained / DELIVERY_RATE),
      },
      errors,
    ],
  };
}

function acceptRow(work: string, phase: Phase, calm: Phase): BenchRow {
  const ratio = percentile(phase.accept, 0.99) / percentile(calm.accept, 0.99);
  return {
    work,
    measured: spread(phase.accept, 0.5, 0.99),
    against: `calm: ${spread(calm.accept, 0.5, 0.99)}`,
    ratio,
    ...atMost(P99_GOAL, ratio, "x at p99"),
  };
}
