// Keeps what the deliverability of one provider and hour needs beside the counts (contract.md
// §Deliverability): how soon mail was accepted, when mail was accepted last, and the most frequent
// refusals. Moments are milliseconds of the hour. Pure.
import { HOUR_MS } from "../../limits.ts";
import type { OwnEvent } from "../../contracts/event-records.ts";
import { refusalText } from "../providers/refusal-text.ts";
import { AcceptanceTimes, type StoredTimes } from "./acceptance-times.ts";
import { type Credited, mostFrequent } from "./most-frequent.ts";
import { NO_CLASSIFICATION } from "./type-counts.ts";

/** An event to count. */
export interface TimedEvent extends Pick<OwnEvent, "type" | "bounce" | "exchange" | "occurredAt"> {
  /** The start of its message, Unix milliseconds. */
  readonly startedAt: number;
}

const REFUSALS_PER_HOUR = 5;
/** Stands in the place of the class of a refusal for now. */
export const DEFERRED = "deferred";

interface Refusal extends Credited {
  total: number;
  /** The first moment. */
  first: number;
}

type StoredRefusal = readonly [total: number, first: number, credit?: number];

/** JSON of HourOutcomes. An hour without refusals leaves them out. */
export type StoredOutcomes = readonly [
  times: StoredTimes,
  lastAccepted: number,
  /** The keys are class and text, with a colon between. A credit that equals its total is left out. */
  refusals?: Readonly<Record<string, StoredRefusal>>,
];

/** Returns whether the event tells what became of an attempt. */
export function isOutcome({ type }: Pick<OwnEvent, "type">): boolean {
  return type === "email.delivered" || type === "email.delayed" || type === "email.bounced";
}

export class HourOutcomes {
  readonly times = new AcceptanceTimes();
  /** The moment of the last acceptance; -1: none. */
  lastAccepted = -1;
  readonly #refusals = new Map<string, Refusal>();

  /** The refusals, by class and text. */
  get refusals(): { className: string; text: string; total: number; first: number }[] {
    return Array.from(this.#refusals, ([name, { total, first }]) => {
      const colon = name.indexOf(":");
      return { className: name.slice(0, colon), text: name.slice(colon + 1), total, first };
    });
  }

  count(event: TimedEvent): void {
    const moment = event.occurredAt % HOUR_MS;
    if (event.type === "email.delivered") {
      this.lastAccepted = Math.max(this.lastAccepted, moment);
      this.times.count(event.occurredAt - event.startedAt);
    }
    const refusal = refusalOf(event);
    if (refusal !== null) this.#refuse(refusal, { total: 1, first: moment, credit: 1 });
  }

  add(other: HourOutcomes): void {
    this.times.add(other.times);
    this.lastAccepted = Math.max(this.lastAccepted, other.lastAccepted);
    for (const [name, refusal] of other.#refusals) this.#refuse(name, refusal);
  }

  load([times, lastAccepted, refusals = {}]: StoredOutcomes): void {
    this.times.load(times);
    this.lastAccepted = Math.max(this.lastAccepted, lastAccepted);
    for (const [name, [total, first, credit = total]] of Object.entries(refusals))
      this.#refuse(name, { total, first, credit });
  }

  toJSON(): StoredOutcomes {
    const refusals = mostFrequent(this.#refusals, REFUSALS_PER_HOUR).map(
      ([name, { total, first }, credit]): [string, StoredRefusal] => [
        name,
        credit === total ? [total, first] : [total, first, credit],
      ],
    );
    const beginning = [this.times.toJSON(), this.lastAccepted] as const;
    return refusals.length === 0 ? beginning : [...beginning, Object.fromEntries(refusals)];
  }

  #refuse(name: string, { total, first, credit }: Readonly<Refusal>): void {
    const known = this.#refusals.get(name) ?? { total: 0, first, credit: 0 };
    this.#refusals.set(name, {
      total: known.total + total,
      first: Math.min(known.first, first),
      credit: known.credit + credit,
    });
  }
}

/** Returns the class and text of a refusal; null: no server refused, or its words are unknown. */
function refusalOf({ type, bounce, exchange }: TimedEvent): string | null {
  const [className, reply] =
    type === "email.bounced"
      ? [bounce?.classification ?? NO_CLASSIFICATION, bounce?.smtpResponse]
      : type === "email.delayed"
        ? [DEFERRED, exchange?.response]
        : [null, null];
  return className === null || !reply ? null : `${className}:${refusalText(reply)}`;
}
