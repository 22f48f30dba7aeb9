// The cases of `bench hostile` about replies. A thousand hostile mails go to port 25 of a gateway
// that delivers other mail. First each mail is sent alone, and the processor time of the delivery
// thread is measured. Then single good messages are sent, alternately with and without hostile mail
// at the same time.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Cleanup, temporaryFolder } from "../../../harness/cleanup.ts";
import { startNode } from "../../../harness/child.ts";
import { threadMilliseconds } from "../../../harness/machine.ts";
import type { BenchSize } from "../../bench-options.ts";
import { milliseconds, percentile, type BenchRow } from "../../harness/bench-result.ts";
import { makeCertificate } from "../../smtp/certificate.ts";
import { startGatewayByDns } from "../../smtp/gateway-process.ts";
import { ShareServers } from "../shares/share-servers.ts";
import { gatewaySide, type ShareSide } from "../shares/share-sides.ts";
import { measureSingles } from "../shares/single-messages.ts";
import { type HostileReply, makeHostileReplies } from "./hostile-replies.ts";
import { bringHostileReply } from "./reply-sender.ts";

interface ReplyPlan {
  readonly mails: number;
  /** Seconds of each turn. Half of all turns have hostile mail. */
  readonly seconds: number;
  readonly turns: number;
}

const PLANS: Readonly<Record<BenchSize, ReplyPlan>> = {
  full: { mails: 1_000, seconds: 40, turns: 2 },
  quick: { mails: 200, seconds: 5, turns: 2 },
  smoke: { mails: 40, seconds: 1, turns: 1 },
};
const EACH_AT_MOST_MS = 5;
/** The largest size of a usual mail. A person who attaches no file writes far less. */
const USUAL_KILOBYTES = 256;
const RATIO_AT_MOST = 1.2;
const SENDERS = 20;
const ZONE = "good.example";
const WARM_UP = 60;

export async function replyRows(cleanup: Cleanup, size: BenchSize): Promise<BenchRow[]> {
  const plan = PLANS[size];
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  const servers = await ShareServers.start(own);
  try {
    const { pid, port, side } = await startGateway(own, servers);
    const mails = makeHostileReplies(plan.mails);
    for (const mail of mails.slice(0, WARM_UP)) await bringHostileReply(port, mail);
    const each = await measureEach(pid, port, mails);
    const turns = await takeTurns(
      servers,
      side,
      plan,
      (one) => bringHostileReply(port, one),
      mails,
    );
    side.end();
    return [...eachRows(each), besideRow(plan, turns)];
  } finally {
    servers.hangUp();
    await own.run();
  }
}

async function startGateway(own: Cleanup, servers: ShareServers) {
  const root = await temporaryFolder(own);
  const stub = startNode(own, import.meta.resolve("../../smtp/stub-worker.ts"));
  const [, worker] = await stub.says(/^listening on (\d+)$/);
  const { certificate, key } = await makeCertificate(root);
  const state = join(root, "egress");
  const gateway = await startGatewayByDns(own, servers.dnsPort, servers.port, state, {
    SUBMISSION_HOST: "127.0.0.1",
    SUBMISSION_CERTIFICATE: certificate,
    SUBMISSION_KEY: key,
    // Strangers' mail comes from many addresses, but the bench has only one. So the limits for one
    // address must not apply.
    SUBMISSION_CONNECTIONS_PER_ADDRESS: "1000",
    SUBMISSION_ATTEMPTS_PER_MINUTE: "1000000",
    RETURN_PATH: "true",
    RETURN_PATH_PORTS: "0",
    WORKER_URL: `http://127.0.0.1:${worker}`,
  });
  return { pid: gateway.pid, port: gateway.mailPort, side: await gatewaySide(gateway.origin) };
}

interface Cost {
  readonly name: string;
  readonly kilobytes: number;
  /** Processor milliseconds of the delivery thread. */
  readonly ms: number;
}

async function measureEach(
  pid: number,
  port: number,
  mails: readonly HostileReply[],
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const mail of mails) {
    const before = threadMilliseconds(pid);
    await bringHostileReply(port, mail);
    const ms = threadMilliseconds(pid) - before;
    costs.push({ name: mail.name, kilobytes: mail.bytes.length / 1_024, ms });
  }
  return costs;
}

interface Turns {
  readonly alone: number[];
  readonly beside: number[];
  missing: number;
}

async function takeTurns(
  servers: ShareServers,
  side: ShareSide,
  { seconds, turns }: ReplyPlan,
  bring: (mail: HostileReply) => Promise<number>,
  mails: readonly HostileReply[],
): Promise<Turns> {
  const taken: Turns = { alone: [], beside: [], missing: 0 };
  const measure = async (into: number[]): Promise<void> => {
    const plan = { zone: ZONE, senders: SENDERS, seconds };
    const { latencies, missing } = await measureSingles(servers, plan, (team, recipient) =>
      side.offer(`team-${team}`, [recipient]),
    );
    into.push(...latencies);
    taken.missing += missing;
  };
  await measure([]);
  for (let turn = 0; turn < turns; turn += 1) {
    await measure(taken.alone);
    await Promise.all([measure(taken.beside), bringAll(bring, mails, seconds * 1_000)]);
  }
  return taken;
}

/** Sends the mails at equal intervals. */
async function bringAll(
  bring: (mail: HostileReply) => Promise<number>,
  mails: readonly HostileReply[],
  withinMs: number,
): Promise<void> {
  const begun = performance.now();
  const brought = mails.map(async (mail, index) => {
    await sleep(Math.max(0, begun + (index * withinMs) / mails.length - performance.now()));
    return bring(mail);
  });
  await Promise.all(brought);
}

/**
 * The thread reads a larger mail in pieces, and does other work between them. So the row for larger
 * mail has no goal.
 */
function eachRows(costs: readonly Cost[]): BenchRow[] {
  const usual = costs.filter(({ kilobytes }) => kilobytes <= USUAL_KILOBYTES);
  const large = costs.filter(({ kilobytes }) => kilobytes > USUAL_KILOBYTES);
  const all = usual.map(({ ms }) => ms);
  const worst = usual.toSorted((left, right) => right.ms - left.ms)[0]!;
  const [p50, p99] = [0.5, 0.99].map((one) => milliseconds(percentile(all, one)));
  const byName = Map.groupBy(large, ({ name }) => name);
  const largest = Array.from(byName, ([name, some]) => {
    const ms = Math.max(...some.map((one) => one.ms));
    return `${name}, ${Math.round(some[0]!.kilobytes)} KB: ${milliseconds(ms)}`;
  });
  const work = "time of the thread that delivers for a hostile mail to a reply address";
  const none = { against: "", ratio: null };
  return [
    {
      ...none,
      work: `${work}, of ${usual.length} of at most ${USUAL_KILOBYTES} KB`,
      measured: `p50 ${p50}, p99 ${p99}, max ${milliseconds(worst.ms)} (${worst.name})`,
      goal: `≤ ${EACH_AT_MOST_MS} ms each`,
      met: worst.ms <= EACH_AT_MOST_MS,
    },
    {
      ...none,
      work: `${work}, of ${large.length} larger`,
      measured: largest.join("; "),
      goal: null,
      met: null,
    },
  ];
}

function besideRow({ mails, seconds }: ReplyPlan, { alone, beside, missing }: Turns): BenchRow {
  const [calm, with99] = [alone, beside].map((one) => percentile(one, 0.99)) as [number, number];
  const ratio = with99 / calm;
  return {
    work: `single messages beside ${mails.toLocaleString("en-US")} hostile mails in ${seconds} s`,
    measured:
      `p50 ${milliseconds(percentile(beside, 0.5))}, p99 ${milliseconds(with99)}` +
      (missing > 0 ? `, ${missing} missing` : ""),
    against: `alone: p50 ${milliseconds(percentile(alone, 0.5))}, p99 ${milliseconds(calm)}`,
    ratio,
    goal: `p99 ≤ ${RATIO_AT_MOST}x`,
    met: missing === 0 && ratio <= RATIO_AT_MOST,
  };
}
