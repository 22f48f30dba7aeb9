// Ends everything that was started, in reverse order. It works for every end of the program: a
// normal end, a failure, Ctrl-C or the deadline.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Closer = () => unknown;

const LIFETIME_SECONDS = 20 * 60;

export class Cleanup {
  /** Seconds after which started processes end by themselves, even if this process was killed. */
  readonly lifetimeSeconds: number;
  readonly #closers: Closer[] = [];
  #running: Promise<void> | undefined;

  constructor(lifetimeSeconds = LIFETIME_SECONDS) {
    this.lifetimeSeconds = lifetimeSeconds;
  }

  add(closer: Closer): void {
    this.#closers.push(closer);
  }

  /**
   * Runs the added closers in reverse order. A second call waits for the first call. If a closer
   * fails, the failure is reported and the other closers still run.
   */
  async run(): Promise<void> {
    this.#running ??= this.#drain();
    await this.#running;
    this.#running = undefined;
  }

  async #drain(): Promise<void> {
    for (let closer = this.#closers.pop(); closer; closer = this.#closers.pop()) {
      try {
        await closer();
      } catch (error) {
        console.error("cleanup:", error);
      }
    }
  }
}

/** Runs a part of a program. Then ends what the part has started. */
export async function withOwnCleanup<Result>(
  cleanup: Cleanup,
  part: (own: Cleanup) => Promise<Result>,
): Promise<Result> {
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  try {
    return await part(own);
  } finally {
    await own.run();
  }
}

/** Makes a temporary folder that the clean-up removes. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
