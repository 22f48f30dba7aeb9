// Records that a courier's provider took a copy (docs/architecture.md §Await), and ends a copy if
// the provider gave no verdict in 72 hours (contract.md §Event types). Pure.
import type { Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { AttemptRecord, Outcome } from "../message.ts";
import type { TakenByProvider } from "./courier.ts";
import { clockStartOf } from "../message-start.ts";
import { type AttemptContext, newEvent, toAttemptRecord } from "./attempt-record.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";

/**
 * Minimum time that the provider has for its verdict on the last attempt, even beyond the 72 hours.
 */
const SHORTEST_WAIT_MS = 15 * 60_000;
/**
 * Time until a copy is sent again if it is unknown whether the provider took it. If the provider
 * took it, an event about the copy comes within this time, and the copy is not sent again.
 */
const UNKNOWN_FATE_WAIT_MS = 10 * 60_000;

/**
 * Time until a copy counts as delivered if the provider usually reports no events about mail to its
 * recipient. If the provider reports an event after all, it usually comes within this time.
 */
const SILENCE_MS = 10 * 60_000;

/** The exchange of an event that no server's reply caused. */
const NO_REPLY = { stage: null, response: null, mxHost: null, tls: null, rule: null };

type TakenResult = Pick<Settlement, "nextAttemptAt" | "awaits" | "copyTaken"> & {
  readonly record: AttemptRecord;
};

/**
 * Makes the record of a copy that the provider took, with `email.sent` at the first attempt. If the
 * copy has no id, it is unknown whether the provider took the copy, and the recipient is also
 * delayed. `speedup` is the divisor of the waits, at least 1.
 */
export function recordTaken(
  { message, recipient, grant }: Pick<ClaimedDelivery, "message" | "recipient" | "grant">,
  { providerId, words, isSilent }: Omit<TakenByProvider, "kind">,
  { handedAt, nextAttemptAt, now }: Pick<AttemptContext, "handedAt" | "nextAttemptAt" | "now">,
  speedup: number,
): TakenResult {
  const { attempt } = grant;
  const sender = message.from.email;
  const copyTaken = { providerId, sender, recipient, at: handedAt ?? now };
  if (providerId === null) {
    const later = nextAttemptAt && Math.max(nextAttemptAt, now + UNKNOWN_FATE_WAIT_MS / speedup);
    const context = { recipient, attempt, handedAt, nextAttemptAt: later, now };
    const { record } = toAttemptRecord(unknownFate(words), context);
    return { record, nextAttemptAt: later, copyTaken };
  }
  const deadline = clockStartOf(message) + EXPIRY_AFTER_MS / speedup;
  const until = Math.floor(
    isSilent ? now + SILENCE_MS / speedup : Math.max(deadline, now + SHORTEST_WAIT_MS / speedup),
  );
  const exchange = { ...NO_REPLY, response: `queued as ${providerId}` };
  const events =
    attempt === 1 && handedAt !== null
      ? [{ ...newEvent("email.sent", { recipient, attempt }, handedAt), exchange }]
      : [];
  return {
    record: { events, suppress: null },
    nextAttemptAt: null,
    awaits: { until, lastReply: null, ...(isSilent && { isSilent }) },
    copyTaken,
  };
}

/**
 * Makes the record of a copy without a verdict by the provider. The copy expires with the last
 * reply that the provider reported. But if the provider never reports about mail to its recipient,
 * the copy counts as delivered.
 */
export function recordNoVerdict(
  { recipient, grant: { attempt } }: Pick<ClaimedDelivery, "recipient" | "grant">,
  unheard: NoVerdict,
  now: number,
): AttemptRecord {
  if (unheard.isSilent) {
    const event = newEvent("email.delivered", { recipient, attempt }, now);
    return { events: [{ ...event, exchange: NO_REPLY }], suppress: null };
  }
  const context = { recipient, attempt, handedAt: null, nextAttemptAt: null, now };
  return toAttemptRecord(toNoVerdictOutcome(unheard), context).record;
}

function toNoVerdictOutcome({ lastReply }: NoVerdict): Outcome {
  return lastReply
    ? { kind: "reply", ...lastReply, stage: null, mxHost: null, tls: null }
    : { kind: "failure", cause: "other", detail: "no verdict in time", mxHost: null };
}

/**
 * Returns the outcome of a copy of unknown fate. `words` is the provider's unknown text. Undefined
 * means that the provider did not respond.
 */
function unknownFate(words: string | undefined): Outcome {
  if (words === undefined)
    return { kind: "failure", cause: "other", detail: "unknown fate", mxHost: null };
  return {
    kind: "reply",
    code: 451,
    enhanced: "4.3.0",
    text: words,
    stage: null,
    mxHost: null,
    tls: null,
    providerRefusal: "unclear_answer_of_provider",
  };
}
