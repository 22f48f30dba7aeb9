// The outcome of one message as the gateway reports it (docs/egress-protocol.md): the deciding
// reply of a server, or why no server gave one; and what the gateway answers about a key.
import type { SmtpConnection } from "./smtp/smtp-connection.ts";
import { foldReply, type Reply, type SmtpStage } from "./smtp/smtp-reply.ts";

export type EgressFailureCause =
  | "no_mail_server"
  | "null_mx"
  | "dns"
  | "tls"
  | "connect"
  /** The server announced that it limits connections or mail, and none of those was free. */
  | "limit"
  | "other";

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

/** An outcome with the moment of its reply or failure, in milliseconds of the process's clock. */
export interface DatedOutcome {
  readonly outcome: EgressOutcome;
  readonly repliedAt: number;
}

/** The end of an attempt. `takenAt`: when the gateway had the message whole. */
export interface EndedAttempt extends DatedOutcome {
  readonly takenAt: number;
}

/** A message of which nothing was begun: no server was asked, and its key is forgotten. */
export interface NotTaken {
  readonly kind: "not_taken";
  readonly why: "memory" | "disk" | "waited" | "draining";
}

/** An attempt has an outcome, or was never begun. */
export type AttemptFate = EndedAttempt | NotTaken;

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

/** Dates an outcome that came about just now. */
export function dateNow(outcome: EgressOutcome): DatedOutcome {
  return { outcome, repliedAt: performance.now() };
}

/**
 * Returns the outcome that counts among those of a domain's servers: a 4xx before a 5xx before a
 * failure. One server that only defers keeps the message alive, and any reply tells the sender more
 * than a failed connection does.
 */
export function decisiveOutcome(outcomes: readonly DatedOutcome[]): DatedOutcome | undefined {
  const codeOf = ({ outcome }: DatedOutcome) => (outcome.kind === "reply" ? outcome.code : null);
  const replies = outcomes.filter((one) => codeOf(one) !== null);
  return replies.find((one) => codeOf(one)! < 500) ?? replies[0] ?? outcomes[0];
}

/** Returns the line that answers for a key. An outcome is told by how long ago it came about. */
export function answerLine(
  key: string,
  answer: AttemptFate | { readonly kind: "under_way" | "never_heard" },
): string {
  return `${JSON.stringify({ key, ...("outcome" in answer ? toLine(answer) : answer) })}\n`;
}

function toLine({ outcome, takenAt, repliedAt }: EndedAttempt): object {
  const now = performance.now();
  const [taken, replied] = [takenAt, repliedAt].map((moment) => Math.round(now - moment));
  return { ...outcome, taken_ms_ago: taken, replied_ms_ago: replied };
}

/** `high`: before the team's other mail to the same destination. */
export type MailPriority = "high" | "normal";

/** One message and its envelope, in the gateway's memory. */
export interface Mail {
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /** Named IP pool, or null for the default one. */
  readonly pool: string | null;
  /** The team, which takes turns with others. */
  readonly team: string;
  readonly priority: MailPriority;
  readonly bytes: Buffer;
}
