// A queue of messages in which teams take turns. The items of one team are served by priority, and
// then in order of their first arrival. So if one team floods the queue, another team's next item
// waits for only one item of the flood. Pure.
import { ByArrival } from "../destinations/by-arrival.ts";
import type { WaitingMessage } from "../destinations/waiting-lanes.ts";
import type { MailPriority } from "../outcome.ts";

type TeamQueues<T extends WaitingMessage> = Readonly<Record<MailPriority, ByArrival<T>>>;

export class FairQueue<T extends WaitingMessage> {
  /** Items that were put back, in the order in which they were put back. */
  #returned: T[] = [];
  /** The waiting items of each team, in the order in which the teams are served. */
  readonly #teams = new Map<string, TeamQueues<T>>();
  readonly #preferred: (team: string) => MailPriority;
  #length = 0;

  /** `preferred`: returns the priority that goes first if a team has items of both priorities. */
  constructor(preferred: (team: string) => MailPriority) {
    this.#preferred = preferred;
  }

  get length(): number {
    return this.#length;
  }

  /** The item that shiftUnserved() would serve next. */
  get next(): T | undefined {
    for (const [team, lines] of this.#teams) return lines[this.#priorityOf(team, lines)].first;
    return undefined;
  }

  push(item: T): void {
    this.#length++;
    const { team, priority } = item;
    const lines = this.#teams.get(team) ?? { high: new ByArrival(), normal: new ByArrival() };
    lines[priority].add(item);
    this.#teams.set(team, lines);
  }

  /**
   * Puts back an item that was already served. shift() serves this item before all other items, and
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
    if (this.#teams.size === 0) return undefined;
    this.#length--;
    const [team, lines] = this.#teams.entries().next().value!;
    const item = lines[this.#priorityOf(team, lines)].shift();
    this.#teams.delete(team);
    if (lines.high.length + lines.normal.length > 0) this.#teams.set(team, lines);
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
    for (const [team, { high, normal }] of this.#teams) {
      for (const line of [high, normal])
        for (const item of line.remove(matches)) removed.push(item);
      if (high.length + normal.length === 0) this.#teams.delete(team);
    }
    this.#length -= removed.length;
    return removed;
  }

  #priorityOf(team: string, { high, normal }: TeamQueues<T>): MailPriority {
    if (high.length === 0 || normal.length === 0) return high.length > 0 ? "high" : "normal";
    return this.#preferred(team);
  }
}
