// Sees to it that a key asked for twice is sent once (docs/egress-protocol.md §Asking twice): a
// request for a key under way waits for its outcome, and one for a key that ended is answered from
// memory. Outcomes after a final dot are kept for a day on disk (the journal), all others for a
// while in memory (recent-outcomes.ts), none in both. Without the latter, two workers that hold one
// attempt, because the first one's lease ran out, could get a delay and a delivery, and
// the delay would be tried again.
import { mailboxDomain } from "../smtp/smtp-transaction.ts";
import type { Journal, Slot } from "../journal/journal.ts";
import { log } from "../gateway-log.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";
import { failure, type Mail, type EgressOutcome } from "../outcome.ts";
import { RecentOutcomes } from "../journal/recent-outcomes.ts";

/**
 * Delivers one message. Calls `onDot` with the outcome after a final dot, in the same turn of the
 * event loop in which the server's reply was read.
 */
export type DeliverMail = (
  mail: Mail,
  onDot: (outcome: EgressOutcome) => void,
) => Promise<EgressOutcome>;

export class Attempts {
  readonly #journal: Journal;
  readonly #deliver: DeliverMail;
  readonly #metrics: GatewayMetrics;
  readonly #recent: RecentOutcomes;
  readonly #underWay = new Map<string, Promise<EgressOutcome>>();

  constructor(
    journal: Journal,
    deliver: DeliverMail,
    metrics = new GatewayMetrics(),
    recent = new RecentOutcomes(),
  ) {
    this.#journal = journal;
    this.#deliver = deliver;
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

  /** Returns the outcome of a key that is under way or ended; undefined: the key is new. */
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
   * Reserves room in the journal for a new key. Null: the disk is full, and the attempt must not
   * start.
   */
  reserve(key: string): Slot | null {
    return this.#journal.reserve(key);
  }

  /**
   * Starts the delivery of a new key, or joins the one under way. Uses `slot` or gives it back.
   * Never rejects.
   */
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

  /** Resolves when no delivery is under way. */
  async waitUntilIdle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  async #run(mail: Mail, slot: Slot): Promise<EgressOutcome> {
    const started = performance.now();
    const { outcome, journalled } = await this.#deliverAndRecord(mail, slot);
    slot.release();
    const milliseconds = performance.now() - started;
    // Both happen in one turn, so that the key is known at every moment.
    if (!journalled) this.#recent.keep(mail.key, outcome);
    this.#underWay.delete(mail.key);
    this.#metrics.count("postern_gateway_outcomes_total", labelsOf(outcome));
    this.#metrics.observe("postern_gateway_delivery_seconds", milliseconds / 1000);
    logOutcome(mail, outcome, milliseconds);
    return outcome;
  }

  /**
   * Delivers, and records the outcome after a final dot. `journalled` is false when the outcome is
   * not on disk: it has no final dot, the disk refused it despite its room, or a fault replaced it.
   */
  async #deliverAndRecord(
    mail: Mail,
    slot: Slot,
  ): Promise<{ readonly outcome: EgressOutcome; readonly journalled: boolean }> {
    let onDisk: EgressOutcome | null = null;
    const onDot = (final: EgressOutcome): void => {
      if (slot.record(final)) onDisk = final;
    };
    try {
      const outcome = await this.#deliver(mail, onDot);
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

/** The labels of an outcome: its result, and its stage or cause. */
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
  const domain = mailboxDomain(mail.rcptTo);
  log("info", "outcome", {
    key: mail.key,
    domain,
    mx_host: outcome.mx_host,
    ...details,
    bytes: mail.bytes.length,
    ms: Math.round(milliseconds),
  });
}
