// Tests how the service's errors are named by Resend's error names (docs/from-resend.md §Errors).
import { expect, it } from "vitest";
import { toResendError } from "../../../../src/api/resend/error-names.ts";
import { SEND_NAMES } from "../../../../src/api/resend/send-members.ts";

const encoder = new TextEncoder();

function inItsWords(status: number, body: unknown, options: object = {}) {
  const bytes = encoder.encode(typeof body === "string" ? body : JSON.stringify(body));
  const reply = { status, body: bytes, hasRetryAfter: false, hasKey: true, ...options };
  return toResendError(reply, SEND_NAMES);
}

const envelope = (type: string, errors?: Record<string, string[]>) => ({
  error: { type, message: "Our sentence.", ...(errors && { errors }) },
});
const invalid = (errors: Record<string, string[]>) => envelope("validation_error", errors);

it.each([
  [401, "authentication_error", { hasKey: false }, 401, "missing_api_key"],
  [401, "authentication_error", {}, 403, "invalid_api_key"],
  [403, "permission_error", {}, 401, "restricted_api_key"],
  [403, "permission_error", { hasRetryAfter: true }, 403, "invalid_api_key"],
  [402, "subscription_required", {}, 403, "validation_error"],
  [404, "not_found", {}, 404, "not_found"],
  [405, "method_not_allowed", {}, 405, "method_not_allowed"],
  [409, "idempotency_concurrent", {}, 409, "concurrent_idempotent_requests"],
  [422, "idempotency_mismatch", {}, 409, "invalid_idempotent_request"],
  [409, "not_cancelable", {}, 422, "validation_error"],
  [502, "internal_error", {}, 502, "internal_server_error"],
])("names a %i %s of %j", (status, type, options, statusCode, name) => {
  const error = { statusCode, name, message: "Our sentence." };
  expect(inItsWords(status, envelope(type), options)).toEqual(error);
});

it.each([
  ["daily", "daily_quota_exceeded"],
  ["monthly", "monthly_quota_exceeded"],
  ["tag_cardinality", "rate_limit_exceeded"],
])("names the quota %s", (scope, name) => {
  const full = { error: "quota_exceeded", message: "Full.", scope };
  expect(inItsWords(429, full)).toEqual({ statusCode: 429, name, message: "Full." });
});

it.each<[Record<string, string[]>, number, string, string]>([
  [{ to: ["is required"] }, 422, "missing_required_field", "`to` is required."],
  [{ from: ["is no address"] }, 422, "invalid_from_address", "`from` is no address."],
  [
    { "attachments.0.content": ["is not valid base64"] },
    422,
    "invalid_attachment",
    "`attachments.0.content` is not valid base64.",
  ],
  [
    { idempotency_key: ["must be 1 to 255 …"] },
    400,
    "invalid_idempotency_key",
    "The Idempotency-Key must be 1 to 256 printable ASCII characters.",
  ],
  [{ "metadata.a b": ["must be named …"] }, 422, "validation_error", "`tags.a b` must be named …."],
  [
    { "emails.3.subject": ["is required"], "emails.4.metadata": ["must be an object"] },
    422,
    "missing_required_field",
    "`3.subject` is required. `4.tags` must be an array of objects with `name` and `value`.",
  ],
  [{ emails: ["must be an array"] }, 422, "validation_error", "`body` must be an array."],
])("says %j", (errors, statusCode, name, message) => {
  const said = inItsWords(422, invalid(errors));
  expect(said).toEqual({ statusCode, name, message });
});

it("keeps the status of a body that can't be read, and of one that is too large", () => {
  const name = "validation_error";
  const unread = inItsWords(400, invalid({ body: ["is not valid JSON"] }));
  expect(unread).toMatchObject({ statusCode: 400, name });
  const message = "The request body is too large.";
  const large = inItsWords(413, { error: "payload_too_large" });
  expect(large).toEqual({ statusCode: 413, name, message });
});

it("answers a fault that is not JSON", () => {
  const error = { statusCode: 503, name: "internal_server_error" };
  expect(inItsWords(503, "<html>")).toMatchObject(error);
});
