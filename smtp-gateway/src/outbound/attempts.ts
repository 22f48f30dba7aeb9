// Makes sure that a message is sent only once, even if the worker sends its key twice
// (docs/egress-protocol.md §Asking twice). If the key's delivery is running, the second request
// waits for the same outcome. If the delivery has ended, the second request is answered at once.
// Outcomes after a final dot are kept on disk for a day (the journal), and all others in memory for
// a while (recent-outcomes.ts). The memory is needed when a lease runs out and two workers have the
// same attempt. Without it, one worker could get a deferral and the other a delivery, and the
// deferred attempt would be tried again.
import { mailboxDomain } from "../smtp/smtp-transaction.ts";
import type { Journal } from "../journal/journal.ts";
import { log, stackOf } from "../gateway-log.ts";
import type { GatewayMetrics } from "../gateway-metrics.ts";
import {
  dateNow,
  type EgressOutcome,
  failure,
  type AttemptResult,
  type Mail,
  type NotTaken,
  type StillUnderWay,
} from "../outcome.ts";
import { Attempt } from "./attempt.ts";
import type { Room } from "./byte-budget.ts";
import { awayWith, PromisedTurns } from "./promised-turns.ts";
import { RecentOutcomes } from "../journal/recent-outcomes.ts";

/** Runs an attempt until it has an outcome or is returned to the worker. */
export type DeliverMail = (attempt: Attempt) => Promise<void>;

/** The answer about a key: its outcome, or the reason why it has no outcome now. */
type Known = AttemptResult | StillUnderWay | { readonly kind: "never_heard" };

interface UnderWay {
  readonly attempt: Attempt;
  /** Resolves when the result has been recorded. */
  readonly fate: Promise<AttemptResult>;
}

export class Attempts {
  readonly #journal: Journal;
  readonly #deliver: DeliverMail;
  readonly #metrics: GatewayMetrics;
  readonly #recent = new RecentOutcomes();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #promised = new PromisedTurns();
  #draining = false;

  constructor(journal: Journal, deliver: DeliverMail, metrics: GatewayMetrics) {
    this.#journal = journal;
    this.#deliver = deliver;
    this.#metrics = metrics;
    metrics.readFrom(() => ({
      postern_gateway_deliveries: this.#underWay.size,
      postern_gateway_behind_dot: [...this.#underWay.values()].filter(
        ({ attempt }) => attempt.isBehindDot,
      ).length,
      postern_gateway_recent_outcomes: this.#recent.size,
      postern_gateway_promised_turns: this.#promised.size,
      postern_gateway_journal_bytes: journal.bytes,
      postern_gateway_journal_index_bytes: journal.indexBytes,
      postern_gateway_journal_outcomes: journal.outcomes,
      postern_gateway_journal_writable: Number(journal.probe()),
    }));
  }

  /**
   * Returns the result of a key. If the key's delivery is running, the promise waits for the
   * result. Returns undefined if the key is new.
   */
  find(key: string): Promise<AttemptResult> | undefined {
    const underWay = this.#underWay.get(key)?.fate;
    const recent = underWay ? undefined : this.#recent.find(key);
    const known = underWay ?? recent ?? this.#journal.find(key);
    if (!known) return undefined;
    const from = underWay ? "under_way" : recent ? "memory" : "journal";
    this.#metrics.count("postern_gateway_repeats_total", [from]);
    return Promise.resolve(known);
  }

  /** Returns the answer to POST /ask about a key, without waiting for a delivery. */
  ask(key: string): Known {
    const known = this.#knownOf(key);
    this.#metrics.count("postern_gateway_asked_total", ["kind" in known ? known.kind : "known"]);
    return known;
  }

  #knownOf(key: string): Known {
    const attempt = this.#underWay.get(key)?.attempt;
    if (attempt) return stillUnderWay(attempt);
    const ended = this.#recent.find(key) ?? this.#journal.find(key);
    const turn = ended ? undefined : this.#promised.find(key);
    return ended ?? (turn ? awayWith(turn) : { kind: "never_heard" });
  }

  /** True: the journal has space for another outcome now. */
  get hasRoom(): boolean {
    return this.#journal.hasRoom();
  }

  /**
   * Counts and logs a message that the gateway returns to the worker. Returns the answer about the
   * message.
   */
  refuse({ key, rcptTo }: Pick<Mail, "key" | "rcptTo">, answer: NotTaken): NotTaken {
    const { why } = answer;
    this.#metrics.count("postern_gateway_not_taken_total", [why]);
    log("info", "not_taken", { key, domain: mailboxDomain(rcptTo), why });
    return answer;
  }

  /**
   * Starts the delivery of a message. If its key is known already, returns that key's result
   * instead. A message that comes again gets its reserved queue position. Never rejects.
   */
  start(mail: Mail, room: Room | null = null): Promise<AttemptResult> {
    const known = this.find(mail.key);
    if (known) return known;
    const turn = this.#promised.take(mail.key);
    const since = Math.min(performance.now() - mail.waitedMs, turn?.since ?? Infinity);
    const attempt = new Attempt(mail, this.#journal, room, since);
    const fate = this.#run(attempt);
    this.#underWay.set(mail.key, { attempt, fate });
    if (this.#draining) attempt.giveBack("draining");
    else void this.#send(attempt);
    return fate;
  }

  /**
   * Returns to the worker every message that no connection is sending. From now on, new messages
   * are returned at once.
   */
  drain(): void {
    this.#draining = true;
    for (const { attempt } of this.#underWay.values()) attempt.giveBack("draining");
  }

  /** Resolves when no delivery is running. */
  async waitUntilIdle(): Promise<void> {
    while (this.#underWay.size > 0)
      await Promise.all(Array.from(this.#underWay.values(), ({ fate }) => fate));
  }

  async #run(attempt: Attempt): Promise<AttemptResult> {
    const fate = await attempt.fate;
    const { mail } = attempt;
    // The outcome is stored before the key leaves `#underWay`, in the same turn of the event loop.
    // So every request finds the key.
    if ("outcome" in fate && !attempt.isJournalled(fate)) this.#recent.keep(mail.key, fate);
    this.#underWay.delete(mail.key);
    if (attempt.turn) this.#promised.keep(mail.key, attempt.turn);
    if (!("outcome" in fate)) return this.refuse(mail, fate);
    const milliseconds = fate.repliedAt - fate.takenAt;
    this.#metrics.count("postern_gateway_outcomes_total", labelsOf(fate.outcome));
    this.#metrics.observe("postern_gateway_delivery_seconds", milliseconds / 1000);
    logOutcome(mail, fate.outcome, milliseconds);
    return fate;
  }

  async #send(attempt: Attempt): Promise<void> {
    try {
      await this.#deliver(attempt);
    } catch (error) {
      log("error", "delivery_fault", { key: attempt.mail.key, error: stackOf(error) });
      attempt.end(dateNow(failure("other", "internal error of the gateway")));
    }
  }
}

/** Returns the metric labels of an outcome: its result, and the SMTP stage or failure cause. */
function labelsOf(outcome: EgressOutcome): [result: string, at: string] {
  if (outcome.kind === "failure")
    return ["failed", outcome.detail.startsWith("unknown fate") ? "unknown_fate" : outcome.cause];
  if (outcome.code < 400) return ["delivered", outcome.stage];
  return [outcome.code < 500 ? "deferred" : "refused", outcome.stage];
}

function logOutcome(mail: Mail, outcome: EgressOutcome, milliseconds: number): void {
  const details =
    outcome.kind === "reply"
      ? { code: outcome.code, stage: outcome.stage, tls: outcome.tls }
      : { cause: outcome.cause, detail: outcome.detail };
  log("info", "outcome", {
    key: mail.key,
    domain: mailboxDomain(mail.rcptTo),
    mx_host: outcome.mx_host,
    ...details,
    bytes: mail.bytes.length,
    ms: Math.round(milliseconds),
  });
}

function stillUnderWay({ isWaiting, since }: Attempt): StillUnderWay {
  const waited = Math.round(performance.now() - since);
  return { kind: "under_way", ...(isWaiting && { waited_ms: waited }) };
}
