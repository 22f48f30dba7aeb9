// Rewrites an address list of a submitted message in ASCII (RFC 2047 §5, RFC 6857): encodes names,
// and writes domains in their ASCII form. Replaces an address without an ASCII form by a name
// without an address. Entries in ASCII keep their characters, unless a word is too long for a line.
// Linear. Pure.
import { isInternational, parseMailbox } from "../../lib/address.ts";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import { type HeaderTokens, UNBROKEN_CHARACTERS } from "../../lib/mime/header-folding.ts";
import { mailboxTokens, phraseTokens } from "../../lib/mime/mailbox-header.ts";
import { findClosing } from "../closing-mark.ts";

/** The text between two separators of an address list. */
interface Piece {
  /** The piece as it was written. */
  text: string;
  /** The piece without its comments. */
  plain: string;
  comments: string[];
  /**
   * The separator after the piece: `,`, `:` after a group's name, `;` after a group's last entry,
   * or "" at the end of the list.
   */
  separator: string;
}

const ASCII = /^[\0-\x7f]*$/;
const BREAKS = /(?<=[^ ]) (?=[^ ])/;
const ANGLED = /^([^<]*)<([^<>]*)>[^<>]*$/;

/** Returns field `name` in ASCII, as tokens. `value` is the field's value, unfolded. */
export function addressTokens(name: string, value: string): HeaderTokens {
  const tokens: string[] = [];
  // The separators after the last token. They are added to `tokens` all at once, because adding
  // them one by one would copy the growing text each time.
  let separators: string[] = [];
  const close = () => {
    const last = tokens.pop();
    if (last !== undefined) tokens.push(last + separators.join(""));
  };
  let isGroup = false;
  for (const piece of piecesOf(value)) {
    const written = piece.text.trim();
    const words = ASCII.test(written) ? written.split(BREAKS) : undefined;
    const own = words?.every((word) => word.length <= UNBROKEN_CHARACTERS)
      ? words
      : piece.separator === ":"
        ? phraseOf(piece.plain)
        : entryOf(name, piece, isGroup);
    const shown = own.filter((token) => token !== "");
    if (piece.separator === ":") isGroup = true;
    if (piece.separator === ";") isGroup = false;
    if (shown.length > 0) {
      close();
      tokens.push(...shown);
      separators = [piece.separator];
    } else if (tokens.length > 0) {
      addSeparator(separators, piece.separator);
    }
  }
  close();
  return withoutTrailingComma(tokens);
}

function entryOf(name: string, { plain, comments }: Piece, isGroup: boolean): readonly string[] {
  const [, before = "", inside = plain.includes("@") ? plain : ""] = ANGLED.exec(plain) ?? [];
  const address = inside.trim();
  if (address.length > UNBROKEN_CHARACTERS) return [];
  if (address === "") return phraseOf(plain);
  // The old notation has the name in a comment, as in `addr@host (Name)`.
  const shown = textOf(before) || textOf(comments.join(" "));
  const parsed = parseMailbox(address);
  const email = parsed.kind === "mailbox" ? parsed.mailbox.email : address;
  // An address without an ASCII form is written as an empty group, and a group cannot contain
  // another group.
  if (isGroup && isInternational(email)) return phraseTokens("", undefined);
  return mailboxTokens(
    name,
    [{ email: ASCII.test(address) ? address : email, name: shown || null }],
    false,
  );
}

function phraseOf(phrase: string): HeaderTokens {
  return phraseTokens(textOf(phrase), undefined);
}

/** Returns a phrase as a reader sees it: without quotes, and with its encoded words decoded. */
function textOf(phrase: string): string {
  return decodeWords(
    phrase.replace(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? ""),
  ).text.trim();
}

/** Adds the separator that follows an empty entry. A comma is added only directly after a group. */
function addSeparator(separators: string[], separator: string): void {
  const last = separators.at(-1);
  if (separator === "," || separator === "") {
    if (last === ";") separators.push(separator);
    return;
  }
  if (last === ",") separators.pop();
  separators.push(separator);
}

function withoutTrailingComma(tokens: readonly string[]): readonly string[] {
  const last = tokens.at(-1);
  return last?.endsWith(",") ? [...tokens.slice(0, -1), last.slice(0, -1)] : tokens;
}

function piecesOf(value: string): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece = { text: "", plain: "", comments: [], separator: "" };
  let isAngled = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === '"' || character === "(" || character === "[") {
      const end = findClosing(value, at) ?? value.length - 1;
      const stretch = value.slice(at, end + 1);
      piece.text += stretch;
      if (character === "(") piece.comments.push(stretch.slice(1, -1));
      else piece.plain += stretch;
      at = end;
    } else if (!isAngled && (character === "," || character === ";" || character === ":")) {
      pieces.push({ ...piece, separator: character });
      piece = { text: "", plain: "", comments: [], separator: "" };
    } else {
      if (character === "<") isAngled = true;
      if (character === ">") isAngled = false;
      piece.text += character;
      piece.plain += character;
    }
  }
  return [...pieces, piece];
}
