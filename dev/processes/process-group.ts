// Process groups as /proc shows them: who is in one, what was started as what, and how to end it
// whole. Elsewhere than on Linux nothing is found there, and ending a group still works.
import { readdirSync, readFileSync } from "node:fs";

/** The command line of a process; null when there is none, or only its remains. */
export function commandOf(pid: number): string | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    return command === "" ? null : command;
  } catch {
    return null;
  }
}

/** The living members of a group. */
export function groupMembers(group: number): number[] {
  return processIds().filter((pid) => groupOf(pid) === group && commandOf(pid) !== null);
}

/** The process that started a process, or whoever took its place; null when there is none. */
export function parentOf(pid: number): number | null {
  return statusField(pid, 1);
}

/** Signals every member; a group that is gone already is no fault. */
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
 * A field of /proc/<pid>/stat, counted from the one after the command's name: that comes in
 * parentheses and may hold anything.
 */
function statusField(pid: number, index: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[index]);
  } catch {
    return null;
  }
}
