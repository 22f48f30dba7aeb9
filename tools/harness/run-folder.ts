// Gives a run of tests or of chaos a temporary folder that all its processes use, as TMPDIR. When
// the run ends, a process of its own (remove-run.ts) kills the processes that are left and removes
// the folder. This process watches a pipe, so it does the same after a SIGKILL of the run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REMOVER = new URL(import.meta.resolve("./remove-run.ts")).pathname;

/** Linux's file system in memory. No write there waits for a disk. */
const MEMORY = "/dev/shm";
/** A run's files need less than a tenth of this. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns the folder in memory if it has room, else the system's temporary folder. A caller's
 * TMPDIR counts before both.
 */
export function quickestFolder(): string {
  if (process.env["TMPDIR"] || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

export class RunFolder {
  readonly path: string;
  readonly #remover: ChildProcess;

  /** Makes the folder in `parent`. From now on, it is the temporary folder of this process and its children. */
  constructor(prefix: string, parent = tmpdir()) {
    this.path = mkdtempSync(join(parent, prefix));
    this.#remover = spawn(process.execPath, [REMOVER, this.path], {
      // A group of its own, so that a signal to the run's group does not end the remover.
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    });
    this.#remover.unref();
    process.env["TMPDIR"] = this.path;
  }

  /** Lets the remover kill this process group too, also where there is no /proc. */
  include(group: number): void {
    this.#remover.stdin!.write(`${group}\n`);
  }

  /** Kills what the run has left, and removes the folder. */
  async end(): Promise<void> {
    const ended = once(this.#remover, "exit");
    this.#remover.ref();
    this.#remover.stdin!.end();
    await ended;
  }
}
