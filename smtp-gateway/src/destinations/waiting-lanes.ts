// Decides which of a destination's lanes gets the next connection. A lane holds the messages for
// one mail server. Teams take turns, and so do the lanes of one team. Therefore a team with mail
// for ten thousand domains of one hosting company delays another team's mail there by only one
// connection. A team's mail of high priority goes first, but every tenth message is one of normal
// priority. Pure.
import type { MailPriority } from "../outcome.ts";

/** The members of a message that decide when it is sent. */
export interface QueuedMessage {
  readonly party: string;
  readonly priority: MailPriority;
}

interface NextLane<Lane> extends QueuedMessage {
  readonly lane: Lane;
}

/** Number of waiting messages by lane. The lane that gets the next connection comes first. */
type Lanes<Lane> = Map<Lane, number>;

interface Party<Lane> {
  readonly high: Lanes<Lane>;
  readonly normal: Lanes<Lane>;
  /** Number of messages of high priority that began since the last one of normal priority. */
  highInRow: number;
  /**
   * True: a connection was closed to make room for the next message of normal priority, so no other
   * connection is closed for it.
   */
  hasYielded: boolean;
}

/** If messages of both priorities wait, every tenth message is one of normal priority. */
const ONE_IN = 10;
const HIGH_FIRST = ["high", "normal"] as const;
const NORMAL_FIRST = ["normal", "high"] as const;

export class WaitingLanes<Lane> {
  /** Teams with waiting messages. The team that gets the next connection comes first. */
  readonly #parties = new Map<string, Party<Lane>>();

  add({ party: name, priority }: QueuedMessage, lane: Lane): void {
    const fresh = { high: new Map(), normal: new Map(), highInRow: 0, hasYielded: false };
    const party = this.#parties.get(name) ?? fresh;
    const lanes: Lanes<Lane> = party[priority];
    lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
    this.#parties.set(name, party);
  }

  remove({ party: name, priority }: QueuedMessage, lane: Lane): void {
    const party = this.#parties.get(name);
    if (!party) return;
    const left = (party[priority].get(lane) ?? 1) - 1;
    if (left > 0) party[priority].set(lane, left);
    else party[priority].delete(lane);
    if (party.normal.size === 0) endRow(party);
    if (party.normal.size + party.high.size === 0) this.#parties.delete(name);
  }

  /** Returns the priority that goes first if the team has waiting messages of both priorities. */
  preferred(name: string): MailPriority {
    return preferredOf(this.#parties.get(name));
  }

  /** Notes that a message is being sent. */
  begin({ party: name, priority }: QueuedMessage): void {
    const party = this.#parties.get(name);
    if (!party) return;
    if (priority === "normal") endRow(party);
    else if (party.normal.size > 0) party.highInRow += 1;
  }

  /**
   * Returns the lane that gets the next connection, among the lanes that `wants` accepts. The team
   * with the fewest messages under way goes first.
   */
  next(wants: (lane: Lane) => boolean, busyOf: (party: string) => number): NextLane<Lane> | null {
    let next: NextLane<Lane> | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const [name, party] of this.#parties) {
      const busy = busyOf(name);
      if (busy >= least) continue;
      const found = nextOf(name, party, wants);
      if (!found) continue;
      [next, least] = [found, busy];
      if (least === 0) break;
    }
    return next;
  }

  /**
   * Tells whether a free connection must be closed instead of carrying this message. It must if a
   * message of the other priority is due and waits in another lane. A due message of normal
   * priority causes only one connection to close.
   */
  yields({ party: name, priority }: QueuedMessage, wants: (lane: Lane) => boolean): boolean {
    const party = this.#parties.get(name);
    if (!party || priority === preferredOf(party)) return false;
    const other = nextOf(name, party, wants)?.priority;
    if (other === undefined || other === priority) return false;
    if (other === "high") return true;
    const isFirst = !party.hasYielded;
    party.hasYielded = true;
    return isFirst;
  }

  /** Notes that the lane gets a connection. Moves the lane and its team to the queue's end. */
  passTurn({ party: name, priority, lane }: NextLane<Lane>): void {
    const party = this.#parties.get(name)!;
    const waiting = party[priority].get(lane)!;
    party[priority].delete(lane);
    party[priority].set(lane, waiting);
    this.#parties.delete(name);
    this.#parties.set(name, party);
  }
}

function preferredOf(party: Party<unknown> | undefined): MailPriority {
  return (party?.highInRow ?? 0) < ONE_IN - 1 ? "high" : "normal";
}

function endRow(party: Party<unknown>): void {
  party.highInRow = 0;
  party.hasYielded = false;
}

function nextOf<Lane>(
  name: string,
  party: Party<Lane>,
  wants: (lane: Lane) => boolean,
): NextLane<Lane> | null {
  const order = preferredOf(party) === "high" ? HIGH_FIRST : NORMAL_FIRST;
  for (const priority of order)
    for (const lane of party[priority].keys())
      if (wants(lane)) return { party: name, priority, lane };
  return null;
}
