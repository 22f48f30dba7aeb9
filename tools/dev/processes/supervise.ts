// Keeps one child process running: starts it in its own process group, waits until it answers, and
// restarts it when it ends or stops answering.
import { setTimeout as wait } from "node:timers/promises";
import { Child } from "../../harness/child.ts";
import { StartProblem } from "../dev-settings.ts";
import { LogFile } from "./log-file.ts";

const READY_POLL_MS = 50;
const READY_WITHIN_MS = 90_000;
const PROBE_EVERY_MS = 2_000;
const PROBE_TIMEOUT_MS = 5_000;
const MISSES_ALLOWED = 3;
/** A child that ran for less than this is restarted after a pause. */
const SHORT_LIFE_MS = 5_000;
const RESTART_PAUSE_MS = 1_000;
const STOP_WITHIN_MS = 4_000;
/** A build's errors arrive within this time after their first line. */
const ERRORS_WITHIN_MS = 500;

export interface ChildSpec {
  /** The child's name in messages: "the worker". */
  readonly name: string;
  /** The arguments for a Node process. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** File that receives the child's output. */
  readonly logPath: string;
  /** A URL that answers 200 when the child is ready and healthy. */
  readonly healthUrl: string;
  /** Tells from a line of output whether the child has failed although its process still runs. */
  readonly isFatal?: (line: string) => boolean;
  /**
   * Tells from a line of output whether the child's sources do not build. Such a child may keep
   * running and never answer.
   */
  readonly isUnbuilt?: (line: string) => boolean;
  /** Returns the terminal's text for a line of output. Null means no text. */
  readonly shown?: (line: string) => string | null;
  /**
   * Set if the child's sources are being edited. Resolves at the next change. Such a child may be
   * silent for any time, from its first build on. If it ended without an answer, the next change
   * restarts it.
   */
  readonly change?: () => Promise<void>;
}

export interface Listener {
  notice(line: string): void;
  /** Called when a process group started or ended. */
  changed(): void;
  /** Called with a line of the child for the terminal. */
  said?(line: string): void;
}

export class SupervisedChild {
  readonly #spec: ChildSpec;
  readonly #listener: Listener;
  readonly #log: LogFile;
  readonly #probeEveryMs: number;
  #child: Child | null = null;
  #startedAt = 0;
  #wasReady = false;
  /** Reset at each start. */
  #answered = false;
  #stopping = false;
  /** The output since the build failed. Null means that the build did not fail. */
  #unbuilt: string[] | null = null;
  #reason = "died";

  constructor(
    spec: ChildSpec,
    listener: Listener,
    probeEveryMs = PROBE_EVERY_MS,
    log = new LogFile(spec.logPath),
  ) {
    this.#probeEveryMs = probeEveryMs;
    this.#spec = spec;
    this.#listener = listener;
    this.#log = log;
    this.#spawn();
  }

  /** The process group. Null means that none runs. */
  get group(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Resolves at the first healthy answer, and watches the child from then on. If the child does not
   * build or ends before that, it throws a StartProblem with the build's errors or the end of the
   * log. If the child's sources are being edited, it waits for the child instead.
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
    // `change()` is called before the notice, so that a change right after the notice counts.
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

  /** Ends the process group: the leader gets time to shut down, then the rest is killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child?.stop(STOP_WITHIN_MS);
  }

  /** Kills the process group. Unless it is being stopped, it is started again. */
  kill(): void {
    this.#child?.kill();
  }

  #spawn(): void {
    const { args, env } = this.#spec;
    this.#startedAt = Date.now();
    this.#answered = false;
    this.#unbuilt = null;
    this.#child = new Child(null, process.execPath, args, {
      env,
      inherits: true,
      onLine: (line) => this.#onLine(line),
    });
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
   * Kills the child when it has missed too many probes in a row. Its end then restarts it. A newly
   * started child gets more time.
   */
  async #watch(): Promise<void> {
    let misses = 0;
    while (!this.#stopping) {
      await wait(this.#probeEveryMs, undefined, { ref: false });
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
