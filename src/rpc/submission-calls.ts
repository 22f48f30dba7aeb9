// The arguments of calls to TeamLedger that only messages by SMTP have.

/**
 * The facts by which the ledger recognises an SMTP message that a client repeats with its
 * idempotency key (docs/smtp.md §Repetitions).
 */
export interface SubmissionIdentity {
  /** SHA-256 of the parts of the message that do not change when a client repeats it. */
  readonly content: string;
  /** SHA-256 of the message without its trace fields. */
  readonly octets: string;
  /** The recipients in lower case, without duplicates. */
  readonly recipients: readonly string[];
}
