// Counts the messages that a destination gets before a given message. The queue contains the
// messages that wait at the gateway, and those that the gateway returned to the worker and expects
// again (outbound/promised-turns.ts). Teams take turns, a team's mail of high priority goes first,
// and mail of the same team and priority goes in the order of first arrival. Pure.
import type { MailPriority } from "../outcome.ts";
import { ByArrival } from "./by-arrival.ts";
import type { WaitingMessage } from "./waiting-lanes.ts";

/** A team's messages by priority, in the order of their arrival. */
type TeamQueues = Readonly<Record<MailPriority, ByArrival<Pick<WaitingMessage, "since">>>>;

export class WaitingLine {
  readonly #teams = new Map<string, TeamQueues>();

  add({ team: name, priority, since }: WaitingMessage): void {
    const team = this.#teams.get(name) ?? { high: new ByArrival(), normal: new ByArrival() };
    team[priority].add({ since });
    this.#teams.set(name, team);
  }

  remove({ team: name, priority, since }: WaitingMessage): void {
    const team = this.#teams.get(name);
    team?.[priority].removeOne(since);
    if (team && lengthOf(team) === 0) this.#teams.delete(name);
  }

  /**
   * Returns the number of messages that arrived from `first` on and before `second`, of the same
   * team and priority.
   */
  between(first: WaitingMessage, second: WaitingMessage): number {
    const line = this.#teams.get(first.team)?.[first.priority];
    return line ? line.countBefore(second.since) - line.countBefore(first.since) : 0;
  }

  /** Returns the number of messages that go before this message, which need not be in the queue. */
  ahead({ team: name, priority, since }: WaitingMessage): number {
    const team = this.#teams.get(name);
    const earlier = team?.[priority].countBefore(since) ?? 0;
    const own = earlier + (priority === "normal" ? (team?.high.length ?? 0) : 0);
    let others = 0;
    for (const [other, lines] of this.#teams)
      if (other !== name) others += Math.min(lengthOf(lines), own + 1);
    return own + others;
  }
}

function lengthOf({ high, normal }: TeamQueues): number {
  return high.length + normal.length;
}
