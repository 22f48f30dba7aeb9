// Describes the machine behind the figures, and reads a process tree's processor time and memory.
// Linux only: it reads /proc.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";

/** A higher load average at the start means that the machine was not quiet. */
const QUIET_LOAD = 0.3;

export function describeMachine(): string {
  const [load = 0] = loadavg();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const quiet =
    load > QUIET_LOAD ? ` — NOT QUIET: load average ${load.toFixed(2)} at the start` : "";
  return (
    `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${gigabytes} GB, Linux ` +
    `${release()}, Node ${process.versions.node}${quiet}`
  );
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** User and system time, in clock ticks. */
  readonly ticks: number;
}

/**
 * Returns the processor seconds of a process and its living descendants, to the clock tick (10 ms
 * on nearly every Linux).
 */
export function cpuSeconds(root: number): number {
  return treeOf(root).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond();
}

/** Returns the resident memory of a process and its living descendants. */
export function residentMegabytes(root: number): number {
  const kilobytes = treeOf(root).map(({ pid }) =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024;
}

/** Returns the ids of the direct children with that name, oldest first. */
export function childrenNamed(parent: number, name: string): number[] {
  return processes()
    .filter((one) => one.parent === parent && one.name === name)
    .map(({ pid }) => pid);
}

function treeOf(root: number): Process[] {
  const all = processes();
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const tree: Process[] = [];
  const open = all.filter(({ pid }) => pid === root);
  for (let one = open.pop(); one; one = open.pop()) {
    tree.push(one);
    open.push(...(byParent.get(one.pid) ?? []));
  }
  return tree;
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => read(Number(entry)) ?? []);
}

/** Undefined: the process has ended meanwhile. */
function read(pid: number): Process | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name stands in parentheses and may contain any character. Spaces separate the fields after
  // the last parenthesis.
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  return {
    pid,
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf("(") + 1, end),
    ticks: Number(fields[11]) + Number(fields[12]),
  };
}

let knownTicks: number | undefined;

function ticksPerSecond(): number {
  return (knownTicks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" })));
}
