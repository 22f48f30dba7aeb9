// Ends a derived text that is too long early, on a whole line or word, and leaves it a template
// (contract.md §Derived text): no tag is cut in two, and blocks that are open at the end get
// closed. The HTML that it was derived from is within its own limit, so it is not refused for its
// text.
import { closerOf, markersOf } from "../../lib/html/html-markers.ts";

const ELLIPSIS = "…";
/** How far back a line or a word may end. */
const LINE_SEARCHED = 2_000;
const WORD_SEARCHED = 200;

const encoder = new TextEncoder();

/** `text`, or as much of it as takes at most `bytes` bytes of UTF-8. */
export function limitText(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  const room = bytes - byteLength(ELLIPSIS);
  const blocks = new Blocks(text);
  const first = blocks.cutAt(goodEnd(text, unitsWithin(text, room)));
  if (byteLength(first.text + first.closers) <= room) return first.text + first.closers + ELLIPSIS;
  // Behind less text there may stand as many closing tags, or others; in front of every open block
  // there stand none.
  const second = blocks.cutAt(goodEnd(text, unitsWithin(text, room - byteLength(first.closers))));
  const fits = byteLength(second.text + second.closers) <= room;
  return (
    (fits ? second.text + second.closers : blocks.cutBeforeBlocks(second.text.length)) + ELLIPSIS
  );
}

/** Bytes of UTF-8. */
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

  /** The text up to `end`, or up to the tag that `end` falls into, with its open blocks closed. */
  cutAt(end: number): { readonly text: string; readonly closers: string } {
    const cut =
      this.#markers.find((marker) => marker.start < end && end < marker.end)?.start ?? end;
    const closers = this.#openAt(cut).map(({ start, end: behind }) =>
      closerOf(this.#text.slice(start, behind)),
    );
    return { text: this.#upTo(cut), closers: closers.toReversed().join("") };
  }

  cutBeforeBlocks(end: number): string {
    return this.#upTo(this.#openAt(end)[0]?.start ?? end);
  }

  /** Without white space at the end, and without what would change the tag behind it. */
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

/** The most UTF-16 units of the beginning that take at most `bytes`, never half a character. */
function unitsWithin(text: string, bytes: number): number {
  return encoder.encodeInto(text, new Uint8Array(Math.max(0, bytes))).read;
}

function goodEnd(text: string, limit: number): number {
  const line = text.lastIndexOf("\n", limit);
  if (line > 0 && line >= limit - LINE_SEARCHED) return line;
  const word = text.lastIndexOf(" ", limit);
  return word > 0 && word >= limit - WORD_SEARCHED ? word : limit;
}
