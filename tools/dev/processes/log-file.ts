// Writes the log of one child process since the stack started. A line that can't be written (full
// disk, closed pipe) is dropped, because the stack must not end for its log.
import { mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const LINES_SHOWN = 20;

type Write = (descriptor: number, text: string) => void;

export class LogFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #write: Write;
  #isWritable = true;

  /** Empties the file and makes it readable by its owner only. `write` throws as writeSync does. */
  constructor(path: string, write: Write = writeSync) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#descriptor = openSync(path, "w", 0o600);
    this.#write = write;
  }

  /**
   * Appends a line. Returns a message for the terminal at the first dropped line since a successful
   * write, and otherwise null.
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

  /** Returns the latest lines and the path of the log. */
  end(): string {
    const lines = readFileSync(this.#path, "utf8").trimEnd().split("\n");
    return [...lines.slice(-LINES_SHOWN), `(the whole log: ${this.#path})`].join("\n");
  }
}

/**
 * Ignores write errors of a closed terminal or of a file on a full disk. Without a listener, such
 * an error would end the program.
 */
export function dropLostOutput(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) stream.on("error", () => undefined);
}
