// The questions about copies that a consumer left with a gateway, and their answers
// (docs/architecture.md §Ask). The queue carries the questions, and the ledger hears the answers.
import type { Grant } from "./ledger-calls.ts";

/** A question about one attempt. */
export interface AttemptAsk extends Grant {
  /** The URL of the gateway that may have the copy; null: the ledger does not know which. */
  readonly host: string | null;
}

/** An attempt whose copy a gateway has, or may have. */
export interface HandedOver extends Grant {
  /** The gateway's URL. */
  readonly host: string;
}

/** Claimed jobs that a consumer has not settled, at its end. */
export interface LeftJobs {
  /** The ledger asks for their outcomes. */
  readonly handedOver: readonly HandedOver[];
  /**
   * No courier took these: they are offered again as the same attempt, after a growing wait and not
   * before `notBefore`, Unix milliseconds.
   */
  readonly postponed: readonly (Grant & { readonly notBefore: number })[];
  /** True: a restart may forget the waits, because the courier remembers attempts. */
  readonly courierRemembers: boolean;
}

/** The gateways' answers. An attempt about which one did not answer is left out. */
export interface AskAnswers {
  /** The outcome is not known yet. */
  readonly underWay: readonly HandedOver[];
  /** No gateway has or had the copy, so it may be handed over again. */
  readonly neverHeard: readonly Grant[];
  /** The outcome is known. The caller settles it next, with the messages that it is given. */
  readonly known: readonly Grant[];
}

/** The ledger's part of what answers need to be settled. */
export interface NotedAnswers {
  /** The open messages of the attempts below and of those whose outcome is known. */
  readonly messages: readonly AnsweredMessage[];
  /** The attempts of which no gateway has heard for the second time or more. */
  readonly unheardAgain: readonly Grant[];
}

/** A message as an outcome needs it, without its content. */
export interface AnsweredMessage {
  readonly emailId: string;
  /** The message's start (docs/glossary.md), Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
}
