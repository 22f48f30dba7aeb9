// Adds up a window's hours by provider (contract.md §Deliverability). Pure.
import { NO_CLASSIFICATION } from "../../rpc/event-types.ts";
import { type RealProvider, SIMULATOR } from "../providers/provider-of.ts";
import { AcceptanceTimes } from "../stats/acceptance-times.ts";
import { entryOf, type HourCounts } from "../stats/hour-counts.ts";
import { DEFERRED } from "../stats/hour-outcomes.ts";
import { Counts } from "../stats/type-counts.ts";

/** Refusals with the same text in one hour. */
export interface HourRefusal {
  readonly kind: "bounced" | "deferred";
  readonly classification: string | null;
  readonly text: string;
  readonly count: number;
  /** Unix milliseconds. */
  readonly firstAt: number;
  /** The refusals after the hour's last acceptance. Null: no refusal came after it. */
  readonly late: { readonly count: number; readonly firstAt: number } | null;
}

/** One provider's mail in a window. */
export class ProviderWindow {
  readonly counts = new Counts();
  readonly times = new AcceptanceTimes();
  readonly refusals: HourRefusal[] = [];
  /** The provider's last acceptance, Unix milliseconds. -Infinity: it accepted no mail. */
  lastAcceptedAt = Number.NEGATIVE_INFINITY;
  /** Start of the first hour with a complaint, Unix milliseconds. Infinity: no complaint came. */
  firstComplaintAt = Number.POSITIVE_INFINITY;

  /** Returns the window's refusals added up by text, the most frequent first. */
  frequentRefusals(): HourRefusal[] {
    return sumByText(this.refusals);
  }
}

/** All mail of a window except the simulator's. */
export class MailWindow {
  readonly providers = new Map<RealProvider | null, ProviderWindow>();
  /**
   * The oldest version of the provider rules among the counted hours. Infinity: no hour was
   * counted.
   */
  rules = Number.POSITIVE_INFINITY;

  /** Adds the counts of an hour. `at` is the hour's beginning, Unix milliseconds. */
  add(at: number, hour: HourCounts): void {
    const unknown = new Counts();
    unknown.add(hour.all);
    for (const [name, counts] of hour.providers) {
      if (name !== SIMULATOR) this.#count(name, at, counts);
      unknown.add(counts, -1);
    }
    if (unknown.total > 0) this.#count(null, at, unknown);
    this.rules = Math.min(this.rules, hour.rules);
    for (const [name, { times, lastAccepted, refusals }] of hour.outcomes) {
      const own = this.#provider(name);
      own.times.add(times);
      if (lastAccepted >= 0) own.lastAcceptedAt = Math.max(own.lastAcceptedAt, at + lastAccepted);
      for (const { className, text, total, first, late, lateFirst } of refusals)
        own.refusals.push({
          kind: className === DEFERRED ? "deferred" : "bounced",
          classification:
            className === DEFERRED || className === NO_CLASSIFICATION ? null : className,
          text,
          count: total,
          firstAt: at + first,
          late: late > 0 ? { count: late, firstAt: at + lateFirst } : null,
        });
    }
  }

  #count(name: RealProvider | null, at: number, counts: Counts): void {
    const own = this.#provider(name);
    own.counts.add(counts);
    if (counts.of("complained") > 0) own.firstComplaintAt = Math.min(own.firstComplaintAt, at);
  }

  #provider(name: RealProvider | null): ProviderWindow {
    return entryOf(this.providers, name, () => new ProviderWindow());
  }
}

/** Adds up refusals of the same kind, class and text, the most frequent first. */
export function sumByText(refusals: readonly HourRefusal[]): HourRefusal[] {
  const texts = Map.groupBy(refusals, ({ kind, classification, text }) =>
    JSON.stringify([kind, classification, text]),
  );
  const sums = Array.from(texts.values(), (same) => ({
    ...same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
    firstAt: Math.min(...same.map(({ firstAt }) => firstAt)),
  }));
  return sums.toSorted((one, other) => other.count - one.count || one.firstAt - other.firstAt);
}
