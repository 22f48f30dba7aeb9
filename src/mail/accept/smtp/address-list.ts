// The addresses of a To, Cc or Reply-To that somebody else wrote, for display: read leniently, what
// is no address is left out. The envelope, which decides who is mailed, never comes from here.
// Pure, linear.
import { parseMailbox } from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import type { Mailbox } from "../../message.ts";

/**
 * The entries between the commas: without comments, without the names of groups, none of them
 * blank.
 */
function addressEntries(value: string): string[] {
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
      const end = closing(value, index, '"');
      entry += value.slice(index, end + 1);
      index = end;
    } else if (character === "(") {
      index = closing(value, index, ")");
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

/** The mailboxes among the first `limit` entries, their names decoded. */
export function mailboxesIn(value: string, limit: number): Mailbox[] {
  return addressEntries(value)
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
 * The index of the mark that ends what opened at `start`, or of the text's last character. Comments
 * nest.
 */
function closing(value: string, start: number, mark: string): number {
  let depth = 1;
  for (let index = start + 1; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === "\\") index += 1;
    else if (character === mark) depth -= 1;
    else if (character === "(" && mark === ")") depth += 1;
    if (depth === 0) return index;
  }
  return value.length - 1;
}
