// Makes and reads the key that names an attempt to couriers and in the logs
// (docs/egress-protocol.md §Asking twice). Pure.
import type { Grant } from "./ledger-calls.ts";

/** Returns `<email id>/<recipient index>/<attempt>`. */
export function attemptKey({ emailId, recipientIndex, attempt }: Grant): string {
  return `${emailId}/${recipientIndex}/${attempt}`;
}

/** Reads a key that attemptKey() made. Returns null for any other text. */
export function parseAttemptKey(key: string): Grant | null {
  const [, emailId, index, attempt] = /^([\w-]{1,100})\/(\d{1,9})\/(\d{1,9})$/.exec(key) ?? [];
  if (emailId === undefined) return null;
  return { emailId, recipientIndex: Number(index), attempt: Number(attempt) };
}
