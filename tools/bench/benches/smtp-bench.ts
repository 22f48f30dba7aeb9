// `bench smtp`: submits messages over TLS with AUTH, through the gateway into the worker's ledger.
// The peer is Postfix that queues to disk. The bench also compares the gateway alone with
// smtp-server and a forwarder, and measures the gateway's memory over time. Sides alternate in
// rounds.
import { bundleWorker } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { startPostfix, storing } from "../peer/postfix.ts";
import {
  atLeast,
  atMost,
  milliseconds,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { startProgram, startServer } from "../system/bench-system.ts";
import { makeCertificate } from "../smtp/certificate.ts";
import { takingMail, startGateway } from "../smtp/gateway-process.ts";
import type { LoadTotals } from "../smtp/submission-load.ts";
import { type SubmissionCase, nameOf, SubmissionSide } from "../smtp/submission-side.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import { WAITING_RATE } from "./accept-bench.ts";

interface Sides {
  /**
   * Returns the gateway and its worker, with the team for this case. A case of large messages has
   * its own team, because a ledger stores at most 1 GB of large content.
   */
  readonly whole: (one: SubmissionCase) => SubmissionSide;
  /** The peer's side, or the reason why Postfix can't run. */
  readonly postfix: SubmissionSide | string;
  readonly alone: SubmissionSide;
  readonly forwarder: SubmissionSide;
}

const SMALL = 2;
const LARGE = 100;
const SESSIONS = [1, 10, 50];
const CASES: readonly SubmissionCase[] = [SMALL, LARGE].flatMap((kilobytes) =>
  [true, false].flatMap((kept) => SESSIONS.map((sessions) => ({ sessions, kilobytes, kept }))),
);
const [KEPT, NEW]: readonly [SubmissionCase, SubmissionCase] = [
  { sessions: 10, kilobytes: SMALL, kept: true },
  { sessions: 10, kilobytes: SMALL, kept: false },
];
/**
 * Rounds with large messages last this fraction of other rounds, because large messages fill the
 * disk.
 */
const LARGE_SHARE = 1 / 3;
const ALONE_GOAL = 0.8;
/**
 * The fraction of the forwarder's rate that the gateway must reach with a new connection for each
 * message. Another mail server reached this fraction: on a quiet machine, Haraka in discard mode
 * took 487 messages a second, and the forwarder 743.
 */
const NEW_CONNECTION_GOAL = 487 / 743;
/** The memory measurement sends the option `messages` times this factor. */
const MEMORY_FACTOR = 10;
const MEMORY_MESSAGES_PER_CONNECTION = 10;
/** The heap may grow at most by this factor between two measurements. */
const MEMORY_GOAL = 1.1;
const PEER_KEY = "peer_0123456789abcdef0123456789abcdef01234567";

export async function smtp(
  { rounds, seconds, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const { sides, notes } = await start(cleanup);
  const { whole, postfix, alone, forwarder } = sides;
  const pairs = [
    ...CASES.map((one) => ({ one, against: [whole(one), postfix] })),
    ...[KEPT, NEW].map((one) => ({ one, against: [alone, forwarder] })),
  ];
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const { one, against } of pairs) {
      for (const side of against) {
        if (typeof side === "string") continue;
        if (round > 0)
          await side.round(one, one.kilobytes === LARGE ? seconds * LARGE_SHARE : seconds);
        else if (one.kilobytes === SMALL) await side.send(one, { until: { seconds: seconds / 3 } });
      }
    }
  }
  console.error("memory");
  const memory = await memoryOf(alone, messages * MEMORY_FACTOR);
  const sizes = [SMALL, LARGE].map((kilobytes) => {
    const one = { ...KEPT, kilobytes };
    return whole(one).median(one, "bytes").toLocaleString("en-US");
  });
  return {
    notes: [
      `messages of ${sizes.join(" and ")} bytes, one recipient, STARTTLS, no PIPELINING, no ` +
        `TLS session resumed; medians of ${rounds} alternating rounds of ${seconds} s; rounds ` +
        "with large messages take a third of that",
      "gateway and worker: AUTH; the deployment's bundle in workerd under Miniflare's direct " +
        "socket, state on disk, each group of messages synced before the 250 replies",
      "latency: from MAIL to the 250 after the final dot; with a new connection for each " +
        "message, from connecting to the 221 after QUIT",
      ...notes,
    ],
    rows: [...CASES.map((one) => wholeRow(one, sides)), ...aloneRows(sides), memory],
  };
}

async function start(cleanup: Cleanup): Promise<{ sides: Sides; notes: readonly string[] }> {
  const pem = await makeCertificate(cleanup);
  const load = await startProgram(cleanup, import.meta.resolve("../smtp/submission-load.ts"), {
    BENCH_CERTIFICATE: pem.certificate,
  });
  const worker = await startWorker(cleanup, await bundleWorker(cleanup), { vars: VARS });
  const gateway = await startGateway(cleanup, takingMail("SUBMISSION_PORTS", worker.origin, pem));
  const dkimKey = newDkimKey();
  const wholeSide = async (): Promise<SubmissionSide> => {
    const { apiKey: key } = await createTenant(worker, WAITING_RATE, dkimKey);
    return new SubmissionSide(load, { port: gateway.mailPort, key }, [gateway.pid, worker.pid]);
  };
  const small = await wholeSide();
  const large = new Map<string, SubmissionSide>();
  for (const one of CASES) if (one.kilobytes === LARGE) large.set(nameOf(one), await wholeSide());
  const stub = await startServer(cleanup, import.meta.resolve("../smtp/stub-worker.ts"));
  const stubOrigin = `http://127.0.0.1:${stub.port}`;
  const alone = await startGateway(cleanup, takingMail("SUBMISSION_PORTS", stubOrigin, pem));
  const forwarder = await startServer(cleanup, import.meta.resolve("../smtp/forwarder.ts"), {
    BENCH_API_KEY: PEER_KEY,
    BENCH_WORKER: stubOrigin,
    BENCH_CERTIFICATE: pem.certificate,
    BENCH_CERTIFICATE_KEY: pem.key,
  });
  const postfix = await startPostfix(cleanup, storing(pem.chain));
  const peerSide = (port: number, pid: number): SubmissionSide =>
    new SubmissionSide(load, { port, key: PEER_KEY }, [pid]);
  return {
    sides: {
      whole: (one) => large.get(nameOf(one)) ?? small,
      postfix:
        typeof postfix === "string"
          ? postfix
          : new SubmissionSide(load, { port: postfix.port, key: null }, [postfix.pid], () =>
              postfix.takeAway(),
            ),
      alone: peerSide(alone.mailPort, alone.pid),
      forwarder: peerSide(forwarder.port, forwarder.child.pid),
    },
    notes: [
      typeof postfix === "string" ? postfix : postfix.about,
      "the gateway alone: in front of a worker that accepts everything at once; smtp-server's " +
        "delay of 100 ms before the banner is removed, because it would hide all else",
    ],
  };
}

/**
 * Measures the memory half-way and at the end. Half-way, the gateway has seen every kind of input,
 * so its memory should no longer grow.
 */
async function memoryOf(gateway: SubmissionSide, messages: number): Promise<BenchRow> {
  const send = (count: number): Promise<LoadTotals> =>
    gateway.send(KEPT, {
      until: { messages: count },
      messagesPerConnection: MEMORY_MESSAGES_PER_CONNECTION,
      warmUp: 0,
    });
  const begin = gateway.megabytes();
  await send(messages / 2);
  const middle = gateway.megabytes();
  await send(messages / 2);
  const end = gateway.megabytes();
  const [first, half, last] = [begin, middle, end].map((megabytes) => `${megabytes.toFixed(0)} MB`);
  return {
    work:
      `the gateway's memory over ${messages.toLocaleString("en-US")} messages, ` +
      `${(messages / MEMORY_MESSAGES_PER_CONNECTION).toLocaleString("en-US")} connections`,
    measured: `${first} at the start, ${last} at the end`,
    against: `${half} half-way`,
    ratio: end / middle,
    ...atMost(MEMORY_GOAL, end / middle),
  };
}

function wholeRow(one: SubmissionCase, { whole, postfix }: Sides): BenchRow {
  const side = whole(one);
  const row = { work: nameOf(one), measured: side.rateAndLatency(one) };
  if (typeof postfix === "string") return { ...row, against: postfix };
  const ratio = side.median(one, "rate") / postfix.median(one, "rate");
  const against = `Postfix: ${postfix.rateAndLatency(one)}`;
  const hasGoal = nameOf(one) === nameOf(KEPT);
  return { ...row, against, ratio, ...(hasGoal && { goal: "> 1x Postfix", met: ratio > 1 }) };
}

function aloneRows({ alone, forwarder }: Sides): BenchRow[] {
  const row = (one: SubmissionCase, goal: number, about = ""): BenchRow => {
    const ratio = alone.median(one, "rate") / forwarder.median(one, "rate");
    const measured = (side: SubmissionSide): string =>
      `${side.rateAndLatency(one)}, CPU ${milliseconds(side.median(one, "cpuMs"))}`;
    return {
      work: `the gateway alone, ${nameOf(one)}`,
      measured: measured(alone),
      against: `smtp-server: ${measured(forwarder)}`,
      ratio,
      ...atLeast(goal, ratio, `x${about}`),
    };
  };
  return [row(KEPT, ALONE_GOAL), row(NEW, NEW_CONNECTION_GOAL, ", Haraka's share")];
}
