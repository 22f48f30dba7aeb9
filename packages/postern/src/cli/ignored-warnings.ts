// Prints to standard error which members of a request the API ignored. Most of them are misspelled.
import type { Writable } from "node:stream";
import { printable } from "./printable.ts";

const NOTES = [
  "X-Ignored-Members",
  "X-Ignored-Parameters",
  "X-Missing-Variables",
  "X-Unmatched-Content-Ids",
];

export function printWarnings({ headers }: Response, errors: Writable): void {
  for (const note of NOTES) {
    const names = headers.get(note);
    if (names !== null) errors.write(`postern: ${note}: ${printable(names)}\n`);
  }
}
