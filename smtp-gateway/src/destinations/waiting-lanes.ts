// Decides which of a destination's lanes gets the next connection: its teams take turns, and each
// team's lanes too. So a team that waits at ten thousand domains of a hoster delays another team
// there by one connection. A team's mail of high priority comes before its other mail, of which one
// message in ten still goes first. Pure.
import type { MailPriority } from "../outcome.ts";

/** One team's message, as far as its turn depends on it. */
export interface Turn {
  readonly party: string;
  readonly priority: MailPriority;
}

interface NextLane<Lane> extends Turn {
  readonly lane: Lane;
}

/** Number of waiting messages by lane; the lane that is next comes first. */
type Lanes<Lane> = Map<Lane, number>;

interface Party<Lane> {
  readonly high: Lanes<Lane>;
  readonly normal: Lanes<Lane>;
  /** Messages of high priority that went before normal ones since the last of those. */
  highInRow: number;
  /** A connection was ended for the normal message that is due. */
  hasYielded: boolean;
}

/** One message of so many is of normal priority while messages of both priorities wait. */
const ONE_IN = 10;
const HIGH_FIRST = ["high", "normal"] as const;
const NORMAL_FIRST = ["normal", "high"] as const;

export class WaitingLanes<Lane> {
  /** Teams with waiting messages; the team that is next comes first. */
  readonly #parties = new Map<string, Party<Lane>>();

  add({ party: name, priority }: Turn, lane: Lane): void {
    const fresh = { high: new Map(), normal: new Map(), highInRow: 0, hasYielded: false };
    const party = this.#parties.get(name) ?? fresh;
    const lanes: Lanes<Lane> = party[priority];
    lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
    this.#parties.set(name, party);
  }

  remove({ party: name, priority }: Turn, lane: Lane): void {
    const party = this.#parties.get(name);
    if (!party) return;
    const left = (party[priority].get(lane) ?? 1) - 1;
    if (left > 0) party[priority].set(lane, left);
    else party[priority].delete(lane);
    if (party.normal.size === 0) endRow(party);
    if (party.normal.size + party.high.size === 0) this.#parties.delete(name);
  }

  /** Returns the priority that the team's next message has, if messages of both wait. */
  preferred(name: string): MailPriority {
    return preferredOf(this.#parties.get(name));
  }

  /** A message begins. */
  begin({ party: name, priority }: Turn): void {
    const party = this.#parties.get(name);
    if (!party) return;
    if (priority === "normal") endRow(party);
    else if (party.normal.size > 0) party.highInRow += 1;
  }

  /**
   * Returns the first lane in turn that wants a connection, of the team with the least under way
   * among those that wait.
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
   * Tells whether the team's message that a connection would carry next has to wait for one of the
   * other priority in a lane that wants a connection. Only one connection is ended for a message of
   * normal priority that is due.
   */
  yields({ party: name, priority }: Turn, wants: (lane: Lane) => boolean): boolean {
    const party = this.#parties.get(name);
    if (!party || priority === preferredOf(party)) return false;
    const other = nextOf(name, party, wants)?.priority;
    if (other === undefined || other === priority) return false;
    if (other === "high") return true;
    const isFirst = !party.hasYielded;
    party.hasYielded = true;
    return isFirst;
  }

  /** The lane gets a connection: it and its team are last in turn from now on. */
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
