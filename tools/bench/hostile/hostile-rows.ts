// Makes the rows of the table that `bench hostile` prints.
import { milliseconds, percentile, type BenchRow } from "../harness/bench-result.ts";
import type { RunFigures, Trouble } from "./hostile-run.ts";
import type { PosternReading } from "./mail-sides.ts";

export type OurFigures = RunFigures<PosternReading>;

/** The runs of one side. `trouble` is the mail to bad servers; the first run has none. */
export type Runs<Figures> = readonly (readonly [trouble: Trouble, figures: Figures])[];

const P50_GOAL = 1.2;
const P99_GOAL = 2;
const BUSY_GOAL_MS = 2_000;
const INFORMATION = { ratio: null, goal: null, met: null } as const;

export function ourRows(runs: Runs<OurFigures>): BenchRow[] {
  return [
    ...latencyRows("", runs, true),
    ...runs.map(consumersRow),
    ...runs.slice(1).map((run) => processorRow(run, runs[0]![1])),
    takenRow(runs),
    faultsRow(runs),
  ];
}

/** Compares the good mail's times with those of the run without bad servers. */
export function latencyRows(
  side: string,
  runs: Runs<RunFigures<unknown>>,
  hasGoals: boolean,
): BenchRow[] {
  const [, calm] = runs[0]!;
  const alone = { work: `${side}good mail alone`, measured: latency(calm), against: "" };
  return [
    { ...alone, ...INFORMATION },
    ...runs.slice(1).flatMap(([trouble, figures]) => {
      const row = (work: string, fraction: number, most: number): BenchRow => {
        const measured = percentile(figures.latencies, fraction);
        const against = percentile(calm.latencies, fraction);
        return {
          work,
          measured: `${milliseconds(measured)}${missing(figures)}`,
          against: `alone: ${milliseconds(against)}`,
          ratio: measured / against,
          goal: hasGoals ? `≤ ${most}x` : null,
          met: hasGoals ? measured <= most * against : null,
        };
      };
      return [
        row(`${side}beside ${trouble.name}: p50`, 0.5, P50_GOAL),
        row(`${side}… p99`, 0.99, P99_GOAL),
      ];
    }),
  ];
}

function consumersRow([{ name }, { facts }]: Runs<OurFigures>[number]): BenchRow {
  const times = facts.shifts.map(({ ms }) => ms);
  const longest = Math.max(...times);
  return {
    work: `a consumer is busy, ${name}`,
    measured: spread(times),
    against: `${facts.connections} connections; ${facts.waiting} messages wait for a connection`,
    ratio: null,
    goal: `≤ ${BUSY_GOAL_MS} ms`,
    met: longest <= BUSY_GOAL_MS,
  };
}

/**
 * Compares the processor time of a message with its time in the run of the good mail alone. The
 * difference is the cost of further attempts, and of asking the gateway for outcomes.
 */
function processorRow([{ name }, figures]: Runs<OurFigures>[number], calm: OurFigures): BenchRow {
  return {
    work: `CPU a message, ${name}`,
    measured: milliseconds(cpuMs(figures)),
    against: `alone: ${milliseconds(cpuMs(calm))}`,
    ...INFORMATION,
    ratio: cpuMs(figures) / cpuMs(calm),
  };
}

/**
 * Returns the row for the mean size of a queue batch, and for a consumer's time per message, over
 * all runs.
 */
function takenRow(runs: Runs<OurFigures>): BenchRow {
  const shifts = runs.flatMap(([, { facts }]) => facts.shifts);
  const sum = (figure: "ms" | "messages" | "jobs" | "keys"): number =>
    shifts.reduce((total, shift) => total + shift[figure], 0);
  const mean = (figure: "messages" | "jobs" | "keys"): string =>
    (sum(figure) / shifts.length).toFixed(1);
  return {
    work: "a batch of the queue",
    measured: `${mean("messages")} messages: ${mean("jobs")} recipients, ${mean("keys")} keys asked about`,
    against: `a consumer's time for each message: ${milliseconds(sum("ms") / sum("messages"))}`,
    ...INFORMATION,
  };
}

function faultsRow(runs: Runs<RunFigures<unknown>>): BenchRow {
  const sum = (figure: "sent" | "refused" | "lost" | "doubled"): number =>
    runs.reduce((total, [, figures]) => total + figures[figure], 0);
  const [refused, lost, doubled] = [sum("refused"), sum("lost"), sum("doubled")];
  return {
    work: `errors in ${sum("sent").toLocaleString("en-US")} good messages`,
    measured: `${refused} refused, ${lost} lost, ${doubled} twice`,
    against: "",
    ratio: null,
    goal: "0",
    met: refused + lost + doubled === 0,
  };
}

/** Returns one line about a run, which the bench prints when the run ends. */
export function lineOf(name: string, figures: RunFigures<unknown>): string {
  const { sent, refused, lost, doubled, bad } = figures;
  return (
    `${name}: ${latency(figures)}; ${sent} sent, ${refused} refused, ${lost} lost, ` +
    `${doubled} delivered twice; ${bad} messages to bad servers`
  );
}

export function busyLine(figures: OurFigures): string {
  const { facts } = figures;
  return (
    `consumers busy ${spread(facts.shifts.map(({ ms }) => ms))}; ` +
    `CPU a message ${milliseconds(cpuMs(figures))}`
  );
}

/** Processor time of worker and gateway for each message to good and bad servers. */
function cpuMs({ facts, sent, bad }: OurFigures): number {
  return (facts.cpuSeconds * 1_000) / (sent + bad);
}

function latency(figures: RunFigures<unknown>): string {
  const [p50, p99] = [0.5, 0.99].map((one) => percentile(figures.latencies, one));
  return `p50 ${milliseconds(p50!)}, p99 ${milliseconds(p99!)}${missing(figures)}`;
}

function missing({ missing: count }: RunFigures<unknown>): string {
  return count > 0 ? `, ${count} had not arrived at the end` : "";
}

function spread(times: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((one) => milliseconds(percentile(times, one)));
  return `p50 ${p50}, p99 ${p99}, max ${most}`;
}
