// A disk for tests of the journal, in memory and with a given number of bytes left, and a clock. A
// file can grow as long as bytes are left, and its bytes can be overwritten even on a full disk.
import { basename, dirname } from "node:path";
import type { Disk } from "../../../smtp-gateway/src/journal/journal-disk.ts";
import type { EgressOutcome } from "../../../smtp-gateway/src/outcome.ts";

interface HeldFile {
  bytes: Buffer;
  size: number;
}

export class SmallDisk implements Disk {
  /** Number of bytes that can still be written. */
  left: number;
  /** Number of disk operations that changed something. */
  calls = 0;
  /**
   * Number of the first call that fails with EIO. All later calls fail too. Null: no call fails.
   */
  breaksAt: number | null = null;
  readonly #files: Map<string, HeldFile>;
  readonly #open: HeldFile[] = [];

  /** `before`: a disk whose files are on this one too. */
  constructor(left: number, before?: SmallDisk) {
    this.left = left;
    this.#files = before ? before.#files : new Map();
  }

  readonly makeDirectory = (): void => undefined;
  readonly close = (): void => undefined;

  readonly list = (directory: string): string[] =>
    [...this.#files.keys()]
      .filter((path) => dirname(path) === directory)
      .map((path) => basename(path));

  readonly size = (file: number): number => this.#open[file]!.size;

  readonly read = (file: number, into: Buffer, at: number): number => {
    const { bytes, size } = this.#open[file]!;
    return bytes.copy(into, 0, at, size);
  };

  readonly open = (path: string): number => {
    this.#count();
    const held = this.#files.get(path) ?? { bytes: Buffer.alloc(0), size: 0 };
    if (this.left <= 0 && !this.#files.has(path)) throw failure("ENOSPC");
    this.#files.set(path, held);
    return this.#open.push(held) - 1;
  };

  readonly write = (file: number, bytes: Buffer, at: number): number => {
    this.#count();
    const held = this.#open[file]!;
    const fits = Math.min(bytes.length, Math.max(0, held.size - at) + this.left);
    if (fits <= 0) throw failure("ENOSPC");
    const end = at + fits;
    this.left -= Math.max(0, end - held.size);
    if (end > held.bytes.length)
      held.bytes = Buffer.concat([held.bytes, Buffer.alloc(2 * end - held.bytes.length)]);
    held.bytes.set(bytes.subarray(0, fits), at);
    held.size = Math.max(held.size, end);
    return fits;
  };

  readonly truncate = (file: number, size: number): void => {
    this.#count();
    const held = this.#open[file]!;
    this.left += held.size - size;
    held.bytes.fill(0, size);
    held.size = size;
  };

  readonly remove = (path: string): void => {
    this.#count();
    this.left += this.#files.get(path)!.size;
    this.#files.delete(path);
  };

  #count(): void {
    this.calls += 1;
    if (this.breaksAt !== null && this.calls >= this.breaksAt) throw failure("EIO");
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export const HOUR = 3_600_000;

/** Makes a fake clock. `ms` is the uptime. The journal's first hour has the number 500,000. */
export function clock() {
  const time = { ms: 500_000 * HOUR, uptime: () => time.ms, wall: () => time.ms };
  return time;
}

/** An outcome that a journal keeps. */
export const outcome = (text: string): EgressOutcome => ({
  kind: "reply",
  code: 250,
  enhanced: "2.0.0",
  text,
  stage: "end",
  mx_host: "mx.test",
  tls: null,
});
