// Everything a bench started is ended again, last first, whatever happens: normal end, a failure,
// Ctrl-C or the bench's own deadline.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Closer = () => unknown;

const LIFETIME_SECONDS = 20 * 60;

export class Cleanup {
  /** After so long what was started ends by itself, whatever became of the bench. */
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
   * Runs what was added, last first; called again meanwhile, it waits for the same. A closer that
   * fails is reported, and keeps no other from running.
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

/** A new one for this bench, which goes when the bench ends. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
