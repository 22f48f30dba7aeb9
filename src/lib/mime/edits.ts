// Changes to the octets of a message, by their places in it, so that all others stay as they are.
import { Buffer } from "node:buffer";

/** What to put in the place of the octets from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  /** As text it has one character an octet. */
  readonly text: string | Uint8Array;
}

/**
 * `raw` itself when there is nothing to change. Edits that begin at one place go in as they are
 * listed.
 */
export function edited(raw: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return raw;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(
      raw.subarray(from, start),
      typeof text === "string" ? Buffer.from(text, "latin1") : text,
    );
    from = end;
  }
  return Buffer.concat([...pieces, raw.subarray(from)]);
}

/** The octets, one character each. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
