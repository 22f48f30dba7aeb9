// Folds header text into lines (RFC 5322 §2.2.3): at most 76 characters if the line can be broken
// there, 900 if it cannot, and never a line of only white space. Removes characters that could end
// a header, so that no value can add a header of its own. Pure.
import { ENCODED_WORD_CHARACTERS, encodeWords } from "./encode-words.ts";

// RFC 2047 allows 76 characters on a line with an encoded word, and RFC 5322 recommends at most 78.
// One limit satisfies both.
const LINE_CHARACTERS = 76;
/** Maximum length of a token, so that its line is at most 998 characters long. */
export const UNBROKEN_CHARACTERS = 900;
const SUBJECT_WORD_CHARACTERS = LINE_CHARACTERS - "Subject: ".length;

const PRINTABLE = /^[ -~]*$/;
const LINK = /<(?:https?|mailto):[^<>]*>/gi;
/** Fields whose readers ignore white space inside `<…>` (RFC 2369 §2). */
const LINK_FIELD = /^list-(?:archive|help|owner|post|subscribe|unsubscribe)$/i;
// Matches a single space between two words. Longer runs of spaces stay inside a token, because a
// fold in them could leave a blank line.
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

/** The tokens of a header's value. The value may be folded between tokens. */
export type HeaderTokens = readonly string[];

/**
 * Joins ASCII tokens with a space, or with a fold if the line would become too long. Only the link
 * of a List- field may be longer than UNBROKEN_CHARACTERS.
 */
export function foldHeader(name: string, tokens: HeaderTokens): string {
  const breakable = LINK_FIELD.test(name);
  let value = "";
  let column = name.length + 2;
  for (const [index, token] of tokens.entries()) {
    const separator = index === 0 ? "" : " ";
    const fits = column + separator.length + token.length <= LINE_CHARACTERS;
    // The first token stays on the line of the name even if it is long, because several mail
    // programs misread a name with nothing after it.
    if (fits || (index === 0 && !token.startsWith("=?"))) {
      value += separator + (breakable ? breakLongToken(token) : token);
      column += separator.length + token.length;
    } else {
      value += `\r\n ${breakable ? breakLongToken(token) : token}`;
      column = 1 + token.length;
    }
  }
  return value;
}

/** Returns the number of characters that a header's name leaves on its first line. */
export function firstLineRoom(name: string): number {
  return LINE_CHARACTERS - name.length - 2;
}

/**
 * Returns the tokens of a subject. Every reader decodes them to exactly `value`, including double
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
 * Returns the tokens of a custom header's value. ASCII stays as written, because programs that do
 * not decode headers often read it. Non-ASCII text, and text that is too long for a line, becomes
 * encoded words. A link may not contain encoded words, so its non-ASCII text is percent-encoded.
 */
export function customTokens(name: string, value: string): HeaderTokens {
  const text = headerText(value)
    .trim()
    .replace(LINK, (link) => percentEncode(link));
  return encodeBetween(text, firstLineRoom(name), (token) => {
    return (
      !PRINTABLE.test(token) ||
      (token.length > UNBROKEN_CHARACTERS &&
        (!LINK_FIELD.test(name) || !token.startsWith("<") || token.includes(" ")))
    );
  });
}

/**
 * Encodes all tokens from the first to the last that needs encoding, because a space between two
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

/** Breaks a link that exceeds the longest line, at any place. */
function breakLongToken(token: string): string {
  if (token.length <= UNBROKEN_CHARACTERS) return token;
  const pieces: string[] = [];
  for (let start = 0; start < token.length; start += UNBROKEN_CHARACTERS)
    pieces.push(token.slice(start, start + UNBROKEN_CHARACTERS));
  return pieces.join("\r\n ");
}
