// Stores a value from memory in a file of the state directory. While the disk is full, the value in
// memory is used, and the write is repeated until it succeeds.
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

  /** Returns the stored value, or undefined if nothing is stored. */
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
