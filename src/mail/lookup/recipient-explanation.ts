// Explains what became of a message to one recipient (contract.md §Explanations): finds the event
// that decided, its cause, and the suppressions that follow. src/explain words the explanation.
import { suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { Correlation, EventRecord } from "../../rpc/event-records.ts";
import type { WaitReason, RecipientState } from "../../rpc/recipient-states.ts";
import {
  bounceOf,
  type ShownEvidence,
  explainRecipient,
  type RecipientFacts,
} from "../../explain/explain.ts";
import type { Explanation } from "../../explain/explanation.ts";
import { refusalOf } from "../../explain/refusal-cause.ts";
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import { EVERY_TOPIC } from "../../resources/suppressions/normalise.ts";
import { listSuppressionsOf, type SuppressionRow } from "../../resources/suppressions/store.ts";
import { shownEvidence } from "../../resources/suppressions/suppression-evidence.ts";

/** A recipient of a message, as the ledger and the history know it. */
export interface KnownRecipient {
  readonly address: string;
  readonly status: RecipientState;
  /** Unix milliseconds; null: no further attempt is planned. */
  readonly nextAttemptAt: number | null;
  /** Null: the recipient is not open in the ledger. */
  readonly waitReason: WaitReason | null;
  /** Oldest first. */
  readonly events: readonly EventRecord[];
}

/**
 * The facts of a message that an explanation needs. A look-up has them, and so has each of the
 * message's events.
 */
interface KnownMessage extends Pick<Correlation, "emailId" | "fromDomain" | "topic"> {
  /**
   * Unix milliseconds. Absent: the message was not scheduled, or the time is not known any more.
   */
  readonly scheduledAt?: number;
}

/** Explains recipients of a team's messages. */
export type Explainer = (
  message: KnownMessage,
  /** When the message was accepted, Unix milliseconds. */
  createdAt: number,
  recipient: KnownRecipient,
) => Explanation;

/** States of a recipient in which a suppression decides about its next message. */
const STOPPED: ReadonlySet<RecipientState> = new Set(["bounced", "suppressed", "complained"]);

/** Reads the suppressions of recipients in a final state, and explains each recipient. */
export async function explainerFor(
  env: Env,
  team: Team,
  recipients: readonly Pick<KnownRecipient, "address" | "status">[],
  now: number,
): Promise<Explainer> {
  const stopped = recipients
    .filter(({ status }) => STOPPED.has(status))
    .map(({ address }) => address.toLowerCase());
  return explainerOf(team, await listSuppressionsOf(suppressionsOf(env, team), stopped, now));
}

/** Explains each recipient by the suppressions in force for its address. */
export function explainerOf(team: Team, inForce: readonly SuppressionRow[]): Explainer {
  const byAddress = Map.groupBy(inForce, ({ email }) => email);
  return (message, createdAt, recipient) => {
    const suppressions = stopping(byAddress.get(recipient.address.toLowerCase()) ?? [], message);
    return explainRecipient(factsOf(team, message, createdAt, recipient, suppressions));
  };
}

/** Returns the suppressions that stop a message like this one, those for every topic first. */
function stopping(rows: readonly SuppressionRow[], { topic }: KnownMessage): SuppressionRow[] {
  return [EVERY_TOPIC, topic?.toLowerCase()].flatMap((wanted) =>
    rows.filter((row) => row.topic === wanted),
  );
}

function factsOf(
  team: Team,
  message: KnownMessage,
  createdAt: number,
  recipient: KnownRecipient,
  suppressions: readonly SuppressionRow[],
): RecipientFacts {
  const { address, status: state, nextAttemptAt, waitReason, events } = recipient;
  const { emailId, fromDomain, scheduledAt } = message;
  const event = events.findLast(({ type }) => type === `email.${state}`);
  const keptBackBy = state === "suppressed" ? (event?.suppression ?? null) : null;
  const cause = suppressions.find(({ reason }) => reason === keptBackBy?.reason);
  return {
    address,
    state,
    emailId,
    fromDomain,
    scheduledAt: scheduledAt ?? null,
    deadline: (scheduledAt ?? createdAt) + EXPIRY_AFTER_MS,
    nextAttemptAt,
    waitReason,
    ratePerMinute: team.limits.deliveryRatePerMinute,
    refusal: event ? refusalOf(event) : "Uncategorized",
    bounce: event ? bounceOf(event) : "refused",
    keptBackBy: keptBackBy as RecipientFacts["keptBackBy"],
    suppressions,
    evidence: keptBackBy ? (cause ? shownEvidence(cause) : null) : evidenceOf(event),
  };
}

function evidenceOf(event: EventRecord | undefined): ShownEvidence | null {
  if (!event) return null;
  const { bounce, exchange, occurredAt, emailId } = event;
  return {
    reply: bounce?.smtpResponse ?? exchange?.response ?? null,
    stage: exchange?.stage ?? null,
    mx_host: exchange?.mxHost ?? null,
    at: new Date(occurredAt).toISOString(),
    email_id: emailId,
  };
}
