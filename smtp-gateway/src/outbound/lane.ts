// The connections to one mail server from one IP pool, and the messages that wait for them.
// The lane opens connections while messages wait, up to a cap. A free connection takes the next
// message, rests a while when none waits, and is retired after a number of messages. A message that
// a used connection did not take goes to a fresh one.
import { FairQueue } from "./fair-queue.ts";
import { log } from "../gateway-log.ts";
import { failure, type Mail, type EgressOutcome } from "../outcome.ts";
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
export interface AttemptResult {
  readonly outcome: EgressOutcome;
  /** The server neither took nor refused the message: the domain's next one may be tried. */
  readonly elsewhere: boolean;
}

export interface LaneJob {
  readonly mail: Mail;
  /** Called with an outcome behind the final dot, before the promise is resolved. */
  readonly onDot: (outcome: EgressOutcome) => void;
  readonly resolve: (result: AttemptResult) => void;
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
  /** Called after each attempt to open a connection: null, or the outcome that refused it. */
  readonly onOpening: (refused: EgressOutcome | null) => void;
  /** Called when nothing is open and nothing waits: the pool may drop the lane. */
  readonly onUnused: () => void;
  /** True while the gateway shuts down: a connection for which nothing waits ends with QUIT. */
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
    this.#sweep ??= setInterval(() => this.#expire(), Math.min(1000, this.#options.timeouts.wait));
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

  /** Fails every message that waits. */
  abandon(outcome: EgressOutcome): void {
    for (const job of this.#waiting.remove(() => true)) job.resolve({ outcome, elsewhere: false });
    this.#expire();
  }

  #limit(): number {
    if (this.#cap && this.#cap.until < performance.now()) this.#cap = null;
    return this.#cap?.connections ?? this.#options.connectionsPerHost;
  }

  async #connect(): Promise<void> {
    const opening = await this.#dial();
    this.#opening--;
    this.#options.onOpening("refused" in opening ? opening.refused : null);
    if ("refused" in opening) return this.#turnedAway(opening);
    const { connection } = opening;
    this.#open++;
    connection.whenClosed(() => {
      this.#open--;
      this.#forget(connection);
      this.#options.onConnectionClosed();
      this.grow();
      this.#expire();
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
      return await sendMail(connection, job.mail, this.#options.timeouts, job.onDot);
    } catch (error) {
      return { kind: "ended", outcome: this.#fault(error), reusable: false };
    }
  }

  /** A bug costs one attempt of the message that meets it, and nothing to the others. */
  #fault(error: unknown): EgressOutcome {
    log("error", "connection_fault", {
      mx_host: this.target.host,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return failure("other", "internal error of the gateway", this.target.host);
  }

  #turnedAway(opening: Extract<Opening, { refused: EgressOutcome }>): void {
    const { refused } = opening;
    const why = refused.kind === "reply" ? refused.code : refused.cause;
    log("warning", "connection_refused", { mx_host: this.target.host, why, open: this.#open });
    this.#options.onConnectionClosed();
    if (this.#open > 0) {
      this.#cap = { connections: this.#open, until: performance.now() + TURNED_AWAY_MS };
    } else if (this.#opening === 0) {
      for (const job of this.#waiting.remove(() => true))
        job.resolve({ outcome: refused, elsewhere: true });
    }
    this.#expire();
  }

  async #serve(connection: ServerConnection, first: LaneJob): Promise<void> {
    for (let job: LaneJob | undefined = first; job; job = this.#waiting.shiftUnserved()) {
      const result = await this.#send(connection, job);
      if (result.kind === "stale") return this.#startAfresh(connection, job, result.refused);
      if (job.refused) this.#learn(job.refused, result.outcome);
      job.resolve({ outcome: result.outcome, elsewhere: result.kind === "unsent" });
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
    this.#waiting.putBack({ ...job, refused });
    if (refused) {
      void connection.quit(this.#options.timeouts.quit);
    } else {
      // The other idle connections are about as old and as likely dead.
      while (this.closeOneIdle());
      connection.close();
    }
    this.grow();
  }

  #learn(refused: RefusedReuse, outcome: EgressOutcome): void {
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

  #expire(): void {
    const now = performance.now();
    for (const job of this.#waiting.remove((waiting) => waiting.waitsUntil <= now)) {
      job.resolve({
        outcome: failure("other", "waited too long for a free connection", this.target.host),
        elsewhere: true,
      });
    }
    if (this.#waiting.length > 0) return;
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
    if (this.#open === 0 && this.#opening === 0) this.#options.onUnused();
  }
}
