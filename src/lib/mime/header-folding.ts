// Folds header text into lines (RFC 5322 §2.2.3): at most 76 characters where a break is possible,
// 998 where it is not, and never a line of white space alone. Characters that could end a header
// are removed here, so no value can add a header of its own. Pure.
import { ENCODED_WORD_CHARACTERS, encodeWords } from "./encode-words.ts";

// RFC 2047 allows 76 characters on a line with an encoded word, and RFC 5322 recommends at most 78.
// One limit serves both.
const LINE_CHARACTERS = 76;
const UNBROKEN_CHARACTERS = 900;
const SUBJECT_WORD_CHARACTERS = LINE_CHARACTERS - "Subject: ".length;

const PRINTABLE = /^[ -~]*$/;
const LINK = /<(?:https?|mailto):[^<>]*>/gi;
// Matches a single space between two words. Longer runs of spaces stay inside a token, because a
// fold there could leave a blank line.
const BREAKS = /(?<=[^ ]) (?=[^ ])/;

/**
 * Makes one line of text: tabs become spaces, other control characters (such as CR, LF and NUL) are
 * removed, and lone surrogates are replaced.
 */
export function headerText(value: string): string {
  if (PRINTABLE.test(value)) return value;
  return value
    .toWellFormed()
    .replaceAll("\t", " ")
    .replace(/\p{Cc}/gu, "");
}

/** Tokens of a header's value. It may be folded between tokens. */
export type HeaderTokens = readonly string[];

/** Joins ASCII tokens with one space, or with a fold where the line would grow too long. */
export function foldHeader(name: string, tokens: HeaderTokens): string {
  let value = "";
  let column = name.length + 2;
  for (const [index, token] of tokens.entries()) {
    const separator = index === 0 ? "" : " ";
    const fits = column + separator.length + token.length <= LINE_CHARACTERS;
    // The first token stays beside the name even if it is long, because several mail programs
    // misread a name with nothing after it.
    if (fits || (index === 0 && !token.startsWith("=?"))) {
      value += separator + breakLongToken(token);
      column += separator.length + token.length;
    } else {
      value += `\r\n ${breakLongToken(token)}`;
      column = 1 + token.length;
    }
  }
  return value;
}

/** Returns the room that a header's name leaves on its first line. */
export function firstLineRoom(name: string): number {
  return LINE_CHARACTERS - name.length - 2;
}

/**
 * Returns the tokens of a subject that every reader decodes to exactly `value`, including double
 * spaces and text that only looks like an encoded word.
 */
export function subjectTokens(value: string): HeaderTokens {
  return encodeBetween(headerText(value), firstLineRoom("Subject"), (token) => {
    return (
      !PRINTABLE.test(token) ||
      token.includes(" ") ||
      token.includes("=?") ||
      token.length > SUBJECT_WORD_CHARACTERS
    );
  });
}

/**
 * Returns the tokens of a custom header's value. ASCII stays as it is written, because such headers
 * are often read by programs that do not decode them. Non-ASCII text becomes encoded words; in a
 * link, where these are not allowed, it is percent-encoded.
 */
export function customTokens(name: string, value: string): HeaderTokens {
  const text = headerText(value)
    .trim()
    .replace(LINK, (link) => percentEncode(link));
  return encodeBetween(text, firstLineRoom(name), (token) => {
    return (
      !PRINTABLE.test(token) ||
      (token.length > UNBROKEN_CHARACTERS && (!token.startsWith("<") || token.includes(" ")))
    );
  });
}

/**
 * Encodes everything from the first token that needs it to the last, because a space between two
 * encoded words would be lost.
 */
function encodeBetween(
  text: string,
  firstRoom: number,
  needsEncoding: (token: string) => boolean,
): HeaderTokens {
  if (text === "") return [];
  const tokens =
    text.includes("  ") || text.startsWith(" ") || text.endsWith(" ")
      ? text.split(BREAKS)
      : text.split(" ");
  const first = tokens.findIndex((token) => needsEncoding(token));
  if (first === -1) return tokens;
  const last = tokens.findLastIndex((token) => needsEncoding(token));
  const room = first === 0 ? firstRoom : ENCODED_WORD_CHARACTERS;
  const words = encodeWords(tokens.slice(first, last + 1).join(" "), room);
  return [...tokens.slice(0, first), ...words, ...tokens.slice(last + 1)];
}

function percentEncode(link: string): string {
  return link.replace(/[^ -~]/gu, (character) => encodeURIComponent(character));
}

/**
 * Breaks a token that exceeds the longest line anywhere. White space inside `<…>` is ignored by
 * readers (RFC 2369 §2).
 */
function breakLongToken(token: string): string {
  if (token.length <= UNBROKEN_CHARACTERS) return token;
  const pieces: string[] = [];
  for (let start = 0; start < token.length; start += UNBROKEN_CHARACTERS)
    pieces.push(token.slice(start, start + UNBROKEN_CHARACTERS));
  return pieces.join("\r\n ");
}
