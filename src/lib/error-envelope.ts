// Builds error bodies (contract.md §Error envelope) for the renderer in api/errors.ts, and for the
// send path, which stores the bytes of a refusal for replay. Pure.

type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Returns `{"error": {"type", "message"}}` as JSON. */
export function errorBody(type: string, message: string): string {
  return JSON.stringify({ error: { type, message } });
}

/** Returns the JSON body of a 400 or 422 for invalid fields. */
export function validationBody(errors: FieldErrors): string {
  return JSON.stringify({ error: validationError(errors) });
}

/**
 * Returns the error for invalid fields, as in the envelope and in a failed item of a batch. The
 * message contains the first field and its problem.
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
