// `bench hostile`: sends one team's steady mail to good servers, at half of the ceiling, while mail
// also goes to servers that are silent or slow. It compares this run with a run of the good mail
// alone. The goals limit the delay of the good mail, and allow no lost or doubled message. Postfix
// runs the same cases. Other rows measure shares of connections (hostile/shares), hostile replies
// (hostile/replies) and other teams in the same worker (isolation/isolation-rows.ts).
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { BenchOptions } from "../bench-options.ts";
import { type BenchResult, perSecond, type BenchRow } from "../harness/bench-result.ts";
import { findSustainedRate, measureFullRate } from "../harness/ceiling.ts";
import { BAD_KINDS } from "../hostile/bad-kinds.ts";
import { GoodMail, GoodServers } from "../hostile/good-mail.ts";
import {
  busyLine,
  latencyRows,
  lineOf,
  type OurFigures,
  ourRows,
  type Runs,
} from "../hostile/hostile-rows.ts";
import { type RunFigures, runBeside, type Trouble } from "../hostile/hostile-run.ts";
import { startPostern, startPostfixSide } from "../hostile/mail-sides.ts";
import { replyRows } from "../hostile/replies/reply-rows.ts";
import { shareRows } from "../hostile/shares/share-cases.ts";
import { isolationRows } from "../isolation/isolation-rows.ts";
import { CALM, type HostilePlan, PLANS } from "../hostile/troubles.ts";

const SHARE_OF_CEILING = 0.5;

/** The parts that all runs share. */
interface Stand {
  readonly cleanup: Cleanup;
  readonly good: GoodServers;
  readonly bundle: Bundle;
}

export async function hostile(options: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const { size } = options;
  const plan = PLANS[size];
  const stand = await start(cleanup);
  console.error("looking for the ceiling, the highest rate that the system sustains");
  const ceiling = await measureCeiling(stand, plan);
  const rate = ceiling * SHARE_OF_CEILING;
  console.log(`ceiling ${perSecond(ceiling)}; good mail at ${perSecond(rate)}`);
  const shares = await shareRows(cleanup, stand.bundle, size);
  const ours = await runPostern(stand, plan, rate);
  const postfix = await runPostfix(stand, plan, rate);
  const replies = await replyRows(cleanup, size);
  const beside = await isolationRows(options, cleanup);
  return {
    notes: [
      "good mail: one team's messages of 2 KB, to one recipient each, at " +
        `${stand.good.routes.length} servers; sent at fixed times at ${perSecond(rate)}, half of ` +
        `the ceiling (${perSecond(ceiling)}); times count from when a message was due`,
      `beside it: the same team's mail to bad servers (${Object.values(BAD_KINDS).join("; ")}); ` +
        "or another team's list, in batches of 100. A share is the part of all recipients that " +
        "are at bad servers",
      `each run has its own worker and gateway, and lasts ${plan.span.seconds} s after ` +
        `${plan.span.warmUpSeconds} s of warming up; default limits (500 connections, 10 to a ` +
        "destination), no webhook",
      "the cases about shares send frames to a gateway without a worker; the gateway's DNS " +
        "gives each domain its own server; each of three teams sends one message a second. The " +
        "campaign goes through a worker, and its team may release 6,000 messages a minute",
      "the rows about replies: the gateway's port 25 passes them to a worker that accepts all. " +
        "One gateway gets the messages in turns, with and without hostile mail",
      "the rows beside other teams: a probe sends to the simulator, in one worker with two teams " +
        "whose webhooks hang (half never answer, half just before the timeout), or that flood " +
        "new labels (one has the standard caps, one none)",
      "the queue has one consumer at a time, because Miniflare has only one (the platform has " +
        "up to 250)",
      ...firstRefusals(ours),
    ],
    rows: [...ourRows(ours), ...postfixRows(postfix), ...shares, ...replies, ...beside],
  };
}

async function start(cleanup: Cleanup): Promise<Stand> {
  const folder = join(await temporaryFolder(cleanup), "worker");
  await mkdir(folder);
  const metered = import.meta.resolve("../hostile/metered-consumers.ts");
  const bundle = await bundleWrapped(cleanup, folder, metered, "withMeteredConsumers");
  return { cleanup, bundle, good: await GoodServers.start(cleanup) };
}

async function measureCeiling(
  { cleanup, good, bundle }: Stand,
  { fullSeconds, trySeconds, span }: HostilePlan,
): Promise<number> {
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  const { send } = await startPostern(own, bundle, good.routes);
  const mail = new GoodMail(good, send);
  await measureFullRate(mail, span.warmUpSeconds);
  const full = await measureFullRate(mail, fullSeconds);
  const ceiling = await findSustainedRate(mail, full, trySeconds);
  await own.run();
  return ceiling;
}

async function runPostern(
  { cleanup, good, bundle }: Stand,
  { troubles, span }: HostilePlan,
  rate: number,
): Promise<Runs<OurFigures>> {
  const runs: [Trouble, OurFigures][] = [];
  for (const trouble of [CALM, ...troubles]) {
    const figures = await runBeside(
      cleanup,
      good,
      trouble,
      rate,
      span,
      (own, routes) => startPostern(own, bundle, routes),
      (side) => side.read(),
    );
    if (typeof figures === "string") throw new Error(figures);
    console.log(`${lineOf(trouble.name, figures)}; ${busyLine(figures)}`);
    runs.push([trouble, figures]);
  }
  return runs;
}

/** Returns a string with the reason if Postfix can't start. */
async function runPostfix(
  { cleanup, good }: Stand,
  { troubles, shorter }: HostilePlan,
  rate: number,
): Promise<Runs<RunFigures<null>> | string> {
  const runs: [Trouble, RunFigures<null>][] = [];
  const read = async (): Promise<null> => null;
  for (const trouble of [CALM, ...troubles]) {
    const figures = await runBeside(cleanup, good, trouble, rate, shorter, startPostfixSide, read);
    if (typeof figures === "string") return figures;
    console.log(lineOf(`Postfix, ${trouble.name}`, figures));
    runs.push([trouble, figures]);
  }
  return runs;
}

function postfixRows(runs: Runs<RunFigures<null>> | string): BenchRow[] {
  const nothing = { against: "", ratio: null, goal: null, met: null };
  if (typeof runs === "string") return [{ work: "Postfix", measured: runs, ...nothing }];
  const about = runs[0]![1].about;
  return [
    { work: "Postfix", measured: about, ...nothing },
    ...latencyRows("Postfix: ", runs, false),
  ];
}

function firstRefusals(runs: Runs<OurFigures>): string[] {
  const [first] = runs.flatMap(([, { firstRefusal }]) => firstRefusal ?? []);
  return first === undefined ? [] : [`the first refusal: ${first}`];
}
