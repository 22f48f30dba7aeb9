// A lane has the connections to one mail server from one IP pool, and the messages that wait for
// them. The destination decides when a new connection is opened. A connection that is free sends
// the next message, or is idle for a while if no message waits. It is closed after a number of
// messages. If a used connection does not accept a message, the message goes to a fresh connection.
import { FairQueue } from "./fair-queue.ts";
import { log, stackOf } from "../gateway-log.ts";
import { dateNow, type DatedOutcome, failure, type NotTaken } from "../outcome.ts";
import type { Destination, DestinationLane } from "../destinations/destination.ts";
import type { LaneDestination } from "../destinations/destinations.ts";
import { IdleConnections } from "./idle-connections.ts";
import { isDueForCheck, type LaneJob } from "./lane-job.ts";
import type { OneByOneServers } from "../smtp/one-by-one-servers.ts";
import type { RefusedReuse, ReuseLimits } from "../smtp/reuse-limits.ts";
import { sendMail, type SendResult } from "./send-mail.ts";
import {
  type MailServer,
  openConnection,
  type Opening,
  type OpenOptions,
  type ServerConnection,
} from "./server-connection.ts";

/** Numbers of connections by state, and number of messages that wait for a connection. */
export interface LaneLoad {
  readonly busy: number;
  readonly idle: number;
  readonly opening: number;
  readonly waiting: number;
}

interface LaneOptions extends LaneDestination, Omit<OpenOptions, "sources"> {
  readonly reuseLimits: ReuseLimits;
  readonly oneByOne: OneByOneServers;
  readonly nextSources: () => readonly string[];
  /** Called after each attempt to open a connection. */
  readonly onOpening: (opening: Opening) => void;
  /** All lanes with an idle connection. */
  readonly resting: Set<Lane>;
  /** Called when the lane has neither connections nor messages, so that it can be dropped. */
  readonly onUnused: () => void;
  /** True: the gateway is stopping, so no message waits and free connections are closed. */
  readonly closing: () => boolean;
}

export class Lane implements DestinationLane {
  readonly target: MailServer;
  readonly site: string;
  readonly #options: LaneOptions;
  readonly #destination: Destination;
  readonly #waiting = new FairQueue<LaneJob>((team) => this.#destination.preferred(team));
  readonly #idle: IdleConnections;
  #opening = 0;
  /** Number of connections that are open, busy or idle. */
  #open = 0;
  /** The failure of the last attempt to open a connection. Null: that attempt succeeded. */
  #refusal: DatedOutcome | null = null;

  constructor(target: MailServer, options: LaneOptions) {
    this.target = target;
    this.site = [target.port, target.tlsRequired, ...target.addresses.toSorted()].join(" ");
    this.#options = options;
    this.#destination = options.destination;
    this.#idle = new IdleConnections(options.timeouts.idle);
  }

  get load(): LaneLoad {
    const idle = this.#idle.length;
    return { busy: this.#open - idle, idle, opening: this.#opening, waiting: this.#waiting.length };
  }

  get wantsConnection(): boolean {
    // After a failure, no further connection is opened until those being opened show whether the
    // server can be reached.
    const isInDoubt = this.#refusal !== null && this.#open === 0 && this.#opening > 0;
    return this.#waiting.length > this.#opening && !isInDoubt;
  }

  get rests(): boolean {
    return this.#idle.length > 0;
  }

  /** Sends a message over an idle connection, or over the next connection that is free. */
  add(job: LaneJob): void {
    const rested = this.#wake();
    if (rested) {
      void this.#serve(rested, job);
      return;
    }
    this.#waiting.push(job);
    this.#destination.enqueue(job, this);
    this.#destination.grow();
  }

  open(): void {
    this.#opening++;
    void this.#connect();
  }

  closeOneIdle(): boolean {
    const rested = this.#wake();
    void rested?.quit(this.#options.timeouts.quit);
    return rested !== undefined;
  }

  /**
   * Removes the messages that have waited too long for a connection, or will wait too long. While
   * the gateway is stopping, removes all waiting messages.
   */
  endWaits(): void {
    const closing = this.#options.closing();
    const now = performance.now();
    const isOver = (job: LaneJob): boolean =>
      closing || (job.waitsUntil <= now && (this.#refusalOf(job) !== null || !this.#isAsking));
    const over = this.#remove((job) => isOver(job) || this.#isInVain(job, now));
    for (const job of over.toSorted((a, b) => a.since - b.since)) {
      const refusal = closing || !isOver(job) ? null : this.#refusalOf(job);
      if (!refusal) this.#giveBack(job);
      job.resolve(refusal && { dated: refusal, elsewhere: true });
    }
    this.#endIfUnused();
  }

  /**
   * Tells whether the message will get no connection before its waiting time is over. Returns false
   * if another server has failed to accept the message, because that server's outcome would then
   * end the attempt.
   */
  #isInVain(job: LaneJob, now: number): boolean {
    const { waitsSince, takenAt } = job.attempt;
    if (waitsSince > takenAt || !isDueForCheck(job, this.#options.timeouts.wait, now)) return false;
    return this.#destination.forecast.isInVain(job, job.waitsUntil, now);
  }

  #giveBack(job: LaneJob): void {
    const why: NotTaken["why"] = this.#options.closing() ? "draining" : "waited";
    job.attempt.giveBack(why, () => this.#destination.forecast.promiseTurn(job, performance.now()));
  }

  fail(refused: DatedOutcome): void {
    if (this.#open > 0 || this.#opening > 0) return;
    const outcome = { ...refused.outcome, mx_host: this.target.host };
    const dated = { ...refused, outcome };
    this.#refusal = dated;
    for (const job of this.#remove(() => true)) job.resolve({ dated, elsewhere: true });
    this.#endIfUnused();
  }

  /**
   * True: no connection is open, but connections are being opened that will show whether the server
   * can be reached.
   */
  get #isAsking(): boolean {
    return this.#open === 0 && this.#destination.isAsking(this);
  }

  /**
   * Returns the last failure to open a connection, if it came after the message and no connection
   * has been opened since then.
   */
  #refusalOf({ attempt }: LaneJob): DatedOutcome | null {
    return this.#refusal && this.#refusal.repliedAt >= attempt.waitsSince ? this.#refusal : null;
  }

  #endIfUnused(): void {
    if (this.#waiting.length === 0 && this.#open === 0 && this.#opening === 0)
      this.#options.onUnused();
  }

  #remove(matches: (job: LaneJob) => boolean): LaneJob[] {
    const removed = this.#waiting.remove(matches);
    for (const job of removed) this.#destination.dequeue(job, this);
    return removed;
  }

  #leave(job: LaneJob | undefined): LaneJob | undefined {
    if (job) this.#destination.dequeue(job, this);
    return job;
  }

  async #connect(): Promise<void> {
    const opening = await this.#dial();
    this.#opening--;
    this.#options.onOpening(opening);
    if ("refused" in opening) return this.#turnedAway(opening.refused);
    const { connection } = opening;
    this.#open++;
    this.#refusal = null;
    this.#destination.noteOpen(this);
    connection.whenClosed(() => {
      this.#open--;
      this.#idle.forget(connection);
      this.#noteRest();
      this.#destination.noteClosed(this);
      this.#endIfUnused();
    });
    const job = this.#leave(this.#waiting.shift());
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
    this.#destination.begin(job);
    this.#options.oneByOne.prepare(connection, this.target);
    try {
      return await sendMail(connection, job.attempt, this.#options.timeouts);
    } catch (error) {
      return { kind: "ended", outcome: this.#fault(error), reusable: false };
    } finally {
      this.#destination.end(job);
    }
  }

  /** Logs an internal error. The error makes only one attempt of one message fail. */
  #fault(error: unknown): DatedOutcome {
    log("error", "connection_fault", { mx_host: this.target.host, error: stackOf(error) });
    return dateNow(failure("other", "internal error of the gateway", this.target.host));
  }

  #turnedAway(refused: DatedOutcome): void {
    const { outcome } = refused;
    const why = outcome.kind === "reply" ? outcome.code : outcome.cause;
    if (!this.#options.closing())
      log("warning", "connection_refused", { mx_host: this.target.host, why, open: this.#open });
    const mayWait = this.#destination.noteRefusal(this, refused, this.#open > 0);
    if (!mayWait) {
      this.#refusal = refused;
      if (why === "connect") this.#destination.failSite(this, refused);
      else this.fail(refused);
    }
    this.#destination.release(this);
    this.#endIfUnused();
  }

  async #serve(connection: ServerConnection, first: LaneJob): Promise<void> {
    let job: LaneJob | undefined = first;
    for (; job; job = this.#leave(this.#waiting.shiftUnserved())) {
      if (job.waitsUntil <= performance.now()) this.#giveBack(job);
      if (!job.attempt.begin(connection)) {
        job.resolve(null);
        continue;
      }
      const result = await this.#send(connection, job);
      if (result.kind === "stale") return this.#startAfresh(connection, job, result.refused);
      if (result.kind === "unread") {
        this.#options.oneByOne.remember(this.target);
        log("info", "pipelining_refused", { mx_host: this.target.host });
        return this.#startAfresh(connection, job, null);
      }
      if (job.refused) this.#learn(job.refused, result.outcome);
      this.#destination.noteOutcome(this, result.outcome.outcome);
      job.resolve({ dated: result.outcome, elsewhere: result.kind === "unsent" });
      const isReusable = result.kind === "ended" && result.reusable && !connection.lost;
      const isSpent = connection.transactions >= this.#mostMessages;
      const { next } = this.#waiting;
      if (!isReusable || isSpent || this.#destination.wantsBack(this, job.team, next)) {
        void connection.quit(this.#options.timeouts.quit);
        return this.#destination.grow();
      }
    }
    this.#rest(connection);
  }

  get #mostMessages(): number {
    const { reuseLimits, messagesPerConnection } = this.#options;
    return Math.min(reuseLimits.messagesFor(this.#reuseServer), messagesPerConnection);
  }

  get #reuseServer(): { readonly host: string; readonly port: number } {
    return { host: this.#options.reuseName, port: this.target.port };
  }

  /**
   * Ends a connection that did not decide about the message. The message then waits for another
   * connection.
   */
  #startAfresh(connection: ServerConnection, job: LaneJob, refused: RefusedReuse | null): void {
    job.attempt.wait();
    this.#waiting.putBack({ ...job, refused });
    this.#destination.enqueue(job, this);
    if (this.#options.closing()) this.endWaits();
    if (refused) {
      void connection.quit(this.#options.timeouts.quit);
    } else {
      // The connection broke. If it was used before, the server has probably closed the idle
      // connections of the same age too, so all are closed.
      while (this.closeOneIdle());
      connection.close();
    }
    this.#destination.grow();
  }

  #learn(refused: RefusedReuse, { outcome }: DatedOutcome): void {
    const reached = outcome.kind === "reply" ? outcome.stage : null;
    const messages = this.#options.reuseLimits.learn(this.#reuseServer, refused, reached);
    if (messages === null) return;
    log("info", "reuse_refused", { mx_host: this.target.host, stage: refused.stage, messages });
    // Idle connections may have carried as many messages as the new limit, so all are closed.
    while (this.closeOneIdle());
  }

  #rest(connection: ServerConnection): void {
    // The waiting messages need a fresh connection. The used connection counts against the limit of
    // connections, so it is closed.
    const isInTheWay = this.#waiting.length > this.#opening;
    if (this.#options.closing() || connection.lost || isInTheWay)
      return void connection.quit(this.#options.timeouts.quit);
    this.#idle.rest(connection, () => void connection.quit(this.#options.timeouts.quit));
    this.#noteRest();
  }

  #wake(): ServerConnection | undefined {
    const connection = this.#idle.wake();
    this.#noteRest();
    return connection;
  }

  #noteRest(): void {
    if (this.#idle.length > 0) this.#options.resting.add(this);
    else this.#options.resting.delete(this);
  }
}
