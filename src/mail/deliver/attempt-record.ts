// Turns an attempt's outcome into the facts that are kept and recorded: which events it makes, and
// whether the address is suppressed (contract.md §Events). Pure.
import type { AttemptRecord, NewEvent, Outcome } from "../message.ts";
import { suppressionOf } from "../record/effects.ts";
import type { Aftermath } from "./couriers/courier.ts";
import { exchangeOf } from "./smtp-exchange.ts";
import { judge, type Verdict } from "./judge.ts";

export interface AttemptContext {
  readonly recipient: string;
  /** From 1. */
  readonly attempt: number;
  /** When the copy was handed to the courier, Unix milliseconds; null: it never was. */
  readonly handedAt: number | null;
  /** When it would be tried again; null: its time is over. */
  readonly nextAttemptAt: number | null;
  readonly now: number;
}

/**
 * `email.sent` goes before what became of the first attempt. `terminal`: this recipient is not
 * tried again.
 */
export function toAttemptRecord(
  outcome: Outcome,
  about: AttemptContext,
): { facts: AttemptRecord; terminal: boolean } {
  const verdict = judge(outcome, about);
  const happenings: NewEvent[] = [];
  if (about.attempt === 1 && about.handedAt !== null)
    happenings.push(happening("email.sent", about, about.handedAt));
  happenings.push({
    ...happening(typeOf(verdict), about, about.now),
    ...detailsOf(verdict),
    exchange: exchangeOf(outcome, verdict),
  });
  const suppress =
    verdict.kind === "bounced" ? suppressionOf(verdict.bounce, verdict.refusedAt, about.now) : null;
  return { facts: { events: happenings, suppress }, terminal: verdict.kind !== "delayed" };
}

/**
 * The facts of an attempt to an address that is never suppressed, with what happened afterwards, a
 * millisecond apart.
 */
export function withSimulatedFeedback(
  facts: AttemptRecord,
  about: AttemptContext,
  aftermath: readonly Aftermath[],
): AttemptRecord {
  const later = aftermath.map((one, index) => ({
    ...happening(one.type, about, about.now + 1 + index),
    attempt: null,
    ...one,
  }));
  return { events: [...facts.events, ...later], suppress: null };
}

function happening(
  type: NewEvent["type"],
  { recipient, attempt }: AttemptContext,
  occurredAt: number,
): NewEvent {
  return { type, occurredAt, recipient, attempt, smtpCode: null, bounce: null, suppression: null };
}

function typeOf(verdict: Verdict): NewEvent["type"] {
  switch (verdict.kind) {
    case "delivered":
      return "email.delivered";
    case "delayed":
      return "email.delayed";
    case "bounced":
      return "email.bounced";
  }
}

function detailsOf(verdict: Verdict): Partial<NewEvent> {
  return verdict.kind === "bounced"
    ? { smtpCode: verdict.bounce.smtpCode, bounce: verdict.bounce }
    : { smtpCode: verdict.smtpCode };
}
