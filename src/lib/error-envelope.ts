// The canonical error body (contract.md §Error envelope), for the one renderer in api/errors.ts and
// for the send path, which stores a refusal's bytes for replay.

type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** `{"error": {"type", "message"}}` as JSON. */
export function errorBody(type: string, message: string): string {
  return JSON.stringify({ error: { type, message } });
}

/** The body of a 400 or 422 for wrong fields. */
export function validationBody(errors: FieldErrors): string {
  return JSON.stringify({ error: validationError(errors) });
}

/**
 * What stands in the envelope for wrong fields, and in a failed item of a batch; the message names
 * the first of them.
 */
export function validationError(errors: FieldErrors): {
  readonly type: string;
  readonly message: string;
  readonly errors: FieldErrors;
} {
  const [first] = Object.entries(errors);
  const message = first
    ? `The request is not valid: ${first[0]} ${first[1][0] ?? "is not valid"}`
    : "The request is not valid";
  return { type: "validation_error", message, errors };
}
