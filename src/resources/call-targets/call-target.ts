// Decides which URLs of a team the service may call (contract.md §Webhook targets): https to a public
// host. The URLs are those of webhooks and of attached files. The WHATWG parser gives every IP
// address and name one spelling, so the rules below handle no other spellings. Pure.
import {
  GLOBAL_UNICAST_V6,
  NOT_PUBLIC_V4,
  NOT_PUBLIC_V6,
} from "../../../smtp-gateway/src/outbound/non-public-addresses.ts";
import { type Block, blockContains, parseAddress, parseBlock } from "../../lib/cidr.ts";
import type { Settings } from "../../settings.ts";
import { asciiDomain } from "../../lib/idna.ts";

export interface TargetOptions {
  /** WEBHOOK_ALLOW_PRIVATE: allows loopback addresses, and plain http to them. */
  readonly allowPrivate: boolean;
  /** The service's own domains in lower-case ASCII. Their subdomains are refused too. */
  readonly ownHosts: readonly string[];
}

const LOOPBACK = blocks("127.0.0.0/8", "::1");

const notPublicV4 = blocks(...NOT_PUBLIC_V4);
const globalUnicastV6 = blocks(GLOBAL_UNICAST_V6);
const notPublicV6 = blocks(...NOT_PUBLIC_V6);

/**
 * Names that public DNS does not have (RFC 6761, 6762 appendix G, 7686, 8375, 9476, ICANN's
 * `internal`), and public names that lead to private addresses.
 */
const NOT_PUBLIC_NAMES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "svc",
  "onion",
  "alt",
  "arpa",
  "metadata.goog",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
];

/**
 * Returns why the URL may not be called, as a text that follows the field's name. Undefined: it may
 * be called. Does not check the addresses of the URL's host.
 */
export function targetProblem(
  url: URL,
  { allowPrivate, ownHosts }: TargetOptions,
): string | undefined {
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  const host = hostOf(url);
  const address = parseAddress(host);
  const mayBeLoopback = allowPrivate && isLoopback(host, address);
  if (url.protocol !== "https:" && !(mayBeLoopback && url.protocol === "http:"))
    return "must use https";
  if (ownHosts.some((own) => isAtOrBelow(host, own))) return "must not be the service's own host";
  if (mayBeLoopback || (address ? isPublicAddress(address) : isPublicName(host))) return undefined;
  return "must be a public host";
}

/** The rules that come from the operator's settings. */
export function targetOptions({
  webhookAllowPrivate,
  serviceDomain,
}: Pick<Settings, "webhookAllowPrivate" | "serviceDomain">): TargetOptions {
  return { allowPrivate: webhookAllowPrivate, ownHosts: [serviceDomain] };
}

/**
 * Returns the name to look up before the URL is called. Undefined for an IP address, and for names
 * of loopback, which DNS does not have.
 */
export function nameToLookUp(url: URL): string | undefined {
  const host = hostOf(url);
  const address = parseAddress(host);
  return address || isLoopback(host, address) ? undefined : host;
}

/** Tells whether the service may call a name with this address. */
export function mayBeAddress(
  text: string,
  { allowPrivate }: Pick<TargetOptions, "allowPrivate">,
): boolean {
  const address = parseAddress(text);
  return (
    address !== undefined &&
    ((allowPrivate && isLoopback(text, address)) || isPublicAddress(address))
  );
}

/** Returns the host without IPv6's brackets and without a final dot. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
}

function isLoopback(host: string, address: Block | undefined): boolean {
  return address
    ? LOOPBACK.some((block) => blockContains(block, address))
    : isAtOrBelow(host, "localhost");
}

function isPublicAddress(address: Block): boolean {
  const within = (block: Block) => blockContains(block, address);
  return address.family === 4
    ? !notPublicV4.some(within)
    : globalUnicastV6.some(within) && !notPublicV6.some(within);
}

function isPublicName(host: string): boolean {
  return (
    host.includes(".") &&
    asciiDomain(host) === host &&
    !NOT_PUBLIC_NAMES.some((name) => isAtOrBelow(host, name))
  );
}

function isAtOrBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function blocks(...texts: string[]): readonly Block[] {
  return texts.map((text) => {
    const block = parseBlock(text);
    if (!block) throw new Error(`not a block: ${text}`);
    return block;
  });
}
