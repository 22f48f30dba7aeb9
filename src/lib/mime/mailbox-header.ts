// Writes the address headers From, To, Cc and Reply-To (RFC 5322 §3.4; contract.md §Senders and
// recipients). A display name becomes a phrase, a quoted string or encoded words. An address can
// never close its angle brackets early. Pure.
import { isInternational } from "../address.ts";
import { encodeWords } from "./encode-words.ts";
import { type HeaderTokens, firstLineRoom, headerText } from "./header-folding.ts";

interface Mailbox {
  /** Address with its domain in ASCII. */
  readonly email: string;
  readonly name: string | null;
}

const QUOTED_NAME_CHARACTERS = 60;
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const ATOMS = new RegExp(`^${ATOM}(?: ${ATOM})*$`);
/** Matches a display name that needs no quotes for people: words in any script. */
const WORDS = /^[^\s()<>[\]:;@\\,."]+(?: [^\s()<>[\]:;@\\,."]+)*$/;
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const QUOTED_STRING = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const PRINTABLE = /^[ -~]*$/;
const NON_ASCII = /[\u0080-\u{10ffff}]/gu;

/** Writes a mailbox for people: its display name is not encoded, and quoted only if necessary. */
export function mailboxText({ email, name }: Mailbox): string {
  const text = headerText(name ?? "").trim();
  if (text === "") return email;
  const phrase = WORDS.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
  return `${phrase} <${email}>`;
}

/**
 * Returns the tokens of a header that lists `mailboxes` in order. If `isUtf8` is false, the header
 * may not contain non-ASCII addresses, so each of them becomes the name of a group.
 */
export function mailboxTokens(
  name: string,
  mailboxes: readonly Mailbox[],
  isUtf8: boolean,
): HeaderTokens {
  return mailboxes.flatMap((mailbox, index) => {
    const separator = index === mailboxes.length - 1 ? "" : ",";
    const firstRoom = index === 0 ? firstLineRoom(name) : undefined;
    if (!isUtf8 && isInternational(mailbox.email))
      return [...emptyGroup(mailbox, firstRoom), `:;${separator}`];
    const address = addressOf(mailbox.email);
    const phrase = phraseTokens(mailbox.name ?? "", firstRoom);
    return phrase.length === 0 ? [address + separator] : [...phrase, `<${address}>${separator}`];
  });
}

/**
 * Writes an address that is not allowed in the header. The address becomes the name of an empty
 * group (RFC 6857): `=?utf-8?Q?...?= :;`.
 */
function emptyGroup({ name, email }: Mailbox, firstRoom: number | undefined): readonly string[] {
  const address = headerText(email);
  const visibleName = headerText(name ?? "").trim();
  return encodeWords(visibleName === "" ? address : `${visibleName} ${address}`, firstRoom);
}

/** Writes a display name as a phrase: atoms, a quoted string or encoded words. */
export function phraseTokens(
  displayName: string,
  firstRoom: number | undefined,
): readonly string[] {
  const name = headerText(displayName).trim();
  if (name === "") return [];
  const short = name.length <= QUOTED_NAME_CHARACTERS;
  if (PRINTABLE.test(name) && !name.includes("=?")) {
    if (short && ATOMS.test(name)) return name.split(" ");
    if (short) return [`"${name.replace(/["\\]/g, "\\$&")}"`];
  }
  return encodeWords(name, firstRoom);
}

/**
 * Returns the address in a form that is safe in a header. The address was validated at acceptance,
 * so this is a second line of defence.
 */
function addressOf(email: string): string {
  const text = headerText(email).replace(/[\u2028\u2029]/g, "");
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1).replace(/[^A-Za-z0-9.:[\]-]/g, "");
  const plain = local.replace(NON_ASCII, "x");
  if (DOT_ATOM.test(plain) || QUOTED_STRING.test(plain)) return `${local}@${domain}`;
  return `"${local.replace(/["\\]/g, "\\$&")}"@${domain}`;
}
