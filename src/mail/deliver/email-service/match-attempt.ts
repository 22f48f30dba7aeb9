// Decides which attempt an event of the Email Service is about (docs/couriers.md). First this file
// looks for the attempt with the platform's id of the copy. The documentation does not say whether
// events use the ids that `send()` returns. So if no attempt has the id, the event is about the
// only open attempt with the same sender and recipient at a fitting time. Pure.
import { retryDelaySeconds } from "../../../retry-delay.ts";
import { attemptKey } from "../../../rpc/attempt-key.ts";
import type { Grant } from "../../../rpc/ledger-calls.ts";
import type { MessageInLedger } from "../../../rpc/message-list-calls.ts";
import type { CopyMatch } from "../../../rpc/provider-copy-calls.ts";
import type { Message } from "../../message.ts";
import type { EmailServiceEvent } from "./email-service-event.ts";

/**
 * Minimum age of an event before it may be matched by its addresses. By then the id of every copy
 * is stored, unless a consumer was killed.
 */
const BY_ADDRESS_AFTER_MS = 75_000;
/**
 * Maximum time for which an event is retried until its message is found. After this time, the event
 * counts as an event about another service's message.
 */
const EVENT_WAITS_MS = 15 * 60_000;
/**
 * Minimum wait. A queue delays a message by whole seconds, so a shorter wait could become no wait.
 */
const SHORTEST_WAIT_MS = 5_000;
/** The waits before an event is matched again. */
const MATCH_WAITS = { firstSeconds: 5, longestSeconds: 300 };

/** The result from one team's ledger about an event. */
export interface TeamMatch {
  readonly teamId: string;
  readonly match: CopyMatch;
}

/** The members of a stored message that this file reads. Each may be missing. */
interface ReadMessage {
  readonly from?: Partial<Message["from"]>;
  readonly recipients?: Message["recipients"];
}

export interface MatchedAttempt extends Grant {
  readonly teamId: string;
  /** The stored message. Null means that the message was not read. */
  readonly found: MessageInLedger | null;
  readonly by: "id" | "address";
  /** True if the attempt is running and was never settled. */
  readonly isUnsettled: boolean;
}

/**
 * Returns whether an event may be matched by its addresses. `speedup` is the divisor of all waits,
 * at least 1.
 */
export function mayMatchByAddress(event: EmailServiceEvent, now: number, speedup: number): boolean {
  return now - event.at >= BY_ADDRESS_AFTER_MS / speedup;
}

/** Finds the attempt. Null means that no attempt fits, or that several fit. */
export function chooseAttempt(
  event: Pick<EmailServiceEvent, "sender" | "recipient">,
  matches: readonly TeamMatch[],
): MatchedAttempt | null {
  for (const { teamId, match } of matches)
    if (match.byId) return { ...match.byId, teamId, by: "id", isUnsettled: false };
  const fitting = matches.flatMap(({ teamId, match: { byAddress, underWay } }) => {
    const unsettled = underWay.flatMap(({ meta, grants }) => fittingGrants(event, meta, grants));
    return [
      ...unsettled.map((grant) => ({ ...grant, teamId, isUnsettled: true })),
      ...byAddress.map((grant) => ({ ...grant, teamId, isUnsettled: false })),
    ];
  });
  // An attempt occurs in the results several times if it was made twice, or if an event named
  // another id for it. Such repetitions are removed.
  const [only, ...more] = new Map(fitting.map((grant) => [attemptKey(grant), grant])).values();
  return only && more.length === 0 ? { ...only, found: null, by: "address" } : null;
}

/**
 * Returns the seconds until an event without an attempt is tried again. Null means never.
 * `waitedMs` is the time that the event has been in the queue. `tries` is the number of tries so
 * far, from 1.
 */
export function retryUnmatched(waitedMs: number, tries: number, speedup: number): number | null {
  if (waitedMs >= Math.max(SHORTEST_WAIT_MS, EVENT_WAITS_MS / speedup)) return null;
  const seconds = retryDelaySeconds(MATCH_WAITS, tries);
  return Math.max(1, Math.round(seconds / speedup));
}

function fittingGrants(
  { sender, recipient }: Pick<EmailServiceEvent, "sender" | "recipient">,
  meta: string,
  grants: readonly Grant[],
): readonly Grant[] {
  const message = readMessage(meta);
  if (message?.from?.email?.toLowerCase() !== sender.toLowerCase()) return [];
  return grants.filter(
    ({ recipientIndex }) =>
      message.recipients?.[recipientIndex]?.toLowerCase() === recipient.toLowerCase(),
  );
}

/**
 * Reads a stored message. Null means that the message cannot be read, which claim.ts logs. Such a
 * message must not prevent the events of other messages from being matched.
 */
function readMessage(meta: string): ReadMessage | null {
  try {
    return JSON.parse(meta) as Message;
  } catch {
    return null;
  }
}
