// Formats the results of a campaign for people: a line for each round, the timeline of every
// violation, and the totals.
import type { RoundResult } from "./campaign.ts";
import type { UnknownFate, Violation } from "./check/check.ts";
import type { RoundReplies } from "./replies/reply-check.ts";
import type { RoundPlan } from "./plan.ts";
import type { ServerHabit } from "./plan-servers.ts";
import type { ChaosHarness } from "./chaos-harness.ts";
import { timelineOf } from "./timeline.ts";
import { isCrashPoint } from "./fault-server.ts";

export interface Totals {
  rounds: number;
  messages: number;
  recipients: number;
  unanswered: number;
  scheduled: number;
  canceled: number;
  events: number;
  violations: number;
  /** Rounds whose mail the Email Service carried. */
  serviceRounds: number;
  /**
   * Rounds in which a client used a connection again after the server had refused a message at its
   * final dot.
   */
  roundsAfterDot: number;
  /** Rounds in which a client sent a second message over a connection that takes only one. */
  roundsOfOne: number;
  /** Rounds in which scheduled mail was canceled. */
  roundsCanceled: number;
  /**
   * Rounds in which a queue consumer stopped waiting for a copy whose outcome was still unknown.
   */
  roundsLeft: number;
  /** Rounds whose ledger restarted with a crowd of deferred messages. */
  roundsDeferred: number;
  /** The messages whose content is stored, and the messages of teams that keep content. */
  kept: number;
  keepable: number;
  /** All answers of readers, the answers through `email()`, and the answers that programs wrote. */
  replies: number;
  routedReplies: number;
  autoReplies: number;
  /**
   * Answers that were sent again: `repliesTriedAgain` after a failure or without a reply, and
   * `repliesRepeated` after an acceptance.
   */
  repliesTriedAgain: number;
  repliesRepeated: number;
  /** The changes to what teams manage. Each has one entry in the audit trail. */
  changes: number;
  readonly ends: Map<string, number>;
  readonly fates: UnknownFate[];
}

export function newTotals(): Totals {
  return {
    rounds: 0,
    messages: 0,
    recipients: 0,
    unanswered: 0,
    scheduled: 0,
    canceled: 0,
    events: 0,
    violations: 0,
    serviceRounds: 0,
    roundsAfterDot: 0,
    roundsOfOne: 0,
    roundsCanceled: 0,
    roundsLeft: 0,
    roundsDeferred: 0,
    kept: 0,
    keepable: 0,
    replies: 0,
    routedReplies: 0,
    autoReplies: 0,
    repliesTriedAgain: 0,
    repliesRepeated: 0,
    changes: 0,
    ends: new Map(),
    fates: [],
  };
}

/**
 * `left` has the messages with a copy whose outcome was still unknown when the queue consumer
 * stopped waiting for it.
 */
export function add(
  totals: Totals,
  { plan, facts, judged, content, replies, changes }: RoundResult,
  left: ReadonlySet<string>,
): void {
  totals.rounds += 1;
  if (facts.emailService) totals.serviceRounds += 1;
  const usedAgain = (habit: ServerHabit): number =>
    Number(facts.mail.some((one) => one.what === "used_again" && one.habit === habit));
  totals.roundsAfterDot += usedAgain("keeps_open");
  totals.roundsOfOne += usedAgain("one_message");
  totals.roundsCanceled += Number(facts.sent.some(({ isCanceled }) => isCanceled));
  totals.roundsLeft += Number(facts.events.some(({ email_id: id }) => left.has(id)));
  totals.roundsDeferred += Number(plan.deferred > 0);
  totals.kept += content.kept;
  totals.keepable += content.possible;
  addReplies(totals, replies.sent);
  totals.changes += changes;
  totals.messages += facts.sent.length;
  totals.unanswered += facts.sent.filter(({ emailId }) => emailId === null).length;
  totals.scheduled += facts.sent.filter(({ notBefore }) => notBefore > 0).length;
  totals.canceled += facts.sent.filter(({ isCanceled }) => isCanceled).length;
  totals.recipients += judged.recipients;
  totals.events += facts.events.length;
  totals.violations += judged.violations.length;
  totals.fates.push(...judged.unknownFates);
  for (const { type } of facts.events) totals.ends.set(type, (totals.ends.get(type) ?? 0) + 1);
}

function addReplies(totals: Totals, sent: RoundReplies["sent"]): void {
  totals.replies += sent.length;
  totals.routedReplies += sent.filter(({ door }) => door === "email()").length;
  totals.autoReplies += sent.filter(({ isAuto }) => isAuto).length;
  totals.repliesTriedAgain += sent.filter(({ log, accepted }) => log.length > accepted).length;
  totals.repliesRepeated += sent.filter(({ accepted }) => accepted > 1).length;
}

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
export function planLines({
  seed,
  round,
  courier,
  habit,
  oldHosts,
  odds,
  kills,
  isPaced,
  failingDeliveries,
  deferred,
}: RoundPlan): string[] {
  return [
    ` plan of round ${round} of seed ${seed}, carried by ${courier} (server: ${habit}):`,
    ...kills.map(
      ({ operation, nth, delayMs, victims }) =>
        `    kill ${victims.join(", ")} at ${operation} #${nth}, ${delayMs} ms later`,
    ),
    ...(oldHosts.length > 0
      ? [
          "hosts of an earlier version, if the round is the first of its storm: " +
            oldHosts.join(", "),
        ]
      : []),
    ...(deferred > 0 ? [`    ${deferred} deferred messages from the beginning on`] : []),
    ...(isPaced ? ["    a low delivery rate until the storm is over"] : []),
    ...(failingDeliveries > 0
      ? [` the next ${failingDeliveries} deliveries to the first webhook fail`]
      : []),
    `    ${odds.map(({ operation, fault, probability }) => `${operation} ${fault} ${probability}`).join(", ")}`,
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

export function totalLines(
  totals: Totals,
  { faults, circuitsOpened, hosts, departure, ledgersEvicted }: ChaosHarness,
  seconds: number,
): string[] {
  const kills = byName(faults.kills);
  const atCrashPoints = kills.filter(([name]) => isCrashPoint(name.split(" at ")[1] ?? ""));
  const elsewhere = kills.filter(([name]) => !isCrashPoint(name.split(" at ")[1] ?? ""));
  return [
    `${totals.rounds} rounds in ${Math.round(seconds)} s, ${totals.serviceRounds} of them ` +
      "carried by the Email Service",
    `rounds with a connection used again after a refused final dot: ${totals.roundsAfterDot}; ` +
      `with a second message over a connection that takes only one: ${totals.roundsOfOne}; with ` +
      `scheduled mail canceled: ${totals.roundsCanceled}; with a copy left under way: ` +
      `${totals.roundsLeft}; with 50,000 deferred messages: ${totals.roundsDeferred}`,
    `messages: ${totals.messages} sent, ${totals.unanswered} of them without an answer; ` +
      `${totals.scheduled} scheduled, ${totals.canceled} of them canceled; ${totals.recipients} ` +
      `recipients accepted; ${totals.events} events (${tally(totals.ends)})`,
    `content kept of ${totals.kept} of ${totals.keepable} messages of teams that keep it`,
    `replies: ${totals.replies} accepted, ${totals.routedReplies} of them by email(), ` +
      `${totals.autoReplies} by programs; ${totals.repliesTriedAgain} tried again after a failure ` +
      `or no answer, ${totals.repliesRepeated} brought again after their acceptance`,
    `changes of templates, webhooks, keys, settings and suppressions: ${totals.changes}`,
    `kills: ${sum(kills)}; at crash points ${sum(atCrashPoints)} (${tally(atCrashPoints)}); ` +
      `elsewhere ${sum(elsewhere)} (${tally(elsewhere)})`,
    `faults: ${sum(faults.faults)} (${tally(byName(faults.faults))})`,
    `copies and questions at the gateway: ${tally(byName(hosts.tally.counts))}; ` +
      `hosts that left: ${departure.done}; ledgers evicted: ${ledgersEvicted}`,
    `webhook circuits opened: ${circuitsOpened}`,
    `second copies of unknown fate: ${totals.fates.length}`,
    ...totals.fates.map(
      ({ token, recipient, copies, why }) => `  ${token} to ${recipient}: ${copies} copies, ${why}`,
    ),
    `violations: ${totals.violations}`,
  ];
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
