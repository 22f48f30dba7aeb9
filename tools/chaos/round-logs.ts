// Collects the lines of the mail server's log and of the gateway's journals. Finds the lines of one
// round.
import type { ChaosHarness } from "./chaos-harness.ts";
import type { JournalFact, MailFact, RoundFacts } from "./recorded-facts.ts";

export class RoundLogs {
  readonly #harness: Pick<ChaosHarness, "readLogs">;
  readonly #mail = new Map<string, MailFact[]>();
  readonly #journal = new Map<string, JournalFact[]>();

  constructor(harness: Pick<ChaosHarness, "readLogs">) {
    this.#harness = harness;
  }

  /** The addresses in the lines that read() has collected. */
  get recipients(): string[] {
    return [...this.#mail.keys()];
  }

  read(): void {
    const { mail, journal } = this.#harness.readLogs();
    for (const fact of mail) pushTo(this.#mail, fact.to, fact);
    for (const fact of journal)
      pushTo(this.#journal, fact.key.slice(0, fact.key.indexOf("/")), fact);
  }

  of({
    sent,
    events,
    since,
  }: Pick<RoundFacts, "sent" | "events" | "since">): Pick<RoundFacts, "mail" | "journal"> {
    const recipients = new Set(sent.flatMap((message) => message.recipients));
    const ids = new Set(events.map(({ email_id: id }) => id));
    return {
      // Filters by time, because later rounds write to the same addresses.
      mail: [...recipients]
        .flatMap((recipient) => this.#mail.get(recipient) ?? [])
        .filter(({ at }) => at >= since),
      journal: [...ids].flatMap((id) => this.#journal.get(id) ?? []),
    };
  }
}

function pushTo<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}
