// Formats the results of a campaign for people: a line for each round, the timeline of every
// violation, and the totals.
import type { RoundResult } from "./campaign.ts";
import type { Violation } from "./check/check.ts";
import type { SentMessage } from "./clients.ts";
import type { RoundPlan } from "./plan.ts";
import type { RoundFacts } from "./recorded-facts.ts";
import type { SentReply } from "./replies/sent-replies.ts";
import type { ServerHabit } from "./plan-servers.ts";
import type { ChaosHarness } from "./chaos-harness.ts";
import { timelineOf } from "./timeline.ts";
import { isCrashPoint } from "./fault-server.ts";

export function roundLine({ plan, facts, judged, settledMs }: RoundResult): string {
  const promised = facts.sent.filter(({ emailId }) => emailId !== null).length;
  const verdict = judged.violations.length === 0 ? "ok" : `${judged.violations.length} VIOLATIONS`;
  const fates =
    judged.unknownFates.length === 0 ? "" : `, ${judged.unknownFates.length} of unknown fate`;
  return (
    `round ${plan.round}: ${promised} of ${facts.sent.length} promised, ${judged.recipients} ` +
    `recipients${fates}, settled in ${(settledMs / 1_000).toFixed(1)} s: ${verdict}`
  );
}

/** Formats the plan of a round. The same seed and round number always give the same plan. */
export function planLines(plan: RoundPlan): string[] {
  const { kills, oldHosts, deferred, isPaced, failingDeliveries, odds } = plan;
  const details = [
    ...kills.map(
      ({ operation, nth, delayMs, victims }) =>
        `kill ${victims.join(", ")} at ${operation} #${nth}, ${delayMs} ms later`,
    ),
    oldHosts.length > 0 &&
      `hosts of an earlier version, if the round is the first of its storm: ${oldHosts.join(", ")}`,
    deferred > 0 && `${deferred} deferred messages from the beginning on`,
    isPaced && "a low delivery rate until the storm is over",
    failingDeliveries > 0 && `the next ${failingDeliveries} deliveries to the first webhook fail`,
    odds.map((one) => `${one.operation} ${one.fault} ${one.probability}`).join(", "),
  ].filter((line) => line !== false);
  const { seed, round, courier, habit } = plan;
  return [
    `  plan of round ${round} of seed ${seed}, carried by ${courier} (server: ${habit}):`,
    ...details.map((line) => `    ${line}`),
  ];
}

export function violationLines(report: RoundResult, harness: ChaosHarness): string[] {
  const shown = new Set<string>();
  return report.judged.violations.flatMap((violation) => {
    const { token } = violation;
    const timeline = token === null || shown.has(token) ? [] : timelineOf(report, token, harness);
    if (token !== null) shown.add(token);
    return [describeViolation(violation), ...timeline.map((line) => `      ${line}`)];
  });
}

export function describeViolation({ rule, token, detail }: Violation): string {
  return `  VIOLATION (${rule})${token === null ? "" : ` of ${token}`}: ${detail}`;
}

/** `late`: the number of violations that the last check found. */
export function totalLines(
  reports: readonly RoundResult[],
  late: number,
  { faults, circuitsOpened, hosts, departure, ledgersEvicted }: ChaosHarness,
  seconds: number,
): string[] {
  const kills = byName(faults.kills);
  const { true: atCrashPoints = [], false: elsewhere = [] } = Object.groupBy(kills, ([name]) =>
    isCrashPoint(name.split(" at ")[1] ?? "") ? "true" : "false",
  );
  const fates = reports.flatMap(({ judged }) => judged.unknownFates);
  return [
    ...roundTotals(reports, seconds, hosts.tally.left),
    ...messageTotals(reports),
    `kills: ${sum(kills)}; at crash points ${sum(atCrashPoints)} (${tally(atCrashPoints)}); ` +
      `elsewhere ${sum(elsewhere)} (${tally(elsewhere)})`,
    `faults: ${sum(faults.faults)} (${tally(byName(faults.faults))})`,
    `copies and questions at the gateway: ${tally(byName(hosts.tally.counts))}; ` +
      `hosts that left: ${departure.done}; ledgers evicted: ${ledgersEvicted}`,
    `webhook circuits opened: ${circuitsOpened}`,
    `second copies of unknown fate: ${fates.length}`,
    ...fates.map(
      ({ token, recipient, copies, why }) => `  ${token} to ${recipient}: ${copies} copies, ${why}`,
    ),
    `violations: ${countViolations(reports) + late}`,
  ];
}

export function countViolations(reports: readonly RoundResult[]): number {
  return totalOf(reports, ({ judged }) => judged.violations.length);
}

/**
 * `left` has the messages with a copy whose outcome was still unknown when the queue consumer
 * stopped waiting for it.
 */
function roundTotals(
  reports: readonly RoundResult[],
  seconds: number,
  left: ReadonlySet<string>,
): string[] {
  const rounds = (isCounted: (facts: RoundFacts) => boolean) =>
    reports.filter(({ facts }) => isCounted(facts)).length;
  const usedAgain = (habit: ServerHabit) =>
    rounds(({ mail }) => mail.some((one) => one.what === "used_again" && one.habit === habit));
  return [
    `${reports.length} rounds in ${Math.round(seconds)} s, ` +
      `${rounds(({ emailService }) => emailService !== null)} of them carried by the Email Service`,
    `rounds with a connection used again after a refused final dot: ${usedAgain("keeps_open")}; ` +
      `with a second message over a connection that takes only one: ${usedAgain("one_message")}; ` +
      `with scheduled mail canceled: ` +
      `${rounds(({ sent }) => sent.some(({ isCanceled }) => isCanceled))}; with a copy left under ` +
      `way: ${rounds(({ events }) => events.some(({ email_id: id }) => left.has(id)))}; ` +
      `with 50,000 deferred messages: ${reports.filter(({ plan }) => plan.deferred > 0).length}`,
  ];
}

function messageTotals(reports: readonly RoundResult[]): string[] {
  const sent = reports.flatMap(({ facts }) => facts.sent);
  const events = reports.flatMap(({ facts }) => facts.events);
  const types = Object.entries(Object.groupBy(events, ({ type }) => type));
  const messages = (isCounted: (one: SentMessage) => boolean) => sent.filter(isCounted).length;
  const answers = reports.flatMap(({ replies }) => replies.sent);
  const replies = (isCounted: (one: SentReply) => boolean) => answers.filter(isCounted).length;
  return [
    `messages: ${sent.length} sent, ${messages((one) => one.emailId === null)} of them without an ` +
      `answer; ${messages((one) => one.notBefore > 0)} scheduled, ` +
      `${messages((one) => one.isCanceled)} of them canceled; ` +
      `${totalOf(reports, ({ judged }) => judged.recipients)} recipients accepted; ` +
      `${events.length} events (${tally(types.map(([type, all = []]) => [type, all.length]))})`,
    `content kept of ${totalOf(reports, ({ content }) => content.kept)} of ` +
      `${totalOf(reports, ({ content }) => content.possible)} messages of teams that keep it`,
    `replies: ${answers.length} accepted, ${replies((one) => one.door === "email()")} of them by ` +
      `email(), ${replies((one) => one.isAuto)} by programs; ` +
      `${replies(({ log, accepted }) => log.length > accepted)} tried again after a failure or no ` +
      `answer, ${replies(({ accepted }) => accepted > 1)} brought again after their acceptance`,
    `changes of templates, webhooks, keys, settings and suppressions: ` +
      `${totalOf(reports, ({ changes }) => changes)}`,
  ];
}

function totalOf(reports: readonly RoundResult[], count: (one: RoundResult) => number): number {
  return reports.reduce((total, one) => total + count(one), 0);
}

function byName(counts: ReadonlyMap<string, number>): [name: string, count: number][] {
  return [...counts].toSorted(([left], [right]) => left.localeCompare(right));
}

function sum(counts: Iterable<readonly [string, number]>): number {
  return [...counts].reduce((all, [, count]) => all + count, 0);
}

function tally(counts: Iterable<readonly [string, number]>): string {
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(", ") || "none";
}
