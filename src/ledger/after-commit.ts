// Declares the work that must wait until a change of a ledger is on disk. The change returns this
// work together with its result. ledger-commits.ts does the work after the commit
// (docs/architecture.md §Admit).
import type { AttemptQuestion } from "../rpc/question-calls.ts";
import type { JobRef } from "../rpc/ledger-calls.ts";

/**
 * A released job that goes to the queue. Jobs with the same content group may share a queue
 * message. The jobs of one queue message have, in all, little more content than an email may have.
 */
export interface ReleasedJob extends JobRef {
  readonly contentGroup: number;
}

interface AfterCommit {
  /** Jobs to send to the queue. */
  readonly released?: readonly ReleasedJob[];
  /** Questions to send to the queue. */
  readonly asks?: readonly AttemptQuestion[];
  /** R2 keys of content that is not needed any more. */
  readonly unusedContent?: readonly string[];
  /** True if the change accepted a message. */
  readonly hasAccepted?: boolean;
}

export interface LedgerChange<Result> extends AfterCommit {
  readonly result: Result;
}

/** The follow-up work of all changes in one group, which waits for the group's commit. */
export class GroupFollowUp {
  readonly released: ReleasedJob[] = [];
  readonly asks: AttemptQuestion[] = [];
  readonly unusedContent: string[] = [];
  hasAccepted = false;

  add({ released = [], asks = [], unusedContent = [], hasAccepted = false }: AfterCommit): void {
    for (const job of released) this.released.push(job);
    for (const ask of asks) this.asks.push(ask);
    this.unusedContent.push(...unusedContent);
    this.hasAccepted ||= hasAccepted;
  }
}
