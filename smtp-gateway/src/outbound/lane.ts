// The connections to one mail server from one IP pool, and the messages that wait for them.
// The lane opens connections while messages wait, up to a cap. A free connection takes the next
// message, rests a while when none waits, and is retired after a number of messages. A message that
// a used connection did not take goes to a fresh one.
import { FairQueue } from "./fair-queue.ts";
import { log } from "../gateway-log.ts";
import { dateNow, type DatedOutcome, failure } from "../outcome.ts";
import type { Attempt } from "./attempt.ts";
import type { RefusedReuse, ReuseLimits } from "../smtp/reuse-limits.ts";
import { sendMail, type SendResult } from "./send-mail.ts";
import {
  type MailServer,
  openConnection,
  type Opening,
  type OpenOptions,
  type ServerConnection,
} from "./server-connection.ts";
import type { Timeouts } from "../config.ts";

/** The result of one server for a message. */
export interface ServerResult {
  readonly dated: DatedOutcome;
  /** The server neither took nor refused the message: the domain's next one may be tried. */
  readonly elsewhere: boolean;
}

export interface LaneJob {
  readonly attempt: Attempt;
  /** Called with null when the attempt was given back. */
  readonly resolve: (result: ServerResult | null) => void;
  /** Time on the process clock, in milliseconds, after which the message no longer waits. */
  readonly waitsUntil: number;
  /** The refusal by a used connection that a fresh one has to judge. */
  readonly refused?: RefusedReuse | null;
}

/** The number of connections by their state, and of messages that wait for one. */
export interface LaneLoad {
  readonly busy: number;
  readonly idle: number;
  readonly opening: number;
  readonly waiting: number;
}

export interface LaneOptions extends Omit<OpenOptions, "sources"> {
  readonly connectionsPerHost: number;
  readonly reuseLimits: ReuseLimits;
  readonly timeouts: Timeouts;
  /** Source addresses for the next connection. */
  readonly nextSources: () => readonly string[];
  /**
   * Asks for one more connection under the cap of the whole process. After false, the pool calls
   * grow() when there is room.
   */
  readonly mayOpen: () => boolean;
  readonly onConnectionClosed: () => void;
  /** Called after each attempt to open a connection. */
  readonly onOpening: (opening: Opening) => void;
  /** Called when nothing is open and nothing waits: the pool may drop the lane. */
  readonly onUnused: () => void;
  /** True while the gateway drains: nothing waits, and a free connection ends with QUIT. */
  readonly closing: () => boolean;
}

/**
 * A server that turns a connection away while others are open caps their number for this long.
 */
const TURNED_AWAY_MS = 60_000;

export class Lane {
  readonly target: MailServer;
  readonly #options: LaneOptions;
  readonly #waiting = new FairQueue<LaneJob>();
  readonly #idle: { connection: ServerConnection; timer: NodeJS.Timeout }[] = [];
  #opening = 0;
  /** Number of open connections, busy and idle. */
  #open = 0;
  /** Why the last connection was not opened; null: it was. */
  #refusal: DatedOutcome | null = null;
  #cap: { connections: number; until: number } | null = null;
  #sweep: NodeJS.Timeout | null = null;

  constructor(target: MailServer, options: LaneOptions) {
    this.target = target;
    this.#options = options;
  }

  get load(): LaneLoad {
    const idle = this.#idle.length;
    return { busy: this.#open - idle, idle, opening: this.#opening, waiting: this.#waiting.length };
  }

  /** Sends a message. Parties take turns: `party` is the sender's domain. */
  add(job: LaneJob, party: string): void {
    const rested = this.#wake();
    if (rested) {
      void this.#serve(rested, job);
      return;
    }
    this.#waiting.push(party, job);
    this.#sweepWaiting();
    this.grow();
  }

  /** Opens connections while messages wait and the caps allow it. */
  grow(): void {
    while (
      this.#waiting.length > this.#opening &&
      this.#open + this.#opening < this.#limit() &&
      this.#options.mayOpen()
    ) {
      this.#opening++;
      void this.#connect();
    }
  }

  /** Ends an idle connection to make room for another server's. Returns false if none is idle. */
  closeOneIdle(): boolean {
    const rested = this.#wake();
    void rested?.quit(this.#options.timeouts.quit);
    return rested !== undefined;
  }

  /** Ends the wait of the messages that have waited too long, or of all while the gateway drains. */
  endWaits(): void {
    const closing = this.#options.closing();
    const now = performance.now();
    const isOver = (job: LaneJob): boolean =>
      closing || (job.waitsUntil <= now && (this.#refusalOf(job) !== null || !this.#isAsking));
    for (const job of this.#waiting.remove(isOver)) {
      const refusal = closing ? null : this.#refusalOf(job);
      if (!refusal) job.attempt.giveBack(closing ? "draining" : "waited");
      job.resolve(refusal && { dated: refusal, elsewhere: true });
    }
    this.#endIfUnused();
  }

  /** Openings under way ask the server for all that wait, while no connection is open. */
  get #isAsking(): boolean {
    return this.#open === 0 && this.#opening > 0;
  }

  /** The server's refusal since the message came, if it has taken no connection since. */
  #refusalOf({ attempt }: LaneJob): DatedOutcome | null {
    return this.#refusal && this.#refusal.repliedAt >= attempt.waitsSince ? this.#refusal : null;
  }

  #endIfUnused(): void {
    if (this.#waiting.length > 0) return;
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
    if (this.#open === 0 && this.#opening === 0) this.#options.onUnused();
  }

  #sweepWaiting(): void {
    this.#sweep ??= setInterval(() => this.endWaits(), Math.min(1000, this.#options.timeouts.wait));
  }

  #limit(): number {
    if (this.#cap && this.#cap.until < performance.now()) this.#cap = null;
    return this.#cap?.connections ?? this.#options.connectionsPerHost;
  }

  async #connect(): Promise<void> {
    const opening = await this.#dial();
    this.#opening--;
    this.#options.onOpening(opening);
    if ("refused" in opening) return this.#turnedAway(opening.refused);
    const { connection } = opening;
    this.#open++;
    this.#refusal = null;
    connection.whenClosed(() => {
      this.#open--;
      this.#forget(connection);
      this.#options.onConnectionClosed();
      this.grow();
      this.#endIfUnused();
    });
    const job = this.#waiting.shift();
    if (job) await this.#serve(connection, job);
    else this.#rest(connection);
  }

  async #dial(): Promise<Opening> {
    try {
      return await openConnection(this.target, {
        ...this.#options,
        sources: this.#options.nextSources(),
      });
    } catch (error) {
      return { refused: this.#fault(error) };
    }
  }

  async #send(connection: ServerConnection, job: LaneJob): Promise<SendResult> {
    try {
      return await sendMail(connection, job.attempt, this.#options.timeouts);
    } catch (error) {
      return { kind: "ended", outcome: this.#fault(error), reusable: false };
    }
  }

  /** A bug costs one attempt of the message that meets it, and nothing to the others. */
  #fault(error: unknown): DatedOutcome {
    log("error", "connection_fault", {
      mx_host: this.target.host,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return dateNow(failure("other", "internal error of the gateway", this.target.host));
  }

  #turnedAway(refused: DatedOutcome): void {
    const { outcome } = refused;
    const why = outcome.kind === "reply" ? outcome.code : outcome.cause;
    if (!this.#options.closing())
      log("warning", "connection_refused", { mx_host: this.target.host, why, open: this.#open });
    this.#options.onConnectionClosed();
    if (this.#open > 0) {
      this.#cap = { connections: this.#open, until: performance.now() + TURNED_AWAY_MS };
    } else {
      this.#refusal = refused;
      if (this.#opening === 0)
        for (const job of this.#waiting.remove(() => true))
          job.resolve({ dated: refused, elsewhere: true });
    }
    this.#endIfUnused();
  }

  async #serve(connection: ServerConnection, first: LaneJob): Promise<void> {
    for (let job: LaneJob | undefined = first; job; job = this.#waiting.shiftUnserved()) {
      if (job.waitsUntil <= performance.now()) job.attempt.giveBack("waited");
      if (!job.attempt.begin(connection)) {
        job.resolve(null);
        continue;
      }
      const result = await this.#send(connection, job);
      if (result.kind === "stale") return this.#startAfresh(connection, job, result.refused);
      if (job.refused) this.#learn(job.refused, result.outcome);
      job.resolve({ dated: result.outcome, elsewhere: result.kind === "unsent" });
      const most = this.#options.reuseLimits.messagesFor(this.target);
      const spent = connection.transactions >= most;
      if (result.kind === "unsent" || !result.reusable || spent || connection.lost) {
        void connection.quit(this.#options.timeouts.quit);
        return this.grow();
      }
    }
    this.#rest(connection);
  }

  /** Passes a message to a fresh connection, and ends the used one that did not take it. */
  #startAfresh(connection: ServerConnection, job: LaneJob, refused: RefusedReuse | null): void {
    job.attempt.wait();
    this.#waiting.putBack({ ...job, refused });
    this.#sweepWaiting();
    if (this.#options.closing()) this.endWaits();
    if (refused) {
      void connection.quit(this.#options.timeouts.quit);
    } else {
      // The other idle connections are about as old and as likely dead.
      while (this.closeOneIdle());
      connection.close();
    }
    this.grow();
  }

  #learn(refused: RefusedReuse, { outcome }: DatedOutcome): void {
    const reached = outcome.kind === "reply" ? outcome.stage : null;
    const messages = this.#options.reuseLimits.learn(this.target, refused, reached);
    if (messages === null) return;
    log("info", "reuse_refused", { mx_host: this.target.host, stage: refused.stage, messages });
    // The idle connections may have carried as many.
    while (this.closeOneIdle());
  }

  #rest(connection: ServerConnection): void {
    // Only messages for a fresh connection still wait, and this one may hold its place.
    const isInTheWay = this.#waiting.length > this.#opening;
    if (this.#options.closing() || connection.lost || isInTheWay)
      return void connection.quit(this.#options.timeouts.quit);
    const timer = setTimeout(() => {
      this.#forget(connection);
      void connection.quit(this.#options.timeouts.quit);
    }, this.#options.timeouts.idle);
    this.#idle.push({ connection, timer });
    connection.resting = true;
  }

  /** Takes the connection that rested last, so that the others grow old and close. */
  #wake(): ServerConnection | undefined {
    for (let entry = this.#idle.pop(); entry; entry = this.#idle.pop()) {
      clearTimeout(entry.timer);
      entry.connection.resting = false;
      if (!entry.connection.lost) return entry.connection;
    }
    return undefined;
  }

  #forget(connection: ServerConnection): void {
    const at = this.#idle.findIndex((entry) => entry.connection === connection);
    if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]!.timer);
  }
}
