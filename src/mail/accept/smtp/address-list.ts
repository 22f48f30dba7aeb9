// Reads the address list of a submitted To, Cc or Reply-To. parseAddressList() reads leniently,
// because its result is only displayed: the envelope decides who gets the mail. mendAddressList()
// removes entries without an address, because some servers refuse a list with such an entry. Pure,
// linear.
import { parseMailbox } from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { findClosing } from "../../closing-mark.ts";
import type { Mailbox } from "../../message.ts";

/** Splits a list at its commas. Leaves out comments, the names of groups, and empty entries. */
function splitAddressList(value: string): string[] {
  const entries: string[] = [];
  let entry = "";
  let angled = false;
  const close = (): void => {
    if (entry.trim() !== "") entries.push(entry.trim());
    entry = "";
    angled = false;
  };
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === '"') {
      const end = findClosing(value, index) ?? value.length - 1;
      entry += value.slice(index, end + 1);
      index = end;
    } else if (character === "(") {
      index = findClosing(value, index) ?? value.length - 1;
    } else if (character === "," || character === ";") close();
    else if (character === ":" && !angled) entry = "";
    else {
      entry += character;
      angled ||= character === "<";
    }
  }
  close();
  return entries;
}

/** Returns the mailboxes among the first `limit` entries, with decoded names. */
export function parseAddressList(value: string, limit: number): Mailbox[] {
  return splitAddressList(value)
    .slice(0, limit)
    .flatMap((entry) => {
      const parsed = parseMailbox(entry);
      if (parsed.kind !== "mailbox") return [];
      const { email, name } = parsed.mailbox;
      return [
        {
          email,
          name:
            name === null
              ? null
              : decodeWords(name)
                  .text.replace(/\p{Cc}+/gu, "")
                  .trim() || null,
        },
      ];
    });
}

/**
 * The whole list or a group in it, with the entries that were read so far, each as it was written.
 */
interface OpenList {
  /** The group's name. Null outside groups. */
  readonly group: string | null;
  readonly entries: string[];
}

/**
 * Returns an address list without its empty entries (RFC 5322 §3.6.3): `Anon <>`, `""` or nothing
 * between two commas. The list is empty if no entry has an address. A group may be empty. Undefined
 * means that the list has no empty entry.
 */
export function mendAddressList(value: string): string | undefined {
  const whole: OpenList = { group: null, entries: [] };
  let open = whole;
  let isMended = false;
  let isGroupEnd = false;
  for (const { text, bare, separator } of piecesOf(value)) {
    if (separator === ":" && open === whole) {
      if (text === "") isMended = true;
      else open = { group: text, entries: [] };
      continue;
    }
    const isBlank = bare.trim() === "" && !text.includes('"');
    const mayBeBlank = isBlank && (isGroupEnd || (separator === ";" && open !== whole));
    isGroupEnd = false;
    if (!isEmptyEntry(bare)) open.entries.push(text);
    else isMended ||= !mayBeBlank;
    if (separator === ";" && open !== whole) {
      whole.entries.push(`${open.group}: ${open.entries.join(", ")};`);
      open = whole;
      isGroupEnd = true;
    }
  }
  // A group without its end mark keeps its name.
  if (open !== whole) whole.entries.push(`${open.group}: ${open.entries.join(", ")};`);
  return isMended ? whole.entries.join(", ") : undefined;
}

interface Piece {
  /** The text before a separator, trimmed. */
  readonly text: string;
  /** The text without its quoted strings and comments. */
  readonly bare: string;
  /** `,`, `;` or `:`, or an empty text at the end of the list. */
  readonly separator: string;
}

function piecesOf(value: string): Piece[] {
  const pieces: Piece[] = [];
  let [start, bare, isAngled] = [0, "", false];
  for (let at = 0; at <= value.length; at += 1) {
    const character = value.charAt(at);
    if (character === '"' || character === "(") {
      at = findClosing(value, at) ?? value.length - 1;
    } else if (character === "" || (!isAngled && /[,;:]/.test(character))) {
      pieces.push({ text: value.slice(start, at).trim(), bare, separator: character });
      [start, bare] = [at + 1, ""];
    } else {
      if (/[<>[\]]/.test(character)) isAngled = /[<[]/.test(character);
      bare += character;
    }
  }
  return pieces;
}

/** Returns whether an entry has no address: only quotes and comments, or `<>`. */
function isEmptyEntry(bare: string): boolean {
  const text = bare.trim();
  return text === "" || /<\s*>$/.test(text);
}
