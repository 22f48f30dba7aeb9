// A queue of messages in which the parties (teams) take turns. The items of one party are served by
// priority, and then in order of their first arrival. So if one party floods the queue, another
// party's next item waits for only one item of the flood. Pure.
import { ByArrival } from "../destinations/by-arrival.ts";
import type { WaitingMessage } from "../destinations/waiting-lanes.ts";
import type { MailPriority } from "../outcome.ts";

type Party<T extends WaitingMessage> = Readonly<Record<MailPriority, ByArrival<T>>>;

export class FairQueue<T extends WaitingMessage> {
  /** Items that were put back, in the order in which they were put back. */
  #returned: T[] = [];
  /** The waiting items of each party (team), in the order in which the parties are served. */
  readonly #parties = new Map<string, Party<T>>();
  readonly #preferred: (party: string) => MailPriority;
  length = 0;

  /** `preferred`: returns the priority that goes first if a party has items of both priorities. */
  constructor(preferred: (party: string) => MailPriority) {
    this.#preferred = preferred;
  }

  /** The item that shiftUnserved() would serve next. */
  get next(): T | undefined {
    for (const [party, lines] of this.#parties) return lines[this.#priorityOf(party, lines)].first;
    return undefined;
  }

  push(item: T): void {
    this.length++;
    const { party, priority } = item;
    const lines = this.#parties.get(party) ?? { high: new ByArrival(), normal: new ByArrival() };
    lines[priority].add(item);
    this.#parties.set(party, lines);
  }

  /**
   * Puts back an item that was already served. shift() serves this item before all other items, and
   * shiftUnserved() never serves it.
   */
  putBack(item: T): void {
    this.length++;
    this.#returned.push(item);
  }

  shift(): T | undefined {
    const returned = this.#returned.shift();
    if (returned === undefined) return this.shiftUnserved();
    this.length--;
    return returned;
  }

  /** Serves the next item that was not served before. Ignores items that were put back. */
  shiftUnserved(): T | undefined {
    if (this.#parties.size === 0) return undefined;
    this.length--;
    const [party, lines] = this.#parties.entries().next().value!;
    const item = lines[this.#priorityOf(party, lines)].shift();
    this.#parties.delete(party);
    if (lines.high.length + lines.normal.length > 0) this.#parties.set(party, lines);
    return item;
  }

  /** Removes and returns the items that match, in no particular order. */
  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = [];
    this.#returned = this.#returned.filter((item) => {
      const stays = !matches(item);
      if (!stays) removed.push(item);
      return stays;
    });
    for (const [party, { high, normal }] of this.#parties) {
      for (const line of [high, normal])
        for (const item of line.remove(matches)) removed.push(item);
      if (high.length + normal.length === 0) this.#parties.delete(party);
    }
    this.length -= removed.length;
    return removed;
  }

  #priorityOf(party: string, { high, normal }: Party<T>): MailPriority {
    if (high.length === 0 || normal.length === 0) return high.length > 0 ? "high" : "normal";
    return this.#preferred(party);
  }
}
