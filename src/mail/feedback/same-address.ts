// Whether an address in a report is the one that the message was sent to (contract.md §Bounce
// reports): reports write it in many ways, and an address that the sender never used belongs to a
// forwarding hop. Pure.
import { parseMailbox } from "../../lib/address.ts";
import { decodeOctets } from "./part-text.ts";

/**
 * `same`: the recipient. `variant`: the same mailbox under a name that its own servers gave it, on
 * a host below its domain, or without its `+detail`. `other`: somebody else.
 */
export type Likeness = "same" | "variant" | "other";

const ADDRESS_CHARACTERS = 400;
const TYPE = /^\s*[\w.+-]{1,40}\s*;/;
const COMMENT = /\([^()]*\)/g;
/** RFC 6533 section 3: `\x{E9}`. */
const UNICODE = /\\x\{([0-9A-Fa-f]{2,6})\}/g;
/** RFC 3461 section 4: `+2B`, undone by the reporter or not. */
const XTEXT = /\+([0-9A-F]{2})/g;

/**
 * The address in a field such as `Final-Recipient: rfc822; <a@b>`; undefined when there is none,
 * e.g. in `x400; /CN=a/` or `local; a`.
 */
export function addressIn(value: string): string | undefined {
  const text = decodeOctets(value.slice(0, ADDRESS_CHARACTERS))
    .replace(TYPE, "")
    .replace(COMMENT, " ")
    .replace(UNICODE, unicode)
    .trim();
  const bare = text.replace(/^[<\s]+/, "").replace(/(?<![>.\s])[>.\s]+$/, "");
  return bare.includes("@") ? bare : undefined;
}

/** Both as addresses, in whatever spelling. */
export function likeness(reported: string, recipient: string): Likeness {
  const wanted = normal(recipient);
  const spellings = [
    normal(reported),
    normal(
      reported.replace(XTEXT, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  ];
  if (spellings.includes(wanted)) return "same";
  return spellings.some((spelling) => isVariant(spelling, wanted)) ? "variant" : "other";
}

/**
 * Top-level names that are nobody's in public, and those under which providers file their
 * customers' domains.
 */
const PRIVATE =
  /\.(?:local|localdomain|localhost|internal|intern|intranet|intra|lan|home|corp|private|priv|onmicrosoft\.com|test-google-a\.com)$/;

/**
 * Whether `renamed` is what the recipient's own servers made of the address, rather than somewhere
 * else to which the mail was forwarded: it is on a host that no sender can use, in the recipient's
 * domain or around it, or in the domain of the `reporter`.
 */
export function isOwnName(
  renamed: string,
  recipient: string,
  reporter: string | undefined,
): boolean {
  const host = split(normal(renamed))[1];
  if (!host.includes(".") || PRIVATE.test(host)) return true;
  return [split(normal(recipient))[1], reporter ?? ""].some(
    (own) => isWithin(host, own) || isWithin(own, host),
  );
}

function isWithin(host: string, domain: string): boolean {
  return domain.includes(".") && (host === domain || host.endsWith(`.${domain}`));
}

function normal(address: string): string {
  const parsed = parseMailbox(address);
  return (parsed.kind === "mailbox" ? parsed.mailbox.email : address).toLowerCase();
}

function isVariant(reported: string, wanted: string): boolean {
  const [local, domain] = split(reported);
  const [wantedLocal, wantedDomain] = split(wanted);
  if (withoutDetail(local) !== withoutDetail(wantedLocal)) return false;
  return domain === wantedDomain || domain.endsWith(`.${wantedDomain}`);
}

function split(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf("@");
  return [address.slice(0, at), address.slice(at + 1)];
}

function withoutDetail(local: string): string {
  const at = local.indexOf("+");
  return at > 0 ? local.slice(0, at) : local;
}

function unicode(_: string, code: string): string {
  const point = Number.parseInt(code, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : "\uFFFD";
}
