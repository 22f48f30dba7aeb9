// Gathers what the mail server and the gateway's journals have logged in a campaign, and finds the
// lines of one round.
import type { JournalFact, MailFact, RoundFacts } from "./recorded-facts.ts";

interface NewLines {
  readonly mail: readonly MailFact[];
  readonly journal: readonly JournalFact[];
}

export class GatheredLogs {
  readonly #mail = new Map<string, MailFact[]>();
  readonly #journal = new Map<string, JournalFact[]>();

  add({ mail, journal }: NewLines): void {
    for (const fact of mail) pushTo(this.#mail, fact.to, fact);
    for (const fact of journal)
      pushTo(this.#journal, fact.key.slice(0, fact.key.indexOf("/")), fact);
  }

  /** Returns all addresses that mail was for. */
  get recipients(): Iterable<string> {
    return this.#mail.keys();
  }

  of({
    sent,
    events,
    since,
  }: Pick<RoundFacts, "sent" | "events" | "since">): Pick<RoundFacts, "mail" | "journal"> {
    const recipients = new Set(sent.flatMap((message) => message.recipients));
    const ids = new Set(events.map(({ email_id: id }) => id));
    return {
      // Remembers the address, because later rounds write to it again.
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
