// Replaces ranges of a message's octets and keeps all others. Pure.
import { Buffer } from "node:buffer";

/** A replacement for the octets from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  /** The new octets. If they are a string, it has one character per octet. */
  readonly text: string | Uint8Array;
}

/**
 * Applies the edits. Returns `raw` itself if `edits` is empty. Edits with the same start are
 * applied in their order.
 */
export function applyEdits(raw: Uint8Array, edits: readonly Edit[]): Uint8Array {
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

/** Returns the octets as a string with one character per octet. */
export function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
