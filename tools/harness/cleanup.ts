// Ends everything that was started, the last first, however the program ends: normally, by a
// failure, by Ctrl-C or by the deadline.
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
   * Runs the added closers, the last first. A second call waits for the first. If a closer fails,
   * this is reported, and the others still run.
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

/** Makes a temporary folder that is removed at the end. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
