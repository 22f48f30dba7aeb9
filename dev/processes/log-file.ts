// Keeps the log of one child process since the stack started. A line that can't be written (a full
// disk, a pipe whose reader is gone) is dropped: the log serves the stack, and must not end it.
import { mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const LINES_SHOWN = 20;

type Write = (descriptor: number, text: string) => void;

export class LogFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #write: Write;
  #isWritable = true;

  /** Empties the file, readable by its owner only. `write` throws what writeSync throws. */
  constructor(path: string, write: Write = writeSync) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#descriptor = openSync(path, "w", 0o600);
    this.#write = write;
  }

  /**
   * Appends a line. Returns words for the terminal when this line is the first that is dropped
   * since one was written, else null.
   */
  append(line: string): string | null {
    try {
      this.#write(this.#descriptor, `${line}\n`);
      this.#isWritable = true;
      return null;
    } catch (error) {
      const isFirst = this.#isWritable;
      this.#isWritable = false;
      return isFirst
        ? `${this.#path} can't be written (${(error as NodeJS.ErrnoException).code}): its lines are dropped until it can`
        : null;
    }
  }

  /** The latest lines, and where the others are. */
  end(): string {
    const lines = readFileSync(this.#path, "utf8").trimEnd().split("\n");
    return [...lines.slice(-LINES_SHOWN), `(all of it: ${this.#path})`].join("\n");
  }
}
