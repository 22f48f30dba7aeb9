// Explains the fate of a message to one recipient (contract.md §Explanations): finds the event that
// decided the outcome, its cause, and the suppressions that follow. src/explain has the texts of
// the explanation.
import { suppressionsOf } from "../../db/client.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { Correlation, EventRecord } from "../../rpc/event-records.ts";
import type { ActiveHold } from "../../rpc/holds.ts";
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
import { mitigationAt } from "../../resources/providers/mitigation.ts";
import { EVERY_TOPIC } from "../../resources/suppressions/normalise.ts";
import { listSuppressionsOf, type SuppressionRow } from "../../resources/suppressions/store.ts";
import { shownEvidence } from "../../resources/suppressions/suppression-evidence.ts";

/** A recipient of a message, with the facts from the ledger and the history. */
export interface KnownRecipient {
  readonly address: string;
  readonly status: RecipientState;
  /**
   * The time of the next planned attempt, in Unix milliseconds. Null means that no further attempt
   * is planned.
   */
  readonly nextAttemptAt: number | null;
  /**
   * The state of the recipient in the ledger. Null means that the ledger has no unfinished job for
   * the recipient.
   */
  readonly waitReason: WaitReason | null;
  /** The hold that stops the recipient's mail now. Absent if no hold does. */
  readonly hold?: ActiveHold | undefined;
  /**
   * Time for which the mail has been on hold until now, in milliseconds. Absent if it never was.
   */
  readonly heldMs?: number | undefined;
  /** Oldest first. */
  readonly events: readonly EventRecord[];
}

/**
 * The facts of a message that an explanation needs. A look-up and each event of the message have
 * these facts.
 */
interface KnownMessage extends Pick<Correlation, "emailId" | "fromDomain" | "topic"> {
  /**
   * The scheduled time, in Unix milliseconds. Absent if the message was not scheduled, or if the
   * time is not stored any more.
   */
  readonly scheduledAt?: number;
}

/** Explains recipients of a team's messages. */
export type Explainer = (
  message: KnownMessage,
  /** The time at which the message was accepted, in Unix milliseconds. */
  createdAt: number,
  recipient: KnownRecipient,
) => Explanation;

/** States after which a suppression decides about the recipient's next message. */
const STOPPED: ReadonlySet<RecipientState> = new Set(["bounced", "suppressed", "complained"]);

/** Reads the suppressions of the recipients whose state is final, and explains each recipient. */
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

/** Explains each recipient by the suppressions that are in force for the recipient's address. */
export function explainerOf(team: Team, inForce: readonly SuppressionRow[]): Explainer {
  const byAddress = Map.groupBy(inForce, ({ email }) => email);
  return (message, createdAt, recipient) => {
    const suppressions = stopping(byAddress.get(recipient.address.toLowerCase()) ?? [], message);
    return explainRecipient(factsOf(team, message, createdAt, recipient, suppressions));
  };
}

/**
 * Returns the suppressions that stop a message with the same topic. Suppressions for all topics
 * come first.
 */
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
  const { address, status: state, nextAttemptAt, waitReason, events, heldMs = 0 } = recipient;
  const { emailId, fromDomain, scheduledAt } = message;
  const event = events.findLast(({ type }) => type === `email.${state}`);
  const keptBackBy = state === "suppressed" ? (event?.suppression ?? null) : null;
  const cause = suppressions.find(({ reason }) => reason === keptBackBy?.reason);
  return {
    address,
    state,
    emailId,
    fromDomain,
    mitigation: mitigationAt(event?.exchange?.mxHost ?? null, address),
    scheduledAt: scheduledAt ?? null,
    deadline: (scheduledAt ?? createdAt) + EXPIRY_AFTER_MS + heldMs,
    nextAttemptAt,
    waitReason,
    hold: recipient.hold ?? null,
    isUnreported: state === "delivered" && event?.smtpCode === null,
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
