// The address headers: From, To, Cc and Reply-To as RFC 5322 section 3.4 writes them (spec.md "Send request").
// A display name is a phrase, a quoted string or encoded words, whichever says it safely; an address can never close its angle brackets early.
import type { Mailbox } from "../message.ts";
import { encodedWords } from "./encoded-word.ts";
import { type HeaderTokens, firstLineRoom, headerText } from "./header-folding.ts";

const QUOTED_NAME_CHARACTERS = 60;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const ATOMS = new RegExp(`^${ATOM}(?: ${ATOM})*$`);
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const QUOTED_STRING = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const PRINTABLE = /^[ -~]*$/;

/** The tokens of a header that lists `mailboxes`, in order. */
export function mailboxTokens(name: string, mailboxes: readonly Mailbox[]): HeaderTokens {
  return mailboxes.flatMap((mailbox, index) => {
    const separator = index === mailboxes.length - 1 ? "" : ",";
    const address = addressOf(mailbox.email);
    const phrase = phraseTokens(mailbox.name ?? "", index === 0 ? firstLineRoom(name) : undefined);
    return phrase.length === 0 ? [address + separator] : [...phrase, `<${address}>${separator}`];
  });
}

function phraseTokens(displayName: string, firstRoom: number | undefined): readonly string[] {
  const name = headerText(displayName).trim();
  if (name === "") return [];
  const short = name.length <= QUOTED_NAME_CHARACTERS;
  if (PRINTABLE.test(name) && !name.includes("=?")) {
    if (short && ATOMS.test(name)) return name.split(" ");
    if (short) return [`"${name.replace(/["\\]/g, "\\$&")}"`];
  }
  return encodedWords(name, firstRoom);
}

/** The address as a header may hold it. It was validated when it was accepted; this makes sure of it. */
function addressOf(email: string): string {
  const ascii = headerText(email).replace(/[^ -~]/g, "");
  const at = ascii.lastIndexOf("@");
  const local = ascii.slice(0, Math.max(at, 0));
  const domain = ascii.slice(at + 1).replace(/[^A-Za-z0-9.:[\]-]/g, "");
  if (DOT_ATOM.test(local) || QUOTED_STRING.test(local)) return `${local}@${domain}`;
  return `"${local.replace(/["\\]/g, "\\$&")}"@${domain}`;
}
