// Asks another thread about the senders of replies (docs/gateway-protocol.md §A reply). Verdicts
// are told and not enforced, so a judgement that takes too long is given up, and the reply goes on
// without it.
import { Worker } from "node:worker_threads";
import { log } from "../gateway-log.ts";
import type { MessageSpool } from "./message-spool.ts";
import type { SenderFacts } from "./reply-addresses.ts";

/** A message for the thread. */
export interface JudgedMessage extends SenderFacts {
  /** The number of the open file that holds the message. */
  readonly descriptor: number;
  readonly bytes: number;
}

interface ThreadAnswer {
  readonly ready?: true;
  readonly verdicts?: Readonly<Record<string, string | null>>;
  readonly error?: string;
}

/** Times in milliseconds. `startMs`: for the thread to start and to load its code. */
interface JudgeLimits {
  readonly startMs: number;
  readonly judgeMs: number;
}

const LIMITS: JudgeLimits = { startMs: 10_000, judgeMs: 1_000 };
/** More replies than these that wait for the thread go on without verdicts. */
const WAITING_MOST = 8;
const SIGNATURES_MOST = 5;
const HEADER_BYTES = 64 * 1024;
const SIGNATURE = /^dkim-signature[ \t]*:/gim;
const THREAD = new URL("sender-judge-thread.ts", import.meta.url);

export class SenderJudge {
  readonly #dnsServers: readonly string[];
  readonly #limits: JudgeLimits;
  #thread: Worker | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(dnsServers: readonly string[], limits = LIMITS) {
    this.#dnsServers = dnsServers;
    this.#limits = limits;
  }

  /** Returns verdicts such as `spf=pass dkim=none`; undefined: the sender was not judged. */
  async judge(spool: MessageSpool, facts: SenderFacts): Promise<string | undefined> {
    if (this.#waiting >= WAITING_MOST || (await hasManySignatures(spool))) return undefined;
    const question = { ...facts, descriptor: await spool.descriptor(), bytes: spool.length };
    this.#waiting += 1;
    const judged = this.#turn.then(() => this.#ask(question));
    this.#turn = judged;
    const verdicts = await judged;
    this.#waiting -= 1;
    return verdicts;
  }

  /** Ends the thread. The process may also end without that. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  /**
   * Never rejects. A thread that does not answer in time is ended, and the next reply gets
   * another.
   */
  async #ask(question: JudgedMessage): Promise<string | undefined> {
    const thread = this.#thread ?? (await this.#start());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread?.postMessage(question);
    const answer = thread && (await answerOf(thread, this.#limits.judgeMs));
    if (answer?.verdicts) return textOf(answer.verdicts);
    log("info", "sender_not_judged", { bytes: question.bytes, error: answer?.error ?? "late" });
    if (!answer) {
      this.#thread = null;
      void thread?.terminate();
    }
    return undefined;
  }

  async #start(): Promise<Worker | null> {
    const thread = new Worker(THREAD, { workerData: { dnsServers: this.#dnsServers } });
    thread.unref();
    thread.on("error", (error) => {
      log("error", "judge_thread_failed", { error: String(error) });
      if (this.#thread === thread) this.#thread = null;
    });
    const started = await answerOf(thread, this.#limits.startMs);
    this.#thread = started?.ready ? thread : null;
    return this.#thread;
  }
}

/** Resolves with the thread's next answer; null: none came in time, or the thread ended. */
function answerOf(thread: Worker, withinMs: number): Promise<ThreadAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<ThreadAnswer | null>();
  const timer = setTimeout(() => settle(null), withinMs);
  const settle = (answer: ThreadAnswer | null): void => {
    clearTimeout(timer);
    thread.off("message", settle);
    thread.off("exit", onExit);
    resolve(answer);
  };
  const onExit = (): void => settle(null);
  thread.once("message", settle);
  thread.once("exit", onExit);
  return promise;
}

/** Each signature costs a look-up and a public-key operation, and a stranger chooses how many. */
async function hasManySignatures(spool: MessageSpool): Promise<boolean> {
  const start = (await spool.start(HEADER_BYTES)).toString("latin1");
  const end = start.indexOf("\r\n\r\n");
  const header = end < 0 ? start : start.slice(0, end);
  return (header.match(SIGNATURE) ?? []).length > SIGNATURES_MOST;
}

function textOf(verdicts: Readonly<Record<string, string | null>>): string {
  return Object.entries(verdicts)
    .filter(([, verdict]) => verdict !== null)
    .map(([method, verdict]) => `${method}=${verdict}`)
    .join(" ");
}
