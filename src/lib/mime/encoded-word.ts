// RFC 2047 encoded words: how text beyond plain ASCII stands in a header. A word is at most 75
// characters, holds whole characters only, and uses no octet that a display name forbids, so that
// the same words serve a subject, a phrase and a file name.
import { encodeBase64 } from "../crypto/base64.ts";

export const ENCODED_WORD_CHARACTERS = 75;

const FRAME_CHARACTERS = "=?utf-8?Q??=".length;
// A four-byte character is twelve Q characters: a word with less room than that holds nothing.
const NARROWEST_WORD = FRAME_CHARACTERS + 12;
const SAFE = /^[A-Za-z0-9!*+\-/ ]$/;
const UNSAFE = /[^A-Za-z0-9!*+\-/]/gu;

const encoder = new TextEncoder();

/**
 * The encoded words that together decode to `text`, to be parted by white space; none for empty
 * text. `firstRoom` is what the line of the first word still has to offer, in characters; too
 * little of it is ignored, the caller then folds before the word.
 */
export function encodedWords(
  text: string,
  firstRoom = ENCODED_WORD_CHARACTERS,
  room = ENCODED_WORD_CHARACTERS,
): string[] {
  const whole = text.toWellFormed();
  const quoted = isShorterQuoted(whole);
  const words: string[] = [];
  let capacity = capacityOf(firstRoom < NARROWEST_WORD ? room : Math.min(firstRoom, room), quoted);
  let chunk = "";
  let used = 0;
  for (const character of whole) {
    const cost = quoted ? quotedCost(character) : utf8Length(character);
    if (used + cost > capacity) {
      words.push(encodedWord(chunk, quoted));
      capacity = capacityOf(room, quoted);
      chunk = "";
      used = 0;
    }
    chunk += character;
    used += cost;
  }
  if (chunk !== "") words.push(encodedWord(chunk, quoted));
  return words;
}

function isShorterQuoted(text: string): boolean {
  let quoted = 0;
  let bytes = 0;
  for (const character of text) {
    quoted += quotedCost(character);
    bytes += utf8Length(character);
  }
  return quoted <= Math.ceil(bytes / 3) * 4;
}

/** What a word of `room` characters can take: Q counts encoded characters, B counts octets. */
function capacityOf(room: number, quoted: boolean): number {
  const payload = room - FRAME_CHARACTERS;
  return quoted ? payload : Math.floor(payload / 4) * 3;
}

function quotedCost(character: string): number {
  return SAFE.test(character) ? 1 : 3 * utf8Length(character);
}

function utf8Length(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

function encodedWord(text: string, quoted: boolean): string {
  if (!quoted) return `=?utf-8?B?${encodeBase64(encoder.encode(text))}?=`;
  return `=?utf-8?Q?${text.replace(UNSAFE, (character) => (character === " " ? "_" : quotedOctets(character)))}?=`;
}

function quotedOctets(character: string): string {
  let text = "";
  for (const byte of encoder.encode(character))
    text += `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return text;
}
