// Decides which URLs of a team the service may call: webhooks and attached files (contract.md
// §Webhook targets). A URL must use https and a public host. The WHATWG parser normalizes the
// spelling of IP addresses and names, so the rules handle only that spelling. Pure.
import {
  GLOBAL_UNICAST_V6,
  NOT_PUBLIC_V4,
  NOT_PUBLIC_V6,
} from "../../../smtp-gateway/src/outbound/non-public-addresses.ts";
import { type Block, blockContains, parseAddress, parseBlock } from "../../lib/cidr.ts";
import type { Settings } from "../../settings.ts";
import { asciiDomain } from "../../lib/idna.ts";

export interface TargetOptions {
  /** The setting WEBHOOK_ALLOW_PRIVATE: true allows loopback addresses, also over http. */
  readonly allowPrivate: boolean;
  /** The service's own domains in lower-case ASCII. Their subdomains are refused too. */
  readonly ownHosts: readonly string[];
}

const LOOPBACK = blocks("127.0.0.0/8", "::1");

const notPublicV4 = blocks(...NOT_PUBLIC_V4);
const globalUnicastV6 = blocks(GLOBAL_UNICAST_V6);
const notPublicV6 = blocks(...NOT_PUBLIC_V6);

/**
 * Names that do not exist in public DNS (RFC 6761, 6762 appendix G, 7686, 8375, 9476, ICANN's
 * `internal`), and public names with private addresses.
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
 * Returns the reason to refuse the URL, as a text that follows the field's name. Returns undefined
 * if the URL is allowed. Does not check the addresses of the URL's host.
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

/** Returns the rules that the operator's settings determine. */
export function targetOptions({
  webhookAllowPrivate,
  serviceDomain,
}: Pick<Settings, "webhookAllowPrivate" | "serviceDomain">): TargetOptions {
  return { allowPrivate: webhookAllowPrivate, ownHosts: [serviceDomain] };
}

/**
 * Returns the name to look up in DNS before the URL is called. Returns undefined for an IP address,
 * and for `localhost`, which does not exist in DNS.
 */
export function nameToLookUp(url: URL): string | undefined {
  const host = hostOf(url);
  const address = parseAddress(host);
  return address || isLoopback(host, address) ? undefined : host;
}

/** Returns whether the service may call a host with this address. */
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
