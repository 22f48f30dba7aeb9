// Asking twice never sends twice: a key that is under way is joined, one that ended is answered
// from the journal (docs/egress-protocol.md). What lies behind a final dot is remembered for a day,
// on disk, and everything else for a while, in memory (recent-outcomes.ts): two workers that hold
// one attempt, because the first one's lease ran out, would else hear of a delay and of a delivery,
// and the delay would be tried again. Nothing is kept in both.
import { mailboxDomain } from "../smtp/smtp-transaction.ts";
import type { Journal, Slot } from "../journal/journal.ts";
import { log } from "../gateway-log.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";
import { failure, type Mail, type EgressOutcome } from "./outcome.ts";
import { RecentOutcomes } from "../journal/recent-outcomes.ts";

/**
 * Carries one message; calls `onDot` in the same turn in which the word behind a final dot was
 * read.
 */
export type Carry = (mail: Mail, onDot: (outcome: EgressOutcome) => void) => Promise<EgressOutcome>;

export class Attempts {
  readonly #journal: Journal;
  readonly #carry: Carry;
  readonly #metrics: GatewayMetrics;
  readonly #recent: RecentOutcomes;
  readonly #underWay = new Map<string, Promise<EgressOutcome>>();

  constructor(
    journal: Journal,
    carry: Carry,
    metrics = new GatewayMetrics(),
    recent = new RecentOutcomes(),
  ) {
    this.#journal = journal;
    this.#carry = carry;
    this.#metrics = metrics;
    this.#recent = recent;
    metrics.readFrom(() => ({
      postern_gateway_deliveries: this.#underWay.size,
      postern_gateway_recent_outcomes: recent.size,
      postern_gateway_journal_bytes: journal.bytes,
      postern_gateway_journal_index_bytes: journal.indexBytes,
      postern_gateway_journal_outcomes: journal.outcomes,
      postern_gateway_journal_writable: Number(journal.probe()),
    }));
  }

  /** Under way or ended: its outcome. Undefined: the key is new. */
  find(key: string): Promise<EgressOutcome> | undefined {
    const underWay = this.#underWay.get(key);
    const recent = underWay ? undefined : this.#recent.find(key);
    const ended = underWay || recent ? undefined : this.#journal.find(key);
    const outcome = underWay ?? recent ?? ended;
    if (!outcome) return undefined;
    this.#metrics.count("postern_gateway_repeats_total", [
      underWay ? "under_way" : recent ? "memory" : "journal",
    ]);
    return Promise.resolve(outcome);
  }

  /**
   * Takes room in the journal for a key that is new. Null: the disk is full, and the attempt must
   * not start.
   */
  reserve(key: string): Slot | null {
    return this.#journal.reserve(key);
  }

  /** Starts what is new, joins what is not. Uses `slot` or gives it back. Never rejects. */
  start(mail: Mail, slot: Slot): Promise<EgressOutcome> {
    const known = this.find(mail.key);
    if (known) {
      slot.release();
      return known;
    }
    const outcome = this.#run(mail, slot);
    this.#underWay.set(mail.key, outcome);
    return outcome;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  async #run(mail: Mail, slot: Slot): Promise<EgressOutcome> {
    const started = performance.now();
    const { outcome, journalled } = await this.#carried(mail, slot);
    slot.release();
    const milliseconds = performance.now() - started;
    // In one turn: there is no moment at which the key is unknown.
    if (!journalled) this.#recent.keep(mail.key, outcome);
    this.#underWay.delete(mail.key);
    this.#metrics.count("postern_gateway_outcomes_total", labelsOf(outcome));
    this.#metrics.observe("postern_gateway_delivery_seconds", milliseconds / 1000);
    report(mail, outcome, milliseconds);
    return outcome;
  }

  /**
   * `journalled`: this outcome is on disk. One that the disk refused in spite of its room, or that
   * a fault took the place of, is not.
   */
  async #carried(
    mail: Mail,
    slot: Slot,
  ): Promise<{ readonly outcome: EgressOutcome; readonly journalled: boolean }> {
    let onDisk: EgressOutcome | null = null;
    const onDot = (final: EgressOutcome): void => {
      if (slot.record(final)) onDisk = final;
    };
    try {
      const outcome = await this.#carry(mail, onDot);
      return { outcome, journalled: outcome === onDisk };
    } catch (error) {
      log("error", "delivery_fault", {
        key: mail.key,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      return { outcome: failure("other", "internal error of the gateway"), journalled: false };
    }
  }
}

/** What became of it, and at which stage or for what cause. */
function labelsOf(outcome: EgressOutcome): [result: string, at: string] {
  if (outcome.kind === "failure")
    return ["failed", outcome.detail.startsWith("unknown fate") ? "unknown_fate" : outcome.cause];
  if (outcome.code < 400) return ["delivered", outcome.stage];
  return [outcome.code < 500 ? "deferred" : "refused", outcome.stage];
}

function report(mail: Mail, outcome: EgressOutcome, milliseconds: number): void {
  const what =
    outcome.kind === "reply"
      ? { code: outcome.code, stage: outcome.stage, tls: outcome.tls }
      : { cause: outcome.cause, detail: outcome.detail };
  const domain = mailboxDomain(mail.rcptTo);
  log("info", "outcome", {
    key: mail.key,
    domain,
    mx_host: outcome.mx_host,
    ...what,
    bytes: mail.bytes.length,
    ms: Math.round(milliseconds),
  });
}
