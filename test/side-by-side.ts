// Runs commands at the same time, so that one can work while another waits. The output of the last
// command is shown while it runs. The output of every other command is shown as a whole when it
// ends.
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { ENDING_SIGNALS, signalGroup } from "../tools/harness/process-table.ts";

export interface Command {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const INTERRUPTED_WITHIN_MS = 15_000;

/**
 * Runs all commands to their ends, even if some fail. Returns the names of the commands that
 * failed. Passes signals to this process on to all of them.
 */
export async function runSideBySide(
  commands: readonly Command[],
  print: (text: string) => void,
): Promise<string[]> {
  const running: ChildProcess[] = [];
  const pass = (signal: NodeJS.Signals): void => {
    for (const { pid } of running) if (pid !== undefined) signalGroup(pid, signal);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    pass(signal);
    setTimeout(() => pass("SIGKILL"), INTERRUPTED_WITHIN_MS).unref();
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, interrupt);
  try {
    const codes = await Promise.all(
      commands.map((command, index) => run(command, index === commands.length - 1, running, print)),
    );
    return commands.filter((_, index) => codes[index] !== 0).map(({ name }) => name);
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupt);
  }
}

/** Returns the exit code; for a command that a signal ended, 128 plus the signal's number. */
async function run(
  { name, program, args }: Command,
  isShown: boolean,
  running: ChildProcess[],
  print: (text: string) => void,
): Promise<number> {
  // A separate process group, so that a signal reaches everything that the command started.
  const child = spawn(program, args, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let held = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      if (isShown) print(text);
      else held += text;
    });
  const code = await new Promise<number>((ended, failed) => {
    child.once("error", failed);
    child.once("close", (status, signal) =>
      ended(status ?? 128 + constants.signals[signal ?? "SIGKILL"]),
    );
  });
  running.splice(running.indexOf(child), 1);
  if (!isShown)
    print(
      `\n--- ${name}: ${code === 0 ? "passed" : `failed with ${code}`}\n${held}--- end of ` +
        `${name}\n\n`,
    );
  return code;
}
