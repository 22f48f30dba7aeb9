// Decides which of a destination's lanes gets the next connection. A lane has the messages for one
// mail server. Teams take turns, so a team with mail for ten thousand domains of one hosting
// company delays another team's mail there by only one connection. Within a team and priority, the
// lane with the message that arrived first goes first. A team's mail of high priority goes first,
// but every tenth message has normal priority. Pure.
import type { MailPriority } from "../outcome.ts";
import { ByArrival } from "./by-arrival.ts";

/** The members of a message that decide when it is sent. */
export interface QueuedMessage {
  readonly team: string;
  readonly priority: MailPriority;
}

/** A message that waits for a connection. */
export interface WaitingMessage extends QueuedMessage {
  /**
   * Time of the message's first arrival at a gateway, in milliseconds of the process's clock. A
   * message that the gateway returned to the worker keeps this time when it comes again.
   */
  readonly since: number;
}

/** A lane with its earliest message of a team and priority. */
interface NextLane<Lane> extends WaitingMessage {
  readonly lane: Lane;
}

interface TeamQueues<Lane> {
  readonly high: LanesByArrival<Lane>;
  readonly normal: LanesByArrival<Lane>;
  /**
   * Number of messages of high priority that have begun since the last message of normal priority.
   */
  highInRow: number;
  /**
   * True: a connection was already closed for the next message of normal priority, so no further
   * connection is closed for it.
   */
  hasYielded: boolean;
}

/** If messages of both priorities wait, one in this many messages has normal priority. */
const ONE_IN = 10;
const HIGH_FIRST = ["high", "normal"] as const;
const NORMAL_FIRST = ["normal", "high"] as const;

export class WaitingLanes<Lane> {
  /** Teams with waiting messages, in the order in which they get connections. */
  readonly #teams = new Map<string, TeamQueues<Lane>>();

  add({ team: name, priority, since }: WaitingMessage, lane: Lane): void {
    const team = this.#teams.get(name) ?? {
      high: new LanesByArrival<Lane>(),
      normal: new LanesByArrival<Lane>(),
      highInRow: 0,
      hasYielded: false,
    };
    team[priority].add(lane, since);
    this.#teams.set(name, team);
  }

  remove({ team: name, priority, since }: WaitingMessage, lane: Lane): void {
    const team = this.#teams.get(name);
    if (!team) return;
    team[priority].remove(lane, since);
    if (team.normal.size === 0) endRow(team);
    if (team.normal.size + team.high.size === 0) this.#teams.delete(name);
  }

  /**
   * Returns the priority whose messages go first if messages of both priorities wait for the team.
   */
  preferred(name: string): MailPriority {
    return preferredOf(this.#teams.get(name));
  }

  /** Records that a message is being sent. */
  begin({ team: name, priority }: QueuedMessage): void {
    const team = this.#teams.get(name);
    if (!team) return;
    if (priority === "normal") endRow(team);
    else if (team.normal.size > 0) team.highInRow += 1;
  }

  /**
   * Returns the lane that gets the next connection, among the lanes that `wants` accepts. The team
   * with the fewest messages that are being sent goes first.
   */
  next(wants: (lane: Lane) => boolean, busyOf: (team: string) => number): NextLane<Lane> | null {
    let next: NextLane<Lane> | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [name, team] of this.#teams) {
      const busy = busyOf(name);
      if (busy >= least) continue;
      const found = nextOf(name, team, wants);
      if (!found) continue;
      [next, least] = [found, busy];
      if (least === 0) break;
    }
    return next;
  }

  /**
   * Tells whether a free connection must be closed although this message could use it. It must if
   * the team's next message has the other priority and waits in another lane. A message of normal
   * priority closes only one connection in this way.
   */
  yields({ team: name, priority }: QueuedMessage, wants: (lane: Lane) => boolean): boolean {
    const team = this.#teams.get(name);
    if (!team || priority === preferredOf(team)) return false;
    const other = nextOf(name, team, wants)?.priority;
    if (other === undefined || other === priority) return false;
    if (other === "high") return true;
    const isFirst = !team.hasYielded;
    team.hasYielded = true;
    return isFirst;
  }

  /** Records that a lane of the team gets a connection. Moves the team to the queue's end. */
  passTurn({ team: name }: QueuedMessage): void {
    const team = this.#teams.get(name)!;
    this.#teams.delete(name);
    this.#teams.set(name, team);
  }
}

function preferredOf(team: TeamQueues<unknown> | undefined): MailPriority {
  return (team?.highInRow ?? 0) < ONE_IN - 1 ? "high" : "normal";
}

function endRow(team: TeamQueues<unknown>): void {
  team.highInRow = 0;
  team.hasYielded = false;
}

function nextOf<Lane>(
  name: string,
  team: TeamQueues<Lane>,
  wants: (lane: Lane) => boolean,
): NextLane<Lane> | null {
  const order = preferredOf(team) === "high" ? HIGH_FIRST : NORMAL_FIRST;
  for (const priority of order)
    for (const { lane, since } of team[priority].lanes())
      if (wants(lane)) return { team: name, priority, since, lane };
  return null;
}

/** The arrival times of a lane's messages. */
type ArrivalTimes = ByArrival<Pick<WaitingMessage, "since">>;

/** The lanes of one team and priority, in the order of each lane's earliest message. */
class LanesByArrival<Lane> {
  readonly #times = new Map<Lane, ArrivalTimes>();
  readonly #ordered = new ByArrival<Pick<NextLane<Lane>, "lane" | "since">>();

  get size(): number {
    return this.#times.size;
  }

  /** Returns each lane with the arrival time of its earliest message. */
  lanes(): Iterable<Pick<NextLane<Lane>, "lane" | "since">> {
    return this.#ordered.values();
  }

  add(lane: Lane, since: number): void {
    const times = this.#times.get(lane) ?? new ByArrival();
    this.#times.set(lane, times);
    this.#change(lane, times, () => times.add({ since }));
  }

  remove(lane: Lane, since: number): void {
    const times = this.#times.get(lane);
    if (!times) return;
    this.#change(lane, times, () => times.removeOne(since));
    if (times.length === 0) this.#times.delete(lane);
  }

  /** Changes the times of a lane, and moves the lane if it then has another earliest message. */
  #change(lane: Lane, times: ArrivalTimes, change: () => void): void {
    const before = times.first?.since;
    change();
    const after = times.first?.since;
    if (before === after) return;
    if (before !== undefined) this.#ordered.removeOne(before, (one) => one.lane === lane);
    if (after !== undefined) this.#ordered.add({ since: after, lane });
  }
}
