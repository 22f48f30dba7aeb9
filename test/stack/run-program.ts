// Runs a program to its end, and keeps what it prints.
import { spawn, type SpawnOptionsWithoutStdio } from "node:child_process";

interface EndedProgram {
  readonly code: number | null;
  /** The standard output alone. */
  readonly output: string;
  /** The standard output and the standard error, in the order of their coming. */
  readonly printed: string;
}

export async function runProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
  input = "",
): Promise<EndedProgram> {
  const child = spawn(command, args, options);
  let [output, printed] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => (printed += data.toString()));
  // A program may end before it reads its input. Then the pipe fails, and the exit code counts.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  return { code, output, printed };
}
