// Names the destination of a mail server: the server's provider if it is known, else the server's
// address block. So ten thousand domains of one hosting company are one destination
// (docs/egress-protocol.md §Destinations). A server that an operator's route names is a destination
// by itself. Pure.
import { isIPv4 } from "node:net";
import { networksOf } from "../inbound/client-networks.ts";
import { PROVIDER_LIMITS, type ProviderLimits } from "./provider-limits.ts";

/** The members of a mail server on which its destination depends. */
export interface ServerAddresses {
  /**
   * The MX host's name. Outcomes contain this name, and the certificate must have it if TLS is
   * required.
   */
  readonly host: string;
  readonly port: number;
  /**
   * IP addresses, in the order in which they are tried. If an operator's route names the server,
   * the list may have a host name instead.
   */
  readonly addresses: readonly string[];
  /** True: an operator's route names the server, so the server may have the gateway's own name. */
  readonly mayBeOurs: boolean;
}

interface DestinationName {
  readonly name: string;
  /**
   * The limits of the server's provider. Null: the server belongs to no provider with known limits.
   */
  readonly limits: ProviderLimits | null;
}

const SMTP_PORT = 25;

export function destinationOf({
  host,
  port,
  addresses,
  mayBeOurs,
}: ServerAddresses): DestinationName {
  if (mayBeOurs) return { name: `${host}:${port}`, limits: null };
  const limits = PROVIDER_LIMITS.find(({ mx }) => mx.some((suffix) => isBelow(host, suffix)));
  // The least address decides, because a resolver may give the addresses in any order.
  const [least] = addresses.toSorted();
  const name = limits?.name ?? (least === undefined ? host : blockOf(least));
  return { name: port === SMTP_PORT ? name : `${name}:${port}`, limits: limits ?? null };
}

function isBelow(host: string, suffix: string): boolean {
  const name = host.toLowerCase();
  return name === suffix || name.endsWith(`.${suffix}`);
}

/**
 * Returns the address block of an address: the smallest block that other networks accept in their
 * routing (RFC 7454 §6.1.3).
 */
function blockOf(address: string): string {
  if (!isIPv4(address)) return networksOf(address).network;
  return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
}
