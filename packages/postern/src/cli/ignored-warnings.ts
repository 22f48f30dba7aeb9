// Names on standard error what a request had and the API ignored: mostly a misspelling.
import type { Writable } from "node:stream";
import { printable } from "./printable.ts";

const NOTES = ["X-Ignored-Members", "X-Ignored-Parameters", "X-Missing-Variables"];

export function printWarnings({ headers }: Response, errors: Writable): void {
  for (const note of NOTES) {
    const names = headers.get(note);
    if (names !== null) errors.write(`postern: ${note}: ${printable(names)}\n`);
  }
}
