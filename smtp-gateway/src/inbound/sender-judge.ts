// Asks another thread about the senders of replies (docs/gateway-protocol.md §A reply). The service
// reports verdicts but does not enforce them. So if a check takes too long, it is given up, and the
// reply goes on without a verdict.
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

/** Times in milliseconds. `startMs`: the time in which the thread must start and load its code. */
interface JudgeLimits {
  readonly startMs: number;
  readonly judgeMs: number;
}

const LIMITS: JudgeLimits = { startMs: 10_000, judgeMs: 1_000 };
/** Maximum number of replies that wait for the thread. Further replies go on without verdicts. */
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

  /** Returns verdicts such as `spf=pass dkim=none`. Undefined: the sender was not checked. */
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

  /** Ends the thread. The process can also end without this call. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  /**
   * Asks the thread about one message. Never rejects. A thread that does not answer in time is
   * ended, and a new thread checks the next reply.
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

/** Resolves with the thread's next answer. Null: no answer came in time, or the thread ended. */
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

/**
 * Tells whether a message has too many signatures. Each signature costs a look-up and a public-key
 * operation, and the unknown sender chooses their number.
 */
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
