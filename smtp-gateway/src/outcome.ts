// The outcome of one message as the gateway reports it (docs/egress-protocol.md): the deciding
// reply of a server, or why no server gave one. Pure.
import type { SmtpConnection } from "./smtp/smtp-connection.ts";
import { foldReply, type Reply, type SmtpStage } from "./smtp/smtp-reply.ts";

export type EgressFailureCause = "no_mail_server" | "null_mx" | "dns" | "tls" | "connect" | "other";

export interface ReplyOutcome {
  readonly kind: "reply";
  readonly code: number;
  readonly enhanced: string | null;
  /** One line, at most 1 KB, without the codes. */
  readonly text: string;
  readonly stage: SmtpStage;
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

/** Returns a reply as the outcome of a stage. */
export function replyOutcome(
  { host, tls }: SmtpConnection,
  stage: SmtpStage,
  reply: Reply,
): ReplyOutcome {
  return { kind: "reply", code: reply.code, ...foldReply(reply), stage, mx_host: host, tls };
}

/**
 * Returns the outcome that counts among those of a domain's servers: a 4xx before a 5xx before a
 * failure. One server that only defers keeps the message alive, and any reply tells the sender more
 * than a failed connection does.
 */
export function decisiveOutcome(outcomes: readonly EgressOutcome[]): EgressOutcome | undefined {
  const replies = outcomes.filter((outcome) => outcome.kind === "reply");
  return replies.find((reply) => reply.code < 500) ?? replies[0] ?? outcomes[0];
}

/** One message and its envelope, in the gateway's memory. */
export interface Mail {
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** Named IP pool, or null for the default one. */
  readonly pool: string | null;
  readonly bytes: Buffer;
}
