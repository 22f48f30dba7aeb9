// Reads processes from /proc: their parents, groups, command lines and processor time. It also
// signals whole groups. It finds no process on systems without /proc, but signals still work.
import { readdirSync, readFileSync } from "node:fs";

/** The signals that ask a program to end. */
export const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Process {
  readonly pid: number;
  readonly name: string;
  /**
   * The id of the parent. After the parent has ended, the id of the process that adopted this
   * process.
   */
  readonly parent: number;
  readonly group: number;
  /** User and system time, in clock ticks. */
  readonly ticks: number;
  /** The same time of all children that have ended. */
  readonly childrenTicks: number;
}

/** Linux counts processor time in hundredths of a second. */
export const TICKS_PER_SECOND = 100;

export function processes(): Process[] {
  let entries: string[] = [];
  try {
    entries = readdirSync("/proc");
  } catch {
    // Only Linux has this folder.
  }
  return entries
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readProcess(Number(entry)) ?? []);
}

/** Null: the process has ended. */
export function readProcess(pid: number): Process | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // The name is in parentheses and may contain any character. After the last parenthesis, spaces
  // separate the fields.
  const end = stat.lastIndexOf(")");
  const fields = stat
    .slice(end + 2)
    .split(" ")
    .map(Number);
  const name = stat.slice(stat.indexOf("(") + 1, end);
  return {
    pid,
    name,
    parent: fields[1]!,
    group: fields[2]!,
    ticks: fields[11]! + fields[12]!,
    childrenTicks: fields[13]! + fields[14]!,
  };
}

/** Returns the command line of a process. Null: the process does not exist or is a zombie. */
export function commandOf(pid: number): string | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return command === "" ? null : command;
  } catch {
    return null;
  }
}

/**
 * Returns the environment with which a process was started. Empty: the process has ended, or it
 * belongs to another user.
 */
export function environmentOf(pid: number): Readonly<Record<string, string>> {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    );
  } catch {
    return {};
  }
}

/** Returns the living members of a process group. */
export function groupMembers(group: number): number[] {
  return processes()
    .filter((one) => one.group === group && commandOf(one.pid) !== null)
    .map(({ pid }) => pid);
}

/** Sends a signal to every living member of a process group. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
