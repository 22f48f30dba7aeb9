// Prints set-up's messages and asks its questions. Answers come line by line, from a person or a
// pipe. A secret is not shown while it is typed.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { Surroundings } from "./run-command.ts";
import { SetupProblem } from "./setup-problem.ts";

export interface Terminal {
  say(line: string): void;
  /**
   * Returns the trimmed answer, "" for none. Throws a SetupProblem if it can't ask interactively.
   */
  ask(question: string, isSecret?: boolean): Promise<string>;
  /** Tells whether questions can be asked interactively. */
  readonly asks: boolean;
  close(): void;
}

/** `asks` is false with `--yes`: no question is asked. */
export function terminal(
  asks: boolean,
  input: Surroundings["input"],
  output: Surroundings["output"],
): Terminal {
  let isMuted = false;
  let lines: AsyncIterator<string> | undefined;
  let reader: Interface | undefined;
  const echo = new Writable({
    write(chunk: Buffer, _, done) {
      if (!isMuted) output.write(chunk);
      done();
    },
  });
  const open = (): AsyncIterator<string> => {
    reader ??= createInterface({
      input: input,
      output: echo,
      terminal: input.isTTY === true,
    }).once("SIGINT", interrupt);
    lines ??= reader[Symbol.asyncIterator]();
    return lines;
  };
  /**
   * While the reader holds the terminal, Ctrl-C arrives as a key. It has to end more than the
   * question.
   */
  const interrupt = (): void => {
    reader?.close();
    output.write("\n");
    process.kill(process.pid, "SIGINT");
  };
  const next = async (): Promise<string> => {
    const { done, value } = await open().next();
    if (done)
      throw new SetupProblem(
        "the input ended before every question was answered",
        "answer in the terminal, or set the values by environment",
      );
    return value.trim();
  };
  return {
    asks,
    say: (line) => void output.write(`${line}\n`),
    async ask(question, isSecret = false) {
      if (!asks) throw new SetupProblem(`can't ask without a terminal: ${question}`);
      // Opened before the reader: the terminal itself must not show the typed text.
      open();
      output.write(`  ? ${question}${isSecret && input.isTTY ? " (not shown)" : ""} `);
      isMuted = isSecret;
      const answer = await next();
      isMuted = false;
      if (isSecret || !input.isTTY) output.write("\n");
      return answer;
    },
    close: () => reader?.close(),
  };
}
