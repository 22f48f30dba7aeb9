// Stores one file of the journal, with a line of JSON for each outcome. The file reserves disk
// space by writing line ends, which readers skip. Each outcome overwrites some of these line ends.
// Therefore a full disk can't refuse an outcome on a file system that overwrites in place.
import type { Disk } from "./journal-disk.ts";
import { hashOf, type KeyHash, KeyPositions } from "./key-positions.ts";
import type { EgressOutcome } from "../outcome.ts";
import { HOUR_MS } from "../millisecond-units.ts";

const LF = 10;
const LINE_MAX_BYTES = 8 * 1024;
const LOAD_CHUNK_BYTES = 1024 * 1024;
/**
 * The line ends that one write adds when the file needs more disk space. They are many, so that
 * most outcomes need only one write.
 */
const ROOM = Buffer.alloc(256 * 1024, "\n");

export interface JournalEntry {
  readonly key: string;
  readonly outcome: EgressOutcome;
  /** Time of the reply, in milliseconds of the journal's own time. */
  readonly at: number;
  /** Milliseconds from the message's arrival at the gateway to the reply. */
  readonly ms?: number;
}

export class Segment {
  /** Time when the file was begun, in whole hours of the journal's own time. */
  readonly hour: number;
  readonly path: string;
  readonly index = new KeyPositions();
  /**
   * Time of the newest entry. In a file without entries, it is the beginning of the file's hour.
   */
  newest: number;
  readonly #disk: Disk;
  readonly #file: number;
  /** Position in the file where the next line is written. */
  #end = 0;
  /** Size of the file, including unused disk space. */
  #size: number;
  /** True: after a crash, the file ends with half a line. The next entry ends that line first. */
  #isTorn = false;

  /** Opens or creates a file, and indexes its lines. Throws the file system's error. */
  constructor(disk: Disk, path: string, hour: number) {
    this.#disk = disk;
    this.path = path;
    this.hour = hour;
    this.newest = hour * HOUR_MS;
    this.#file = disk.open(path);
    this.#size = disk.size(this.#file);
    this.#load();
  }

  get bytes(): number {
    return this.#size;
  }

  find(hashed: KeyHash, key: string): JournalEntry | undefined {
    for (const at of this.index.positions(hashed)) {
      const entry = this.#entryAt(at);
      if (entry?.key === key) return entry;
    }
    return undefined;
  }

  /**
   * Reserves disk space for lines of `bytes` bytes. Throws the file system's error if the disk is
   * full.
   */
  makeRoom(bytes: number): void {
    while (this.#size - this.#end < bytes) this.#size += this.#write(ROOM, this.#size);
  }

  /**
   * Writes an entry. Throws the file system's error. The file then does not have the entry, and the
   * next entry overwrites its bytes.
   */
  append(entry: JournalEntry): void {
    const line = Buffer.from(`${this.#isTorn ? "\n" : ""}${JSON.stringify(entry)}\n`);
    for (let written = 0; written < line.length;) {
      written += this.#write(line.subarray(written), this.#end + written);
      this.#size = Math.max(this.#size, this.#end + written);
    }
    this.index.add(hashOf(entry.key), this.#end + Number(this.#isTorn));
    this.#isTorn = false;
    this.#end += line.length;
    this.newest = Math.max(this.newest, entry.at);
  }

  /**
   * Overwrites one line end with a line end, to check that the disk can write. Throws the file
   * system's error.
   */
  touch(): void {
    this.makeRoom(1);
    this.#write(ROOM.subarray(0, 1), this.#size - 1);
  }

  /** Frees unused disk space and memory. */
  trim(): void {
    this.index.trim();
    if (this.#size === this.#end) return;
    this.#disk.truncate(this.#file, this.#end);
    this.#size = this.#end;
  }

  close(): void {
    this.#disk.close(this.#file);
  }

  #write(bytes: Buffer, at: number): number {
    const written = this.#disk.write(this.#file, bytes, at);
    if (written > 0) return written;
    throw Object.assign(new Error("the disk wrote no byte"), { code: "ENOSPC" });
  }

  #load(): void {
    const chunk = Buffer.allocUnsafe(LOAD_CHUNK_BYTES);
    let at = 0;
    while (at < this.#size) {
      const bytes = chunk.subarray(0, this.#disk.read(this.#file, chunk, at));
      const end = bytes.lastIndexOf(LF) + 1;
      if (end === 0) break;
      this.#indexLines(bytes.subarray(0, end), at);
      at += end;
    }
    if (at >= this.#size) return;
    this.#isTorn = true;
    this.#end = this.#size;
  }

  #indexLines(bytes: Buffer, at: number): void {
    for (let from = 0; from < bytes.length; from += 1) {
      // Unused disk space consists of line ends.
      if (bytes[from] === LF) continue;
      const end = bytes.indexOf(LF, from);
      this.#end = at + end + 1;
      const entry = parseLine(bytes.toString("utf8", from, end));
      if (entry) {
        this.index.add(hashOf(entry.key), at + from);
        this.newest = Math.max(this.newest, entry.at);
      }
      from = end;
    }
  }

  #entryAt(at: number): JournalEntry | null {
    const bytes = Buffer.allocUnsafe(LINE_MAX_BYTES);
    const line = bytes.subarray(0, this.#disk.read(this.#file, bytes, at));
    const end = line.indexOf(LF);
    return end < 0 ? null : parseLine(line.toString("utf8", 0, end));
  }
}

function parseLine(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry> | null;
    const isKnown = entry?.outcome?.kind === "reply" || entry?.outcome?.kind === "failure";
    const isWhole = typeof entry?.key === "string" && typeof entry.at === "number" && isKnown;
    return isWhole ? (entry as JournalEntry) : null;
  } catch {
    return null;
  }
}
