// Counts a team's events of one hour: by type, by bounce classification, by recipient domain, by
// provider and by sending domain (contract.md §Statistics). An hour has counts for at most 64
// recipient domains and 64 sending domains. The counts of all other domains and of unknown
// providers are the differences from the total, so sums are exact. Pure.
import { addressDomain } from "../../lib/address.ts";
import { SIMULATOR, type Provider, type RealProvider } from "../providers/provider-of.ts";
import { RULES_VERSION } from "../providers/provider-rules.ts";
import { HourOutcomes, isOutcome, type StoredOutcomes, type TimedEvent } from "./hour-outcomes.ts";
import { type CreditedName, mostFrequent } from "./most-frequent.ts";
import { Counts, type StoredCounts } from "./type-counts.ts";

export interface CountedEvent extends TimedEvent {
  readonly recipient: string;
  /** The sending domain. */
  readonly sender: string;
  readonly provider: Provider | null;
}

const DOMAINS_PER_HOUR = 64;
/** The stored name of unknown providers, which are null in memory. */
const NO_PROVIDER = "";

type StoredDomain = StoredCounts | { readonly counts: StoredCounts; readonly credit: number };

/**
 * The stored form of HourCounts. `credit` is the domain's counter in the summary of the most
 * frequent domains (most-frequent.ts). It is absent if it equals the domain's total.
 */
export type StoredHour = readonly [
  all: StoredCounts,
  domains: Readonly<Record<string, StoredDomain>>,
  /**
   * The oldest version of the provider rules among the counted events. Null: no event was counted.
   */
  rules: number | null,
  /** Counts and outcomes by provider. The name "" (unknown providers) has only outcomes. */
  providers: Readonly<Record<string, readonly [StoredCounts, StoredOutcomes?]>>,
  /** Counts by sending domain. */
  senders: Readonly<Record<string, StoredDomain>>,
];

class DomainCounts extends Counts implements CreditedName {
  credit = 0;
}

/** The counts of one team and hour. */
export class HourCounts {
  readonly all = new Counts();
  readonly domains = new Map<string, DomainCounts>();
  /** Counts by sending domain. They include the simulator's mail. */
  readonly senders = new Map<string, DomainCounts>();
  readonly providers = new Map<Provider, Counts>();
  /** The attempts' outcomes by provider, without the simulator's mail. Null: unknown providers. */
  readonly outcomes = new Map<RealProvider | null, HourOutcomes>();
  /**
   * The oldest version of the provider rules among the counted events. Infinity: no event was
   * counted.
   */
  rules = Number.POSITIVE_INFINITY;

  static parse(text: string): HourCounts {
    return HourCounts.from(JSON.parse(text) as StoredHour);
  }

  static from([all, domains, rules, providers, senders]: StoredHour): HourCounts {
    const hour = new HourCounts();
    hour.all.load(all);
    hour.rules = rules ?? hour.rules;
    loadDomains(hour.domains, domains);
    loadDomains(hour.senders, senders);
    for (const [stored, [counts, outcomes]] of Object.entries(providers)) {
      const name = stored === NO_PROVIDER ? null : (stored as Provider);
      if (name !== null) hour.#provider(name).load(counts);
      if (outcomes && name !== SIMULATOR) hour.#outcomes(name).load(outcomes);
    }
    return hour;
  }

  add(other: HourCounts): void {
    this.all.add(other.all);
    this.rules = Math.min(this.rules, other.rules);
    addDomains(this.domains, other.domains);
    addDomains(this.senders, other.senders);
    for (const [name, counts] of other.providers) this.#provider(name).add(counts);
    for (const [name, outcomes] of other.outcomes) this.#outcomes(name).add(outcomes);
  }

  count(event: CountedEvent): void {
    const { provider, recipient, sender } = event;
    this.all.count(event);
    this.rules = Math.min(this.rules, RULES_VERSION);
    countDomain(this.domains, addressDomain(recipient), event);
    countDomain(this.senders, sender, event);
    if (provider !== null) this.#provider(provider).count(event);
    if (provider !== SIMULATOR && isOutcome(event)) this.#outcomes(provider).count(event);
  }

  /** Removes the counts of the simulator's mail. `simulated` is the domain of its addresses. */
  dropSimulator(simulated: string): void {
    const counts = this.providers.get(SIMULATOR);
    if (counts) this.all.add(counts, -1);
    this.providers.delete(SIMULATOR);
    this.domains.delete(simulated);
  }

  /** Returns the stored form, with at most DOMAINS_PER_HOUR domains. */
  toText(): string {
    const names = new Set<Provider | null>([...this.providers.keys(), ...this.outcomes.keys()]);
    const providers = Array.from(names, (name) => {
      const counts = name === null ? [] : (this.providers.get(name) ?? []);
      const outcomes = name === SIMULATOR ? undefined : this.outcomes.get(name);
      return [name ?? NO_PROVIDER, outcomes ? [counts, outcomes] : [counts]];
    });
    return JSON.stringify([
      this.all,
      storedDomains(this.domains),
      Number.isFinite(this.rules) ? this.rules : null,
      Object.fromEntries(providers) as unknown,
      storedDomains(this.senders),
    ]);
  }

  #provider(name: Provider): Counts {
    return entryOf(this.providers, name, () => new Counts());
  }

  #outcomes(name: RealProvider | null): HourOutcomes {
    return entryOf(this.outcomes, name, () => new HourOutcomes());
  }
}

type Domains = Map<string, DomainCounts>;

function domainIn(domains: Domains, name: string): DomainCounts {
  return entryOf(domains, name, () => new DomainCounts());
}

function countDomain(domains: Domains, name: string, event: CountedEvent): void {
  const domain = domainIn(domains, name);
  domain.count(event);
  domain.credit += 1;
}

function addDomains(domains: Domains, others: Domains): void {
  for (const [name, counts] of others) {
    const own = domainIn(domains, name);
    own.add(counts);
    own.credit += counts.credit;
  }
}

function loadDomains(domains: Domains, stored: Readonly<Record<string, StoredDomain>>): void {
  for (const [name, one] of Object.entries(stored)) {
    const own = domainIn(domains, name);
    own.load("counts" in one ? one.counts : one);
    own.credit += "counts" in one ? one.credit : own.total;
  }
}

function storedDomains(domains: Domains): unknown {
  const named = mostFrequent(domains, DOMAINS_PER_HOUR).map(([name, counts, credit]) => [
    name,
    credit === counts.total ? counts : { counts, credit },
  ]);
  return Object.fromEntries(named);
}

/** Returns the entry of a name. Makes the entry if it is missing. */
export function entryOf<Name, Entry>(
  entries: Map<Name, Entry>,
  name: Name,
  make: () => Entry,
): Entry {
  const known = entries.get(name) ?? make();
  entries.set(name, known);
  return known;
}
