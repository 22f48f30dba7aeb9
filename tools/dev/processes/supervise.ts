// Keeps one child process running. Starts it in a process group of its own, waits until it answers,
// and restarts it when it ends or stops answering.
import type { Child } from "../../harness/child.ts";
import { StartProblem } from "../dev-settings.ts";
import { LogFile } from "./log-file.ts";

const READY_POLL_MS = 50;
const READY_WITHIN_MS = 90_000;
const PROBE_EVERY_MS = 2_000;
const PROBE_TIMEOUT_MS = 5_000;
const MISSES_ALLOWED = 3;
/** If a child ran for less than this time, the supervisor pauses before it restarts the child. */
const SHORT_LIFE_MS = 5_000;
const RESTART_PAUSE_MS = 1_000;
const STOP_WITHIN_MS = 4_000;
/** Milliseconds within which a failed build prints its other errors. */
const ERRORS_WITHIN_MS = 500;

export interface ChildSpec {
  /** The child's name in messages, such as "the worker". */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Path of the log file that gets the child's output. */
  readonly logPath: string;
  /** URL that answers 200 when the child is ready and healthy. */
  readonly healthUrl: string;
  /** Tells whether a line of output means that the child has failed, even if it still runs. */
  readonly isFatal?: (line: string) => boolean;
  /**
   * Tells whether a line of output means that the child's sources do not build. Such a child may
   * continue to run and never answer.
   */
  readonly isUnbuilt?: (line: string) => boolean;
  /** Returns the text that the terminal shows for a line of output, or null if it shows nothing. */
  readonly shown?: (line: string) => string | null;
  /**
   * Waits for the next change of the child's sources. Undefined: the sources do not change. A child
   * whose sources are edited may be silent for any time. If it ends before it has answered, the
   * supervisor starts it again after the next change.
   */
  readonly change?: () => Promise<void>;
}

/** The part of a Child that the supervisor uses. */
export type SupervisedProcess = Pick<Child, "pid" | "ended" | "stop" | "kill">;

/** Starts the process of a child. `onLine` gets each line of its output. */
export type StartProcess = (spec: ChildSpec, onLine: (line: string) => void) => SupervisedProcess;

export interface Listener {
  notice(line: string): void;
  /** Is called when a process group has started or ended. */
  changed(): void;
  /** Is called with each text for the terminal. */
  said?(line: string): void;
}

export class SupervisedChild {
  readonly #spec: ChildSpec;
  readonly #listener: Listener;
  readonly #log: LogFile;
  readonly #start: StartProcess;
  #child: SupervisedProcess | null = null;
  #startedAt = 0;
  #wasReady = false;
  /** True: the child has answered since its last start. */
  #answered = false;
  #stopping = false;
  /** The lines of output since the build failed. Null: no build has failed since the start. */
  #unbuilt: string[] | null = null;
  #reason = "died";

  constructor(
    spec: ChildSpec,
    listener: Listener,
    start: StartProcess,
    log = new LogFile(spec.logPath),
  ) {
    this.#start = start;
    this.#spec = spec;
    this.#listener = listener;
    this.#log = log;
    this.#spawn();
  }

  /** The number of the process group. Null: the child does not run. */
  get group(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Resolves at the child's first healthy answer. From then on, the child is watched. Throws a
   * StartProblem if the child's sources do not build or the child ends before its first answer. The
   * StartProblem has the build's errors or the last lines of the log. If the child's sources are
   * being edited, waits for the next change instead.
   */
  async ready(): Promise<void> {
    const { name, healthUrl, change } = this.#spec;
    while (!(await this.#isHealthy())) {
      if (this.#stopping) return;
      if (change && this.#child === null) await this.#restartAt(change);
      else if (this.#unbuilt && !change) throw await this.#buildProblem(this.#unbuilt);
      else if (this.#child === null)
        throw new StartProblem(`${name} did not start:\n${this.#log.end()}`);
      else if (Date.now() - this.#startedAt > READY_WITHIN_MS && !this.#unbuilt)
        throw new StartProblem(`${name} does not answer ${healthUrl}:\n${this.#log.end()}`);
      await wait(READY_POLL_MS);
    }
    this.#wasReady = true;
    this.#answered = true;
    void this.#watch();
  }

  async #restartAt(change: () => Promise<void>): Promise<void> {
    // `change()` is called before the notice, so that a change directly after the notice is not
    // missed.
    const changed = change();
    this.#listener.notice(
      `${this.#spec.name} did not start and is started again when its sources change`,
    );
    await changed;
    if (!this.#stopping) this.#spawn();
  }

  async #buildProblem(errors: readonly string[]): Promise<StartProblem> {
    if (this.#child !== null) await wait(ERRORS_WITHIN_MS);
    return new StartProblem(`${this.#spec.name} does not build:\n${errors.join("\n").trim()}`);
  }

  /**
   * Ends the process group. The leader has some time to shut down. Then all other processes are
   * killed.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child?.stop(STOP_WITHIN_MS);
  }

  /** Kills the process group. The supervisor starts it again, unless stop() was called. */
  kill(): void {
    this.#child?.kill();
  }

  #spawn(): void {
    this.#startedAt = Date.now();
    this.#answered = false;
    this.#unbuilt = null;
    this.#child = this.#start(this.#spec, (line) => this.#onLine(line));
    void this.#child.ended.then(() => this.#onClose());
    this.#listener.changed();
  }

  #onClose(): void {
    this.#child = null;
    if (this.#stopping || !this.#wasReady) return;
    const changed = this.#answered ? undefined : this.#spec.change?.();
    this.#listener.notice(
      `${this.#spec.name} ${this.#reason} and is started ` +
        `again${changed ? " when its sources change" : ""}`,
    );
    this.#reason = "died";
    const pause = Date.now() - this.#startedAt < SHORT_LIFE_MS ? RESTART_PAUSE_MS : 0;
    void (changed ?? wait(pause)).then(() => this.#stopping || this.#spawn());
  }

  #onLine(line: string): void {
    const complaint = this.#log.append(line);
    if (complaint !== null) this.#listener.notice(complaint);
    if (this.#spec.isUnbuilt?.(line)) this.#unbuilt ??= [];
    if (!this.#wasReady) this.#unbuilt?.push(line);
    const shown = this.#spec.shown?.(line) ?? null;
    if (shown !== null) this.#listener.said?.(shown);
    if (this.#wasReady && this.#spec.isFatal?.(line)) this.kill();
  }

  /**
   * Kills the child if several health checks in a row failed. The supervisor then starts it again.
   * A child that has just started gets more time.
   */
  async #watch(): Promise<void> {
    let misses = 0;
    while (!this.#stopping) {
      await wait(PROBE_EVERY_MS, true);
      const healthy = await this.#isHealthy();
      this.#answered ||= healthy;
      const isStarting = !this.#answered && Date.now() - this.#startedAt < READY_WITHIN_MS;
      misses = healthy || isStarting ? 0 : misses + 1;
      if (misses < MISSES_ALLOWED || this.#stopping || this.group === null || this.#spec.change)
        continue;
      misses = 0;
      this.#reason = "does not answer";
      this.kill();
    }
  }

  async #isHealthy(): Promise<boolean> {
    try {
      const response = await fetch(this.#spec.healthUrl, {
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }
}

/** If `isIdle` is true, the wait does not keep this process running. */
function wait(ms: number, isIdle = false): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, ms);
    if (isIdle) timer.unref();
  });
}
