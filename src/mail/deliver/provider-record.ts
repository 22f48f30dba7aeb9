// Records that a courier's provider took a copy (docs/architecture.md §Await), and ends a copy if
// the provider gave no verdict on it in 72 hours (contract.md §Event types). Pure.
import type { Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { AttemptRecord, NewEvent, Outcome } from "../message.ts";
import { startOf } from "../message-start.ts";
import { toAttemptRecord } from "./attempt-record.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";

/**
 * Minimum time after the last attempt in which the provider can give its verdict, even if the 72
 * hours end earlier.
 */
const SHORTEST_WAIT_MS = 15 * 60_000;
/**
 * Time until a copy is sent again if it is unknown whether the provider took it. If the provider
 * took it, an event about the copy comes earlier, and the copy is not sent again.
 */
const UNKNOWN_FATE_WAIT_MS = 10 * 60_000;

interface TakenTimes {
  /** When the copy was handed to the courier, Unix milliseconds. */
  readonly handedAt: number | null;
  /** When the next attempt is due by the retry schedule, Unix milliseconds; null: never. */
  readonly nextAttemptAt: number | null;
  readonly now: number;
}

type TakenResult = Pick<Settlement, "nextAttemptAt" | "awaits" | "copyTaken"> & {
  readonly record: AttemptRecord;
};

/**
 * Makes the record of a copy that the provider took, with `email.sent` at the first attempt. If
 * `providerId` is null, it is unknown whether the provider took the copy, and the recipient is also
 * delayed. `speedup`: divisor of the waits, at least 1.
 */
export function recordTaken(
  { message, recipient, grant }: Pick<ClaimedDelivery, "message" | "recipient" | "grant">,
  providerId: string | null,
  { handedAt, nextAttemptAt, now }: TakenTimes,
  speedup: number,
): TakenResult {
  const { attempt } = grant;
  const sender = message.from.email;
  const copyTaken = { providerId, sender, recipient, at: handedAt ?? now };
  if (providerId === null) {
    const later = nextAttemptAt && Math.max(nextAttemptAt, now + UNKNOWN_FATE_WAIT_MS / speedup);
    const context = { recipient, attempt, handedAt, nextAttemptAt: later, now };
    const { record } = toAttemptRecord(UNKNOWN_FATE, context);
    return { record, nextAttemptAt: later, copyTaken };
  }
  const deadline = startOf(message) + EXPIRY_AFTER_MS / speedup;
  const until = Math.floor(Math.max(deadline, now + SHORTEST_WAIT_MS / speedup));
  const events =
    attempt === 1 && handedAt !== null ? [sentEvent(recipient, handedAt, providerId)] : [];
  return {
    record: { events, suppress: null },
    nextAttemptAt: null,
    awaits: { until, lastReply: null },
    copyTaken,
  };
}

/**
 * Returns the outcome of a copy on which the provider gave no verdict: the last reply that the
 * provider reported, or else a failure.
 */
export function toNoVerdictOutcome({ lastReply }: NoVerdict): Outcome {
  return lastReply
    ? { kind: "reply", ...lastReply, stage: null, mxHost: null, tls: null }
    : { kind: "failure", cause: "other", detail: "no verdict in time", mxHost: null };
}

const UNKNOWN_FATE: Outcome = {
  kind: "failure",
  cause: "other",
  detail: "unknown fate",
  mxHost: null,
};

function sentEvent(recipient: string, occurredAt: number, providerId: string): NewEvent {
  return {
    type: "email.sent",
    occurredAt,
    recipient,
    attempt: 1,
    smtpCode: null,
    bounce: null,
    suppression: null,
    exchange: {
      stage: null,
      response: `queued as ${providerId}`,
      mxHost: null,
      tls: null,
      rule: null,
    },
  };
}
