// A process of the stack that can be killed any number of times and is restarted with the same
// environment. None outlives the harness, however that ends.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { patience } from "../harness/slowness.ts";
import type { Cleanup } from "../harness/cleanup.ts";
import { spawnWatched } from "../dev/processes/spawn-watched.ts";

const READY_MS = patience(60_000);
const LINES_KEPT = 50;

export class ChaosProcess {
  readonly #entry: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ready: RegExp;
  /** Called at the moment of each SIGKILL. */
  readonly #onKill: () => void;
  #child: ChildProcess | undefined;
  #lines: string[] = [];
  #starting: Promise<void> = Promise.resolve();
  #stopped = false;

  private constructor(
    entry: string,
    env: Readonly<Record<string, string>>,
    ready: RegExp,
    onKill: () => void,
  ) {
    this.#entry = entry;
    this.#env = env;
    this.#ready = ready;
    this.#onKill = onKill;
  }

  /** Resolves when the process has printed a line that matches `ready`. */
  static async start(
    cleanup: Cleanup,
    entry: string,
    env: Readonly<Record<string, string>>,
    ready: RegExp,
    onKill: () => void,
  ): Promise<ChaosProcess> {
    const part = new ChaosProcess(entry, env, ready, onKill);
    cleanup.add(() => part.#stop());
    part.#starting = part.#start();
    await part.#starting;
    return part;
  }

  /**
   * Kills the process, or asks it to end, and restarts it `downMs` after its end. Another kill
   * meanwhile has no effect.
   */
  kill(downMs: number, signal: NodeJS.Signals = "SIGKILL"): void {
    const child = this.#child;
    if (!child?.pid) return;
    this.#child = undefined;
    if (signal === "SIGKILL") this.#onKill();
    const gone = once(child, "exit");
    signalGroup(child.pid, signal);
    this.#starting = gone.then(() => sleep(downMs)).then(() => this.#start());
    // A caller of up() receives the error.
    this.#starting.catch(() => undefined);
  }

  /** Resolves when it is up. */
  async up(): Promise<void> {
    await this.#starting;
  }

  async #start(): Promise<void> {
    if (this.#stopped) return;
    const child = spawnWatched([this.#entry], this.#env);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string): void =>
      reject(new Error([`${this.#entry}: ${why}`, ...this.#lines].join("\n  ")));
    const timer = setTimeout(() => fail("not up in time"), READY_MS);
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        this.#lines = [...this.#lines, line].slice(-LINES_KEPT);
        if (this.#ready.test(line)) resolve();
      });
    }
    child.once("exit", (code, signal) => fail(`it ended with ${code ?? signal}`));
    await promise.finally(() => clearTimeout(timer));
    this.#child = child;
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    await this.#starting.catch(() => undefined);
    const child = this.#child;
    if (!child?.pid || child.exitCode !== null) return;
    const gone = once(child, "exit");
    signalGroup(child.pid, "SIGKILL");
    await gone;
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}
