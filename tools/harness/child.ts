// Starts processes for the local stack, benches, chaos and tests. Each process leads its own
// process group, so that stopping it also stops its children. If the parent is killed with SIGKILL,
// a Node program ends immediately (parent-watch.ts). Other programs end after a time limit, by
// timeout(1). Our own programs read requests as JSON lines from stdin and answer in JSON lines.
import { type ChildProcess, spawn } from "node:child_process";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "./cleanup.ts";
import { ROOT } from "./compatibility.ts";
import { signalGroup } from "./process-table.ts";

export interface ChildOptions {
  /**
   * Environment variables. The program also gets PATH and TMPDIR or, with `inherits`, the whole
   * environment of this process.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly inherits?: boolean;
  /** The user of the process. Only root may set it. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Signal that asks the process to end. The default is SIGTERM. */
  readonly signal?: NodeJS.Signals;
  /** Is called with each line of output that is not an answer. */
  readonly onLine?: (line: string) => void;
}

/** Limits that end only a hanging process. They are long enough for a slow machine. */
const START_TIMEOUT_MS = 10 * 60_000;
const STOP_TIMEOUT_MS = 30_000;
const LINES_KEPT = 50;
/** The pipe that parent-watch.ts watches. */
const PARENT_DESCRIPTOR = 3;
const PARENT_WATCH = import.meta.resolve("./parent-watch.ts");

export class Child {
  /** Resolves with the exit code when the process has ended and all its output was read. */
  readonly ended: Promise<number | null>;
  readonly #process: ChildProcess;
  readonly #options: ChildOptions;
  readonly #name: string;
  readonly #answers: ((line: string) => void)[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  readonly #fails = new Set<(error: Error) => void>();
  #lines: string[] = [];
  #succeeded: () => void = () => {};
  #hasEnded = false;

  /** `cleanup` stops the process when the run ends. Null: the caller stops it. */
  constructor(
    cleanup: Cleanup | null,
    command: string,
    args: readonly string[],
    options: ChildOptions = {},
  ) {
    this.#options = options;
    this.#name = basename(command === process.execPath ? (args[0] ?? command) : command);
    this.#process = spawnGroup(cleanup?.lifetimeSeconds ?? 0, command, args, options);
    for (const [index, output] of [this.#process.stdout!, this.#process.stderr!].entries())
      createInterface({ input: output }).on("line", (line) => this.#heard(line, index === 0));
    // The pipes fail if the process has ended. The event `exit` reports the end.
    for (const pipe of [this.#process.stdin, this.#process.stdio[PARENT_DESCRIPTOR]])
      pipe?.on("error", () => undefined);
    this.#process.on("error", (error) => this.#end(error.message));
    this.#process.on("exit", (code, killed) => {
      if (code === 0) this.#succeeded();
      this.#end(`the process ended with ${code ?? killed}`);
      // The rest of the process group has no purpose without its leader. The output ends when the
      // whole group has ended.
      this.kill();
    });
    this.ended = new Promise((gone) => {
      this.#process.once("close", gone);
    });
    cleanup?.add(() => this.stop());
  }

  /**
   * Process id for cpuSeconds(). It is the id of the program or, if timeout(1) started the program,
   * the id of timeout.
   */
  get pid(): number {
    return this.#process.pid!;
  }

  /** The last lines of the output. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /**
   * Resolves with the first line that matches. The line may have come before the call. Rejects if
   * the child ends, or if no line matches in time.
   */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (const line of this.#lines) {
      const match = pattern.exec(line);
      if (match) return match;
    }
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const listener = (line: string): void => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    };
    this.#listeners.add(listener);
    return this.#orFails(promise, reject, START_TIMEOUT_MS).finally(() =>
      this.#listeners.delete(listener),
    );
  }

  /** Sends one request and resolves with its answer. Answers come in the order of the requests. */
  async ask<Answer>(question: object, withinMs: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#answers.push(resolve);
    this.#process.stdin!.write(`${JSON.stringify(question)}\n`);
    const answer = JSON.parse(await this.#orFails(promise, reject, withinMs)) as { error?: string };
    if (typeof answer.error === "string") throw new Error(`${this.#name}: ${answer.error}`);
    return answer as Answer;
  }

  /** Resolves when the process ends by itself with exit code 0. */
  async succeeds(withinMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#succeeded = resolve;
    await this.#orFails(promise, reject, withinMs);
  }

  /** Asks the process to end. Kills the rest of its group after `withinMs`. */
  async stop(withinMs?: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#process.stdin!.end();
    this.#process.kill(this.#options.signal ?? "SIGTERM");
    await Promise.race([this.ended, sleep(withinMs ?? STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.kill();
    await this.ended;
  }

  /** Sends a signal to the whole process group. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    if (this.#process.pid !== undefined) signalGroup(this.#process.pid, signal);
  }

  async #orFails<Value>(
    value: Promise<Value>,
    reject: (error: Error) => void,
    withinMs: number,
  ): Promise<Value> {
    if (this.#hasEnded) reject(this.#failure("it has ended"));
    const timer = setTimeout(
      () => reject(this.#failure(`no answer within ${withinMs} ms`)),
      withinMs,
    );
    this.#fails.add(reject);
    try {
      return await value;
    } finally {
      clearTimeout(timer);
      this.#fails.delete(reject);
    }
  }

  #heard(line: string, isAnswer: boolean): void {
    if (isAnswer && this.#answers.length > 0) return this.#answers.shift()!(line);
    this.#lines = [...this.#lines, line].slice(-LINES_KEPT);
    this.#options.onLine?.(line);
    for (const listener of this.#listeners) listener(line);
  }

  #end(why: string): void {
    this.#hasEnded = true;
    for (const fail of this.#fails) fail(this.#failure(why));
  }

  #failure(why: string): Error {
    return new Error([`${this.#name}: ${why}`, ...this.#lines].join("\n  "));
  }
}

/** Starts one of our own programs under this Node. `entry` is a file URL. */
export function startNode(cleanup: Cleanup, entry: string, options: ChildOptions = {}): Child {
  return new Child(cleanup, process.execPath, [new URL(entry).pathname], options);
}

function spawnGroup(
  lifetimeSeconds: number,
  command: string,
  args: readonly string[],
  { env, inherits, user }: ChildOptions,
): ChildProcess {
  const { PATH, TMPDIR } = process.env;
  const isNode = command === process.execPath;
  const program = isNode ? command : "timeout";
  const before = isNode
    ? ["--import", PARENT_WATCH]
    : ["--signal=KILL", String(lifetimeSeconds), command];
  return spawn(program, [...before, ...args], {
    cwd: ROOT,
    detached: true,
    env: { ...(inherits ? process.env : { PATH, TMPDIR }), ...env },
    stdio: isNode ? ["pipe", "pipe", "pipe", "pipe"] : "pipe",
    ...user,
  });
}
