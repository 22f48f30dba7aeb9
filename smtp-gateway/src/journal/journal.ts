// Remembers on disk, for 24 hours, the outcome of every message whose final dot may have gone out,
// so that a key asked for again is never sent again. Room for an outcome is taken before its
// attempt starts, so that a disk which fills up meanwhile can't make the journal forget. An entry
// is written before the outcome is told: it survives the process, though not the machine, being
// killed. Files cover an hour each and are dropped whole; memory holds an index alone.
import { join } from "node:path";
import { type Disk, NODE_DISK } from "./journal-disk.ts";
import { Segment } from "./journal-segment.ts";
import { hashOf } from "./key-positions.ts";
import { log } from "../gateway-log.ts";
import type { EgressOutcome } from "../outbound/outcome.ts";

const HOUR_MS = 3_600_000;
const KEPT_MS = 24 * HOUR_MS;
const FILE_NAME = /^outcomes-(\d{1,8})\.ndjson$/;
/**
 * The longest entry without its key: 1 KB of text whose every character is escaped, a host name,
 * and the members' names.
 */
const ENTRY_MAX_BYTES = 3 * 1024;
/** A disk that refused a new file is left alone for this long. */
const RETRY_MS = 1_000;

/**
 * Milliseconds. The wall clock may leap and is read once, when the first file is named; the other
 * only ever goes forward.
 */
export interface Clock {
  readonly wall: () => number;
  readonly uptime: () => number;
}

type Complaint = "write" | "rotation";

const CLOCK: Clock = { wall: Date.now, uptime: () => performance.now() };

/** Room for one outcome. */
export interface Slot {
  /** True: the outcome has reached the operating system, and is remembered. Gives the room back. */
  readonly record: (outcome: EgressOutcome) => boolean;
  /** Gives the room back, once. */
  readonly release: () => void;
}

export class Journal {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #disk: Disk;
  /** Newest first; the first takes new entries. Empty: the disk was full at the start. */
  #segments: Segment[] = [];
  /** Bytes of the slots that are neither used nor given back. */
  #promised = 0;
  /** The failures that were logged and have not ended. */
  readonly #complaints = new Set<Complaint>();
  #retryAt = Number.NEGATIVE_INFINITY;
  /** The journal's own time less the clock's uptime. */
  readonly #offset: number;

  /**
   * Opens or creates the journal in `directory` (one process at a time). Throws what the file
   * system throws, unless its word is that it is full.
   */
  constructor(directory: string, clock: Clock = CLOCK, disk: Disk = NODE_DISK) {
    this.#directory = directory;
    this.#clock = clock;
    this.#disk = disk;
    disk.makeDirectory(directory);
    const hours = disk.list(directory).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
    for (const hour of hours.map(Number).sort((a, b) => a - b)) {
      this.#fitNewest();
      this.#segments.unshift(new Segment(disk, this.#pathOf(hour), hour));
    }
    // The journal's own time goes on where its newest entry left it and advances only while the
    // process runs. So no entry is dropped before it was kept for 24 hours, whatever the wall clock
    // says at one moment; after a rest it is kept for longer.
    const begun =
      this.#segments.length > 0
        ? Math.max(...this.#segments.map(({ newest }) => newest))
        : clock.wall();
    this.#offset = begun - clock.uptime();
    const refused = this.#rotate();
    if (this.#segments.length === 0 && refused !== null && !isFull(refused)) throw refused;
  }

  /** Returns the outcome of `key`; undefined: the journal remembers none. */
  find(key: string): EgressOutcome | undefined {
    this.#rotate();
    const hashed = hashOf(key);
    for (const segment of this.#segments) {
      const outcome = segment.find(hashed, key);
      if (outcome) return outcome;
    }
    return undefined;
  }

  /**
   * Room for what will become of `key`; null: the disk has none, and the attempt must not start.
   */
  reserve(key: string): Slot | null {
    const bytes = ENTRY_MAX_BYTES + Buffer.byteLength(JSON.stringify(key));
    if (!this.#takes(bytes)) return null;
    this.#promised += bytes;
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#promised -= bytes;
      isOpen = false;
    };
    const record = (outcome: EgressOutcome): boolean => {
      release();
      return this.#append(key, outcome);
    };
    return { record, release };
  }

  /** True: the journal takes another outcome now. */
  probe(): boolean {
    return this.#takes(ENTRY_MAX_BYTES, true);
  }

  /** On disk. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Of memory. */
  get indexBytes(): number {
    return this.#segments.reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** How many it remembers. */
  get outcomes(): number {
    return this.#segments.reduce((sum, { index }) => sum + index.count, 0);
  }

  close(): void {
    this.#fitNewest();
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
  }

  /** Milliseconds of the journal's own time. */
  get #now(): number {
    return Math.floor(this.#offset + this.#clock.uptime());
  }

  /**
   * Sees to room for `bytes` beside what is promised. `doubtful`: the disk shows that it writes, as
   * it must after a failure.
   */
  #takes(bytes: number, doubtful = this.#complaints.has("write")): boolean {
    this.#rotate();
    const [newest] = this.#segments;
    if (!newest) return false;
    const takes = this.#attempt("write", () => {
      newest.makeRoom(this.#promised + bytes);
      if (doubtful) newest.touch();
    });
    if (takes) this.#complaints.delete("write");
    return takes;
  }

  #append(key: string, outcome: EgressOutcome): boolean {
    const [newest] = this.#segments;
    return (
      newest !== undefined &&
      this.#attempt("write", () => newest.append({ key, outcome, at: this.#now }))
    );
  }

  /**
   * Begins a new file when the hour is over. Returns why it could not; null: nothing was in the
   * way.
   */
  #rotate(): unknown {
    const hour = Math.floor(this.#now / HOUR_MS);
    const [newest] = this.#segments;
    if ((newest !== undefined && newest.hour >= hour) || this.#clock.uptime() < this.#retryAt)
      return null;
    this.#expire();
    try {
      this.#begin(hour);
      this.#complaints.delete("rotation");
      return null;
    } catch (error) {
      this.#retryAt = this.#clock.uptime() + RETRY_MS;
      this.#complain("rotation", error);
      return error;
    }
  }

  /**
   * The old file goes on until the new one holds all the room that is promised. Throws what the
   * file system throws.
   */
  #begin(hour: number): void {
    const segment = new Segment(this.#disk, this.#pathOf(hour), hour);
    try {
      segment.makeRoom(this.#promised);
    } catch (error) {
      this.#remove(segment);
      throw error;
    }
    this.#fitNewest();
    this.#segments.unshift(segment);
  }

  /** Drops the files whose newest entry has been kept for its time. */
  #expire(): void {
    const [newest, ...older] = this.#segments;
    const expired = older.filter((segment) => segment.newest < this.#now - KEPT_MS);
    for (const segment of expired) this.#remove(segment);
    if (newest) this.#segments = [newest, ...older.filter((segment) => !expired.includes(segment))];
  }

  #remove(segment: Segment): void {
    segment.close();
    this.#attempt("rotation", () => this.#disk.remove(segment.path));
  }

  #fitNewest(): void {
    this.#attempt("rotation", () => this.#segments[0]?.fit());
  }

  /** True: the call did not throw. */
  #attempt(complaint: Complaint, call: () => void): boolean {
    try {
      call();
      return true;
    } catch (error) {
      this.#complain(complaint, error);
      return false;
    }
  }

  /** Logs the first failure of a series. */
  #complain(complaint: Complaint, error: unknown): void {
    if (this.#complaints.has(complaint)) return;
    this.#complaints.add(complaint);
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (complaint === "write") log("error", "journal_write_failed", { code });
    else log("error", "journal_rotation_failed", { code });
  }

  #pathOf(hour: number): string {
    return join(this.#directory, `outcomes-${hour}.ndjson`);
  }
}

function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
}
