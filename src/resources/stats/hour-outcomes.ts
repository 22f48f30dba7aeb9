// The facts about one provider and hour that deliverability needs in addition to the counts
// (contract.md §Deliverability): the times until acceptance, the last acceptance, and the most
// frequent refusals. Moments are milliseconds since the hour's beginning. Pure.
import { HOUR_MS } from "../../limits.ts";
import type { OwnEvent } from "../../rpc/event-records.ts";
import { NO_CLASSIFICATION } from "../../rpc/event-types.ts";
import { eventRefusal } from "../providers/refusal-text.ts";
import { AcceptanceTimes, type StoredTimes } from "./acceptance-times.ts";
import { type CreditedName, mostFrequent } from "./most-frequent.ts";

export interface TimedEvent extends Pick<OwnEvent, "type" | "bounce" | "exchange" | "occurredAt"> {
  /** The time for which the message was scheduled, or else its acceptance. Unix milliseconds. */
  readonly startedAt: number;
}

const REFUSALS_PER_HOUR = 5;
/** The class of a temporary refusal, in place of a bounce class. */
export const DEFERRED = "deferred";

interface Refusal extends CreditedName {
  readonly total: number;
  /** The moment of the first refusal. */
  readonly first: number;
  /**
   * The number of late refusals, and the moment of the first late refusal. A refusal is late if no
   * acceptance came after it.
   */
  readonly late: number;
  readonly lateFirst: number;
}

/**
 * The stored form of a refusal. Members at the end are absent if they have their default value. The
 * default of `credit` and `late` is `total`, and the default of `lateFirst` is `first`.
 */
type StoredRefusal = readonly [
  total: number,
  first: number,
  credit?: number,
  late?: number,
  lateFirst?: number,
];

/** The stored form of HourOutcomes. `refusals` is absent for an hour without refusals. */
export type StoredOutcomes = readonly [
  times: StoredTimes,
  lastAccepted: number,
  /** Each key is a refusal's class and text, separated by a colon. */
  refusals?: Readonly<Record<string, StoredRefusal>>,
];

/** Returns whether the event is the outcome of an attempt. */
export function isOutcome({ type }: Pick<OwnEvent, "type">): boolean {
  return type === "email.delivered" || type === "email.delayed" || type === "email.bounced";
}

export class HourOutcomes {
  readonly times = new AcceptanceTimes();
  /** The moment of the last acceptance. -1: no mail was accepted. */
  lastAccepted = -1;
  readonly #refusals = new Map<string, Refusal>();

  get refusals(): (Omit<Refusal, "credit"> & { className: string; text: string })[] {
    return Array.from(this.#refusals, ([name, { total, first, late, lateFirst }]) => {
      const [colon, numbers] = [name.indexOf(":"), { total, first, late, lateFirst }];
      return { className: name.slice(0, colon), text: name.slice(colon + 1), ...numbers };
    });
  }

  count(event: TimedEvent): void {
    const moment = event.occurredAt % HOUR_MS;
    if (event.type === "email.delivered") {
      this.#accept(moment);
      this.times.count(event.occurredAt - event.startedAt);
    }
    const refusal = refusalOf(event);
    const one = { total: 1, first: moment, credit: 1, late: 1, lateFirst: moment };
    if (refusal !== null) this.#refuse(refusal, one);
  }

  add(other: HourOutcomes): void {
    this.times.add(other.times);
    this.#accept(other.lastAccepted);
    for (const [name, refusal] of other.#refusals) this.#refuse(name, refusal);
  }

  load([times, lastAccepted, refusals = {}]: StoredOutcomes): void {
    this.times.load(times);
    this.#accept(lastAccepted);
    for (const [name, stored] of Object.entries(refusals)) {
      const [total, first, credit = total, late = total, lateFirst = first] = stored;
      this.#refuse(name, { total, first, credit, late, lateFirst });
    }
  }

  toJSON(): StoredOutcomes {
    const refusals = mostFrequent(this.#refusals, REFUSALS_PER_HOUR).map(
      ([name, { total, first, late, lateFirst }, credit]): [string, StoredRefusal] => [
        name,
        late < total
          ? [total, first, credit, late, lateFirst]
          : credit === total
            ? [total, first]
            : [total, first, credit],
      ],
    );
    const beginning = [this.times.toJSON(), this.lastAccepted] as const;
    return refusals.length === 0 ? beginning : [...beginning, Object.fromEntries(refusals)];
  }

  /** Records an acceptance. Updates the number of late refusals of each text. */
  #accept(moment: number): void {
    this.lastAccepted = Math.max(this.lastAccepted, moment);
    for (const [name, refusal] of this.#refusals)
      this.#refusals.set(name, lateAfter(this.lastAccepted, refusal));
  }

  #refuse(name: string, refusal: Refusal): void {
    const known = this.#refusals.get(name);
    const more = lateAfter(this.lastAccepted, refusal);
    this.#refusals.set(name, known ? sumOf(known, more) : more);
  }
}

/**
 * Updates the late refusals of one text. If the first of them came before the last acceptance, none
 * of them is late any more.
 */
function lateAfter(lastAccepted: number, refusal: Refusal): Refusal {
  return refusal.lateFirst > lastAccepted ? refusal : { ...refusal, late: 0, lateFirst: -1 };
}

function sumOf(one: Refusal, other: Refusal): Refusal {
  const late = [one, other].filter((some) => some.late > 0);
  return {
    total: one.total + other.total,
    first: Math.min(one.first, other.first),
    credit: one.credit + other.credit,
    late: one.late + other.late,
    lateFirst: late.length === 0 ? -1 : Math.min(...late.map(({ lateFirst }) => lateFirst)),
  };
}

/** Returns the class and text of a refusal. Returns null if the event has no server's refusal. */
function refusalOf(event: TimedEvent): string | null {
  const text = eventRefusal(event);
  if (text === null) return null;
  const { type, bounce } = event;
  const isForNow = type === "email.delayed";
  return `${isForNow ? DEFERRED : (bounce?.classification ?? NO_CLASSIFICATION)}:${text}`;
}
