// Names what a change of a ledger leaves to do once it is on disk. The change returns it with its
// result, and ledger-commits.ts does it after the group's commit (docs/architecture.md §Admit).
import type { AttemptAsk } from "../rpc/ask-calls.ts";
import type { JobRef } from "../rpc/ledger-calls.ts";

/**
 * A job on its way to the queue. Several jobs of one content group have hardly more content than
 * one message may have.
 */
export interface Released extends JobRef {
  readonly contentGroup: number;
}

interface AfterCommit {
  /** Jobs to send to the queue. */
  readonly released?: readonly Released[];
  /** Questions to send to the queue. */
  readonly asks?: readonly AttemptAsk[];
  /** R2 keys of content that is not needed any more. */
  readonly unusedContent?: readonly string[];
  /** True: the change accepted a message. */
  readonly hasAccepted?: boolean;
}

export interface Changed<Result> extends AfterCommit {
  readonly result: Result;
}

/** Everything that one group leaves to do. */
export class GroupFollowUp {
  readonly released: Released[] = [];
  readonly asks: AttemptAsk[] = [];
  readonly unusedContent: string[] = [];
  hasAccepted = false;

  add({ released = [], asks = [], unusedContent = [], hasAccepted = false }: AfterCommit): void {
    for (const job of released) this.released.push(job);
    for (const ask of asks) this.asks.push(ask);
    this.unusedContent.push(...unusedContent);
    this.hasAccepted ||= hasAccepted;
  }
}
