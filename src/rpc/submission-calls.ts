// The part of a call to TeamLedger that is only about messages by SMTP.

/** The facts by which a message by SMTP is recognised under its key (docs/smtp.md §Repetitions). */
export interface SubmissionIdentity {
  /** SHA-256 of everything that a repetition has in common with the message. */
  readonly content: string;
  /** SHA-256 of the message without its trace fields. */
  readonly octets: string;
  /** The recipients, each once, in small letters. */
  readonly recipients: readonly string[];
}
