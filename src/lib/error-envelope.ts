// The canonical error body (wire.md "Errors"), for the one renderer in api/errors.ts and for the send path, which stores a refusal's bytes for replay.

/** `{"error": {"type", "message", "errors"?}}` as JSON. */
export function errorBody(type: string, message: string, errors?: Readonly<Record<string, readonly string[]>>): string {
  return JSON.stringify({ error: errors ? { type, message, errors } : { type, message } });
}

/** The body of a 400 or 422 for wrong fields; the message names the first of them. */
export function validationBody(errors: Readonly<Record<string, readonly string[]>>): string {
  const [first] = Object.entries(errors);
  const message = first ? `The request is not valid: ${first[0]} ${first[1][0] ?? "is not valid"}` : "The request is not valid";
  return errorBody("validation_error", message, errors);
}
