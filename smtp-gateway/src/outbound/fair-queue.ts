// A queue of messages in which the parties (teams) take turns. The items of one party are served by
// priority, and then in order of arrival. So if one party floods the queue, another party's next
// item waits for only one item of the flood. Pure.
import type { QueuedMessage } from "../destinations/waiting-lanes.ts";
import type { MailPriority } from "../outcome.ts";

/**
 * Maximum of served items that an array still stores. They are removed together, because each
 * removal copies the array.
 */
const TAKEN_AT_MOST = 1_000;

type Party<T> = Readonly<Record<MailPriority, Line<T>>>;

export class FairQueue<T> {
  /** Items that were put back, in the order in which they were put back. */
  #returned: T[] = [];
  /** The waiting items of each party (team). The party that is served next comes first. */
  readonly #parties = new Map<string, Party<T>>();
  readonly #preferred: (party: string) => MailPriority;
  #length = 0;

  /** `preferred`: returns the priority that goes first if a party has items of both priorities. */
  constructor(preferred: (party: string) => MailPriority) {
    this.#preferred = preferred;
  }

  get length(): number {
    return this.#length;
  }

  /** The party and priority of the item that shiftUnserved() would serve. */
  get next(): QueuedMessage | undefined {
    for (const [party, lines] of this.#parties)
      return { party, priority: this.#priorityOf(party, lines) };
    return undefined;
  }

  push({ party, priority }: QueuedMessage, item: T): void {
    this.#length++;
    const lines = this.#parties.get(party) ?? { high: new Line<T>(), normal: new Line<T>() };
    lines[priority].push(item);
    this.#parties.set(party, lines);
  }

  /**
   * Puts back an item that was already served. shift() serves it before all other items, and
   * shiftUnserved() never serves it.
   */
  putBack(item: T): void {
    this.#length++;
    this.#returned.push(item);
  }

  shift(): T | undefined {
    const returned = this.#returned.shift();
    if (returned === undefined) return this.shiftUnserved();
    this.#length--;
    return returned;
  }

  /** Serves the next item that was not served before. Ignores items that were put back. */
  shiftUnserved(): T | undefined {
    if (this.#parties.size === 0) return undefined;
    this.#length--;
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
    this.#length -= removed.length;
    return removed;
  }

  #priorityOf(party: string, { high, normal }: Party<T>): MailPriority {
    if (high.length === 0 || normal.length === 0) return high.length > 0 ? "high" : "normal";
    return this.#preferred(party);
  }
}

/** Items of one party and priority, in order of arrival. */
class Line<T> {
  #items: T[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#taken++];
    if (this.#taken > TAKEN_AT_MOST || this.length === 0) this.#drop();
    return item;
  }

  remove(matches: (item: T) => boolean): T[] {
    this.#drop();
    const [removed, kept]: [T[], T[]] = [[], []];
    for (const item of this.#items) (matches(item) ? removed : kept).push(item);
    this.#items = kept;
    return removed;
  }

  #drop(): void {
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
  }
}
