// Checks the team's own mail by the rules of the deliverability report (contract.md
// §Deliverability), some time after a mail server refused a message. The ledger reports the result
// to the Metrics object, so that the operator sees which teams need attention without a call to
// each ledger. A team without refusals is never checked. No caller and no alarm waits for the
// check.
import type { LoggedMessage } from "../rpc/ledger-calls.ts";
import type { Gauges } from "../rpc/metrics-calls.ts";
import type { Env } from "../env.ts";
import { logError } from "../lib/log.ts";
import { withTimeout } from "../lib/with-timeout.ts";
import { HOUR_MS } from "../limits.ts";
import { assessTeam } from "../resources/deliverability/assess-team.ts";
import type { ReadRecentEvents } from "../resources/stats/pull-counts.ts";
import type { CoreFacts } from "./core-facts.ts";
import type { Subjects } from "./ledger-state.ts";

/**
 * Time between the first refusal and the check, so that the check also sees the refusals that
 * follow soon.
 */
const GATHER_MS = 60_000;
const CHECK_EVERY_MS = 5 * 60_000;
/**
 * Time until the check of the team's mail is repeated. A finding ends when its refusals are too old
 * to count, and no event announces its end.
 */
const RECHECK_MS = HOUR_MS;
const CHECK_TIMEOUT_MS = 30_000;
/**
 * Maximum number of events that the check reads from the log while the D1 shard is down. If the log
 * has more events, the check does not read them, because that would take too long.
 */
const MOST_RECENT_EVENTS = 10_000;
const STORED = "mail_check";

const REFUSALS = new Set(["email.bounced", "email.delayed", "email.complained"]);

interface State {
  /**
   * The time at which the next check of the team's mail is due, in Unix milliseconds. Null means
   * that no check is due.
   */
  readonly dueAt: number | null;
  /**
   * The time of the last check of the team's mail, in Unix milliseconds. 0 means that the ledger
   * made no check yet.
   */
  readonly checkedAt: number;
  readonly critical: number;
  readonly warning: number;
  /** Number of recipients or attempts that the findings are about. */
  readonly affected: number;
  /** True if the last check could not read the mail. */
  readonly isUnread: boolean;
}

const UNCHECKED: State = {
  dueAt: null,
  checkedAt: 0,
  critical: 0,
  warning: 0,
  affected: 0,
  isUnread: false,
};

export interface MailCheckDependencies {
  readonly teamId: string;
  readonly env: () => Env;
  readonly facts: CoreFacts;
  readonly kv: SyncKvStorage;
  /** Divisor of all waits, at least 1. */
  readonly speedup: number;
  readonly readRecentEvents: ReadRecentEvents;
  readonly subjects: () => Subjects;
  readonly isDestroyed: () => boolean;
}

export class MailCheck {
  readonly #hooks: MailCheckDependencies;
  #state: State;
  #isRunning = false;
  #isRefusedAgain = false;

  constructor(hooks: MailCheckDependencies) {
    this.#hooks = hooks;
    this.#state = hooks.kv.get<State>(STORED) ?? UNCHECKED;
  }

  /** The time at which run() must be called next, in Unix milliseconds. Infinity means never. */
  get dueAt(): number {
    return this.#state.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** The result of the last check, for the metrics. Null means that the check found nothing. */
  get gauges(): Gauges | null {
    const { critical, warning, affected, isUnread } = this.#state;
    if (critical + warning === 0 && !isUnread) return null;
    return {
      criticalFindings: critical,
      warningFindings: warning,
      affectedRecipients: affected,
      unreadMail: isUnread ? 1 : 0,
    };
  }

  /** Schedules a check if one of these events is a refusal. Runs inside a group commit. */
  note(messages: readonly LoggedMessage[], now: number): void {
    const isRefused = messages.some(({ events }) => events.some(({ type }) => REFUSALS.has(type)));
    if (!isRefused) return;
    if (this.#isRunning) this.#isRefusedAgain = true;
    else this.#makeDue(now);
  }

  /** Runs the check if it is due, and returns whether it ran. Never rejects. */
  async run(now: number): Promise<boolean> {
    if (this.#isRunning || now < this.dueAt) return false;
    this.#isRunning = true;
    this.#isRefusedAgain = false;
    // An eviction of the ledger during the check makes the check due again.
    this.#state = { ...this.#state, dueAt: now + this.#wait(CHECK_EVERY_MS) };
    const found = await this.#judge(now);
    this.#isRunning = false;
    if (this.#hooks.isDestroyed()) return false;
    this.#keep({ ...this.#state, checkedAt: now, ...found });
    if (this.#isRefusedAgain) this.#makeDue(now);
    return true;
  }

  async #judge(now: number): Promise<Partial<State>> {
    const { teamId, env, facts, readRecentEvents, subjects } = this.#hooks;
    try {
      const { unpaged } = subjects().log.rows;
      if (unpaged > MOST_RECENT_EVENTS) throw new Error(`${unpaged} events are not in a chunk yet`);
      const findings = await withTimeout(CHECK_TIMEOUT_MS, async () => {
        const team = await facts.team(now);
        return team ? (await assessTeam(env(), team, {}, now, readRecentEvents)).findings : [];
      });
      const critical = findings.filter(({ severity }) => severity === "critical").length;
      return {
        dueAt: findings.length > 0 ? now + this.#wait(RECHECK_MS) : null,
        critical,
        warning: findings.length - critical,
        affected: findings.reduce((sum, { evidence }) => sum + evidence.count, 0),
        isUnread: false,
      };
    } catch (error) {
      logError("mail_not_checked", error, { team_id: teamId });
      return { isUnread: true };
    }
  }

  #makeDue(now: number): void {
    const { checkedAt } = this.#state;
    const dueAt = Math.max(now + this.#wait(GATHER_MS), checkedAt + this.#wait(CHECK_EVERY_MS));
    if (dueAt < this.dueAt) this.#keep({ ...this.#state, dueAt });
  }

  #keep(state: State): void {
    this.#state = state;
    this.#hooks.kv.put(STORED, state);
  }

  #wait(ms: number): number {
    return ms / this.#hooks.speedup;
  }
}
