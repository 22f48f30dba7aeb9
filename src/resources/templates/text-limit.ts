// Shortens a derived text that is too long (contract.md §Derived text), at the end of a line or
// word. The result is a valid template: it has no cut tags, and its blocks are closed. The service
// does not refuse the template instead, because its HTML is within the limit. Pure.
import { closerOf, markersOf } from "../../lib/html/html-markers.ts";

const ELLIPSIS = "…";
/**
 * Maximum number of characters before the limit in which to search for the end of a line, and of a
 * word.
 */
const LINE_SEARCHED = 2_000;
const WORD_SEARCHED = 200;

const encoder = new TextEncoder();

/** Returns `text`, shortened to at most `bytes` bytes of UTF-8. */
export function limitText(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  const room = bytes - byteLength(ELLIPSIS);
  const blocks = new Blocks(text);
  const first = blocks.cutAt(findEnd(text, countUnitsWithin(text, room)));
  if (byteLength(first.text + first.closers) <= room) return first.text + first.closers + ELLIPSIS;
  // If the closing tags do not fit, the text is cut again. If the closing tags of the second cut do
  // not fit, the text is cut before the first open block, where it needs no closing tags.
  const second = blocks.cutAt(
    findEnd(text, countUnitsWithin(text, room - byteLength(first.closers))),
  );
  const fits = byteLength(second.text + second.closers) <= room;
  return (
    (fits ? second.text + second.closers : blocks.cutBeforeBlocks(second.text.length)) + ELLIPSIS
  );
}

/** Counts the bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

class Blocks {
  readonly #text: string;
  readonly #markers: ReturnType<typeof markersOf>;

  constructor(text: string) {
    this.#text = text;
    this.#markers = markersOf(text);
  }

  /**
   * Cuts the text at `end`, or before a tag that contains `end`. Returns the tags that close the
   * open blocks.
   */
  cutAt(end: number): { readonly text: string; readonly closers: string } {
    const cut =
      this.#markers.find((marker) => marker.start < end && end < marker.end)?.start ?? end;
    const closers = this.#openAt(cut).map(({ start, end: after }) =>
      closerOf(this.#text.slice(start, after)),
    );
    return { text: this.#upTo(cut), closers: closers.toReversed().join("") };
  }

  cutBeforeBlocks(end: number): string {
    return this.#upTo(this.#openAt(end)[0]?.start ?? end);
  }

  /**
   * Returns the text up to `end`, without trailing white space, and without characters that would
   * change the meaning of the next tag.
   */
  #upTo(end: number): string {
    let last = end;
    while (last > 0 && /[\s{\\]/.test(this.#text.charAt(last - 1))) last -= 1;
    return this.#text.slice(0, last);
  }

  #openAt(end: number): ReturnType<typeof markersOf> {
    const open = [];
    for (const marker of this.#markers) {
      if (marker.end > end) break;
      if (marker.role === "open") open.push(marker);
      else if (marker.role === "close") open.pop();
    }
    return open;
  }
}

/**
 * Returns the number of UTF-16 code units of the longest prefix of at most `bytes` bytes. Does not
 * split a character.
 */
function countUnitsWithin(text: string, bytes: number): number {
  return encoder.encodeInto(text, new Uint8Array(Math.max(0, bytes))).read;
}

function findEnd(text: string, limit: number): number {
  const line = text.lastIndexOf("\n", limit);
  if (line > 0 && line >= limit - LINE_SEARCHED) return line;
  const word = text.lastIndexOf(" ", limit);
  return word > 0 && word >= limit - WORD_SEARCHED ? word : limit;
}
