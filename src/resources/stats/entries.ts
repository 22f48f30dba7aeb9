// Makes the entries of an answer from a team's hours (contract.md §Statistics). Pure.
import { COUNTED, Counts, type Counted, type HourCounts } from "./hour-counts.ts";
import { INTERVAL_MS, type CountWindow } from "./count-window.ts";
import type { StatsEntry } from "./wire.ts";

/** Number of domains with entries of their own in one window: the largest ones. */
const DOMAINS_PER_WINDOW = 200;

/**
 * The name for all other domains together. A recipient's domain has a dot, so none has this name.
 */
const OTHER = "other";

interface IntervalCounts {
  readonly all: Counts;
  readonly domains: Map<string, Counts>;
}

/** The counts of a window, by the beginning of each interval. */
export class WindowCounts {
  readonly #window: CountWindow;
  readonly #intervals = new Map<number, IntervalCounts>();

  constructor(window: CountWindow) {
    this.#window = window;
    for (let at = window.start; at < window.end; at += INTERVAL_MS[window.interval])
      this.#intervals.set(at, { all: new Counts(), domains: new Map() });
  }

  /** Adds an hour, unless it lies outside of the window. */
  add(hourAt: number, hour: HourCounts): void {
    const length = INTERVAL_MS[this.#window.interval];
    const interval = this.#intervals.get(Math.floor(hourAt / length) * length);
    if (!interval) return;
    interval.all.add(hour.all);
    for (const [name, { counts }] of hour.domains) countsOf(interval.domains, name).add(counts);
  }

  /** Returns an entry for each interval in order, empty ones included. */
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
   * Returns an entry for each interval and each domain in it, in order: the largest domains first,
   * all others together at the end.
   */
  entriesByDomain(): StatsEntry[] {
    const named = this.#largestDomains();
    return Array.from(this.#intervals, ([at, { all, domains }]) => {
      const others = new Counts();
      others.add(all);
      const shown = largestFirst(domains).filter(([name]) => named.has(name));
      for (const [, counts] of shown) others.add(counts, -1);
      const rest: [string, Counts][] = others.total > 0 ? [[OTHER, others]] : [];
      return [...shown, ...rest].map(([name, counts]) => entry(at, counts, name));
    }).flat();
  }

  #largestDomains(): ReadonlySet<string> {
    const totals = new Map<string, Counts>();
    for (const { domains } of this.#intervals.values())
      for (const [name, counts] of domains) countsOf(totals, name).add(counts);
    return new Set(
      largestFirst(totals)
        .slice(0, DOMAINS_PER_WINDOW)
        .map(([name]) => name),
    );
  }
}

function countsOf(domains: Map<string, Counts>, name: string): Counts {
  const known = domains.get(name) ?? new Counts();
  domains.set(name, known);
  return known;
}

function largestFirst(domains: ReadonlyMap<string, Counts>): [string, Counts][] {
  return Array.from(domains, ([name, counts]) => ({ name, counts, total: counts.total }))
    .toSorted((one, other) => other.total - one.total || (one.name < other.name ? -1 : 1))
    .map(({ name, counts }) => [name, counts]);
}

function entry(at: number, { types, classes }: Counts, domain?: string): StatsEntry {
  const counts = Object.fromEntries(COUNTED.map((type) => [type, types.get(type) ?? 0])) as Record<
    Counted,
    number
  >;
  const bounced = Object.fromEntries([...classes].toSorted(([, one], [, other]) => other - one));
  return {
    start: new Date(at).toISOString(),
    ...(domain === undefined ? {} : { recipient_domain: domain }),
    counts,
    bounced,
  };
}
