// What the gateway answers about one message (docs/egress-protocol.md): a server's last word, or
// why no server had one.

/** Where a transaction stood when it got its last answer. */
export type TransactionStage = "connect" | "helo" | "starttls" | "mail" | "rcpt" | "data" | "end";

export type EgressFailureCause = "no_mail_server" | "null_mx" | "dns" | "tls" | "connect" | "other";

export interface ReplyOutcome {
  readonly kind: "reply";
  readonly code: number;
  readonly enhanced: string | null;
  /** One line, at most 1 KB, without the codes. */
  readonly text: string;
  readonly stage: TransactionStage;
  readonly mx_host: string | null;
  readonly tls: string | null;
}

export interface FailureOutcome {
  readonly kind: "failure";
  readonly cause: EgressFailureCause;
  readonly detail: string;
  readonly mx_host: string | null;
}

export type EgressOutcome = ReplyOutcome | FailureOutcome;

export function failure(
  cause: EgressFailureCause,
  detail: string,
  mxHost: string | null = null,
): FailureOutcome {
  return { kind: "failure", cause, detail, mx_host: mxHost };
}

/**
 * Of what several servers of one domain said, the word that counts: a 4xx before a 5xx before
 * silence. One server that only defers keeps the message alive, and any reply tells the sender more
 * than a failed connection does.
 */
export function weightiest(outcomes: readonly EgressOutcome[]): EgressOutcome | undefined {
  const replies = outcomes.filter((outcome) => outcome.kind === "reply");
  return replies.find((reply) => reply.code < 500) ?? replies[0] ?? outcomes[0];
}

/** A message as the gateway holds it. */
export interface Mail {
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** Named IP pool, or null for the default one. */
  readonly pool: string | null;
  readonly bytes: Buffer;
}
