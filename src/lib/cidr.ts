// Parses IP addresses and CIDR blocks strictly, and compares them as bits. An IPv4-mapped IPv6
// address counts as the IPv4 address, both in rules and in callers' addresses. Pure.

export interface Block {
  readonly family: 4 | 6;
  /** Network address as a number of 32 or 128 bits, with the host bits zero. */
  readonly network: bigint;
  readonly prefix: number;
}

const MAPPED_PREFIX = 0xffffn;

/**
 * Parses an address such as `192.0.2.7` or `2001:db8::1` as a block with one address. Returns
 * undefined for any other text, and for an address with a zone, a port or leading zeros.
 */
export function parseAddress(text: string): Block | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return { family: 4, network: v4, prefix: 32 };
  const v6 = parseV6(text);
  if (v6 === undefined) return undefined;
  return v6 >> 32n === MAPPED_PREFIX
    ? { family: 4, network: v6 & 0xffffffffn, prefix: 32 }
    : { family: 6, network: v6, prefix: 128 };
}

/** Parses an address or `address/prefix`. The text may have host bits, but the result has none. */
export function parseBlock(text: string): Block | undefined {
  const slash = text.indexOf("/");
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (!address || slash < 0) return address;
  const digits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  const written = Number(digits);
  // The prefix of `::ffff:192.0.2.0/120` includes the 96 bits of the IPv4 mapping, which are
  // subtracted here.
  const prefix = address.family === 4 && text.includes(":") ? written - 96 : written;
  if (prefix < 0 || prefix > address.prefix) return undefined;
  return { family: address.family, network: clearHostBits(address, prefix), prefix };
}

export function blockContains(block: Block, address: Block): boolean {
  return block.family === address.family && clearHostBits(address, block.prefix) === block.network;
}

/**
 * Returns the network by which failed authentications are counted (contract.md §Failed
 * authentication): the IPv4 address, or the IPv6 /64.
 */
export function addressGroup(address: Block): string {
  return address.family === 4
    ? `4:${address.network.toString(16)}`
    : `6:${clearHostBits(address, 64).toString(16)}`;
}

function clearHostBits(address: Block, prefix: number): bigint {
  const width = BigInt((address.family === 4 ? 32 : 128) - prefix);
  return (address.network >> width) << width;
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  )
    return undefined;
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  if (text.length > 45 || !/^[0-9a-fA-F:.]+$/.test(text)) return undefined;
  const [before = "", after, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const head = parseGroups(before, after === undefined);
  const tail = after === undefined ? [] : parseGroups(after, true);
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  return valueOf([...head, ...Array.from({ length: missing }, () => 0), ...tail]);
}

function valueOf(groups: readonly number[]): bigint {
  return groups.reduce((value, group) => value * 65_536n + BigInt(group), 0n);
}

/**
 * Parses colon-separated groups of 16 bits. If `endsAddress` is true, the last group may be a
 * dotted IPv4 address.
 */
function parseGroups(text: string, endsAddress: boolean): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (part.includes(".")) {
      const v4 = endsAddress && index === parts.length - 1 ? parseV4(part) : undefined;
      if (v4 === undefined) return undefined;
      groups.push(Number(v4 >> 16n), Number(v4 & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
