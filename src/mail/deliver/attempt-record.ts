// Makes the record of an attempt from its outcome: the events, and whether the address is
// suppressed (contract.md §Events). Pure.
import type { AttemptRecord, NewEvent, Outcome } from "../message.ts";
import { suppressionOf } from "../record/effects.ts";
import type { SimulatedEvent } from "./courier.ts";
import { exchangeOf } from "./smtp-exchange.ts";
import { judge, type Verdict } from "./judge.ts";

export interface AttemptContext {
  readonly recipient: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /**
   * The time at which the courier got the copy, in Unix milliseconds. Null means that no courier
   * got it.
   */
  readonly handedAt: number | null;
  /**
   * The time at which a delayed recipient is tried again, in Unix milliseconds. Null means that the
   * recipient's 72 hours are over.
   */
  readonly nextAttemptAt: number | null;
  readonly now: number;
}

/**
 * Makes the record of one attempt. The record of the first attempt begins with `email.sent`.
 * `isTerminal` means that no attempt follows for this recipient.
 */
export function toAttemptRecord(
  outcome: Outcome,
  context: AttemptContext,
): { record: AttemptRecord; isTerminal: boolean } {
  const verdict = judge(outcome, context);
  const { handedAt, now } = context;
  const events: NewEvent[] = [];
  if (context.attempt === 1 && handedAt !== null)
    events.push(newEvent("email.sent", context, handedAt));
  events.push({
    ...newEvent(`email.${verdict.kind}`, context, now),
    ...detailsOf(verdict),
    exchange: exchangeOf(outcome, verdict),
  });
  const suppress =
    verdict.kind === "bounced" ? suppressionOf(verdict.bounce, verdict.refusedAt, now) : null;
  return { record: { events, suppress }, isTerminal: verdict.kind !== "delayed" };
}

/**
 * Adds the simulated recipient's actions after the delivery, as events a millisecond apart. A
 * simulator's address is never suppressed.
 */
export function withSimulatedFeedback(
  record: AttemptRecord,
  context: AttemptContext,
  simulated: readonly SimulatedEvent[],
): AttemptRecord {
  const later = simulated.map((one, index) => ({
    ...newEvent(one.type, context, context.now + 1 + index),
    attempt: null,
    ...one,
  }));
  return { events: [...record.events, ...later], suppress: null };
}

/** Makes an event with no details. */
export function newEvent(
  type: NewEvent["type"],
  { recipient, attempt }: Pick<NewEvent, "recipient" | "attempt">,
  occurredAt: number,
): NewEvent {
  return { type, occurredAt, recipient, attempt, smtpCode: null, bounce: null, suppression: null };
}

function detailsOf(verdict: Verdict): Partial<NewEvent> {
  return verdict.kind === "bounced"
    ? { smtpCode: verdict.bounce.smtpCode, bounce: verdict.bounce }
    : { smtpCode: verdict.smtpCode };
}
