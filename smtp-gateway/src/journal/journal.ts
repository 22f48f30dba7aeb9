// Stores on disk, for 24 hours, the outcome of every message whose final dot may have gone out. If
// the worker sends the same key again, the gateway answers with this outcome and does not send the
// message again (docs/egress-protocol.md §Asking twice). Disk space for the outcome is reserved
// before the transaction begins, so that a disk that becomes full during the transaction can't lose
// the outcome. The entry is written before the gateway answers, so it survives a crash of the
// process, but not of the machine. Each file covers an hour, and is deleted as a whole. Only an
// index of the entries is in memory.
import { join } from "node:path";
import { type Disk, NODE_DISK } from "./journal-disk.ts";
import { HOUR_MS } from "../millisecond-units.ts";
import { Segment } from "./journal-segment.ts";
import { hashOf } from "./key-positions.ts";
import { log } from "../gateway-log.ts";
import type { EgressOutcome, EndedAttempt } from "../outcome.ts";

const OUTCOME_KEPT_MS = 24 * HOUR_MS;
const FILE_NAME = /^outcomes-(\d{1,8})\.ndjson$/;
/**
 * Maximum size of an entry in bytes, not counting its key: 1 KB of text with every character
 * escaped, a host name, and the names of the JSON members.
 */
const ENTRY_MAX_BYTES = 3 * 1024;
/** Milliseconds until the next try, after the disk refused a new file. */
const FILE_RETRY_MS = 1_000;

/**
 * Gives times in milliseconds. `wall` may jump, so it is used only for the first file of an empty
 * journal. `uptime` never goes back, and is used for everything else.
 */
interface Clock {
  readonly wall: () => number;
  readonly uptime: () => number;
}

type DiskFailure = "write" | "rotation";

const CLOCK: Clock = { wall: Date.now, uptime: () => performance.now() };

/** A reservation of disk space for one outcome. */
export interface Slot {
  /**
   * Writes the outcome and ends the reservation. `ms`: milliseconds from the message's arrival to
   * the outcome. Returns true if the operating system has the entry.
   */
  readonly record: (outcome: EgressOutcome, ms: number) => boolean;
  /** Ends the reservation. Further calls do nothing. */
  readonly release: () => void;
}

export class Journal {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #disk: Disk;
  /**
   * The journal's files, newest first. New entries go into the newest file. The list is empty if
   * the disk has been full since the start.
   */
  #segments: Segment[] = [];
  /** Bytes of disk space that are reserved now. */
  #reserved = 0;
  /** Failures that were logged and have not ended yet. */
  readonly #failures = new Set<DiskFailure>();
  #retryAt = Number.NEGATIVE_INFINITY;
  /** The journal's own time minus the clock's uptime, in milliseconds. */
  readonly #offset: number;

  /**
   * Opens or creates the journal in `directory`. Only one process may use a directory. Throws the
   * file system's errors, except for a full disk.
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
    // The journal's own time begins at its newest entry and advances only while the process runs.
    // Therefore the journal keeps every entry for at least 24 hours, even if the wall clock jumps.
    // Time in which the gateway is stopped does not count.
    const startedAt =
      this.#segments.length > 0
        ? Math.max(...this.#segments.map(({ newest }) => newest))
        : clock.wall();
    this.#offset = startedAt - clock.uptime();
    const refused = this.#rotate();
    if (this.#segments.length === 0 && refused !== null && !isFull(refused)) throw refused;
  }

  /**
   * Returns the outcome of `key`. The times in the outcome are milliseconds of the process's clock.
   * Returns undefined if the journal has no such key.
   */
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

  /** Tells whether there is disk space for another outcome. This usually needs no write. */
  hasRoom(): boolean {
    return this.#ensureRoom(ENTRY_MAX_BYTES);
  }

  /**
   * Reserves disk space for the outcome of `key`. Returns null if the disk is full. The attempt
   * must not begin in that case.
   */
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
      const [newest] = this.#segments;
      const entry = { key, outcome, at: this.#now, ms: Math.round(ms) };
      return newest !== undefined && this.#attempt("write", () => newest.append(entry));
    };
    return { record, release };
  }

  /** Writes to the disk, to check that the journal can store another outcome now. */
  probe(): boolean {
    return this.#ensureRoom(ENTRY_MAX_BYTES, true);
  }

  /** Size of the journal on disk, in bytes. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get indexBytes(): number {
    return this.#segments.reduce((sum, { index }) => sum + index.bytes, 0);
  }

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
   * Makes sure that the file has disk space for all reserved bytes and `bytes` more. `mustWrite`:
   * also checks that the disk can write, for example after a failure. Returns false if the disk
   * failed.
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

  /**
   * Begins a new file if the newest file's hour is over. Returns the error if the new file can't be
   * created, or else null.
   */
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
   * Begins a new file. The old file stays in use until the new one has disk space for all
   * reservations. Throws the file system's error.
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

  /** Deletes the files whose newest entry is older than 24 hours. */
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

  /** Runs `call`, and logs the error if it throws. Returns true if it did not throw. */
  #attempt(failure: DiskFailure, call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      this.#logFailure(failure, error);
      return false;
    }
  }

  /** Logs a failure, unless it was logged before and has not ended yet. */
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
