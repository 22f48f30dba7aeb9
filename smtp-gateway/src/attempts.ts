// Asking twice never sends twice: a key that is under way is joined, one that ended is answered from the journal (docs/egress-protocol.md).
// Only outcomes behind a final dot are remembered. Before it nothing can have been delivered, so that another try costs a try and no second message.
import { domainOf } from "./delivery.ts";
import type { Journal } from "./journal.ts";
import { log } from "./log.ts";
import { failure, type Mail, type Outcome } from "./outcome.ts";

/** Carries one message; calls `onDot` in the same turn in which the word behind a final dot was read. */
export type Carry = (mail: Mail, onDot: (outcome: Outcome) => void) => Promise<Outcome>;

export class Attempts {
  readonly #journal: Journal;
  readonly #carry: Carry;
  readonly #underWay = new Map<string, Promise<Outcome>>();

  constructor(journal: Journal, carry: Carry) {
    this.#journal = journal;
    this.#carry = carry;
  }

  /** Under way or ended: its outcome. Undefined: the key is new. */
  find(key: string): Promise<Outcome> | undefined {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const ended = this.#journal.find(key);
    return ended && Promise.resolve(ended);
  }

  /** Starts what is new, joins what is not. Never rejects. */
  start(mail: Mail): Promise<Outcome> {
    const known = this.find(mail.key);
    if (known) return known;
    const outcome = this.#run(mail);
    this.#underWay.set(mail.key, outcome);
    return outcome;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  async #run(mail: Mail): Promise<Outcome> {
    const started = performance.now();
    try {
      const outcome = await this.#carry(mail, (final) => this.#journal.append(mail.key, final));
      report(mail, outcome, performance.now() - started);
      return outcome;
    } catch (error) {
      log("error", "delivery_fault", { key: mail.key, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      return failure("other", "internal error of the gateway");
    } finally {
      this.#underWay.delete(mail.key);
    }
  }
}

function report(mail: Mail, outcome: Outcome, milliseconds: number): void {
  const what =
    outcome.kind === "reply"
      ? { code: outcome.code, stage: outcome.stage, tls: outcome.tls }
      : { cause: outcome.cause, detail: outcome.detail };
  const domain = domainOf(mail.rcptTo);
  log("info", "outcome", {
    key: mail.key,
    domain,
    mx_host: outcome.mx_host,
    ...what,
    bytes: mail.bytes.length,
    ms: Math.round(milliseconds),
  });
}
