// The outcome of one message, as the gateway reports it (docs/egress-protocol.md): the reply that
// decided, or the reason why no server gave a reply. This file also writes the gateway's answer
// about a key.
import type { SmtpConnection } from "./smtp/smtp-connection.ts";
import { foldReply, type Reply, type SmtpStage } from "./smtp/smtp-reply.ts";
import type { OutgoingMessage } from "./smtp/smtp-transaction.ts";

export type EgressFailureCause = "no_mail_server" | "null_mx" | "dns" | "tls" | "connect" | "other";

export interface ReplyOutcome {
  readonly kind: "reply";
  readonly code: number;
  readonly enhanced: string | null;
  /** The text of the reply without its codes, on one line of at most 1 KB. */
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

/** An outcome with the time of its reply or failure, in milliseconds of the process's clock. */
export interface DatedOutcome {
  readonly outcome: EgressOutcome;
  readonly repliedAt: number;
}

/** The end of an attempt. `takenAt`: time when the whole message had arrived at the gateway. */
export interface EndedAttempt extends DatedOutcome {
  readonly takenAt: number;
}

/**
 * A message that was returned to the worker before its sending began. No server was asked, and the
 * gateway forgets the key.
 */
export interface NotTaken {
  readonly kind: "not_taken";
  readonly why: "memory" | "disk" | "waited" | "draining";
  /**
   * Milliseconds until the gateway will have capacity for the message. Present if the gateway
   * reserves the message's queue position.
   */
  readonly room_in_ms?: number;
  /** Milliseconds since the message's first arrival. Present together with `room_in_ms`. */
  readonly waited_ms?: number;
}

/** The answer about a message whose outcome is not known yet. */
export interface StillUnderWay {
  readonly kind: "under_way";
  /** Milliseconds since the message first arrived. Absent: a connection is sending the message. */
  readonly waited_ms?: number;
}

/**
 * The result of an attempt: an outcome, or the return of the message to the worker before its
 * sending began.
 */
export type AttemptResult = EndedAttempt | NotTaken;

export function failure(
  cause: EgressFailureCause,
  detail: string,
  mxHost: string | null = null,
): FailureOutcome {
  return { kind: "failure", cause, detail, mx_host: mxHost };
}

/** Returns the outcome of a message that got this reply. */
export function replyOutcome(
  { host, tls }: SmtpConnection,
  stage: SmtpStage,
  reply: Reply,
): ReplyOutcome {
  return { kind: "reply", code: reply.code, ...foldReply(reply), stage, mx_host: host, tls };
}

/** Adds the current time to an outcome. */
export function dateNow(outcome: EgressOutcome): DatedOutcome {
  return { outcome, repliedAt: performance.now() };
}

/**
 * Chooses the outcome of a message that several servers of a domain were asked to accept. A 4xx
 * takes precedence over a 5xx, because the message can be tried again after a 4xx. Any reply takes
 * precedence over a failed connection, because a reply tells the sender more.
 */
export function decisiveOutcome(outcomes: readonly DatedOutcome[]): DatedOutcome | undefined {
  const codeOf = ({ outcome }: DatedOutcome) => (outcome.kind === "reply" ? outcome.code : null);
  const replies = outcomes.filter((one) => codeOf(one) !== null);
  return replies.find((one) => codeOf(one)! < 500) ?? replies[0] ?? outcomes[0];
}

/**
 * Returns the response line about a key. The line of an outcome also says how long ago the outcome
 * came.
 */
export function outcomeLine(
  key: string,
  answer: AttemptResult | StillUnderWay | { readonly kind: "never_heard" },
): string {
  return `${JSON.stringify({ key, ...("outcome" in answer ? toLine(answer) : answer) })}\n`;
}

function toLine({ outcome, takenAt, repliedAt }: EndedAttempt): object {
  const now = performance.now();
  const [taken, replied] = [takenAt, repliedAt].map((moment) => Math.round(now - moment));
  return { ...outcome, taken_ms_ago: taken, replied_ms_ago: replied };
}

/**
 * The priority of a message. A `high` message goes before the team's `normal` messages to the same
 * destination.
 */
export type MailPriority = "high" | "normal";

/** One message and its envelope, in the gateway's memory. */
export interface Mail extends OutgoingMessage {
  readonly key: string;
  /** Name of an IP pool. Null means the default pool. */
  readonly pool: string | null;
  /** The team that sends the message. Teams take turns in queues. */
  readonly team: string;
  readonly priority: MailPriority;
  /**
   * Milliseconds since the message's first arrival at a gateway. 0: the message comes for the first
   * time.
   */
  readonly waitedMs: number;
}
