// Writes the output of one child process to a log file. Each start of the stack empties the file.
// If a line can't be written (full disk, closed pipe), it is dropped, and the stack continues.
import { mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const LINES_SHOWN = 20;

type Write = (descriptor: number, text: string) => void;

export class LogFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #write: Write;
  #isWritable = true;

  /** Creates an empty file that only its owner can read. `write` must throw as writeSync does. */
  constructor(path: string, write: Write = writeSync) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#descriptor = openSync(path, "w", 0o600);
    this.#write = write;
  }

  /**
   * Appends a line. Returns a text for the terminal if this is the first line that was dropped
   * since the last successful write. Otherwise returns null.
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
        ? `${this.#path} can't be written (${(error as NodeJS.ErrnoException).code}): lines ` +
            "are dropped until it can"
        : null;
    }
  }

  /** Returns the last lines of the log, and the path of the file. */
  end(): string {
    const lines = readFileSync(this.#path, "utf8").trimEnd().split("\n");
    return [...lines.slice(-LINES_SHOWN), `(the whole log: ${this.#path})`].join("\n");
  }
}

/**
 * Ignores write errors of a closed terminal or a full disk. Without this listener, such an error
 * would end the program.
 */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
