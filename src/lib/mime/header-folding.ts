// How a header's text becomes lines (RFC 5322 section 2.2.3): at most 76 characters where there is
// a place to break, 998 where there is none, and never a line of white space alone. Whatever could
// end a header early is taken out here, so no string can add a header of its own.
import { ENCODED_WORD_CHARACTERS, encodedWords } from "./encoded-word.ts";

// RFC 2047 allows 76 on a line with an encoded word, RFC 5322 wants 78 at most: one rule for both.
const LINE_CHARACTERS = 76;
const UNBROKEN_CHARACTERS = 900;
const SUBJECT_WORD_CHARACTERS = LINE_CHARACTERS - "Subject: ".length;

const PRINTABLE = /^[ -~]*$/;
const LINK = /<(?:https?|mailto):[^<>]*>/gi;
// A single space between two words; longer runs of spaces stay inside a token, since a fold there
// could leave a blank line.
const BREAKS = /(?<=[^ ]) (?=[^ ])/;

/**
 * One line of text: tabs are spaces, other control characters (CR, LF and NUL among them) are gone,
 * lone surrogates are replaced.
 */
export function headerText(value: string): string {
  if (PRINTABLE.test(value)) return value;
  return value
    .toWellFormed()
    .replaceAll("\t", " ")
    .replace(/\p{Cc}/gu, "");
}

/**
 * Header fields as they are written: a name, and the tokens between which its value may be folded.
 */
export type HeaderTokens = readonly string[];

/**
 * The value of a header whose tokens are parted by one space, or by a fold where the line would
 * grow too long. All ASCII in, all ASCII out.
 */
export function foldHeader(name: string, tokens: HeaderTokens): string {
  let value = "";
  let column = name.length + 2;
  for (const [index, token] of tokens.entries()) {
    const separator = index === 0 ? "" : " ";
    const fits = column + separator.length + token.length <= LINE_CHARACTERS;
    // The first token stays beside the name even when it is long: several mail programs misread a
    // name with nothing after it.
    if (fits || (index === 0 && !token.startsWith("=?"))) {
      value += separator + hardBroken(token);
      column += separator.length + token.length;
    } else {
      value += `\r\n ${hardBroken(token)}`;
      column = 1 + token.length;
    }
  }
  return value;
}

/** What the first line of a header has left after its name. */
export function firstLineRoom(name: string): number {
  return LINE_CHARACTERS - name.length - 2;
}

/**
 * A subject that every reader decodes to exactly `value`: also its double spaces, and what merely
 * looks like an encoded word.
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
 * A custom header's value. ASCII goes out as it is written, since such headers are often read by
 * programs that decode nothing; non-ASCII becomes encoded words, inside a link percent-encoding,
 * where an encoded word has no place.
 */
export function customTokens(name: string, value: string): HeaderTokens {
  const text = headerText(value)
    .trim()
    .replace(LINK, (link) => percentEncoded(link));
  return encodeBetween(text, firstLineRoom(name), (token) => {
    return (
      !PRINTABLE.test(token) ||
      (token.length > UNBROKEN_CHARACTERS && (!token.startsWith("<") || token.includes(" ")))
    );
  });
}

/**
 * Encodes everything from the first token that needs it to the last, so that no space falls between
 * two encoded words and is lost.
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
  const words = encodedWords(tokens.slice(first, last + 1).join(" "), room);
  return [...tokens.slice(0, first), ...words, ...tokens.slice(last + 1)];
}

function percentEncoded(link: string): string {
  return link.replace(/[^ -~]/gu, (character) => encodeURIComponent(character));
}

/**
 * Past any length that a line may have, a break comes wherever it falls; white space inside `<…>`
 * is to be ignored (RFC 2369 section 2).
 */
function hardBroken(token: string): string {
  if (token.length <= UNBROKEN_CHARACTERS) return token;
  const pieces: string[] = [];
  for (let start = 0; start < token.length; start += UNBROKEN_CHARACTERS)
    pieces.push(token.slice(start, start + UNBROKEN_CHARACTERS));
  return pieces.join("\r\n ");
}
