// The lanes of one IP pool to the mail servers of one provider or address block
// (docs/egress-protocol.md §Destinations): how many connections they have together, and whose
// message opens the next. It outlives its lanes, so that a server's limit is remembered.
import type { DatedOutcome, EgressOutcome, MailPriority } from "../outcome.ts";
import { Concurrency, type ConcurrencyReason, type Standing } from "./concurrency.ts";
import type { Claimant, ConnectionShares } from "./connection-shares.ts";
import { limitIn } from "./server-limit.ts";
import { type Turn, WaitingLanes } from "./waiting-lanes.ts";

/** A lane, as its destination sees it. */
export interface DestinationLane {
  /** The same for lanes to the same addresses. */
  readonly site: string;
  /** More messages wait than connections are being opened for. */
  readonly wantsConnection: boolean;
  readonly open: () => void;
  /** Ends a connection that rests. False: none does. */
  readonly closeOneIdle: () => boolean;
  /** Ends the wait of messages that waited too long. */
  readonly endWaits: () => void;
  /** Ends the wait of all messages, because the addresses can't be reached. */
  readonly fail: (refused: DatedOutcome) => void;
}

export interface DestinationOptions {
  readonly name: string;
  readonly pool: string;
  readonly shares: ConnectionShares;
  /** Connections at most, by the provider's limits and the settings. */
  readonly most: number;
  readonly sweepMs: number;
  /** Ends a connection that rests, at any destination. */
  readonly closeOneIdle: () => void;
}

/** The state of a destination, for the metrics. */
export interface DestinationState {
  readonly name: string;
  readonly pool: string;
  readonly open: number;
  readonly waiting: number;
  /** Connections that the server refused since the start. */
  readonly refused: number;
  readonly concurrency: number;
  readonly why: ConcurrencyReason | "share";
}

const SERVER_COUNTS_MS = 100;

export class Destination implements Claimant {
  readonly lanes = new Set<DestinationLane>();
  held = 0;
  readonly #options: DestinationOptions;
  readonly #concurrency: Concurrency;
  readonly #queue = new WaitingLanes<DestinationLane>();
  /** Number of messages under way by team. */
  readonly #busy = new Map<string, number>();
  /** Number of openings under way by site. */
  readonly #asked = new Map<string, number>();
  readonly #busyOf = (party: string): number => this.#busy.get(party) ?? 0;
  #waiting = 0;
  #refused = 0;
  #lacksShare = false;
  #sweep: NodeJS.Timeout | null = null;

  constructor(options: DestinationOptions) {
    this.#options = options;
    this.#concurrency = new Concurrency(options.most);
  }

  get standing(): Standing {
    return this.#concurrency.standingAt(performance.now());
  }

  get state(): DestinationState {
    const { name, pool } = this.#options;
    const { connections, why } = this.#limit;
    const [open, waiting, refused] = [this.held, this.#waiting, this.#refused];
    const isBelow = this.#lacksShare && open < connections && waiting > 0;
    const now = isBelow
      ? { concurrency: open, why: "share" as const }
      : { concurrency: connections, why };
    return { name, pool, open, waiting, refused, ...now };
  }

  /** The reason that messages wait is a limit that the server announced. */
  get isLimited(): boolean {
    return this.state.why === "announced";
  }

  /** A message of the team waits in the lane. */
  enqueue(turn: Turn, lane: DestinationLane): void {
    this.#waiting += 1;
    this.#queue.add(turn, lane);
    this.#sweep ??= setInterval(() => this.#endWaits(), this.#options.sweepMs);
  }

  /** A message of the team waits in the lane no more. */
  dequeue(turn: Turn, lane: DestinationLane): void {
    this.#waiting -= 1;
    this.#queue.remove(turn, lane);
    if (this.#waiting > 0) return;
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
    this.#options.shares.forget(this);
  }

  /** Returns the priority that the team's next message has, if messages of both wait. */
  preferred(party: string): MailPriority {
    return this.#queue.preferred(party);
  }

  begin(turn: Turn): void {
    this.#queue.begin(turn);
    this.#count(this.#busy, turn.party, 1);
  }

  end({ party }: Turn): void {
    this.#count(this.#busy, party, -1);
  }

  /** Opens connections while messages wait and the limits allow it. */
  grow(): void {
    const { shares, closeOneIdle } = this.#options;
    for (;;) {
      const next = this.#queue.next((lane) => lane.wantsConnection, this.#busyOf);
      if (!next) return;
      if (this.held >= this.#limit.connections) return this.#closeOneIdle(next.lane);
      this.#lacksShare = !shares.tryTake(this);
      if (this.#lacksShare) return closeOneIdle();
      this.held += 1;
      this.#count(this.#asked, next.lane.site, 1);
      this.#queue.passTurn(next);
      next.lane.open();
    }
  }

  /** An open connection is gone. */
  noteClosed(): void {
    // A server counts a connection a little longer than its client does.
    if (this.#waiting > 0 && this.#limit.why === "announced")
      setTimeout(() => this.release(), SERVER_COUNTS_MS);
    else this.release();
  }

  /** Gives a connection back. */
  release(): void {
    this.held -= 1;
    this.#options.shares.release(this);
    this.grow();
  }

  /**
   * Tells whether a free connection of the lane is to be ended: there are too many, or a message
   * that goes before waits for one to another server. `last`: the team whose message it carried;
   * `next`: the turn of the message that it would carry; undefined: none waits in the lane.
   */
  wantsBack(lane: DestinationLane, last: string, next: Turn | undefined): boolean {
    if (this.held > this.#limit.connections) return true;
    const isOther = (one: DestinationLane): boolean => one !== lane && one.wantsConnection;
    const other = this.#queue.next(isOther, this.#busyOf)?.party;
    if (other === undefined || next === undefined) return other !== undefined;
    const [busyOther, busyNext] = [this.#busyOf(other), this.#busyOf(next.party)];
    const isOwn = other === next.party;
    const isTurn = busyOther < busyNext || (busyOther === 0 && next.party === last);
    return (!isOwn && isTurn) || this.#queue.yields(next, isOther);
  }

  /** Notes the outcome of a message that had a connection. */
  noteOutcome(outcome: EgressOutcome): void {
    if (outcome.kind === "failure") return this.#concurrency.failed();
    const limit = limitIn(outcome);
    if (limit === null) return this.#concurrency.answered(performance.now());
    this.#announce(limit === "rate" ? Math.floor(this.held / 2) : this.held - 1);
  }

  /** Notes that the lane's opening has succeeded. */
  noteOpen({ site }: DestinationLane): void {
    this.#count(this.#asked, site, -1);
  }

  /**
   * Notes that the lane's opening has failed. `others`: the lane has open connections. True: it was
   * for a limit that other connections use up, so that messages may wait for one of them to end.
   */
  noteRefusal({ site }: DestinationLane, { outcome }: DatedOutcome, others: boolean): boolean {
    this.#count(this.#asked, site, -1);
    this.#refused += 1;
    const isLimit = others || limitIn(outcome) !== null;
    if (isLimit) this.#announce(this.held - 1);
    else this.#concurrency.failed();
    return others || (isLimit && this.held > 1);
  }

  /** The lane's addresses can't be reached, which holds for all that wait for one of them. */
  failSite({ site }: DestinationLane, refused: DatedOutcome): void {
    for (const lane of this.lanes) if (lane.site === site) lane.fail(refused);
  }

  /** A connection to these addresses is being opened. */
  isAsking({ site }: DestinationLane): boolean {
    return this.#asked.has(site);
  }

  get #limit(): { readonly connections: number; readonly why: ConcurrencyReason } {
    return this.#concurrency.limitAt(performance.now());
  }

  #announce(connections: number): void {
    this.#concurrency.announce(connections, performance.now());
  }

  #count(counts: Map<string, number>, of: string, by: number): void {
    const count = (counts.get(of) ?? 0) + by;
    if (count === 0) counts.delete(of);
    else counts.set(of, count);
  }

  #closeOneIdle(wanting: DestinationLane): void {
    for (const lane of this.lanes) if (lane !== wanting && lane.closeOneIdle()) return;
  }

  #endWaits(): void {
    for (const lane of this.lanes) lane.endWaits();
    // A limit may have grown meanwhile.
    this.grow();
  }
}
