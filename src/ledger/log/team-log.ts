// The team's log and its rules (docs/storage.md §The log): which events may be appended, how rows
// are dispatched, and when chunks are written.
import type { Env } from "../../env.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import type { AppendRequest, LoggedMessage } from "../../rpc/ledger-calls.ts";
import { EventLog } from "./event-log.ts";
import type { LogRow } from "./chunk-plans.ts";
import { LogRowDispatch, type LogSurroundings } from "./log-row-dispatch.ts";
import { isTooOld, OnceKeys, onceKeyOf } from "./once-only-events.ts";
import { ChunkWriter } from "./chunk-writer.ts";

interface TeamLogDependencies extends Omit<LogSurroundings, "log"> {
  /** Called with the appended events, inside a group commit. */
  readonly noteAppended: (messages: readonly LoggedMessage[], now: number) => void;
}

export class TeamLog {
  readonly #env: () => Env;
  readonly #write: TeamLogDependencies["write"];
  readonly #noteAppended: TeamLogDependencies["noteAppended"];
  readonly dispatch: LogRowDispatch;
  readonly #chunkWriter: ChunkWriter;
  once!: OnceKeys;
  #appended: LogRow[] = [];
  rows!: EventLog;

  /** Reads nothing from disk: the caller must call load() next. */
  constructor({ noteAppended, ...surroundings }: TeamLogDependencies) {
    const log = () => this.rows;
    this.#env = surroundings.env;
    this.#write = surroundings.write;
    this.#noteAppended = noteAppended;
    this.dispatch = new LogRowDispatch({ ...surroundings, log });
    this.#chunkWriter = new ChunkWriter({ ...surroundings, log });
  }

  /** Reads the log from disk, at the start and after a rollback. */
  load(sql: SqlStorage): void {
    this.#appended = [];
    this.rows = new EventLog(sql);
    this.once = new OnceKeys(sql);
  }

  /** Number of events that are not dispatched yet. */
  get undelivered(): number {
    const { undelivered, laterEvents } = this.rows;
    return undelivered.reduce((sum, { count }) => sum + count, laterEvents);
  }

  /**
   * Decides whether an event may be appended. If the event may happen only once, this call also
   * records that it has happened.
   */
  take({ message: { emailId }, recipientIndex, event, once }: AppendRequest, now: number): boolean {
    if (isTooOld(event.occurredAt, now)) return false;
    const key = once ?? onceKeyOf(event.type, emailId, recipientIndex);
    return key === null || this.once.take(key, now);
  }

  /** Appends events, and deletes the rows of finished messages. */
  append(messages: readonly LoggedMessage[], finished: readonly number[], now: number): void {
    this.#appended.push(...this.rows.append(messages, finished, now));
    this.#noteAppended(messages, now);
  }

  /**
   * Begins to dispatch the events that the group appended, which are now on disk. Does not wait for
   * the dispatch.
   */
  async afterCommit(): Promise<void> {
    const appended = this.#appended;
    this.#appended = [];
    if (appended.length > 0) await crashPoint(this.#env().CRASH_POINT_URL, "after_append");
    this.dispatch.begin(appended);
    this.#chunkWriter.wake(Date.now());
  }

  /** The time at which wake() must be called next, in Unix milliseconds. Infinity means never. */
  dueAt(now: number): number {
    return Math.min(this.dispatch.dueAt(now), this.#chunkWriter.dueAt(now));
  }

  /** Repeats work that failed, if its wait is over. Returns at once. */
  wake(now: number): void {
    this.dispatch.retry(now);
    this.#chunkWriter.wake(now);
  }

  /**
   * Drops suppressions of this address that are not dispatched yet. Returns whether there were such
   * suppressions. When the call resolves, every write of a suppression that was running has ended
   * too.
   */
  async dropPendingSuppressions(email: string): Promise<boolean> {
    const hasDropped = await this.#write(() => this.rows.dropPendingSuppressions(email));
    await this.dispatch.awaitSuppressions();
    return hasDropped;
  }
}
