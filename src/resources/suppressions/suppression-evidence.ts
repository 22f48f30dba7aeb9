// The evidence for a suppression: the message that caused it, and the server's reply about the
// message (contract.md §Explanations).
import type { OwnEvent } from "../../rpc/event-records.ts";
import type { ShownEvidence } from "../../explain/explain.ts";

/**
 * Maximum length of a stored reply. Longer replies are cut to save space, because a team may have
 * millions of suppressions.
 */
const REPLY_CHARACTERS = 500;

export interface SuppressionEvidence {
  /** The server's reply. Null: no reply caused the suppression. */
  readonly reply: string | null;
  /** The stage of the SMTP session at which the server sent the reply. Null: it is unknown. */
  readonly stage: string | null;
  readonly mxHost: string | null;
  /**
   * The message that caused the suppression. Null: no message caused it, and all other members are
   * null too.
   */
  readonly emailId: string | null;
  /** The time of the bounce or complaint, Unix milliseconds. */
  readonly causedAt: number | null;
}

/**
 * Parts of SQL statements that store rows from JSON: the names of the evidence columns, their
 * values and their updates.
 */
const EVIDENCE_COLUMNS = "reply, stage, mx_host, email_id, caused_at";
export const EVIDENCE_VALUES =
  "value ->> 'reply', value ->> 'stage', value ->> 'mxHost', value ->> 'emailId', " +
  "value ->> 'causedAt'";
export const EVIDENCE_CHANGES =
  "reply = excluded.reply, stage = excluded.stage, mx_host = excluded.mx_host, " +
  "email_id = excluded.email_id, caused_at = excluded.caused_at";

/** The beginning of each insertion of suppressions, up to the list of its columns. */
export const INSERT_SUPPRESSIONS = `
  INSERT INTO suppressions (id, team_id, email, topic, reason, origin, classification, smtp_code,
    note, ${EVIDENCE_COLUMNS}, suppressed_at, expires_at, created_at)`;

/** Returns a suppression's evidence for the API, or null if no message caused the suppression. */
export function shownEvidence({
  reply = null,
  stage = null,
  mxHost = null,
  emailId = null,
  causedAt = null,
}: Partial<SuppressionEvidence>): ShownEvidence | null {
  return emailId === null || causedAt === null
    ? null
    : { reply, stage, mx_host: mxHost, at: new Date(causedAt).toISOString(), email_id: emailId };
}

/** Makes the evidence from a bounce or a complaint about a message. */
export function evidenceOf(
  emailId: string,
  { occurredAt, bounce, exchange }: Pick<OwnEvent, "occurredAt" | "bounce" | "exchange">,
): SuppressionEvidence {
  const reply = bounce?.smtpResponse ?? exchange?.response ?? null;
  return {
    reply: reply && reply.slice(0, REPLY_CHARACTERS).toWellFormed(),
    stage: exchange?.stage ?? null,
    mxHost: exchange?.mxHost ?? null,
    emailId,
    causedAt: occurredAt,
  };
}
