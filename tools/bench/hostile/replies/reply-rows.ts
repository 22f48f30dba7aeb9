// The cases of `bench hostile` about replies. A thousand hostile mails go to port 25 of a gateway
// that delivers other mail. First each mail is sent alone, and the processor time of the delivery
// thread is measured. Then single good messages are sent, alternately with and without hostile mail
// at the same time.
import { setTimeout as sleep } from "node:timers/promises";
import { type Cleanup, withOwnCleanup } from "../../../harness/cleanup.ts";
import { threadMilliseconds } from "../../../harness/machine.ts";
import type { BenchSize } from "../../bench-options.ts";
import { atMost, percentile, spread, type BenchRow } from "../../harness/bench-result.ts";
import { startServer } from "../../system/bench-system.ts";
import { makeCertificate } from "../../smtp/certificate.ts";
import { startGateway, takingMail, toDnsServers } from "../../smtp/gateway-process.ts";
import { missing } from "../hostile-rows.ts";
import { ShareServers } from "../shares/share-servers.ts";
import { gatewaySide } from "../shares/share-sides.ts";
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
const USUAL_BYTES = 256 * 1_024;
const RATIO_AT_MOST = 1.2;
const SENDERS = 20;
const ZONE = "good.example";
const WARM_UP = 60;

export function replyRows(cleanup: Cleanup, size: BenchSize): Promise<BenchRow[]> {
  const plan = PLANS[size];
  return withOwnCleanup(cleanup, async (own) => {
    const servers = await ShareServers.start(own);
    const stub = await startServer(own, import.meta.resolve("../../smtp/stub-worker.ts"));
    const certificate = await makeCertificate(own);
    const gateway = await startGateway(own, {
      ...toDnsServers(servers.dnsPort, servers.port),
      ...takingMail("RETURN_PATH_PORTS", `http://127.0.0.1:${stub.port}`, certificate),
      // Strangers' mail comes from many addresses, but the bench has only one. So the limits for
      // one address must not apply.
      SUBMISSION_CONNECTIONS_PER_ADDRESS: "1000",
      SUBMISSION_ATTEMPTS_PER_MINUTE: "1000000",
      RETURN_PATH: "true",
    });
    own.add(() => servers.hangUp());
    const bring = (mail: HostileReply): Promise<number> =>
      bringHostileReply(gateway.mailPort, mail);
    const mails = makeHostileReplies(plan.mails);
    for (const mail of mails.slice(0, WARM_UP)) await bring(mail);
    const costs: Cost[] = [];
    for (const { name, to, bytes } of mails) {
      const before = threadMilliseconds(gateway.pid);
      await bring({ name, to, bytes });
      const ms = threadMilliseconds(gateway.pid) - before;
      costs.push({ name, bytes: bytes.length, ms });
    }
    const side = await gatewaySide(own, gateway.origin);
    const singles = () =>
      measureSingles(servers, { zone: ZONE, senders: SENDERS, seconds: plan.seconds }, (team, to) =>
        side.offer(`team-${team}`, [to]),
      );
    const turns = await takeTurns(plan, singles, bring, mails);
    return [...eachRows(costs), besideRow(plan, turns)];
  });
}

/** A hostile mail, and the processor milliseconds of the delivery thread for it. */
interface Cost {
  readonly name: string;
  readonly bytes: number;
  readonly ms: number;
}

interface Turns {
  readonly alone: number[];
  readonly beside: number[];
  missing: number;
}

async function takeTurns(
  { seconds, turns }: ReplyPlan,
  singles: () => ReturnType<typeof measureSingles>,
  bring: (mail: HostileReply) => Promise<number>,
  mails: readonly HostileReply[],
): Promise<Turns> {
  const taken: Turns = { alone: [], beside: [], missing: 0 };
  const measure = async (into: number[]): Promise<void> => {
    const measured = await singles();
    into.push(...measured.latencies);
    taken.missing += measured.missing;
  };
  /** Sends the mails at equal intervals. */
  const bringAll = () =>
    mails.map(async (mail, index) => {
      await sleep((index * seconds * 1_000) / mails.length);
      await bring(mail);
    });
  await measure([]);
  for (let turn = 0; turn < turns; turn += 1) {
    await measure(taken.alone);
    await Promise.all([measure(taken.beside), ...bringAll()]);
  }
  return taken;
}

/**
 * The thread reads a larger mail in pieces, and does other work between them. So the row for larger
 * mail has no goal.
 */
function eachRows(costs: readonly Cost[]): BenchRow[] {
  const usual = costs.filter(({ bytes }) => bytes <= USUAL_BYTES);
  const large = costs.filter(({ bytes }) => bytes > USUAL_BYTES);
  const times = usual.map(({ ms }) => ms);
  const worst = usual.toSorted((left, right) => right.ms - left.ms)[0]!;
  const largest = Array.from(
    Map.groupBy(large, ({ name }) => name),
    ([name, some]) =>
      `${name}: ${spread(
        some.map(({ ms }) => ms),
        1,
      )}`,
  );
  const work = "time of the thread that delivers for a hostile mail to a reply address";
  return [
    {
      work: `${work}, of ${usual.length} of at most ${USUAL_BYTES / 1_024} KB`,
      measured: `${spread(times, 0.5, 0.99, 1)} (${worst.name})`,
      ...atMost(EACH_AT_MOST_MS, worst.ms, " ms each"),
    },
    { work: `${work}, of ${large.length} larger`, measured: largest.join("; ") },
  ];
}

function besideRow({ mails, seconds }: ReplyPlan, turns: Turns): BenchRow {
  const { alone, beside } = turns;
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  return {
    work: `single messages beside ${mails.toLocaleString("en-US")} hostile mails in ${seconds} s`,
    measured: `${spread(beside, 0.5, 0.99)}${missing(turns)}`,
    against: `alone: ${spread(alone, 0.5, 0.99)}`,
    ratio,
    ...atMost(RATIO_AT_MOST, turns.missing === 0 ? ratio : Number.POSITIVE_INFINITY, "x at p99"),
  };
}
