// Reads process groups from /proc: their members, the command line of each, and their parents. It
// also ends a whole group. On systems other than Linux nothing is found in /proc, but ending a
// group still works.
import { readdirSync, readFileSync } from "node:fs";

/** Returns the command line of a process. Null means that it does not exist or is a zombie. */
export function commandOf(pid: number): string | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return command === "" ? null : command;
  } catch {
    return null;
  }
}

/** Returns the living members of a group. */
export function groupMembers(group: number): number[] {
  return processIds().filter((pid) => groupOf(pid) === group && commandOf(pid) !== null);
}

/** Returns the parent of a process, or the process that adopted it. Null for an ended process. */
export function parentOf(pid: number): number | null {
  return statusField(pid, 1);
}

/** Signals every member. A group that has already ended is not an error. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^[0-9]+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function groupOf(pid: number): number | null {
  return statusField(pid, 2);
}

/**
 * Reads a field of /proc/<pid>/stat, counted from the field after the command's name: the name
 * stands in parentheses and may contain anything.
 */
function statusField(pid: number, index: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[index]);
  } catch {
    return null;
  }
}
