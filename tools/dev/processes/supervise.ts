// Keeps one child process running: starts it in a process group of its own, waits until it answers,
// and restarts it when it dies or stops answering.
import { setTimeout as wait } from "node:timers/promises";
import { Child } from "../../harness/child.ts";
import { StartProblem } from "../dev-settings.ts";
import { LogFile } from "./log-file.ts";

const READY_POLL_MS = 50;
const READY_WITHIN_MS = 90_000;
const PROBE_EVERY_MS = 2_000;
const PROBE_TIMEOUT_MS = 5_000;
const MISSES_ALLOWED = 3;
/** A child that lived for less than this is restarted only after a pause. */
const SHORT_LIFE_MS = 5_000;
const RESTART_PAUSE_MS = 1_000;
const STOP_WITHIN_MS = 4_000;
/** The rest of a build's errors follows its first line within this time. */
const ERRORS_WITHIN_MS = 500;

export interface ChildSpec {
  /** The child's name in notices: "the worker". */
  readonly name: string;
  /** Arguments for this same Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** File that receives the child's output. */
  readonly logPath: string;
  /** Answers 200 when the child is ready and healthy. */
  readonly healthUrl: string;
  /** Tells from a line of output whether the child is lost, although its leader still runs. */
  readonly isFatal?: (line: string) => boolean;
  /**
   * Tells from a line of output whether the child can't be built. It may run on and never answer.
   */
  readonly isUnbuilt?: (line: string) => boolean;
  /** Returns what the terminal shows for a line of output. Null means nothing. */
  readonly shown?: (line: string) => string | null;
  /**
   * Set for a child whose sources are being edited; resolves at the next change. Such a child may
   * be silent for any time, from its first build on. If it died without an answer, it is restarted
   * at the next change.
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

export class Supervised {
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
  /** Output since the child could not be built. Null: it was not that. */
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

  /** The process group, or null while none runs. */
  get group(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Resolves at the first healthy answer and watches the child from then on. Throws a StartProblem
   * with the build's errors or the end of the log if the child can't be built or dies before that.
   * A child whose sources are being edited is waited for instead.
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
    // A change that follows the notice at once must count.
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

  /** Ends the group: the leader gets a moment to shut down, then the rest is killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child?.stop(STOP_WITHIN_MS);
  }

  /** Kills the group. Unless it is being stopped, it is started again. */
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
   * Kills the child when it has missed too many probes in a row; its exit restarts it. A child that
   * has just started gets more time.
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
