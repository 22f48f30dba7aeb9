// A process of the stack that can be killed any number of times and starts again with the same
// environment.
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "../harness/child.ts";
import type { Cleanup } from "../harness/cleanup.ts";

export class ChaosProcess {
  readonly #start: () => Promise<void>;
  /** Is called at the moment of each SIGKILL. */
  readonly #onKill: () => void;
  #child: Child | undefined;
  #starting: Promise<void>;
  #stopped = false;

  private constructor(start: () => Child, ready: RegExp, onKill: () => void) {
    this.#start = async () => {
      if (this.#stopped) return;
      const child = start();
      await child.says(ready);
      this.#child = child;
    };
    this.#onKill = onKill;
    this.#starting = this.#start();
  }

  /** Starts the process. Resolves when the process has printed a line that matches `ready`. */
  static async start(
    cleanup: Cleanup,
    entry: string,
    env: Readonly<Record<string, string>>,
    ready: RegExp,
    onKill = (): void => undefined,
  ): Promise<ChaosProcess> {
    const options = { env, inherits: true, signal: "SIGKILL" } as const;
    const start = (): Child => new Child(null, process.execPath, [entry], options);
    const part = new ChaosProcess(start, ready, onKill);
    cleanup.add(() => part.#stop());
    await part.#starting;
    return part;
  }

  /**
   * Kills the process, or asks it to end. Starts it again `downMs` after its end. A second call
   * before that time has no effect.
   */
  kill(downMs: number, signal: NodeJS.Signals = "SIGKILL"): void {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    if (signal === "SIGKILL") this.#onKill();
    child.kill(signal);
    this.#starting = child.ended.then(() => sleep(downMs)).then(() => this.#start());
    // The error is dropped here, because up() reports it.
    this.#starting.catch(() => undefined);
  }

  /** Resolves when the process is up. */
  async up(): Promise<void> {
    await this.#starting;
  }

  /** Asks the process to end, and does not start it again. Resolves when it has ended. */
  async end(): Promise<void> {
    this.#stopped = true;
    await this.#starting.catch(() => undefined);
    this.#child?.kill("SIGTERM");
    await this.#child?.ended;
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    await this.#starting.catch(() => undefined);
    await this.#child?.stop();
  }
}
