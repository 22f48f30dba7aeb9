// `bench hostile`: sends one team's steady mail to good servers, at half of the ceiling, while mail
// also goes to servers that are silent or slow. It compares this run with a run of the good mail
// alone. The goals limit the delay of the good mail, and allow no lost or doubled message. Postfix
// runs the same cases. Other rows measure shares of connections (hostile/shares), hostile replies
// (hostile/replies) and other teams in the same worker (isolation/isolation-rows.ts).
import { type Cleanup, withOwnCleanup } from "../../harness/cleanup.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { BenchOptions } from "../bench-options.ts";
import { type BenchResult, perSecond, type BenchRow } from "../harness/bench-result.ts";
import { findSustainedRate, measureFullRate } from "../harness/ceiling.ts";
import { GoodMail, GoodServers } from "../hostile/good-mail.ts";
import { latencyRows, lineOf, ourRows, type Runs } from "../hostile/hostile-rows.ts";
import { type RunFigures, runBeside } from "../hostile/hostile-run.ts";
import { startPostern, startPostfixSide } from "../hostile/mail-sides.ts";
import { replyRows } from "../hostile/replies/reply-rows.ts";
import { shareRows } from "../hostile/shares/share-cases.ts";
import { isolationRows } from "../isolation/isolation-rows.ts";
import {
  BAD_KINDS,
  CALM,
  type HostilePlan,
  PLANS,
  type Span,
  type Trouble,
} from "../hostile/troubles.ts";

const SHARE_OF_CEILING = 0.5;
const POSTFIX = "Postfix: ";

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
  const ours = await runAll(stand, plan, plan.span, "", rate);
  if (typeof ours === "string") throw new Error(ours);
  const postfix = await runAll(stand, plan, plan.shorter, POSTFIX, rate);
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
      ...ours.flatMap(([, { firstRefusal }]) => firstRefusal ?? []).slice(0, 1),
    ],
    rows: [...ourRows(ours), ...postfixRows(postfix), ...shares, ...replies, ...beside],
  };
}

async function start(cleanup: Cleanup): Promise<Stand> {
  const metered = import.meta.resolve("../hostile/metered-consumers.ts");
  const bundle = await bundleWrapped(cleanup, metered, "added.withMeteredConsumers(worker)");
  return { cleanup, bundle, good: await GoodServers.start(cleanup) };
}

function measureCeiling(
  { cleanup, good, bundle }: Stand,
  { fullSeconds, trySeconds, span }: HostilePlan,
): Promise<number> {
  return withOwnCleanup(cleanup, async (own) => {
    const mail = new GoodMail(good, (await startPostern(own, bundle, good.routes)).send);
    await measureFullRate(mail, span.warmUpSeconds);
    return findSustainedRate(mail, await measureFullRate(mail, fullSeconds), trySeconds);
  });
}

/** Runs all cases on one side. Returns a string with the reason if Postfix can't start. */
async function runAll(
  { cleanup, good, bundle }: Stand,
  { troubles }: HostilePlan,
  span: Span,
  side: "" | typeof POSTFIX,
  rate: number,
): Promise<Runs | string> {
  const runs: [Trouble, RunFigures][] = [];
  for (const trouble of [CALM, ...troubles]) {
    const figures = await runBeside(cleanup, good, trouble, rate, span, (own, routes) =>
      side === POSTFIX ? startPostfixSide(own, routes) : startPostern(own, bundle, routes),
    );
    if (typeof figures === "string") return figures;
    console.log(lineOf(`${side}${trouble.name}`, figures));
    runs.push([trouble, figures]);
  }
  return runs;
}

function postfixRows(runs: Runs | string): BenchRow[] {
  if (typeof runs === "string") return [{ work: "Postfix", measured: runs }];
  const measured = runs[0]![1].about;
  return [{ work: "Postfix", measured }, ...latencyRows(POSTFIX, runs, false)];
}
