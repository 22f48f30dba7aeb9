// Counts events by type, by a bounce's classification and by the recipient's domain (contract.md
// §Statistics). An hour names at most 64 domains, those that a Misra-Gries summary keeps. The
// others are found by subtraction, so that sums are exact. Pure.
import type { OwnEvent } from "../../contracts/event-records.ts";
import type { EventType } from "../../contracts/event-types.ts";

/** The counted types, in the order in which they are shown. */
export const COUNTED = [
  "sent",
  "delivered",
  "delayed",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "suppressed",
] as const satisfies readonly (EventType extends `email.${infer Name}` ? Name : never)[];

export type Counted = (typeof COUNTED)[number];

type CountedEvent = Pick<OwnEvent, "type" | "recipient" | "bounce">;

/**
 * A Misra-Gries summary may undercount a domain by at most the hour's events divided by this number
 * plus one.
 */
const DOMAINS_PER_HOUR = 64;

const NO_CLASSIFICATION = "none";

/** JSON of Counts. Members that are zero are left out. */
type StoredCounts = { readonly [Name in Counted]?: number } & {
  readonly classes?: Readonly<Record<string, number>>;
};

/** JSON of HourCounts. `credit` is left out if it equals the domain's total. */
export interface StoredHour extends StoredCounts {
  readonly domains?: Readonly<Record<string, StoredCounts & { readonly credit?: number }>>;
}

/** Counts recipients by type of event, and bounces by classification. */
export class Counts {
  readonly types = new Map<Counted, number>();
  readonly classes = new Map<string, number>();

  get total(): number {
    let total = 0;
    for (const count of this.types.values()) total += count;
    return total;
  }

  count({ type, bounce }: CountedEvent): void {
    raise(this.types, type.slice("email.".length) as Counted, 1);
    if (type === "email.bounced")
      raise(this.classes, bounce?.classification ?? NO_CLASSIFICATION, 1);
  }

  add(other: Counts, times: 1 | -1 = 1): void {
    for (const [type, count] of other.types) raise(this.types, type, times * count);
    for (const [name, count] of other.classes) raise(this.classes, name, times * count);
  }

  load({ classes = {}, ...stored }: StoredCounts): void {
    for (const type of COUNTED) raise(this.types, type, stored[type] ?? 0);
    for (const [name, count] of Object.entries(classes)) raise(this.classes, name, count);
  }

  toJSON(): StoredCounts {
    return {
      ...Object.fromEntries(this.types),
      ...(this.classes.size === 0 ? {} : { classes: Object.fromEntries(this.classes) }),
    };
  }
}

interface Domain {
  readonly counts: Counts;
  /**
   * The domain's counter in the Misra-Gries summary, which decides whether it stays named. The
   * counts beside it are exact since it was named.
   */
  credit: number;
}

/** The counts of one team and hour. */
export class HourCounts {
  readonly all = new Counts();
  readonly domains = new Map<string, Domain>();

  static parse(text: string): HourCounts {
    return HourCounts.from(JSON.parse(text) as StoredHour);
  }

  static from({ domains = {}, ...all }: StoredHour): HourCounts {
    const hour = new HourCounts();
    hour.all.load(all);
    for (const [name, { credit, ...stored }] of Object.entries(domains)) {
      const { counts } = hour.#name(name, 0);
      counts.load(stored);
      hour.#name(name, credit ?? counts.total);
    }
    return hour;
  }

  add(other: HourCounts): void {
    this.all.add(other.all);
    for (const [name, { counts, credit }] of other.domains)
      this.#name(name, credit).counts.add(counts);
  }

  count(event: CountedEvent): void {
    this.all.count(event);
    this.#name(domainOf(event.recipient), 1).counts.count(event);
  }

  /** Returns the stored form, with at most DOMAINS_PER_HOUR domains. */
  toText(): string {
    const kept = this.#kept();
    const domains = kept.map(([name, { counts, credit }]) => [
      name,
      { ...counts.toJSON(), ...(credit === counts.total ? {} : { credit }) },
    ]);
    return JSON.stringify({
      ...this.all.toJSON(),
      ...(domains.length === 0 ? {} : { domains: Object.fromEntries(domains) as unknown }),
    });
  }

  /**
   * Chooses the domains that stay: each pays as much credit as the richest domain that goes. A
   * domain without credit stays until its place is needed.
   */
  #kept(): [string, Domain][] {
    const ranked = [...this.domains].toSorted(
      ([, one], [, other]) => other.credit - one.credit || other.counts.total - one.counts.total,
    );
    const price = ranked[DOMAINS_PER_HOUR]?.[1].credit ?? 0;
    return ranked
      .slice(0, DOMAINS_PER_HOUR)
      .map(([name, { counts, credit }]) => [name, { counts, credit: credit - price }]);
  }

  #name(name: string, credit: number): Domain {
    const known = this.domains.get(name) ?? { counts: new Counts(), credit: 0 };
    known.credit += credit;
    this.domains.set(name, known);
    return known;
  }
}

function domainOf(recipient: string): string {
  return recipient.slice(recipient.lastIndexOf("@") + 1).toLowerCase();
}

/** Adds to a count, and removes it when it becomes zero. */
function raise<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
