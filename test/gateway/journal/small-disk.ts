// A disk for tests with a given number of bytes left. A file can grow as long as bytes are left,
// and its bytes can be overwritten even on a full disk.
import { existsSync } from "node:fs";
import { type Disk, NODE_DISK } from "../../../smtp-gateway/src/journal/journal-disk.ts";

export class SmallDisk implements Disk {
  /** Number of bytes that can still be written. */
  left: number;
  /** Number of disk operations that changed something. */
  calls = 0;
  /**
   * Number of the first call that fails with EIO. All later calls fail too. Null: no call fails.
   */
  breaksAt: number | null = null;

  constructor(left: number) {
    this.left = left;
  }

  readonly makeDirectory = NODE_DISK.makeDirectory;
  readonly list = NODE_DISK.list;
  readonly size = NODE_DISK.size;
  readonly read = NODE_DISK.read;
  readonly close = NODE_DISK.close;

  readonly open = (path: string): number => {
    this.#count();
    if (this.left <= 0 && !existsSync(path)) throw failure("ENOSPC");
    return NODE_DISK.open(path);
  };

  readonly write = (file: number, bytes: Buffer, at: number): number => {
    this.#count();
    const size = NODE_DISK.size(file);
    const fits = Math.min(bytes.length, Math.max(0, size - at) + this.left);
    if (fits <= 0) throw failure("ENOSPC");
    this.left -= Math.max(0, at + fits - size);
    return NODE_DISK.write(file, bytes.subarray(0, fits), at);
  };

  readonly truncate = (file: number, size: number): void => {
    this.#count();
    this.left += NODE_DISK.size(file) - size;
    NODE_DISK.truncate(file, size);
  };

  readonly remove = (path: string): void => {
    this.#count();
    const file = NODE_DISK.open(path);
    this.left += NODE_DISK.size(file);
    NODE_DISK.close(file);
    NODE_DISK.remove(path);
  };

  #count(): void {
    this.calls += 1;
    if (this.breaksAt !== null && this.calls >= this.breaksAt) throw failure("EIO");
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
