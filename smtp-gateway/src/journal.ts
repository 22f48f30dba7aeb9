// Remembers for 24 hours, on disk, what became of every message whose final dot may have gone out, so that a key asked for again is never sent again.
// One line an outcome, appended with write() before the outcome is told: it survives the process, though not the machine, being killed.
// Files cover an hour each and are dropped whole; in memory there is only an index, of some nine bytes an outcome.
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { hashOf, KeyPositions } from "./key-positions.ts";
import { log } from "./log.ts";
import type { Outcome } from "./outcome.ts";

const HOUR_MS = 3_600_000;
const KEPT_HOURS = 24;
const LINE_MAX_BYTES = 8 * 1024;
const LOAD_CHUNK_BYTES = 1024 * 1024;
const FILE_NAME = /^outcomes-(\d{1,8})\.ndjson$/;

interface Segment {
  readonly path: string;
  /** Whole hours since 1970. */
  readonly hour: number;
  readonly file: number;
  readonly index: KeyPositions;
  size: number;
}

export class Journal {
  readonly #directory: string;
  readonly #now: () => number;
  /** Newest first. */
  #segments: Segment[] = [];
  #broken = false;

  /** Opens or creates the journal in `directory` (one process at a time). Throws what the file system throws. */
  constructor(directory: string, now: () => number = Date.now) {
    this.#directory = directory;
    this.#now = now;
    mkdirSync(directory, { recursive: true });
    const hours = readdirSync(directory).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
    const ascending = hours.map(Number).sort((a, b) => a - b);
    for (const hour of ascending) {
      this.#segments[0]?.index.fit();
      this.#segments.unshift(load(join(directory, fileName(hour)), hour));
    }
    this.#open(this.#hour());
  }

  /** What became of `key`; undefined: nothing that is remembered. */
  find(key: string): Outcome | undefined {
    this.#rotate();
    const hashed = hashOf(key);
    for (const segment of this.#segments) {
      for (const at of segment.index.positions(hashed)) {
        const entry = entryAt(segment, at);
        if (entry?.key === key) return entry.outcome;
      }
    }
    return undefined;
  }

  /** True: it has reached the operating system, and is remembered. A write that fails is logged, and makes the journal unwell. */
  append(key: string, outcome: Outcome): boolean {
    this.#rotate();
    // What the failed write left of a line is closed off first.
    if (this.#broken) this.#write("\n", null);
    this.#write(`${JSON.stringify({ key, outcome })}\n`, key);
    return !this.#broken;
  }

  /** False: the last write failed, and so does another try now. Mail must not be taken until it is true again. */
  get well(): boolean {
    this.#rotate();
    // An empty line: it means nothing to the loader, and ends the torn one that a full disk left.
    if (this.#broken) this.#write("\n", null);
    return !this.#broken;
  }

  /** Whether it takes a line: an empty one, which stands for nothing. */
  probe(): boolean {
    this.#rotate();
    this.#write("\n", null);
    return !this.#broken;
  }

  /** On disk. */
  get bytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
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
    for (const segment of this.#segments) closeSync(segment.file);
    this.#segments = [];
  }

  #write(line: string, key: string | null): void {
    const segment = this.#segments[0]!;
    const bytes = Buffer.from(line);
    const at = segment.size;
    try {
      segment.size += writeSync(segment.file, bytes);
      if (segment.size - at < bytes.length) segment.size += writeSync(segment.file, bytes, segment.size - at);
      this.#broken = segment.size - at < bytes.length;
      if (key !== null && !this.#broken) segment.index.add(hashOf(key), at);
    } catch (error) {
      this.#broken = true;
      log("error", "journal_write_failed", { code: (error as NodeJS.ErrnoException).code ?? "unknown" });
    }
  }

  #hour(): number {
    return Math.floor(this.#now() / HOUR_MS);
  }

  #rotate(): void {
    const hour = this.#hour();
    if (this.#segments[0]!.hour >= hour) return;
    try {
      this.#open(hour);
    } catch (error) {
      // The old file goes on until the new one can be opened.
      log("error", "journal_rotation_failed", { code: (error as NodeJS.ErrnoException).code ?? "unknown" });
    }
  }

  #open(hour: number): void {
    if (this.#segments[0]?.hour !== hour) this.#segments.unshift(load(join(this.#directory, fileName(hour)), hour));
    // Nothing is added to an hour that is over.
    this.#segments[1]?.index.fit();
    const oldest = hour - KEPT_HOURS;
    for (const expired of this.#segments.filter((segment) => segment.hour < oldest)) {
      closeSync(expired.file);
      unlinkSync(expired.path);
    }
    this.#segments = this.#segments.filter((segment) => segment.hour >= oldest);
  }
}

function fileName(hour: number): string {
  return `outcomes-${hour}.ndjson`;
}

/** Opens a file for appending and indexes what it has. A last line without its end was torn by a crash: it is closed off, and stands for nothing. */
function load(path: string, hour: number): Segment {
  const file = openSync(path, "a+", 0o600);
  const segment: Segment = { path, hour, file, index: new KeyPositions(), size: fstatSync(file).size };
  const chunk = Buffer.allocUnsafe(LOAD_CHUNK_BYTES);
  let at = 0;
  while (at < segment.size) {
    const bytes = chunk.subarray(0, readSync(file, chunk, 0, LOAD_CHUNK_BYTES, at));
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0) break;
    indexLines(segment.index, bytes.subarray(0, end), at);
    at += end;
  }
  if (at < segment.size) segment.size += writeSync(file, "\n");
  return segment;
}

function indexLines(index: KeyPositions, bytes: Buffer, at: number): void {
  for (let from = 0, end = bytes.indexOf(10); end >= 0; from = end + 1, end = bytes.indexOf(10, from)) {
    const entry = parseLine(bytes.toString("utf8", from, end));
    if (entry) index.add(hashOf(entry.key), at + from);
  }
}

function entryAt(segment: Segment, at: number): { key: string; outcome: Outcome } | null {
  const bytes = Buffer.allocUnsafe(LINE_MAX_BYTES);
  const line = bytes.subarray(0, readSync(segment.file, bytes, 0, LINE_MAX_BYTES, at));
  const end = line.indexOf(10);
  return end < 0 ? null : parseLine(line.toString("utf8", 0, end));
}

function parseLine(line: string): { key: string; outcome: Outcome } | null {
  try {
    const entry = JSON.parse(line) as { key?: unknown; outcome?: { kind?: unknown } } | null;
    const whole = typeof entry?.key === "string" && (entry.outcome?.kind === "reply" || entry.outcome?.kind === "failure");
    return whole ? (entry as { key: string; outcome: Outcome }) : null;
  } catch {
    return null;
  }
}
