// The streams of the program, and the questions that it asks on them.
import type { EventEmitter } from "node:events";
import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";
import { wrongUsage } from "./exit-codes.ts";

interface Input extends Readable {
  readonly isTTY?: boolean;
}

interface Output extends Writable {
  readonly isTTY?: boolean;
}

export interface ProgramStreams {
  readonly input: Input;
  readonly output: Output;
  readonly errors: Writable;
  /** Emits the signals that the program gets, such as SIGINT. */
  readonly signals: EventEmitter;
}

/** Asks one question after another. A person answers, or a file with one answer in each line. */
export function promptsOn({ input, errors }: Pick<ProgramStreams, "input" | "errors">) {
  const isPerson = input.isTTY === true;
  let isHidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _, done) {
      if (!isHidden) errors.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input, output: shown, terminal: isPerson });
  const lines = reader[Symbol.asyncIterator]();
  return {
    /** Throws a CommandFailure if the input ends before the answer. */
    ask: async (question: string, isSecret = false): Promise<string> => {
      reader.setPrompt(question);
      if (isPerson) reader.prompt();
      isHidden = isSecret;
      const line = await lines.next();
      if (isPerson && isSecret) errors.write("\n");
      if (line.done) throw wrongUsage("the answer is missing");
      return line.value.trim();
    },
    end: () => reader.close(),
  };
}
