// Prints set-up's messages and asks its questions. The input has one answer per line, from a person
// or a pipe. A secret is not shown while a person types it.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { CommandSurroundings } from "./run-command.ts";
import { SetupProblem } from "./setup-problem.ts";

export interface Terminal {
  say(line: string): void;
  /**
   * Asks a question. Returns the answer without white space around it. An empty line gives "".
   * Throws a SetupProblem if no question can be asked.
   */
  ask(question: string, isSecret?: boolean): Promise<string>;
  /** True: questions can be asked. */
  readonly asks: boolean;
  close(): void;
}

/** `asks` is false with `--yes`, so that no question is asked. */
export function terminal(
  asks: boolean,
  input: CommandSurroundings["input"],
  output: CommandSurroundings["output"],
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
  /** While a question waits, Ctrl-C arrives as a key. This function ends the whole program. */
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
        "answer in the terminal, or set the values in the environment",
      );
    return value.trim();
  };
  return {
    asks,
    say: (line) => void output.write(`${line}\n`),
    async ask(question, isSecret = false) {
      if (!asks) throw new SetupProblem(`can't ask without a terminal: ${question}`);
      // The reader must exist before the question is printed. Otherwise, the terminal would show a
      // secret.
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
