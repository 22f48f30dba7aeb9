// Compares an address in a report with the address to which the message was sent (contract.md
// §Bounce reports). Reports spell the same address in many ways. An address that the sender never
// used belongs to a forwarding hop. Pure.
import { parseMailbox } from "../../lib/address.ts";
import { decodeOctets } from "./part-text.ts";

/**
 * `same` is the recipient's address. `variant` is the same mailbox in a spelling of its own
 * servers, such as a host below its domain or an address without the `+detail`. `other` is a
 * different mailbox.
 */
export type AddressMatch = "same" | "variant" | "other";

const COMPARED_ADDRESS_CHARACTERS = 400;
const TYPE = /^\s*[\w.+-]{1,40}\s*;/;
const COMMENT = /\([^()]*\)/g;
/** An escaped character such as `\x{E9}` (RFC 6533 §3). */
const UNICODE = /\\x\{([0-9A-Fa-f]{2,6})\}/g;
/**
 * Matches xtext such as `+2B` (RFC 3461 §4). Some reporting servers decode xtext. Others do not.
 */
const XTEXT = /\+([0-9A-F]{2})/g;

/**
 * Reads the address in a field such as `Final-Recipient: rfc822; <a@b>`. Undefined means that the
 * field has no address, as in `x400; /CN=a/` or `local; a`.
 */
export function addressIn(value: string): string | undefined {
  const text = decodeOctets(value.slice(0, COMPARED_ADDRESS_CHARACTERS))
    .replace(TYPE, "")
    .replace(COMMENT, " ")
    .replace(UNICODE, decodeCodePoint)
    .trim();
  const bare = text.replace(/^[<\s]+/, "").replace(/(?<![>.\s])[>.\s]+$/, "");
  return bare.includes("@") ? bare : undefined;
}

/** Compares two addresses in any spelling. */
export function compareAddresses(reported: string, recipient: string): AddressMatch {
  const wanted = normalize(recipient);
  const spellings = [
    normalize(reported),
    normalize(
      reported.replace(XTEXT, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  ];
  if (spellings.includes(wanted)) return "same";
  return spellings.some((spelling) => isVariant(spelling, wanted)) ? "variant" : "other";
}

/**
 * Top-level names that are not public, and names under which providers keep their customers'
 * domains.
 */
const PRIVATE =
  /\.(?:local|localdomain|localhost|internal|intern|intranet|intra|lan|home|corp|private|priv|onmicrosoft\.com|test-google-a\.com)$/;

/**
 * Returns whether `renamed` is an internal spelling of the recipient's own servers, and not an
 * address to which the mail was forwarded. It is internal if its host is not public. It is also
 * internal if its host equals the recipient's domain or the `reporter`, or is below or above one of
 * them.
 */
export function isOwnName(
  renamed: string,
  recipient: string,
  reporter: string | undefined,
): boolean {
  const host = splitAddress(normalize(renamed))[1];
  if (!host.includes(".") || PRIVATE.test(host)) return true;
  return [splitAddress(normalize(recipient))[1], reporter ?? ""].some(
    (own) => isWithin(host, own) || isWithin(own, host),
  );
}

function isWithin(host: string, domain: string): boolean {
  return domain.includes(".") && (host === domain || host.endsWith(`.${domain}`));
}

function normalize(address: string): string {
  const parsed = parseMailbox(address);
  return (parsed.kind === "mailbox" ? parsed.mailbox.email : address).toLowerCase();
}

function isVariant(reported: string, wanted: string): boolean {
  const [local, domain] = splitAddress(reported);
  const [wantedLocal, wantedDomain] = splitAddress(wanted);
  if (stripDetail(local) !== stripDetail(wantedLocal)) return false;
  return domain === wantedDomain || domain.endsWith(`.${wantedDomain}`);
}

function splitAddress(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at), address.slice(at + 1)];
}

function stripDetail(local: string): string {
  const at = local.indexOf("+");
  return at > 0 ? local.slice(0, at) : local;
}

function decodeCodePoint(_: string, code: string): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : "\uFFFD";
}
