// The facts of a reply that its row and its webhooks share. The results of sender authentication
// have the values of RFC 8601 §2.7. The gateway makes these results. Mail through Email Routing has
// none. Pure.

export const SENDER_CHECKS = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
] as const;

export type SenderCheck = (typeof SENDER_CHECKS)[number];

/** The results of SPF, DKIM and DMARC. Null: the check was not made, or did not end in time. */
export interface SenderChecks {
  readonly spf: SenderCheck | null;
  readonly dkim: SenderCheck | null;
  readonly dmarc: SenderCheck | null;
}

export const NOT_CHECKED: SenderChecks = { spf: null, dkim: null, dmarc: null };

/** Reads a result. Returns null for an unknown text. */
export function toSenderCheck(text: string | null): SenderCheck | null {
  return SENDER_CHECKS.find((result) => result === text) ?? null;
}

/** The facts that only Resend's form shows. */
export interface ReceivedFacts {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly messageId: string | null;
  readonly attachments: readonly ReceivedFile[];
}

export interface ReceivedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId: string | null;
  readonly isInline: boolean;
  /** The size in bytes. */
  readonly size: number;
}
