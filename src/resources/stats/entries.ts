// Makes the entries of a response from the counts of a team's hours (contract.md §Statistics).
// Pure.
import type { Provider } from "../providers/provider-of.ts";
import { entryOf, type HourCounts } from "./hour-counts.ts";
import { COUNTED, Counts, type CountedType } from "./type-counts.ts";
import { INTERVAL_MS, type CountWindow } from "./count-window.ts";
import type { StatsEntry } from "./wire.ts";

/** Maximum number of domains with their own entry in one window. The largest have an entry. */
const DOMAINS_PER_WINDOW = 200;

/**
 * The name of the entry for the sum of all other domains. No domain has this name, because
 * recipients' domains contain a dot.
 */
const OTHER = "other";

interface IntervalCounts {
  readonly all: Counts;
  readonly domains: Map<string, Counts>;
  readonly senders: Map<string, Counts>;
  readonly providers: Map<Provider, Counts>;
}

/** The member of an entry that names the group of the entry's counts. */
type Group = Pick<StatsEntry, DomainGroup | "provider">;

/** The member of an interval's counts that each grouping by domain shows. */
const DOMAINS_OF = { recipient_domain: "domains", sending_domain: "senders" } as const;
export type DomainGroup = keyof typeof DOMAINS_OF;

/** The counts of a window, by the beginning of each interval. */
export class WindowCounts {
  readonly #window: CountWindow;
  readonly #intervals = new Map<number, IntervalCounts>();

  constructor(window: CountWindow) {
    this.#window = window;
    for (let at = window.start; at < window.end; at += INTERVAL_MS[window.interval])
      this.#intervals.set(at, {
        all: new Counts(),
        domains: new Map(),
        senders: new Map(),
        providers: new Map(),
      });
  }

  /** Adds the counts of an hour, unless the hour is outside the window. */
  add(hourAt: number, hour: HourCounts): void {
    const length = INTERVAL_MS[this.#window.interval];
    const interval = this.#intervals.get(Math.floor(hourAt / length) * length);
    if (!interval) return;
    interval.all.add(hour.all);
    for (const [name, counts] of hour.domains) countsOf(interval.domains, name).add(counts);
    for (const [name, counts] of hour.senders) countsOf(interval.senders, name).add(counts);
    for (const [name, counts] of hour.providers) countsOf(interval.providers, name).add(counts);
  }

  /** Returns one entry for each interval in order, even for intervals without events. */
  entries(): StatsEntry[] {
    return Array.from(this.#intervals, ([at, { all }]) => entry(at, all));
  }

  /** Returns the whole window as one entry. */
  total(): StatsEntry {
    const total = new Counts();
    for (const { all } of this.#intervals.values()) total.add(all);
    return entry(this.#window.start, total);
  }

  /**
   * Returns one entry for each interval and domain. Within an interval, the largest domains come
   * first, and the entry for all other domains comes last.
   */
  entriesByDomain(group: DomainGroup): StatsEntry[] {
    const which = DOMAINS_OF[group];
    const named = this.#largestDomains(which);
    return Array.from(this.#intervals, ([at, { all, [which]: domains }]) => {
      const shown = largestFirst(domains).filter(([name]) => named.has(name));
      return withRest(all, shown, OTHER).map(([name, counts]) =>
        entry(at, counts, { [group]: name }),
      );
    }).flat();
  }

  /**
   * Returns one entry for each interval and provider. Within an interval, the largest providers
   * come first, and the entry for unknown providers comes last.
   */
  entriesByProvider(): StatsEntry[] {
    return Array.from(this.#intervals, ([at, { all, providers }]) =>
      withRest<Provider | null>(all, largestFirst(providers), null).map(([name, counts]) =>
        entry(at, counts, { provider: name }),
      ),
    ).flat();
  }

  #largestDomains(which: (typeof DOMAINS_OF)[DomainGroup]): ReadonlySet<string> {
    const totals = new Map<string, Counts>();
    for (const { [which]: domains } of this.#intervals.values())
      for (const [name, counts] of domains) countsOf(totals, name).add(counts);
    return new Set(
      largestFirst(totals)
        .slice(0, DOMAINS_PER_WINDOW)
        .map(([name]) => name),
    );
  }
}

function countsOf<Name extends string>(groups: Map<Name, Counts>, name: Name): Counts {
  return entryOf(groups, name, () => new Counts());
}

/** Adds an entry named `rest` if some counts do not belong to a group. */
function withRest<Name>(
  all: Counts,
  groups: readonly (readonly [Name, Counts])[],
  rest: Name,
): (readonly [Name, Counts])[] {
  const others = new Counts();
  others.add(all);
  for (const [, counts] of groups) others.add(counts, -1);
  return others.total > 0 ? [...groups, [rest, others]] : [...groups];
}

function largestFirst<Name extends string>(groups: ReadonlyMap<Name, Counts>): [Name, Counts][] {
  return Array.from(groups, ([name, counts]) => ({ name, counts, total: counts.total }))
    .toSorted((one, other) => other.total - one.total || (one.name < other.name ? -1 : 1))
    .map(({ name, counts }) => [name, counts]);
}

function entry(at: number, all: Counts, group: Group = {}): StatsEntry {
  const { classes } = all;
  const counts = Object.fromEntries(COUNTED.map((type) => [type, all.of(type)])) as Record<
    CountedType,
    number
  >;
  const bounced = Object.fromEntries([...classes].toSorted(([, one], [, other]) => other - one));
  return {
    start: new Date(at).toISOString(),
    ...group,
    counts,
    bounced,
  };
}
