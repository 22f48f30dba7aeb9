// Describes the machine on which figures were measured, and reads the processor time and memory of
// a process tree. It works only on Linux, because it reads /proc.
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { type Process, processes, TICKS_PER_SECOND } from "./process-table.ts";

/** If the load average at the start is higher, the machine was not quiet. */
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

/** Returns the processor seconds of a process and its living descendants, in steps of 10 ms. */
export function cpuSeconds(root: number): number {
  return treeOf(root).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Returns the processor time of a process's first thread. */
export function threadMilliseconds(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ");
  return Number(nanoseconds) / 1e6;
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
