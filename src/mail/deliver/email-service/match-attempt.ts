// Decides which attempt an event of the Email Service is about (docs/couriers.md): the one with the
// service's own id of the copy, or the only open one that fits by sender, recipient and time. It is
// documented nowhere that the events use the ids that `send()` returns. Pure.
import { attemptKey } from "../../../rpc/attempt-key.ts";
import type { MessageInLedger, Grant, CopyMatch } from "../../../rpc/ledger-calls.ts";
import type { Message } from "../../message.ts";
import type { EmailServiceEvent } from "./email-service-event.ts";

/**
 * Age from which an event may be matched by its addresses. By then every copy's id is noted, unless
 * a consumer was killed.
 */
const BY_ADDRESS_AFTER_MS = 75_000;
/**
 * Time that an event waits for its message. After this time, the event is not about a message of
 * ours.
 */
const EVENT_WAITS_MS = 15 * 60_000;
/** A queue delays a message by whole seconds, so a shorter wait would be no wait. */
const SHORTEST_WAIT_MS = 5_000;
const FIRST_RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 300;

/** The answer of one team's ledger about an event. */
export interface TeamMatch {
  readonly teamId: string;
  readonly match: CopyMatch;
}

/** The members read of a stored message. Each may be missing. */
interface ReadMessage {
  readonly from?: Partial<Message["from"]>;
  readonly recipients?: Message["recipients"];
}

export interface MatchedAttempt extends Grant {
  readonly teamId: string;
  /** Null: the message was not read. */
  readonly found: MessageInLedger | null;
  readonly by: "id" | "address";
  /** True: the attempt is under way and was never settled. */
  readonly isUnsettled: boolean;
}

/** Tells whether an event may be matched by its addresses. `speedup`, at least 1, divides waits. */
export function mayMatchByAddress(event: EmailServiceEvent, now: number, speedup: number): boolean {
  return now - event.at >= BY_ADDRESS_AFTER_MS / speedup;
}

/** Finds the attempt; null: none, or several that fit. */
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
  // An attempt may be noted more than once: it was made twice, or an event told another id of it.
  const [only, ...more] = new Map(fitting.map((grant) => [attemptKey(grant), grant])).values();
  return only && more.length === 0 ? { ...only, found: null, by: "address" } : null;
}

/**
 * Returns the seconds until an event without an attempt is tried again; null: never. `waitedMs`:
 * the event's time in the queue. `tries`: the number of tries so far, from 1.
 */
export function retryUnmatched(waitedMs: number, tries: number, speedup: number): number | null {
  if (waitedMs >= Math.max(SHORTEST_WAIT_MS, EVENT_WAITS_MS / speedup)) return null;
  const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (tries - 1), LONGEST_RETRY_SECONDS);
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
 * Null: the message cannot be read, which its claim logs (claim.ts). Such a message must not stop
 * the events of other messages from being matched.
 */
function readMessage(meta: string): ReadMessage | null {
  try {
    return JSON.parse(meta) as Message;
  } catch {
    return null;
  }
}
