// Parses the addresses of a submitted To, Cc or Reply-To, for display only. Reads leniently: an
// entry that is not an address is left out. Recipients never come from here, because the envelope
// decides who gets the mail. Pure, linear.
import { parseMailbox } from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
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
      const end = findClosing(value, index, '"');
      entry += value.slice(index, end + 1);
      index = end;
    } else if (character === "(") {
      index = findClosing(value, index, ")");
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
 * Returns the index of the delimiter that closes the delimiter at `start`. If none closes it,
 * returns the index of the text's last character. Comments can be nested.
 */
function findClosing(value: string, start: number, delimiter: string): number {
  let depth = 1;
  for (let index = start + 1; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === "\\") index += 1;
    else if (character === delimiter) depth -= 1;
    else if (character === "(" && delimiter === ")") depth += 1;
    if (depth === 0) return index;
  }
  return value.length - 1;
}
