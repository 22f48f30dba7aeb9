// Decides how many connections one IP pool has to one destination (a provider or an address block),
// and for which message the next connection is opened (docs/egress-protocol.md §Destinations). A
// lane has the connections to one mail server. A destination stays in memory after its lanes are
// gone, so that the gateway does not forget a limit that a server announced.
import type { DatedOutcome, EgressOutcome, MailPriority } from "../outcome.ts";
import { AnnouncedLimit } from "./announced-limit.ts";
import type { ServerState } from "./concurrency.ts";
import type { Claimant, ConnectionShares } from "./connection-shares.ts";
import { Holdings } from "../counts-by-holder.ts";
import { limitIn } from "./server-limit.ts";
import { Sites } from "./server-connections.ts";
import { TurnForecast } from "./turn-forecast.ts";
import { type QueuedMessage, type WaitingMessage, WaitingLanes } from "./waiting-lanes.ts";

/** The members of a lane that its destination uses. */
export interface DestinationLane {
  /** The server's name. Lanes to the same IP addresses give their server the same name. */
  readonly site: string;
  /** True: more messages wait than connections are being opened. */
  readonly wantsConnection: boolean;
  /** True: the lane has an idle connection. */
  readonly rests: boolean;
  readonly open: () => void;
  /** Ends an idle connection of the lane. Returns false if the lane has none. */
  readonly closeOneIdle: () => boolean;
  /** Ends the waiting of each message whose waiting time is over. */
  readonly endWaits: () => void;
  /**
   * Sends the waiting messages to their domains' next servers, because this server can't be
   * reached.
   */
  readonly fail: (refused: DatedOutcome) => void;
}

export interface DestinationOptions {
  readonly name: string;
  readonly pool: string;
  readonly shares: ConnectionShares;
  /**
   * Maximum number of connections to the destination, by the provider's limits and the settings.
   */
  readonly most: number;
  /**
   * Milliseconds that a message waits for a connection before the gateway returns it to the worker.
   */
  readonly waitMs: number;
  /** Ends one idle connection to any destination. */
  readonly closeOneIdle: () => void;
}

/** The rule that decides the current number of connections to a destination. */
type ConcurrencyReason = "answers" | "failures" | "announced" | "most" | "share";

/** The state of a destination, for the metrics and GET /watch. */
export interface DestinationState {
  readonly name: string;
  readonly pool: string;
  readonly open: number;
  readonly waiting: number;
  /** Number of connections that the destination's servers refused since the gateway's start. */
  readonly refused: number;
  readonly concurrency: number;
  readonly why: ConcurrencyReason;
}

const SERVER_COUNTS_MS = 100;
/** Maximum time between two checks of the waiting messages. */
const SWEEP_MS = 1_000;

export class Destination implements Claimant {
  readonly lanes = new Set<DestinationLane>();
  readonly forecast: TurnForecast;
  held = 0;
  readonly #options: DestinationOptions;
  readonly #sites: Sites;
  readonly #announced: AnnouncedLimit;
  readonly #queue = new WaitingLanes<DestinationLane>();
  /** Number of messages that are being sent, by team. */
  readonly #busy = new Holdings();
  /** Number of connections that are being opened, by server. */
  readonly #asked = new Holdings();
  readonly #busyOf = (team: string): number => this.#busy.of(team);
  #waiting = 0;
  #refused = 0;
  #lacksShare = false;
  /** True: at the last check, no lane needed a connection, and nothing has changed since. */
  #isContent = false;
  #sweep: NodeJS.Timeout | null = null;

  constructor(options: DestinationOptions) {
    this.#options = options;
    this.#sites = new Sites(options.most);
    this.#announced = new AnnouncedLimit(options.most);
    this.forecast = new TurnForecast(options.waitMs);
  }

  get serverState(): ServerState {
    return this.#sites.serverStateAt(performance.now());
  }

  get state(): DestinationState {
    const { name, pool } = this.#options;
    const [open, waiting, refused] = [this.held, this.#waiting, this.#refused];
    return { name, pool, open, waiting, refused, ...this.#concurrency };
  }

  get #concurrency(): Pick<DestinationState, "concurrency" | "why"> {
    const { most } = this.#options;
    const announced = this.#announced.at(performance.now());
    const concurrency = Math.min(this.#sites.connections, announced ?? most);
    if (this.#lacksShare && this.held < concurrency && this.#waiting > 0)
      return { concurrency: this.held, why: "share" };
    if (concurrency === announced) return { concurrency, why: "announced" };
    if (concurrency === most) return { concurrency, why: "most" };
    return { concurrency, why: this.serverState === "fails" ? "failures" : "answers" };
  }

  enqueue(message: WaitingMessage, lane: DestinationLane): void {
    this.#waiting += 1;
    this.#queue.add(message, lane);
    this.forecast.add(message, performance.now());
    if (this.#wants(lane)) this.#isContent = false;
    const sweepMs = Math.min(SWEEP_MS, this.#options.waitMs);
    this.#sweep ??= setInterval(() => this.#endWaits(), sweepMs);
  }

  dequeue(message: WaitingMessage, lane: DestinationLane): void {
    this.#waiting -= 1;
    this.#queue.remove(message, lane);
    this.forecast.remove(message, performance.now());
    if (this.#waiting > 0) return;
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
    this.#options.shares.forget(this);
  }

  /**
   * Returns the priority whose messages go first if messages of both priorities wait for the team.
   */
  preferred(team: string): MailPriority {
    return this.#queue.preferred(team);
  }

  begin(turn: QueuedMessage): void {
    this.#queue.begin(turn);
    this.#busy.add(turn.team, 1);
  }

  end({ team }: QueuedMessage): void {
    this.#busy.add(team, -1);
    this.forecast.noteEnd(performance.now());
  }

  grow(): void {
    const { shares, closeOneIdle } = this.#options;
    while (!this.#isContent) {
      const next = this.#queue.next((lane) => this.#wants(lane), this.#busyOf);
      this.#isContent = next === null;
      if (!next) return this.#closeOneIdleAtFullSite();
      if (this.held >= this.#limit) return this.#closeOneIdle(next.lane);
      this.#lacksShare = !shares.tryTake(this);
      if (this.#lacksShare) return closeOneIdle();
      this.held += 1;
      this.#sites.take(next.lane.site);
      this.#asked.add(next.lane.site, 1);
      this.#queue.passTurn(next);
      next.lane.open();
    }
  }

  /** Records that an open connection of the lane has closed. */
  noteClosed(lane: DestinationLane): void {
    // A server still counts a connection for a moment after we have closed it. So if the server's
    // limit is reached, the connection becomes free only after this moment.
    const isLimited = this.#concurrency.why === "announced";
    if (this.#waiting > 0 && isLimited) setTimeout(() => this.release(lane), SERVER_COUNTS_MS);
    else this.release(lane);
  }

  release({ site }: DestinationLane): void {
    this.held -= 1;
    this.#sites.release(site);
    this.#isContent = false;
    this.#options.shares.release(this);
    this.grow();
  }

  /**
   * Tells whether the lane must close a connection that has become free. It must if the destination
   * has too many connections, or if a message for another server goes first. `last`: the team of
   * the last message on the connection. `next`: the message that the connection would send next;
   * undefined: no message waits in the lane.
   */
  wantsBack(lane: DestinationLane, last: string, next: WaitingMessage | undefined): boolean {
    if (this.held > this.#limit) return true;
    const isOther = (one: DestinationLane): boolean => one !== lane && this.#wants(one, lane.site);
    const other = this.#queue.next(isOther, this.#busyOf);
    if (other === null || next === undefined) return other !== null;
    const [busyOther, busyNext] = [this.#busyOf(other.team), this.#busyOf(next.team)];
    const isOwn = other.team === next.team;
    const isTurn = isOwn
      ? other.priority === next.priority && this.forecast.isFarBefore(other, next)
      : busyOther < busyNext || (busyOther === 0 && next.team === last);
    return isTurn || this.#queue.yields(next, isOther);
  }

  /** Records the outcome of a message that used a connection of the lane. */
  noteOutcome({ site }: DestinationLane, outcome: EgressOutcome): void {
    if (outcome.kind === "failure") return this.#sites.failed(site);
    const limit = limitIn(outcome);
    if (limit !== null)
      return this.#announce(limit === "rate" ? Math.floor(this.held / 2) : this.held - 1);
    if (!this.#sites.answered(site, performance.now())) return;
    this.#isContent = false;
    this.grow();
  }

  noteOpen({ site }: DestinationLane): void {
    this.#isContent = false;
    this.#asked.add(site, -1);
  }

  /**
   * Records that the lane could not open a connection. `others`: the lane has other open
   * connections. Returns true if the current connections use up the server's limit. In that case,
   * messages may wait until one of the connections closes.
   */
  noteRefusal({ site }: DestinationLane, { outcome }: DatedOutcome, others: boolean): boolean {
    this.#asked.add(site, -1);
    this.#refused += 1;
    const isLimit = others || limitIn(outcome) !== null;
    if (isLimit) this.#announce(this.held - 1);
    else this.#sites.failed(site);
    return others || (isLimit && this.held > 1);
  }

  /** Sends the messages that wait for this server, in any lane, to their domains' next servers. */
  failSite({ site }: DestinationLane, refused: DatedOutcome): void {
    for (const lane of this.lanes) if (lane.site === site) lane.fail(refused);
  }

  /** Tells whether any lane is opening a connection to the server. */
  isAsking({ site }: DestinationLane): boolean {
    return this.#asked.of(site) > 0;
  }

  /** Maximum number of connections that the destination may have now. */
  get #limit(): number {
    return this.#announced.at(performance.now()) ?? this.#options.most;
  }

  /**
   * Tells whether the lane needs a connection and the lane's server may have one more. `ended`: a
   * server with a connection that is about to close. This connection does not count.
   */
  #wants(lane: DestinationLane, ended?: string): boolean {
    return lane.wantsConnection && this.#sites.hasRoom(lane.site, performance.now(), ended);
  }

  #announce(connections: number): void {
    this.#announced.announce(connections, performance.now());
  }

  #closeOneIdle(wanting: DestinationLane): void {
    for (const lane of this.lanes) if (lane !== wanting && lane.closeOneIdle()) return;
  }

  /** Ends an idle connection if messages wait for the same server in another lane. */
  #closeOneIdleAtFullSite(): void {
    const resting = [...this.lanes].filter((lane) => lane.rests);
    const sites = new Set(resting.map(({ site }) => site));
    const isWaiting = (lane: DestinationLane): boolean =>
      lane.wantsConnection && sites.has(lane.site);
    const next = sites.size === 0 ? null : this.#queue.next(isWaiting, this.#busyOf);
    for (const lane of resting) if (lane.site === next?.lane.site && lane.closeOneIdle()) return;
  }

  #endWaits(): void {
    for (const lane of this.lanes) lane.endWaits();
    // An announced limit may have grown since the last check, so the destination is checked again.
    this.#isContent = false;
    this.grow();
  }
}
