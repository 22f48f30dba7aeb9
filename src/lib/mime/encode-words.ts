// Encodes non-ASCII header text in encoded words (RFC 2047). A word has at most 75 characters,
// contains only whole characters, and avoids octets that a display name forbids. So the same words
// work in a subject, a phrase and a file name. Pure.
import { encodeBase64 } from "../crypto/base64.ts";

export const ENCODED_WORD_CHARACTERS = 75;

const FRAME_CHARACTERS = "=?utf-8?Q??=".length;
// Smallest capacity of a word: in Q encoding, a character of four bytes takes twelve characters.
const NARROWEST_WORD = FRAME_CHARACTERS + 12;
const SAFE = /^[A-Za-z0-9!*+\-/ ]$/;
const UNSAFE = /[^A-Za-z0-9!*+\-/]/gu;

const encoder = new TextEncoder();

/**
 * Returns the encoded words that together decode to `text`. The caller separates them by white
 * space. An empty text needs no words. `firstRoom`: the number of characters left on the line of
 * the first word. A `firstRoom` that is too small is ignored, and the caller must fold before the
 * word.
 */
export function encodeWords(
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
      words.push(encodeWord(chunk, quoted));
      capacity = capacityOf(room, quoted);
      chunk = "";
      used = 0;
    }
    chunk += character;
    used += cost;
  }
  if (chunk !== "") words.push(encodeWord(chunk, quoted));
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

/**
 * Returns the capacity of a word with `room` characters: encoded characters for Q, octets for B.
 */
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

function encodeWord(text: string, quoted: boolean): string {
  if (!quoted) return `=?utf-8?B?${encodeBase64(encoder.encode(text))}?=`;
  return `=?utf-8?Q?${text.replace(UNSAFE, (character) => (character === " " ? "_" : escapeOctets(character)))}?=`;
}

function escapeOctets(character: string): string {
  let text = "";
  for (const byte of encoder.encode(character))
    text += `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return text;
}
