// Makes the rows of the table that `bench hostile` prints.
import {
  atMost,
  errorRow,
  milliseconds,
  percentile,
  spread,
  type BenchRow,
} from "../harness/bench-result.ts";
import type { RunFigures } from "./hostile-run.ts";
import type { Trouble } from "./troubles.ts";

/** The runs of one side. `trouble` is the mail to bad servers; the first run has none. */
export type Runs = readonly (readonly [trouble: Trouble, figures: RunFigures])[];

const P50_GOAL = 1.2;
const P99_GOAL = 2;
const BUSY_GOAL_MS = 2_000;

export function ourRows(runs: Runs): BenchRow[] {
  const shifts = runs.flatMap(([, figures]) => figures.shifts);
  const sum = (figure: "ms" | "messages"): number =>
    shifts.reduce((total, shift) => total + shift[figure], 0);
  const all = runs.map(([, figures]) => figures);
  const total = (figure: "sent" | "refused" | "lost" | "doubled"): number =>
    all.reduce((count, figures) => count + figures[figure], 0);
  return [
    ...latencyRows("", runs, true),
    ...runs.map(consumersRow),
    {
      work: "a consumer's time for each message of the queue",
      measured: milliseconds(sum("ms") / sum("messages")),
    },
    errorRow(`${total("sent").toLocaleString("en-US")} good messages`, {
      refused: total("refused"),
      lost: total("lost"),
      twice: total("doubled"),
    }),
  ];
}

/** Compares the good mail's times with those of the run without bad servers. */
export function latencyRows(side: string, runs: Runs, hasGoals: boolean): BenchRow[] {
  const [, calm] = runs[0]!;
  return [
    { work: `${side}good mail alone`, measured: latency(calm) },
    ...runs.slice(1).flatMap(([trouble, figures]) => {
      const row = (work: string, fraction: number, most: number): BenchRow => {
        const measured = percentile(figures.latencies, fraction);
        const against = percentile(calm.latencies, fraction);
        const ratio = measured / against;
        return {
          work,
          measured: `${milliseconds(measured)}${missing(figures)}`,
          against: `alone: ${milliseconds(against)}`,
          ratio,
          ...(hasGoals && atMost(most, ratio)),
        };
      };
      return [
        row(`${side}beside ${trouble.name}: p50`, 0.5, P50_GOAL),
        row(`${side}… p99`, 0.99, P99_GOAL),
      ];
    }),
  ];
}

function consumersRow([{ name }, { shifts }]: Runs[number]): BenchRow {
  const times = shifts.map(({ ms }) => ms);
  return {
    work: `a consumer is busy, ${name}`,
    measured: spread(times, 0.5, 0.99, 1),
    ...atMost(BUSY_GOAL_MS, Math.max(...times), " ms"),
  };
}

/** Returns one line about a run, which the bench prints when the run ends. */
export function lineOf(name: string, figures: RunFigures): string {
  const { sent, refused, lost, doubled, bad } = figures;
  return (
    `${name}: ${latency(figures)}; ${sent} sent, ${refused} refused, ${lost} lost, ` +
    `${doubled} delivered twice; ${bad} messages to bad servers`
  );
}

function latency(figures: RunFigures): string {
  return `${spread(figures.latencies, 0.5, 0.99)}${missing(figures)}`;
}

/** Names the messages that are missing at the end, for a row about latencies. */
export function missing({ missing: count }: { readonly missing: number }): string {
  return count > 0 ? `, ${count} had not arrived at the end` : "";
}
