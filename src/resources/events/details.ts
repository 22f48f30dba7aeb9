// Packs the facts that an event's row keeps beyond the pulled event (decision 0002): the receiving server's words, and what a webhook was told. Most
// events are a delivery, so a delivery's answer has columns of its own and everything rarer is one JSON cell. Pure.
import type { EventRecord } from "./records.ts";

/** History rows hold a version as its place in this list: append, never reorder. */
export const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;

/** A refusal is kept whole, as webhooks show it; of a receipt the receiver's own reference is what matters, which comes first. */
const RECEIPT_CHARACTERS = 100;

/** Where a delivery's answer comes, by definition. */
export const DELIVERED_AT = "end";

interface Detail {
  readonly stage?: string;
  readonly rule?: string;
  readonly complaint?: NonNullable<EventRecord["complaint"]>;
  readonly suppression?: NonNullable<EventRecord["suppression"]>;
}

interface UnpackedDetail {
  readonly stage: string | null;
  readonly rule: string | null;
  readonly complaint: EventRecord["complaint"];
  readonly suppression: EventRecord["suppression"];
}

/** The reply without its code, which has a column. */
export function packResponse({ type, smtpCode, bounce, exchange }: EventRecord): string | null {
  const response = ((type === "email.bounced" ? bounce?.smtpResponse : undefined) ?? exchange?.response)?.trimStart();
  if (response === undefined) return null;
  const rest = response.startsWith(`${smtpCode} `) ? response.slice(`${smtpCode}`.length) : response;
  return type === "email.delivered" ? rest.slice(0, RECEIPT_CHARACTERS).toWellFormed() : rest;
}

/** A reply begins with its code, so what begins with a space is one that lost it. */
export function unpackResponse(packed: string | null, smtpCode: number | null): string | null {
  return packed?.startsWith(" ") ? `${smtpCode}${packed}` : packed;
}

export function packDetail({ type, exchange, complaint, suppression }: EventRecord): string | null {
  const detail: Detail = {
    ...(exchange?.stage == null || (type === "email.delivered" && exchange.stage === DELIVERED_AT) ? {} : { stage: exchange.stage }),
    ...(exchange?.rule == null ? {} : { rule: exchange.rule }),
    ...(complaint === null ? {} : { complaint }),
    ...(suppression === null ? {} : { suppression }),
  };
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail);
}

export function unpackDetail(packed: string | null): UnpackedDetail {
  const detail = packed === null ? {} : (JSON.parse(packed) as Detail);
  return {
    stage: detail.stage ?? null,
    rule: detail.rule ?? null,
    complaint: detail.complaint ?? null,
    suppression: detail.suppression ?? null,
  };
}
