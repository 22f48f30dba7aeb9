// Prints set-up's messages and asks its questions. A person or a pipe gives one answer in each
// line. A secret is not shown while a person types it.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { CommandSurroundings } from "./run-command.ts";
import { SetupProblem } from "./setup-problem.ts";

export interface Terminal {
  say(line: string): void;
  /**
   * Returns the trimmed answer. An empty line gives "". Throws a SetupProblem if questions are
   * impossible.
   */
  ask(question: string, isSecret?: boolean): Promise<string>;
  /** Tells whether questions are possible. */
  readonly asks: boolean;
  close(): void;
}

/** `asks` is false with `--yes`: no question is asked. */
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
  /**
   * While a question waits, the terminal delivers Ctrl-C as a key. It must end the whole program.
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
        "answer in the terminal, or set the values in the environment",
      );
    return value.trim();
  };
  return {
    asks,
    say: (line) => void output.write(`${line}\n`),
    async ask(question, isSecret = false) {
      if (!asks) throw new SetupProblem(`can't ask without a terminal: ${question}`);
      // The reader is opened before the prompt, because the terminal would otherwise show a secret.
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
