// Starts the processes of a bench. Each runs under timeout(1), so that it ends even if the bench is
// killed outright, and leads a process group of its own, so that stopping it also stops its
// children. Our own programs are asked in JSON lines on stdin and answer in JSON lines.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { patience } from "./slowness.ts";
import type { Cleanup } from "./cleanup.ts";

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** User to run as. Only root may choose. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Signal that asks it to end. SIGTERM by default. */
  readonly signal?: NodeJS.Signals;
}

const START_TIMEOUT_MS = patience(30_000);
const STOP_TIMEOUT_MS = patience(10_000);
const LINES_KEPT = 20;

export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #signal: NodeJS.Signals;
  readonly #name: string;
  readonly #answers: ((line: string) => void)[] = [];
  readonly #listeners = new Set<(line: string) => void>();
  readonly #fails = new Set<(error: Error) => void>();
  #lines: string[] = [];
  #succeeded: () => void = () => {};
  #ended = false;

  constructor(
    cleanup: Cleanup,
    command: string,
    args: readonly string[],
    { env = {}, user, signal = "SIGTERM" }: ChildOptions = {},
  ) {
    this.#name = basename(command === process.execPath ? (args[0] ?? command) : command);
    this.#signal = signal;
    this.#process = spawn(
      "timeout",
      ["--signal=KILL", String(cleanup.lifetimeSeconds), command, ...args],
      {
        detached: true,
        env: { PATH: process.env["PATH"], ...env },
        stdio: "pipe",
        ...user,
      },
    );
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#heard(line, true));
    createInterface({ input: this.#process.stderr }).on("line", (line) => this.#heard(line, false));
    this.#process.stdin.on("error", () => undefined); // The process has ended: `exit` reports it.
    this.#process.on("error", (error) => this.#end(error.message));
    this.#process.on("exit", (code, killed) => {
      if (code === 0) this.#succeeded();
      this.#end(`it ended with ${code ?? killed}`);
    });
    cleanup.add(() => this.stop());
  }

  /** Process id of timeout(1), whose child does the work. For cpuSeconds(). */
  get pid(): number {
    return this.#process.pid!;
  }

  /**
   * Resolves with the first matching line, past or future. Rejects if the child ends or prints none
   * in time.
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

  /** Asks one question and resolves with the answer. Questions are answered in order. */
  async ask<Answer>(question: object, withinMs: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#answers.push(resolve);
    this.#process.stdin.write(`${JSON.stringify(question)}\n`);
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

  async stop(): Promise<void> {
    if (this.#ended) return;
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    this.#process.kill(this.#signal);
    const timer = setTimeout(() => process.kill(-this.pid, "SIGKILL"), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  async #orFails<Value>(
    value: Promise<Value>,
    reject: (error: Error) => void,
    withinMs: number,
  ): Promise<Value> {
    if (this.#ended) reject(this.#failure("it has ended"));
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
    for (const listener of this.#listeners) listener(line);
  }

  #end(why: string): void {
    this.#ended = true;
    for (const fail of this.#fails) fail(this.#failure(why));
  }

  #failure(why: string): Error {
    return new Error([`${this.#name}: ${why}`, ...this.#lines].join("\n  "));
  }
}

/** Starts a bench's own program under this Node. `entry` is a file URL. */
export function startNode(cleanup: Cleanup, entry: string, options: ChildOptions = {}): Child {
  return new Child(cleanup, process.execPath, [new URL(entry).pathname], options);
}
