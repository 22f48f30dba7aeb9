// A refusal is the only way to reject a request. Any layer throws refusals, and only api/errors.ts
// turns them into a status and a body (contract.md §Errors). The union is closed: a new kind of
// refusal does not compile until the table in api/errors.ts has a row for it.

import type { Role } from "./member-rights.ts";

/** Messages by field path, for example `{ "to.0": ["is not an email address"] }`. */
export type FieldErrors = Record<string, string[]>;

const SEGMENT_CHARACTERS = 100;

export type QuotaScope =
  | "daily"
  | "monthly"
  | "tag_cardinality"
  | "campaign_cardinality"
  | "topic_cardinality";

export interface Quota {
  readonly scope: QuotaScope;
  readonly limit: number;
  readonly retryAfterSeconds: number;
}

export type Refusal =
  | { readonly code: "malformed"; readonly errors: FieldErrors } // 400 (contract.md §Statuses)
  | { readonly code: "invalid"; readonly errors: FieldErrors } // 422: every other failed rule
  | { readonly code: "unsupported_media_type"; readonly errors: FieldErrors }
  | {
      readonly code: "unauthenticated";
      readonly reason: "missing" | "unknown";
      readonly wanted:
        | "api_key"
        | "admin_token"
        | "console_link"
        | "console_session"
        | "access_assertion";
    }
  | { readonly code: "foreign_page" }
  | { readonly code: "foreign_origin" }
  | { readonly code: "https_required" }
  | { readonly code: "subscription_required" }
  | { readonly code: "ip_not_allowed" }
  | { readonly code: "ip_blocked"; readonly retryAfterSeconds: number }
  | { readonly code: "not_permitted" }
  /** The person's role does not include the endpoint. */
  | { readonly code: "role_not_permitted"; readonly role: Role }
  /** `reason`: why the person has no session, although they signed in. */
  | {
      readonly code: "not_a_member";
      readonly reason: "removed" | "uninvited" | "invitation_over" | "other_address";
    }
  /** The operator lets only people sign in to the console. */
  | { readonly code: "keys_do_not_sign_in" }
  /** Cloudflare Access does not give the keys that verify its assertions. */
  | { readonly code: "access_unavailable" }
  | { readonly code: "not_found" }
  /** The team has only the message. `until`: when its content was deleted, Unix milliseconds. */
  | {
      readonly code: "content_not_kept";
      readonly reason: "unwanted" | "sensitive" | "canceled" | "absent" | "expired";
      readonly until?: number;
    }
  /** `nearest`: the endpoint that the caller probably meant, such as `POST /v1/email`. */
  | {
      readonly code: "no_such_endpoint";
      readonly method: string;
      readonly path: string;
      readonly nearest: string | undefined;
    }
  | { readonly code: "method_not_allowed"; readonly allow: readonly string[] }
  | { readonly code: "payload_too_large" }
  | { readonly code: "rate_limited" }
  /** The platform refused the call, because the team's ledger had too many calls. */
  | { readonly code: "overloaded" }
  | { readonly code: "quota_exceeded"; readonly quota: Quota }
  | { readonly code: "idempotency_concurrent" }
  | { readonly code: "idempotency_mismatch" }
  /** `etag`: the resource's current entity tag. */
  | { readonly code: "precondition_failed"; readonly etag: string }
  /** `reason`: why the message does not wait for a scheduled time. */
  | {
      readonly code: "not_cancelable";
      readonly reason: "released" | "canceled" | "unscheduled";
    }
  | { readonly code: "webhook_rotation_in_progress" }
  /** The send was not accepted, because of a fault. */
  | { readonly code: "pipeline_unavailable" }
  /** The send may have been accepted. Its answer was lost, and the outcome can't be looked up. */
  | { readonly code: "acceptance_unknown" }
  /** The key can't be looked up, or the ledger does not answer. Sends have other refusals. */
  | { readonly code: "storage_unavailable" }
  /** `reason`: the status and code of the DNS API's refusal. Null: it did not refuse. */
  | { readonly code: "provisioning_failed"; readonly reason: string | null };

export class RefusalError extends Error {
  readonly refusal: Refusal;
  /** Response headers that were known when the error was thrown, e.g. `RateLimit-*`. */
  readonly headers: Readonly<Record<string, string>>;

  /** `cause`: the fault behind the refusal, which goes to the log only. */
  constructor(refusal: Refusal, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(refusal.code, { cause });
    this.refusal = refusal;
    this.headers = headers;
  }
}

/** The error message of a send whose answer was lost and cannot be looked up. */
export const ACCEPTANCE_UNKNOWN =
  "A fault on our side hides whether the message was accepted. Retry with the same " +
  "Idempotency-Key; a retry without a key may send the message twice.";

type Details<Code extends Refusal["code"]> = Omit<Extract<Refusal, { code: Code }>, "code">;

/** Shortens a key that the caller chose, for the path of an error. */
export function pathSegment(key: string): string {
  return shorten(key, SEGMENT_CHARACTERS);
}

/** Cuts a text after `characters` and marks the cut with three dots. */
export function shorten(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters).toWellFormed()}...` : text;
}

/**
 * Builds the error to throw: `throw refuse("not_found")`, `throw refuse("invalid", { errors })`.
 */
export function refuse<Code extends Refusal["code"]>(
  code: Code,
  ...details: keyof Details<Code> extends never ? [] : [Details<Code>]
): RefusalError {
  return new RefusalError({ code, ...details[0] } as Refusal);
}

/** Builds the error about one member of a request: `throw refuseMember("name", "is taken")`. */
export function refuseMember(name: string, problem: string): RefusalError {
  return refuse("invalid", { errors: { [name]: [problem] } });
}

/** Returns the row that was looked up. Throws `not_found` if it does not exist. */
export function requireRow<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw refuse("not_found");
  return row;
}
