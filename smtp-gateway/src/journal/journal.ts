// Keeps on disk, for 24 hours, the outcome of every message whose final dot may have gone out, so
// that a key asked for again is never sent again (docs/egress-protocol.md §Asking twice). Room for
// an outcome is reserved before its transaction begins, so that a disk which fills up meanwhile
// can't lose it. An entry is written before the outcome is answered: it survives a crash of the
// process, though not of the machine. Each file covers an hour and is dropped whole; memory holds
// only an index.
import { join } from "node:path";
import { type Disk, NODE_DISK } from "./journal-disk.ts";
import { type JournalEntry, Segment } from "./journal-segment.ts";
import { hashOf } from "./key-positions.ts";
import { log } from "../gateway-log.ts";
import type { EgressOutcome, EndedAttempt } from "../outcome.ts";

const HOUR_MS = 3_600_000;
const OUTCOME_KEPT_MS = 24 * HOUR_MS;
const FILE_NAME = /^outcomes-(\d{1,8})\.ndjson$/;
/**
 * The longest entry without its key: 1 KB of text whose every character is escaped, a host name,
 * and the members' names.
 */
const ENTRY_MAX_BYTES = 3 * 1024;
/** After a disk refused a new file, the journal waits this long before it tries again. */
const FILE_RETRY_MS = 1_000;

/**
 * Times in milliseconds. The wall clock may jump, so it is read only once, to name the first file;
 * `uptime` never goes back.
 */
interface Clock {
  readonly wall: () => number;
  readonly uptime: () => number;
}

type DiskFailure = "write" | "rotation";

const CLOCK: Clock = { wall: Date.now, uptime: () => performance.now() };

/** Reserved room for one outcome. */
export interface Slot {
  /**
   * Writes the outcome, `ms` after the message was taken, and gives the room back. True: it has
   * reached the operating system.
   */
  readonly record: (outcome: EgressOutcome, ms: number) => boolean;
  /** Gives the room back, once. */
  readonly release: () => void;
}

export class Journal {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #disk: Disk;
  /** Newest first; the first takes new entries. Empty while the disk is full since the start. */
  #segments: Segment[] = [];
  /** Bytes of the slots that are neither used nor given back. */
  #reserved = 0;
  /** Failures that were logged and have not ended. */
  readonly #failures = new Set<DiskFailure>();
  #retryAt = Number.NEGATIVE_INFINITY;
  /** The journal's own time minus the clock's uptime. */
  readonly #offset: number;

  /**
   * Opens or creates the journal in `directory` (one process at a time). Throws the file system's
   * errors, except that the disk is full.
   */
  constructor(directory: string, clock: Clock = CLOCK, disk: Disk = NODE_DISK) {
    this.#directory = directory;
    this.#clock = clock;
    this.#disk = disk;
    disk.makeDirectory(directory);
    const hours = disk.list(directory).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
    for (const hour of hours.map(Number).sort((a, b) => a - b)) {
      this.#trimNewest();
      this.#segments.unshift(new Segment(disk, this.#pathOf(hour), hour));
    }
    // The journal's own time continues from its newest entry and advances only while the process
    // runs. So no entry is dropped before 24 hours, even if the wall clock jumps; time in which the
    // gateway was stopped is added to them.
    const startedAt =
      this.#segments.length > 0
        ? Math.max(...this.#segments.map(({ newest }) => newest))
        : clock.wall();
    this.#offset = startedAt - clock.uptime();
    const refused = this.#rotate();
    if (this.#segments.length === 0 && refused !== null && !isFull(refused)) throw refused;
  }

  /** Returns the outcome of `key`, dated by the clock's uptime; undefined: the journal has none. */
  find(key: string): EndedAttempt | undefined {
    this.#rotate();
    const hashed = hashOf(key);
    for (const segment of this.#segments) {
      const entry = segment.find(hashed, key);
      if (!entry) continue;
      const repliedAt = entry.at - this.#offset;
      return { outcome: entry.outcome, takenAt: repliedAt - (entry.ms ?? 0), repliedAt };
    }
    return undefined;
  }

  /** Checks that there is room for another outcome, without a write as a rule. */
  hasRoom(): boolean {
    return this.#ensureRoom(ENTRY_MAX_BYTES);
  }

  /** Reserves room for the outcome of `key`. Null: the disk is full, the attempt must not begin. */
  reserve(key: string): Slot | null {
    const bytes = ENTRY_MAX_BYTES + Buffer.byteLength(JSON.stringify(key));
    if (!this.#ensureRoom(bytes)) return null;
    this.#reserved += bytes;
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#reserved -= bytes;
      isOpen = false;
    };
    const record = (outcome: EgressOutcome, ms: number): boolean => {
      release();
      return this.#append({ key, outcome, at: this.#now, ms: Math.round(ms) });
    };
    return { record, release };
  }

  /** Checks that the journal takes another outcome now, by a write. */
  probe(): boolean {
    return this.#ensureRoom(ENTRY_MAX_BYTES, true);
  }

  /** Size on disk. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Memory of the index. */
  get indexBytes(): number {
    return this.#segments.reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** Number of outcomes that the journal holds. */
  get outcomes(): number {
    return this.#segments.reduce((sum, { index }) => sum + index.count, 0);
  }

  close(): void {
    this.#trimNewest();
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
  }

  /** The journal's own time, in milliseconds. */
  get #now(): number {
    return Math.floor(this.#offset + this.#clock.uptime());
  }

  /**
   * Takes room for `bytes` beside what is reserved. `mustWrite`: the disk must also prove that it
   * writes, as after a failure. False: the disk failed.
   */
  #ensureRoom(bytes: number, mustWrite = this.#failures.has("write")): boolean {
    this.#rotate();
    const [newest] = this.#segments;
    if (!newest) return false;
    const hasRoom = this.#attempt("write", () => {
      newest.makeRoom(this.#reserved + bytes);
      if (mustWrite) newest.touch();
    });
    if (hasRoom) this.#failures.delete("write");
    return hasRoom;
  }

  #append(entry: JournalEntry): boolean {
    const [newest] = this.#segments;
    return newest !== undefined && this.#attempt("write", () => newest.append(entry));
  }

  /** Begins a new file when the hour is over. Returns the error that prevented it, or null. */
  #rotate(): unknown {
    const hour = Math.floor(this.#now / HOUR_MS);
    const [newest] = this.#segments;
    if ((newest !== undefined && newest.hour >= hour) || this.#clock.uptime() < this.#retryAt)
      return null;
    this.#expire();
    try {
      this.#begin(hour);
      this.#failures.delete("rotation");
      return null;
    } catch (error) {
      this.#retryAt = this.#clock.uptime() + FILE_RETRY_MS;
      this.#logFailure("rotation", error);
      return error;
    }
  }

  /**
   * Begins a file. The old one stays in use until the new one has all the room that is reserved.
   * Throws the file system's errors.
   */
  #begin(hour: number): void {
    const segment = new Segment(this.#disk, this.#pathOf(hour), hour);
    try {
      segment.makeRoom(this.#reserved);
    } catch (error) {
      this.#remove(segment);
      throw error;
    }
    this.#trimNewest();
    this.#segments.unshift(segment);
  }

  /** Drops the files whose newest entry is older than 24 hours. */
  #expire(): void {
    const [newest, ...older] = this.#segments;
    const expired = older.filter((segment) => segment.newest < this.#now - OUTCOME_KEPT_MS);
    for (const segment of expired) this.#remove(segment);
    if (newest) this.#segments = [newest, ...older.filter((segment) => !expired.includes(segment))];
  }

  #remove(segment: Segment): void {
    segment.close();
    this.#attempt("rotation", () => this.#disk.remove(segment.path));
  }

  #trimNewest(): void {
    this.#attempt("rotation", () => this.#segments[0]?.trim());
  }

  /** Calls, and logs the error if there is one. True: the call did not throw. */
  #attempt(failure: DiskFailure, call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      this.#logFailure(failure, error);
      return false;
    }
  }

  /** Logs the first failure of a series. */
  #logFailure(failure: DiskFailure, error: unknown): void {
    if (this.#failures.has(failure)) return;
    this.#failures.add(failure);
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (failure === "write") log("error", "journal_write_failed", { code });
    else log("error", "journal_rotation_failed", { code });
  }

  #pathOf(hour: number): string {
    return join(this.#directory, `outcomes-${hour}.ndjson`);
  }
}

function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
}
