// A file in the state directory that mirrors a value in memory. While the disk is full, the value
// in memory is used, and writing is retried until it succeeds.
import { readStateFile, writeStateFile } from "../state-file.ts";

const RETRY_MS = 1_000;

export class StateMirror {
  readonly #path: string;
  readonly #current: () => unknown;
  #timer: NodeJS.Timeout | null = null;

  constructor(path: string, current: () => unknown) {
    this.#path = path;
    this.#current = current;
  }

  /** Returns the last stored value, or undefined. */
  read(): unknown {
    return readStateFile(this.#path);
  }

  keep(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      writeStateFile(this.#path, this.#current());
    } catch {
      this.#timer = setTimeout(() => this.keep(), RETRY_MS).unref();
    }
  }
}
