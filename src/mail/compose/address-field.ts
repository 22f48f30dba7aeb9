// A list of addresses that somebody else wrote, in ASCII (RFC 2047 section 5, RFC 6857): names are
// encoded, domains get their ASCII form, and an address that has none becomes a name. Entries that
// are ASCII keep their characters. Pure, linear.
import { isInternational, parseMailbox } from "../../lib/address.ts";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import type { HeaderTokens } from "../../lib/mime/header-folding.ts";
import { mailboxTokens, phraseTokens } from "../../lib/mime/mailbox-header.ts";

/** What stands between two of the marks that part a list. */
interface Piece {
  /** As written. */
  text: string;
  /** Without its comments. */
  plain: string;
  comments: string[];
  /** `,`, `:` behind a group's name, `;` behind its last entry, or nothing at the end. */
  mark: string;
}

const ASCII = /^[\0-\x7f]*$/;
const BREAKS = /(?<=[^ ]) (?=[^ ])/;
const ANGLED = /^([^<]*)<([^<>]*)>[^<>]*$/;

/** `value` is unfolded, of the field `name`. */
export function addressTokens(name: string, value: string): HeaderTokens {
  const tokens: string[] = [];
  // Behind the last token, and apart from it: to look at the end of a text that grows by a
  // character each time is to copy it each time.
  let marks: string[] = [];
  const close = () => {
    const last = tokens.pop();
    if (last !== undefined) tokens.push(last + marks.join(""));
  };
  let isGroup = false;
  for (const piece of piecesOf(value)) {
    const written = piece.text.trim();
    const own = ASCII.test(written)
      ? written.split(BREAKS)
      : piece.mark === ":"
        ? phraseOf(piece.plain)
        : entryOf(name, piece, isGroup);
    const shown = own.filter((token) => token !== "");
    if (piece.mark === ":") isGroup = true;
    if (piece.mark === ";") isGroup = false;
    if (shown.length > 0) {
      close();
      tokens.push(...shown);
      marks = [piece.mark];
    } else if (tokens.length > 0) {
      addMark(marks, piece.mark);
    }
  }
  close();
  return withoutTrailingComma(tokens);
}

function entryOf(name: string, { plain, comments }: Piece, isGroup: boolean): readonly string[] {
  const [, before = "", inside] = ANGLED.exec(plain) ?? [];
  const address = (inside ?? (plain.includes("@") ? plain : "")).trim();
  if (address === "") return phraseOf(plain);
  // An old way to name somebody: `addr@host (Name)`.
  const shown = textOf(before) || textOf(comments.join(" "));
  const parsed = parseMailbox(address);
  const email = parsed.kind === "mailbox" ? parsed.mailbox.email : address;
  // A group can't hold another.
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

/** A phrase as it is read: without its quotes, its encoded words decoded. */
function textOf(phrase: string): string {
  return decodeWords(
    phrase.replace(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? ""),
  ).text.trim();
}

/** Behind an entry that is empty: a comma means something behind a group alone. */
function addMark(marks: string[], mark: string): void {
  const last = marks.at(-1);
  if (mark === "," || mark === "") {
    if (last === ";") marks.push(mark);
    return;
  }
  if (last === ",") marks.pop();
  marks.push(mark);
}

function withoutTrailingComma(tokens: readonly string[]): readonly string[] {
  const last = tokens.at(-1);
  return last?.endsWith(",") ? [...tokens.slice(0, -1), last.slice(0, -1)] : tokens;
}

function piecesOf(value: string): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece = { text: "", plain: "", comments: [], mark: "" };
  let isAngled = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === '"' || character === "(" || character === "[") {
      const end = endOf(value, at);
      const stretch = value.slice(at, end + 1);
      piece.text += stretch;
      if (character === "(") piece.comments.push(stretch.slice(1, -1));
      else piece.plain += stretch;
      at = end;
    } else if (!isAngled && (character === "," || character === ";" || character === ":")) {
      pieces.push({ ...piece, mark: character });
      piece = { text: "", plain: "", comments: [], mark: "" };
    } else {
      if (character === "<") isAngled = true;
      if (character === ">") isAngled = false;
      piece.text += character;
      piece.plain += character;
    }
  }
  return [...pieces, piece];
}

/**
 * The index of what closes the string, comment or literal that opens at `start`, or of the last
 * character. Comments nest.
 */
function endOf(value: string, start: number): number {
  const opening = value.charAt(start);
  const closing = opening === "(" ? ")" : opening === "[" ? "]" : '"';
  let depth = 1;
  for (let at = start + 1; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === "\\") at += 1;
    else if (character === closing) depth -= 1;
    else if (character === "(" && opening === "(") depth += 1;
    if (depth === 0) return at;
  }
  return value.length - 1;
}
