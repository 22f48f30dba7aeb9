// The team's log with all that follows from it (docs/storage.md §The log): what may be appended,
// the hand-over of what was, and its pages.
import type { Env } from "../../env.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import type { Append, LoggedMessage, Tail, TailRequest } from "../ledger-contract.ts";
import { EventLog, type LogRow } from "./event-log.ts";
import { HandOver } from "./hand-over.ts";
import { isTooOld, OnceKeys, onceKeyOf } from "./once.ts";
import { Paging } from "./paging.ts";

interface Hooks {
  readonly teamId: string;
  readonly env: () => Env;
  /** Divides the waits between two tries to hand over. */
  readonly speedup: number;
  /** Runs work in the next group commit. */
  readonly write: (work: () => void) => Promise<void>;
  /** When something has to be tried again: dueAt() tells when. */
  readonly scheduleWake: () => void;
}

export class TeamLog {
  readonly #env: () => Env;
  readonly #handOver: HandOver;
  readonly #paging: Paging;
  #once!: OnceKeys;
  #appended: LogRow[] = [];
  rows!: EventLog;

  /** load() has to follow. */
  constructor({ teamId, env, speedup, write, scheduleWake: waiting }: Hooks) {
    const log = () => this.rows;
    this.#env = env;
    this.#handOver = new HandOver({ teamId, env, log, speedup, scheduleWake: waiting });
    this.#paging = new Paging({ teamId, env, log, write, scheduleWake: waiting });
  }

  /** Reads what is on disk; also after a group of writes was undone. */
  load(sql: SqlStorage): void {
    this.#appended = [];
    this.rows = new EventLog(sql);
    this.#once = new OnceKeys(sql);
  }

  get unpaged(): number {
    return this.rows.unpaged;
  }

  /** Events. */
  get undelivered(): number {
    return this.rows.undelivered.reduce((sum, { count }) => sum + count, 0);
  }

  /** Whether an event may be appended; from then on one that may happen once has happened. */
  take({ message: { emailId }, recipientIndex, event, once }: Append, now: number): boolean {
    if (isTooOld(event.occurredAt, now)) return false;
    const key = once ?? onceKeyOf(event.type, emailId, recipientIndex);
    return key === null || this.#once.take(key, now);
  }

  /** Appends events, and deletes the rows `over`. */
  append(messages: readonly LoggedMessage[], finished: readonly number[], now: number): void {
    this.#appended.push(...this.rows.append(messages, finished, now));
  }

  /** The open group is on disk: what it has appended is handed over. Nothing of that is awaited. */
  async afterCommit(): Promise<void> {
    const appended = this.#appended;
    this.#appended = [];
    if (appended.length > 0) await crashPoint(this.#env().CRASH_POINT_URL, "after_append");
    this.#handOver.begin(appended);
    this.#paging.wake(Date.now());
  }

  /** What time has made needless goes. For a group commit. */
  sweep(now: number): void {
    this.rows.sweep();
    this.#once.sweep(now);
  }

  /** When wake() has something to do, Unix milliseconds; Infinity: nothing. */
  dueAt(now: number): number {
    return Math.min(this.#handOver.dueAt(now), this.#paging.dueAt(now));
  }

  /** Tries again what is due. Returns at once. */
  wake(now: number): void {
    this.#handOver.retry(now);
    this.#paging.wake(now);
  }

  readTail(request: TailRequest): Tail {
    return this.rows.readTail(request);
  }

  /** Resolves when no suppression that was struck is on its way any more. */
  async awaitSuppressions(): Promise<void> {
    await this.#handOver.awaitSuppressions();
  }

  webhooksChanged(): void {
    this.#handOver.webhooksChanged();
  }
}
