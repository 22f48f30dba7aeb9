// Reads and writes JSON files in the state directory. A file is replaced in one step. So it is
// never incomplete, even for a concurrent reader or after a kill.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const RETRY_MS = 1_000;

/**
 * Writes the file at `path`. The file always has either the old or the new content. Only its owner
 * can read it, because it contains keys.
 */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, path);
}

/** Writes `value` to the file at `path`, as replaceFile() does. */
export function writeStateFile(path: string, value: unknown): void {
  replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Returns the text of the file at `path`, or undefined if the file is missing. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Returns the content of the file at `path`, or undefined without a file. Throws if the file is not
 * JSON, because a person must look at it.
 */
export function readStateFile(path: string): unknown {
  const text = readText(path);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: delete it to start afresh`, { cause: error });
  }
}

/**
 * Stores a value from memory in a file. While the disk is full, the value in memory applies, and
 * the write is repeated until it succeeds.
 */
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
