// `npm run test:chaos`: runs storms against the whole service and checks the guarantees after each
// (tools/chaos/README.md). Exits with 0 if all guarantees held, else with 1.
import { parseArgs } from "node:util";
import { ENDING_SIGNALS } from "../harness/process-table.ts";
import { Cleanup } from "../harness/cleanup.ts";
import { RunFolder } from "../harness/run-folder.ts";
import { Campaign, type RoundResult } from "./campaign.ts";
import {
  countViolations,
  describeViolation,
  planLines,
  roundLine,
  totalLines,
  violationLines,
} from "./chaos-texts.ts";
import type { Violation } from "./check/check.ts";

const VIOLATIONS_MAX = 20;

interface Arguments {
  readonly rounds: number;
  readonly seed: number;
  readonly from: number;
  readonly atOnce: number;
  readonly verbose: boolean;
}

/** Reports that a signal ended the campaign. A stack trace would not help. */
class Stopped extends Error {}

async function main(args: Arguments): Promise<number> {
  const folder = new RunFolder("postern-chaos-run-");
  const cleanup = new Cleanup();
  cleanup.add(() => folder.end());
  const stopped = Promise.withResolvers<never>();
  for (const signal of ENDING_SIGNALS)
    process.on(signal, () => stopped.reject(new Stopped(`stopped by ${signal}`)));
  try {
    return await campaign(args, cleanup, stopped.promise);
  } catch (error) {
    console.error(
      `chaos: ${error instanceof Stopped ? error.message : error instanceof Error ? error.stack : String(error)}`,
    );
    return 1;
  } finally {
    await cleanup.run();
  }
}

/** Prints the violations even if `stopped` rejects. */
async function campaign(
  { verbose, ...options }: Arguments,
  cleanup: Cleanup,
  stopped: Promise<never>,
): Promise<number> {
  console.log(
    `seed ${options.seed}, rounds ${options.from} to ${options.from + options.rounds - 1}, ` +
      `${options.atOnce} at once`,
  );
  const reports: RoundResult[] = [];
  const started: { campaign?: Campaign } = {};
  const starting = Campaign.start(cleanup, {
    ...options,
    onReport(report) {
      reports.push(report);
      console.log(roundLine(report));
      if (report.judged.violations.length === 0 && !verbose) return true;
      const { harness } = started.campaign!;
      for (const line of [...planLines(report.plan), ...violationLines(report, harness)])
        console.log(line);
      return countViolations(reports) <= VIOLATIONS_MAX;
    },
  });
  started.campaign = await Promise.race([starting, stopped]);
  const begun = performance.now();
  let late: readonly Violation[] = [];
  try {
    await Promise.race([started.campaign.run(), stopped]);
  } finally {
    const { settling, harness } = started.campaign;
    for (const line of [...settling.describe(), ...harness.readers.describe()]) console.error(line);
    late = started.campaign.checkAgain();
    const seconds = (performance.now() - begun) / 1_000;
    for (const line of [
      ...late.map(describeViolation),
      ...totalLines(reports, late.length, harness, seconds),
    ])
      console.log(line);
  }
  return countViolations(reports) + late.length === 0 ? 0 : 1;
}

function read(args: string[]): Arguments | null {
  const number = (standard: number) => ({ type: "string", default: String(standard) }) as const;
  const { values } = parseArgs({
    args,
    options: {
      rounds: number(200),
      seed: number(Math.floor(Date.now() / 1_000) % 1_000_000),
      from: number(1),
      "at-once": number(5),
      verbose: { type: "boolean", default: false },
    },
  });
  const numbers = [values.rounds, values.seed, values.from, values["at-once"]].map(Number);
  const [rounds = 0, seed = 0, from = 0, atOnce = 0] = numbers;
  const areRight = numbers.every((one) => Number.isSafeInteger(one) && one >= 0);
  return areRight && rounds > 0 && atOnce > 0
    ? { rounds, seed, from, atOnce, verbose: values.verbose }
    : null;
}

const args = read(process.argv.slice(2));
if (args === null)
  console.error(
    "usage: npm run test:chaos -- [--rounds 200] [--seed N] [--from 1] [--at-once 5] [--verbose]",
  );
process.exit(args === null ? 2 : await main(args));
