// Explains why a command failed, and chooses its exit code.
import { ApiError, TimeoutError, UnreachableError } from "../client/client-errors.ts";
import type { SendEmailBatchResponse } from "../generated/types.ts";
import { CommandFailure, EXIT, type ExitCode } from "./exit-codes.ts";

/**
 * Maps an HTTP status to an exit code. Other statuses below 500 mean that the request needs a
 * change.
 */
const EXIT_CODES: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notPermitted,
  402: EXIT.notPermitted,
  403: EXIT.notPermitted,
  404: EXIT.notFound,
  429: EXIT.overLimit,
};
const NEEDS_FULL =
  "Only send, emails batch and whoami work without full permissions. For other commands, use " +
  "a key with full permissions: `postern login`, or POSTERN_API_KEY.";

/**
 * Returns undefined if the error is a bug in this program. `details` are the fields of the API's
 * error, for `--json`.
 */
export function failureText(error: unknown) {
  if (error instanceof CommandFailure)
    return { message: error.message, exitCode: error.exitCode, details: {} };
  if (error instanceof UnreachableError || error instanceof TimeoutError)
    return { message: error.message, exitCode: EXIT.unreachable, details: {} };
  if (!(error instanceof ApiError)) return undefined;
  const hint = error.type === "permission_error" ? `\n${NEEDS_FULL}` : "";
  const { status, type, errors, requestId, body } = error;
  const failed = body && "data" in body ? body.data : undefined;
  return {
    message: [error.message + hint, ...(failed ?? []).flatMap(failedLine)].join("\n"),
    exitCode: exitCodeOf(error),
    details: { status, type, errors, request_id: requestId, ...(failed && { data: failed }) },
  };
}

/** Explains why a message of a batch was not queued. */
export function failedLine(entry: SendEmailBatchResponse["data"][number]): readonly string[] {
  if (entry.status === "queued") return [];
  const fields = "errors" in entry.error ? Object.entries(entry.error.errors) : [];
  const words = fields.map(([field, messages]) => `${field} ${messages.join(", ")}`);
  const reason = words.length > 0 ? words.join("; ") : entry.error.message;
  return [`emails.${entry.index}: ${reason}`];
}

function exitCodeOf({ status }: ApiError): ExitCode {
  const known = EXIT_CODES[status];
  return known ?? (status >= 500 ? EXIT.failed : EXIT.refused);
}
