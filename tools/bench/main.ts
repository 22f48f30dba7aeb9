// `npm run bench <name> [--quick | --smoke] [--minutes=n]` measures this project against a peer, in
// the same run on the same machine (tools/bench/README.md). It prints one table per run. A missed
// goal shows in the table. The exit code is 1 only if a bench could not run.
import type { BenchOptions, BenchSize } from "./bench-options.ts";
import { parseArgs } from "node:util";
import { accept } from "./benches/accept-bench.ts";
import { batch } from "./benches/batch-bench.ts";
import { Cleanup } from "../harness/cleanup.ts";
import { cost } from "./benches/cost-bench.ts";
import { deliver } from "./benches/deliver-bench.ts";
import { events } from "./benches/events-bench.ts";
import { history } from "./benches/history-bench.ts";
import { hostile } from "./benches/hostile-bench.ts";
import { describeMachine } from "../harness/machine.ts";
import { ENDING_SIGNALS } from "../harness/process-table.ts";
import { type BenchResult, renderResult } from "./harness/bench-result.ts";
import { outage } from "./benches/outage-bench.ts";
import { provider } from "./benches/provider-bench.ts";
import { scale } from "./benches/scale-bench.ts";
import { smtp } from "./benches/smtp-bench.ts";
import { steadyLoad } from "./benches/steady-load-bench.ts";
import { webhooks } from "./benches/webhooks-bench.ts";

type Bench = (options: BenchOptions, cleanup: Cleanup) => Promise<BenchResult>;

const BENCHES: Readonly<Record<string, readonly [about: string, run: Bench]>> = {
  accept: ["POST /v1/email, and attachments, against Fastify + PostgreSQL + BullMQ", accept],
  batch: ["POST /v1/email/batch of 100, against Fastify + PostgreSQL + BullMQ", batch],
  deliver: ["from accepted to the recipient's mail server, against nodemailer", deliver],
  hostile: ["good mail beside servers that hang, hostile replies and other teams' floods", hostile],
  smtp: ["SMTP submission over TLS, stored, against Postfix; the gateway alone", smtp],
  cost: ["what Cloudflare bills for a delivered message, against other services", cost],
  scale: ["what 10,000 teams with 100 million messages a day use up first, computed", scale],
  events: ["pages of GET /v1/events over five million events, with every filter", events],
  history: ["how fast a ledger writes its events if its databases are far away", history],
  webhooks: ["webhooks from their outboxes, against bare workerd and undici", webhooks],
  load: ["minutes of steady load on the whole system at 70 % of its ceiling", steadyLoad],
  outage: ["minutes of steady mail without a courier, then with it again", outage],
  provider: ["a list to a provider that takes ten messages a second", provider],
};
const SIZES: Readonly<Record<BenchSize, BenchOptions>> = {
  full: { size: "full", timeFactor: 1, rounds: 5, seconds: 3, messages: 2_000, minutes: 3 },
  quick: { size: "quick", timeFactor: 1, rounds: 2, seconds: 1, messages: 500, minutes: 0.5 },
  smoke: { size: "smoke", timeFactor: 0.1, rounds: 1, seconds: 0.1, messages: 20, minutes: 0.05 },
};
const MOST_MINUTES = 120;
const OPTIONS = {
  quick: { type: "boolean" },
  smoke: { type: "boolean" },
  minutes: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;
/**
 * Time limit of a bench, in addition to the minutes of `load` and `outage`. A bench that takes
 * longer is stuck.
 */
const DEADLINE_MS = 45 * 60_000;
/**
 * Seconds from a bench's time limit until the processes that it started end by themselves. They end
 * even if the bench was killed with SIGKILL.
 */
const SPARE_SECONDS = 5 * 60;

async function main(args: readonly string[]): Promise<number> {
  const { names, size, minutes: given, help } = readArguments(args);
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined)
    return refuse(`there is no bench ${unknown}: ${Object.keys(BENCHES).join(", ")}`);
  if (names.length > 1 && size !== "smoke")
    return refuse(`one bench runs at a time, not ${names.join(" and ")}`);
  if (help || (names.length === 0 && size !== "smoke")) return explain();
  const options = SIZES[size];
  const minutes = given ?? options.minutes;
  if (!(minutes > 0 && minutes <= MOST_MINUTES))
    return refuse(`--minutes must be a number above 0, and at most ${MOST_MINUTES}`);
  console.log(describeMachine());
  const stopped = Promise.withResolvers<never>();
  for (const signal of ENDING_SIGNALS)
    process.on(signal, () => stopped.reject(new Error(`stopped by ${signal}`)));
  let code = 0;
  for (const name of names.length > 0 ? names : Object.keys(BENCHES))
    code = Math.max(code, await runBench(name, { ...options, minutes }, stopped.promise));
  return code;
}

/**
 * Runs one bench, prints its table, and returns the exit code. A smoke run prints one line instead
 * of the table.
 */
async function runBench(
  name: string,
  options: BenchOptions,
  stopped: Promise<never>,
): Promise<number> {
  const begun = performance.now();
  const deadlineMs = DEADLINE_MS + Math.max(0, options.minutes - SIZES.full.minutes) * 60_000;
  const cleanup = new Cleanup(deadlineMs / 1_000 + SPARE_SECONDS);
  const late = Promise.withResolvers<never>();
  const why = new Error(`not finished after ${deadlineMs / 60_000} minutes`);
  const deadline = setTimeout(() => late.reject(why), deadlineMs);
  try {
    const running = BENCHES[name]![1](options, cleanup);
    const report = await Promise.race([running, stopped, late.promise]);
    const table = renderResult(report);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    console.log(options.size === "smoke" ? `${name} runs (${seconds} s)` : `\n${table}`);
    return 0;
  } catch (error) {
    console.error(`bench ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    clearTimeout(deadline);
    await cleanup.run();
  }
}

interface Arguments {
  readonly names: readonly string[];
  readonly size: BenchSize;
  /**
   * The value of --minutes. NaN: the given text is not a number. Undefined: the option is absent,
   * so the size decides.
   */
  readonly minutes: number | undefined;
  readonly help: boolean;
}

/** Reads the command line. Ends the program if an option is unknown. */
function readArguments(args: readonly string[]): Arguments {
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === "option" && !Object.hasOwn(OPTIONS, token.name)) {
      const known = Object.keys(OPTIONS).map((name) => `--${name}`);
      process.exit(refuse(`there is no option ${token.rawName}: ${known.join(", ")}`));
    }
  // npm does not pass options before `--` as arguments. It passes them in environment variables.
  const isSet = (name: "quick" | "smoke"): boolean =>
    values[name] === true || process.env[`npm_config_${name}`] === "true";
  const given = values.minutes ?? process.env["npm_config_minutes"];
  return {
    names: positionals,
    size: isSet("smoke") ? "smoke" : isSet("quick") ? "quick" : "full",
    minutes: typeof given === "boolean" ? Number.NaN : given === undefined ? given : Number(given),
    help: values.help === true,
  };
}

function refuse(problem: string): number {
  console.error(`bench: ${problem}`);
  return 2;
}

function explain(): number {
  console.log(
    "usage: npm run bench <name> [--quick] [--minutes=n], npm run bench [names] -- --smoke\n",
  );
  for (const [name, [about]] of Object.entries(BENCHES))
    console.log(`  ${name.padEnd(10)}${about}`);
  console.log(
    "--quick: fewer and shorter rounds, to see that it works; its figures are not for " +
      "comparison. tools/bench/README.md explains the rows. --smoke: shows in a few seconds " +
      "that a bench still runs; without a name it runs all benches. --minutes: how long `load` " +
      "runs, and for how long `outage` has no courier.",
  );
  return 0;
}

process.exit(await main(process.argv.slice(2)));
