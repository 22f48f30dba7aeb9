// Runs the rounds of a campaign. Clients of a round send a burst of messages while faults are
// injected (the storm). Then the faults end, all work settles, and the check runs. Several rounds
// run in parallel, each with its own team, so that their storms overlap.
import { setTimeout as sleep } from "node:timers/promises";
import { patience } from "../harness/slowness.ts";
import type { Cleanup } from "../harness/cleanup.ts";
import { newDkimKey } from "../harness/tenant.ts";
import type { BegunRound } from "./begun-round.ts";
import { check, type JudgedRound, type Violation } from "./check/check.ts";
import { countStored, findWrongContent } from "./check/content-in-r2.ts";
import { findWrongReplies, type RoundReplies } from "./replies/reply-check.ts";
import { Settling } from "./check/settling.ts";
import { findWrongCounts } from "./check/provider-counts.ts";
import { type SentMessage, send } from "./clients.ts";
import { readCounted, readCounters } from "./read-counters.ts";
import type { EmailServiceFacts } from "./email-service/carried-copies.ts";
import { readNotedIds } from "./email-service/noted-copies.ts";
import { readEvents, type RoundFacts } from "./recorded-facts.ts";
import {
  planRound,
  type PlannedSend,
  releasingSend,
  type RoundCourier,
  type RoundPlan,
} from "./plan.ts";
import { readReplies } from "./replies/read-replies.ts";
import { RoundLogs } from "./round-logs.ts";
import { applyPlannedAction } from "./schedule-actions.ts";
import { ChaosHarness } from "./chaos-harness.ts";
import { deferMessages, DUE, endDeferred } from "./deferred-messages.ts";
import { type ChaosTeam, joinTeam, learnBounces } from "./chaos-team.ts";
import { makeChanges } from "./trail/make-changes.ts";
import { findWrongEntries } from "./trail/round-trail.ts";
import { lostDeletions, readContentFacts } from "./check/round-content.ts";

export interface CampaignOptions {
  readonly seed: number;
  /** Number of the first round. */
  readonly from: number;
  readonly rounds: number;
  readonly atOnce: number;
  /** Is called with each report. If it returns false, the campaign ends. */
  readonly onReport: (report: RoundResult) => boolean;
}

/** The report of a finished round. */
export interface RoundResult {
  readonly plan: RoundPlan;
  readonly facts: RoundFacts;
  readonly judged: JudgedRound;
  readonly settledMs: number;
  /** Counts the messages whose content is stored, and the messages whose content may be stored. */
  readonly content: ReturnType<typeof countStored>;
  readonly replies: RoundReplies;
  /** The number of changes to what the team manages. Each has an entry in the audit trail. */
  readonly changes: number;
}

/**
 * The milliseconds of a storm, from the first send on. Only the time in which the worker is up
 * counts. If clients still wait for answers, the storm lasts longer, up to LONGEST_STORM_MS. Both
 * limits are longer on a slow machine, so that the faults also affect enough work there.
 */
const STORM_MS = patience(1_800);
const LONGEST_STORM_MS = patience(5_000);
/** Milliseconds after the storm in which a kill that was already scheduled may still come. */
const LATE_KILL_MS = 150;
const POLL_MS = 60;
/**
 * The low delivery rate, in messages a minute. Most messages of a burst have to wait at this rate.
 */
const SLOW_RATE = 5;
/**
 * If facts are missing, a round is checked up to LOOKS times at this interval, because a fact may
 * come late.
 */
const LOOKS = 3;
const LOOK_AGAIN_MS = 1_000;

export class Campaign {
  readonly harness: ChaosHarness;
  readonly settling = new Settling();
  readonly #options: CampaignOptions;
  readonly #dkimKey = newDkimKey();
  /** The teams, by a round's place among the parallel rounds (its lane), and by courier. */
  readonly #teams = new Map<string, ChaosTeam>();
  readonly #logs: RoundLogs;
  readonly #reports: RoundResult[] = [];
  /** The addresses to which some round writes. */
  readonly #written = new Set<string>();

  private constructor(harness: ChaosHarness, options: CampaignOptions) {
    this.harness = harness;
    this.#logs = new RoundLogs(harness);
    this.#options = options;
  }

  static async start(cleanup: Cleanup, options: CampaignOptions): Promise<Campaign> {
    const campaign = new Campaign(await ChaosHarness.start(cleanup), options);
    // All teams are created before the first round. The worker caches which teams send from a
    // domain, and the cache would not have a team that is created later. The worker would drop that
    // team's events, because here an event waits for its message only a second instead of a quarter
    // of an hour.
    for (let index = 0; index < options.rounds; index += 1) {
      const { courier } = planRound(options.seed, options.from + index);
      await campaign.#join(index % options.atOnce, courier);
    }
    return campaign;
  }

  async run(): Promise<void> {
    const { from, rounds, atOnce, onReport } = this.#options;
    for (let round = from; round < from + rounds; round += atOnce) {
      const count = Math.min(atOnce, from + rounds - round);
      const reports = await this.#storm(Array.from({ length: count }, (_, index) => round + index));
      this.#reports.push(...reports);
      if (reports.map(onReport).includes(false)) return;
      await this.harness.departure.ended();
    }
  }

  /**
   * Finds events and mail that arrived after the check of their round, and mail to addresses to
   * which no round wrote.
   */
  checkAgain(): Violation[] {
    this.#logs.read();
    const unaccounted = this.#logs.recipients.filter((recipient) => !this.#written.has(recipient));
    const late = this.#reports.flatMap(({ plan, facts, judged, replies }) => {
      const known = new Set(judged.violations.map(({ detail }) => detail));
      const now = {
        ...facts,
        ...this.#logs.of(facts),
        emailService: this.#serviceFacts(facts.sent, facts.emailService),
        gatewayKills: this.harness.hosts.kills,
      };
      return [...check(now).violations, ...findWrongReplies(now, replies)]
        .filter(({ detail }) => !known.has(detail))
        .map((violation) => ({
          ...violation,
          detail: `after round ${plan.round}: ${violation.detail}`,
        }));
    });
    return [
      ...late,
      ...unaccounted.map((recipient) => ({
        rule: "unaccounted",
        token: null,
        detail: `mail for ${recipient}`,
      })),
      ...this.harness.hosts.tally.wrong.map((detail) => ({ rule: "leaving", token: null, detail })),
    ];
  }

  async #storm(numbers: readonly number[]): Promise<RoundResult[]> {
    const { harness } = this;
    const rounds = await Promise.all(numbers.map((number, lane) => this.#begin(number, lane)));
    await harness.beginStorm(rounds.map(({ plan }) => plan));
    const bursts = rounds.flatMap((round) => [
      this.#sendAll(round, round.plan.sends),
      makeChanges(round.team.target, round.plan, round.made),
    ]);
    const answers = Promise.all(bursts);
    await Promise.race([Promise.all([answers, this.#waitOutStorm()]), sleep(LONGEST_STORM_MS)]);
    harness.faults.calm();
    await sleep(LATE_KILL_MS);
    // The platform does not retry lost alarms. Only a restart of their objects sets them again.
    if (harness.faults.takeLost() > 0) harness.kill("worker");
    const calmed = Date.now();
    await answers;
    await harness.up();
    await Promise.all(
      rounds.filter(({ plan }) => plan.isPaced).map((round) => this.#release(round)),
    );
    const settle = ({ plan, team }: BegunRound) => this.settling.wait(plan.round, team);
    const settled = rounds.map(async (round) => [
      ...(await endDeferred(round.team, round.plan)),
      ...(await settle(round)),
    ]);
    const left = await Promise.all(settled);
    // All mail has arrived now, so its readers write no further answers.
    await harness.readers.idle();
    const afterReplies = await Promise.all(rounds.map(settle));
    const settledMs = Date.now() - calmed;
    const reports: RoundResult[] = [];
    for (const [index, round] of rounds.entries())
      reports.push(await this.#check(round, [...left[index]!, ...afterReplies[index]!], settledMs));
    return reports;
  }

  /** Waits until the worker has been up for the length of a storm. */
  async #waitOutStorm(): Promise<void> {
    for (let upMs = 0; upMs < STORM_MS; upMs += this.harness.runtime.isUp ? POLL_MS : 0)
      await sleep(POLL_MS);
  }

  async #begin(number: number, lane: number): Promise<BegunRound> {
    const plan = planRound(this.#options.seed, number);
    const team = this.#teams.get(`${lane}-${plan.courier}`)!;
    if (plan.isPaced) await team.pace(SLOW_RATE);
    team.failNext(plan.failingDeliveries);
    const { ledger } = await team.remains();
    const before = {
      begun: Date.now(),
      debitedBefore: ledger.monthlyUsed,
      countedBefore: await readCounters(this.harness, team.apiKey),
      lossesBefore: lostDeletions(this.harness),
      bounced: new Set(team.bounced),
    };
    const sent = await deferMessages(team, plan);
    const planned = [...plan.sends, releasingSend(plan)].flatMap(({ messages }) => messages);
    for (const { recipients } of [...planned, ...sent])
      for (const recipient of recipients) this.#written.add(recipient);
    return { plan, team, ...before, sent, made: [], managedFrom: Date.now() };
  }

  async #join(lane: number, courier: RoundCourier): Promise<void> {
    const name = `${lane}-${courier}`;
    if (this.#teams.has(name)) return;
    const joining = { name, courier, keepsContent: lane % 2 === 0, dkimKey: this.#dkimKey };
    this.#teams.set(name, await joinTeam(this.harness, joining));
  }

  async #sendAll(round: BegunRound, sends: readonly PlannedSend[]): Promise<void> {
    const sent = await Promise.all(sends.map((planned) => this.#send(round, planned)));
    round.sent.push(...sent.flat());
  }

  /**
   * Sends one message, so that the ledger learns the restored rate and releases waiting messages.
   */
  async #release(round: BegunRound): Promise<void> {
    await round.team.pace(null);
    await this.#sendAll(round, [releasingSend(round.plan)]);
  }

  async #send(round: BegunRound, planned: PlannedSend): Promise<SentMessage[]> {
    const { target } = round.team;
    const bounced = planned.toBounced ? [...round.bounced] : [];
    const [address] = bounced.slice(planned.at % Math.max(1, bounced.length));
    const messages = planned.messages.map(
      ({ recipients: [first = "", ...others], ...message }) => ({
        ...message,
        recipients: [address ?? first, ...others],
      }),
    );
    const sent = await send(target, { ...planned, messages }, this.#options.seed);
    if (planned.schedule) await applyPlannedAction(target, planned.schedule, sent);
    return sent;
  }

  async #check(
    round: BegunRound,
    left: readonly Violation[],
    settledMs: number,
  ): Promise<RoundResult> {
    for (let look = 1; ; look += 1) {
      const facts = await this.#facts(round);
      const found = check(facts);
      const counted = await readCounted(
        this.harness,
        round.team.apiKey,
        round.begun,
        round.countedBefore,
      );
      const content = await readContentFacts(this.harness, round);
      const replies = await readReplies(this.harness, round);
      const wrong = [
        ...findWrongCounts(facts, counted),
        ...findWrongContent(content),
        ...findWrongReplies(facts, replies),
        ...(await findWrongEntries(this.harness, round)),
      ];
      const violations = [...found.violations, ...wrong];
      if (violations.length > 0 && look < LOOKS) {
        await sleep(LOOK_AGAIN_MS);
        continue;
      }
      learnBounces(round.team, facts.events);
      return {
        plan: round.plan,
        facts,
        judged: { ...found, violations: [...violations, ...left] },
        settledMs,
        content: countStored(content),
        replies,
        changes: round.made.length,
      };
    }
  }

  async #facts({
    plan,
    sent,
    team,
    begun,
    bounced,
    debitedBefore,
  }: BegunRound): Promise<RoundFacts> {
    const events = await readEvents(this.harness, team.apiKey, begun);
    const { ledger } = await team.remains();
    const undebited = plan.deferred > 0 ? DUE : 0;
    const hasMonthTurned = new Date(begun).getUTCMonth() !== new Date().getUTCMonth();
    this.#logs.read();
    const logs = this.#logs.of({ sent, events, since: begun });
    const noted = plan.courier === "gateway" ? null : await readNotedIds(team, events, logs.mail);
    return {
      sent,
      events,
      since: begun,
      ...logs,
      emailService: this.#serviceFacts(sent, noted && { noted }),
      hooks: team.hooks,
      bounced,
      gatewayKills: [...this.harness.hosts.kills],
      stalls: [...this.harness.faults.stalls],
      gatewayRestarts: this.harness.hosts.isAnyOld ? null : [...this.harness.hosts.restarts],
      debited: hasMonthTurned ? null : ledger.monthlyUsed - debitedBefore + undebited,
    };
  }

  #serviceFacts(
    sent: readonly SentMessage[],
    known: Pick<EmailServiceFacts, "noted"> | null,
  ): EmailServiceFacts | null {
    const { carried, faults, serviceKills, workerKills } = this.harness;
    const recipients = new Set(sent.flatMap((message) => message.recipients));
    const tokens = new Set(sent.map(({ token }) => token));
    return (
      known && {
        noted: known.noted,
        // Filters by subject, because later rounds write to the same addresses.
        copies: carried.read(recipients).filter(({ subject }) => tokens.has(subject)),
        lostAnswers: faults.lostAnswers.filter(({ recipient }) => recipients.has(recipient)),
        serviceKills: [...serviceKills],
        workerKills: [...workerKills],
        stalls: [...faults.stalls],
      }
    );
  }
}
