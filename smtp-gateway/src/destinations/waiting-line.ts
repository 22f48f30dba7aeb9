// Counts the messages that a destination gets before a given message. The queue contains the
// messages that wait at the gateway, and those that the gateway returned to the worker and expects
// again (outbound/promised-turns.ts). Teams take turns, a team's mail of high priority goes first,
// and mail of the same team and priority goes in the order of first arrival. Pure.
import type { MailPriority } from "../outcome.ts";
import { ByArrival } from "./by-arrival.ts";
import type { WaitingMessage } from "./waiting-lanes.ts";

/** A team's messages by priority, in the order of their arrival. */
type Party = Readonly<Record<MailPriority, ByArrival<Pick<WaitingMessage, "since">>>>;

export class WaitingLine {
  readonly #parties = new Map<string, Party>();

  add({ party: name, priority, since }: WaitingMessage): void {
    const party = this.#parties.get(name) ?? { high: new ByArrival(), normal: new ByArrival() };
    party[priority].add({ since });
    this.#parties.set(name, party);
  }

  remove({ party: name, priority, since }: WaitingMessage): void {
    const party = this.#parties.get(name);
    party?.[priority].removeOne(since);
    if (party && lengthOf(party) === 0) this.#parties.delete(name);
  }

  /**
   * Returns the number of messages that arrived from `first` on and before `second`, of the same
   * team and priority.
   */
  between(first: WaitingMessage, second: WaitingMessage): number {
    const line = this.#parties.get(first.party)?.[first.priority];
    return line ? line.countBefore(second.since) - line.countBefore(first.since) : 0;
  }

  /** Returns the number of messages that go before this message, which need not be in the queue. */
  ahead({ party: name, priority, since }: WaitingMessage): number {
    const party = this.#parties.get(name);
    const earlier = party?.[priority].countBefore(since) ?? 0;
    const own = earlier + (priority === "normal" ? (party?.high.length ?? 0) : 0);
    let others = 0;
    for (const [other, lines] of this.#parties)
      if (other !== name) others += Math.min(lengthOf(lines), own + 1);
    return own + others;
  }
}

function lengthOf({ high, normal }: Party): number {
  return high.length + normal.length;
}
