// `bench outage`: a team keeps sending while the gateway is down and after it is back. The bench
// shows whether sends are accepted as fast as before, how fast the backlog drains, and whether
// every message is delivered and reported once.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { ownPorts } from "../../harness/loopback.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { startWorker } from "../../harness/workerd.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  type BenchResult,
  type BenchRow,
  milliseconds,
  percentile,
  perSecond,
} from "../harness/bench-result.ts";
import { sendDue, TICK_MS } from "../harness/ceiling.ts";
import { RoundTrips } from "../harness/round-trips.ts";
import { type GatewayProcess, startGateway } from "../smtp/gateway-process.ts";
import type { ReceivedMessages, SinkCommand } from "../smtp/sink.ts";

const RATE = 60;
const DELIVERY_RATE = 200;
const MINUTE_SECONDS = 60;
const WARM_UP_SECONDS = 15;
const CALM_SECONDS = 60;
/**
 * The backlog counts as empty when the messages under way are at most those of this many seconds.
 */
const EMPTY_SECONDS = 2;
const CONNECTIONS = 64;
/**
 * Time limit for the last arrivals. A copy that the gateway returned when it ended may wait for
 * some minutes.
 */
const ARRIVAL_MS = 5 * 60_000;
const P99_GOAL = 1.3;
const DRAIN_GOAL = 0.95;

interface Stand {
  readonly trips: RoundTrips;
  readonly sink: Child;
  readonly stopGateway: () => Promise<void>;
  readonly startGatewayAgain: () => Promise<void>;
}

/** One part of the run. `accept` has the milliseconds from each request to its 202. */
interface Phase {
  readonly accept: number[];
  readonly seconds: number;
}

/** The load of the whole run. A message counts in the phase in which it was due. */
class Sends {
  readonly #trips: RoundTrips;
  readonly #start = performance.now();
  #sent = 0;
  #accept: number[] = [];
  told = 0;
  refused = 0;
  firstRefusal: string | undefined;

  constructor(trips: RoundTrips) {
    this.#trips = trips;
  }

  get count(): number {
    return this.#sent;
  }

  /** Sends at RATE until `isOver` returns true. */
  async phase(isOver: (seconds: number) => boolean): Promise<Phase> {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1_000;
    const accept: number[] = [];
    this.#accept = accept;
    for (; !isOver(seconds()); await sleep(TICK_MS))
      this.#sent = sendDue(this, this.#start, RATE, this.#sent);
    return { accept, seconds: seconds() };
  }

  async follow(due: number): Promise<void> {
    const into = this.#accept;
    const late = performance.now() - due;
    const { accepted, told } = this.#trips.send();
    try {
      into.push(late + (await accepted));
      await told;
      this.told += 1;
    } catch (error) {
      this.refused += 1;
      this.firstRefusal ??= String(error);
    }
  }
}

export async function outage(
  { minutes, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const stand = await setUp(cleanup);
  const { trips } = stand;
  const sends = new Sends(trips);
  const lasts = (wanted: number) => (seconds: number) => seconds >= wanted;
  await sends.phase(lasts(WARM_UP_SECONDS * timeFactor));
  const calm = await sends.phase(lasts(CALM_SECONDS * timeFactor));
  await stand.stopGateway();
  console.error(`no courier for ${minutes} minutes`);
  const without = await sends.phase(lasts(minutes * MINUTE_SECONDS));
  const backlog = trips.open;
  await stand.startGatewayAgain();
  console.error(`the courier is back, and ${backlog} messages wait`);
  const toldBefore = sends.told;
  const back = await sends.phase(() => sends.told > toldBefore);
  const toldAtFirst = sends.told;
  const drain = await sends.phase(() => trips.open <= RATE * EMPTY_SECONDS);
  const drained = (sends.told - toldAtFirst) / drain.seconds;
  const after = await sends.phase(lasts(CALM_SECONDS * timeFactor));
  const wanted = sends.count - sends.refused;
  const { at } = await stand.sink.ask<ReceivedMessages>(
    { wait: wanted, withinMs: ARRIVAL_MS } satisfies SinkCommand,
    ARRIVAL_MS + 1_000,
  );
  for (const until = performance.now() + ARRIVAL_MS; trips.open > 0 && performance.now() < until;)
    await sleep(TICK_MS);
  return {
    notes: [
      `one team sends ${RATE} messages a second at fixed times, each of 2 KB to one recipient; its ` +
        `delivery rate is ${DELIVERY_RATE} a second`,
      `the gateway ends after ${Math.round(calm.seconds)} s of calm, and starts again after ` +
        `${minutes} minutes, with its journal; ${backlog} messages waited then`,
      ...(sends.firstRefusal === undefined ? [] : [`the first refusal: ${sends.firstRefusal}`]),
    ],
    rows: [
      acceptRow("accept, without a courier", without, calm),
      acceptRow("accept, while the backlog drains", drain, calm),
      acceptRow("accept, after that", after, calm),
      {
        work: "the first message after the courier is back",
        measured: `${back.seconds.toFixed(1)} s`,
        against: "",
        ratio: null,
        goal: null,
        met: null,
      },
      {
        work: `the backlog drains in ${Math.round(drain.seconds)} s`,
        measured: perSecond(drained),
        against: `delivery rate ${perSecond(DELIVERY_RATE)}`,
        ratio: drained / DELIVERY_RATE,
        goal: `≥ ${DRAIN_GOAL}x`,
        met: drained >= DRAIN_GOAL * DELIVERY_RATE,
      },
      countRow(sends.count, [
        [sends.refused, "refused"],
        [trips.open, "not reported"],
        [trips.unexpectedCount, "reported twice"],
        [Math.max(0, wanted - at.length), "lost"],
        [Math.max(0, at.length - wanted), "delivered twice"],
      ]),
    ],
  };
}

async function setUp(cleanup: Cleanup): Promise<Stand> {
  const root = await temporaryFolder(cleanup);
  const sink = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"));
  const [, port = ""] = await sink.says(/^listening on (\d+)$/);
  const { gateway: gatewayPort } = await ownPorts("gateway");
  const start = (): Promise<GatewayProcess> =>
    startGateway(cleanup, Number(port), join(root, "egress"), [], gatewayPort);
  let gateway = await start();
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const vars = { ...VARS, EGRESS_URL: gateway.origin, WEBHOOK_ALLOW_PRIVATE: "true" };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const { apiKey } = await createTenant(worker, DELIVERY_RATE * MINUTE_SECONDS, newDkimKey());
  const target = { origin: worker.origin, apiKey };
  return {
    trips: await RoundTrips.start(cleanup, target, MESSAGE, CONNECTIONS),
    sink,
    stopGateway: () => gateway.stop(),
    startGatewayAgain: async () => void (gateway = await start()),
  };
}

function acceptRow(work: string, phase: Phase, calm: Phase): BenchRow {
  const [p99, before] = [percentile(phase.accept, 0.99), percentile(calm.accept, 0.99)];
  const ratio = p99 / before;
  return {
    work,
    measured: `p50 ${milliseconds(percentile(phase.accept, 0.5))}, p99 ${milliseconds(p99)}`,
    against: `calm: p50 ${milliseconds(percentile(calm.accept, 0.5))}, p99 ${milliseconds(before)}`,
    ratio,
    goal: `p99 ≤ ${P99_GOAL}x`,
    met: ratio <= P99_GOAL,
  };
}

function countRow(sent: number, counts: readonly (readonly [number, string])[]): BenchRow {
  return {
    work: `errors in ${sent.toLocaleString("en-US")} messages`,
    measured: counts.map(([count, what]) => `${count} ${what}`).join(", "),
    against: "",
    ratio: null,
    goal: "0",
    met: counts.every(([count]) => count === 0),
  };
}
