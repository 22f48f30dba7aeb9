// Gives a run of tests or of chaos a temporary folder, which is TMPDIR of all its processes. A
// separate process (remove-run.ts) kills the remaining processes and removes the folder when the
// run ends. That process watches a pipe from the run, so it also works after a SIGKILL of the run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REMOVER = new URL(import.meta.resolve("./remove-run.ts")).pathname;

/** Linux's file system in memory. No write there waits for a disk. */
const MEMORY = "/dev/shm";
/** The free space that the folder must have. A run's files need less than a tenth of it. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns the folder in memory if it has enough free space, else the system's temporary folder. If
 * the caller set TMPDIR, returns TMPDIR.
 */
export function quickestFolder(): string {
  if (process.env["TMPDIR"] || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

export class RunFolder {
  readonly path: string;
  readonly #remover: ChildProcess;

  /**
   * Makes the folder in `parent`. It is then the temporary folder of this process and its children.
   */
  constructor(prefix: string, parent = tmpdir()) {
    this.path = mkdtempSync(join(parent, prefix));
    this.#remover = spawn(process.execPath, [REMOVER, this.path], {
      // The remover has its own process group, so that a signal to the run's group does not end it.
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    });
    this.#remover.unref();
    process.env["TMPDIR"] = this.path;
  }

  /** Tells the remover to kill this process group too. This works even without /proc. */
  include(group: number): void {
    this.#remover.stdin!.write(`${group}\n`);
  }

  /** Kills the run's remaining processes, and removes the folder. */
  async end(): Promise<void> {
    const ended = once(this.#remover, "exit");
    this.#remover.ref();
    this.#remover.stdin!.end();
    await ended;
  }
}
