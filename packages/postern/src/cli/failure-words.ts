// Says in words why a command failed, and chooses its exit code.
import {
  AbsentError,
  ApiError,
  ForbiddenError,
  InvalidRequestError,
  ConflictError,
  QuotaError,
  RateError,
  TimeoutError,
  UnauthenticatedError,
  UnreachableError,
} from "../client/client-errors.ts";
import { CommandFailure, EXIT, type ExitCode } from "./exit-codes.ts";

export interface FailureWords {
  readonly message: string;
  readonly exitCode: ExitCode;
  /** Members of the API's error, for `--json`. */
  readonly details: Readonly<Record<string, unknown>>;
}

const NEEDS_FULL =
  "Every command but send and whoami needs a key with full permissions: `postern login`, or " +
  "POSTERN_API_KEY.";

/** Returns undefined for an error that is a fault of this program. */
export function failureWords(error: unknown): FailureWords | undefined {
  if (error instanceof CommandFailure)
    return { message: error.message, exitCode: error.exitCode, details: {} };
  if (error instanceof UnreachableError || error instanceof TimeoutError)
    return { message: error.message, exitCode: EXIT.unreachable, details: {} };
  if (!(error instanceof ApiError)) return undefined;
  const hint = error.type === "permission_error" ? `\n${NEEDS_FULL}` : "";
  const { status, type, errors, requestId } = error;
  return {
    message: error.message + hint,
    exitCode: exitCodeOf(error),
    details: { status, type, errors, request_id: requestId },
  };
}

function exitCodeOf(error: ApiError): ExitCode {
  if (error instanceof UnauthenticatedError || error instanceof ForbiddenError)
    return EXIT.notPermitted;
  if (error instanceof AbsentError) return EXIT.notFound;
  if (error instanceof InvalidRequestError || error instanceof ConflictError) return EXIT.refused;
  if (error instanceof RateError || error instanceof QuotaError) return EXIT.overLimit;
  return EXIT.failed;
}
