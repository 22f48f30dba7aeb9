// The door to everybody's DNS: RFC 8484 over HTTPS, in wire format. An answer is one of four kinds,
// and whatever comes back, from a resolver or from whoever runs the domain asked about, ends as one
// of them. Aliases are followed here, hop by hop, so an authoritative server serves as well.
import { Buffer } from "node:buffer";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";

export type DnsLookup =
  | { readonly kind: "answer"; readonly values: readonly string[] }
  /** The name does not exist. */
  | { readonly kind: "nxdomain" }
  /** The name exists, without a record of this type. */
  | { readonly kind: "nodata" }
  /**
   * Nothing is known: no server answered, or not usefully. `reason` is one word or a short clause.
   */
  | { readonly kind: "failed"; readonly reason: string };

interface AliasChain {
  /**
   * In their order, lower case and without the final dot; empty where the name has no CNAME record.
   */
  readonly names: readonly string[];
  /**
   * How the chain ends: at a name without a CNAME record (nodata), at none (nxdomain), or where DNS
   * fails. At the target it is "nodata" too.
   */
  readonly end: Exclude<DnsLookup, { kind: "answer" }>;
}

export interface Resolver {
  /**
   * The names that the name is an alias of, hop by hop, until `target` is among them or the chain
   * ends.
   */
  readonly aliases: (name: string, target: string) => Promise<AliasChain>;
  /** TXT records at the end of the name's aliases, the strings of each joined. */
  readonly texts: (name: string) => Promise<DnsLookup>;
  /** Host names of the MX records at the end of the name's aliases. */
  readonly mailServers: (name: string) => Promise<DnsLookup>;
  /** A or, without one, AAAA records at the end of the name's aliases. */
  readonly addresses: (name: string) => Promise<DnsLookup>;
  /**
   * A and AAAA records at the end of the name's aliases, all of them. Failed when either is not
   * known.
   */
  readonly everyAddress: (name: string) => Promise<DnsLookup>;
}

type RecordType = "A" | "AAAA" | "CNAME" | "MX" | "TXT";
type Reply =
  | { readonly kind: "records"; readonly records: readonly Answer[] }
  | Exclude<DnsLookup, { kind: "answer" }>;
type Ask = (name: string, type: RecordType) => Promise<Reply>;

const QUERY_TIMEOUT_MS = 4_000;
/** For everything that one resolver is asked, from when it was made. */
const DEADLINE_MS = 12_000;
const LONGEST_REPLY_BYTES = 65_535;
const MOST_HOPS = 8;
const RCODE_NAMES: Readonly<Record<number, string>> = {
  1: "FORMERR",
  2: "SERVFAIL",
  4: "NOTIMP",
  5: "REFUSED",
};
const RCODE_NXDOMAIN = 3;

/** A resolver for the few questions of one verification: its deadline starts now. */
export function dnsResolver(
  url: string,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  deadlineMs = DEADLINE_MS,
): Resolver {
  const deadline = AbortSignal.timeout(deadlineMs);
  const ask: Ask = (name, type) =>
    query(url, name, type, AbortSignal.any([deadline, AbortSignal.timeout(queryTimeoutMs)]));
  return {
    aliases: (name, target) => chainOf(ask, name, target),
    texts: (name) => follow(ask, name, "TXT"),
    mailServers: (name) => follow(ask, name, "MX"),
    addresses: async (name) => {
      const found = await follow(ask, name, "A");
      return found.kind === "nodata" ? follow(ask, name, "AAAA") : found;
    },
    everyAddress: async (name) =>
      joined(await Promise.all([follow(ask, name, "A"), follow(ask, name, "AAAA")])),
  };
}

/** A name as two spellings of it are compared: lower case, without the final dot. */
export function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

async function follow(ask: Ask, name: string, type: RecordType): Promise<DnsLookup> {
  const left = new Set<string>();
  let current = canonical(name);
  while (left.size <= MOST_HOPS) {
    const reply = await ask(current, type);
    if (reply.kind !== "records") return reply;
    const end = walk(reply.records, current, type, left);
    if (typeof end !== "string") return end;
    current = end;
  }
  return { kind: "failed", reason: "too many aliases" };
}

/**
 * Goes along the aliases within one reply: what stands at their end, or the name to ask for next.
 * `left` holds the names that were left by an alias.
 */
function walk(
  records: readonly Answer[],
  start: string,
  type: RecordType,
  left: Set<string>,
): DnsLookup | string {
  let current = start;
  while (left.size <= MOST_HOPS) {
    const values = valuesOf(records, current, type);
    if (values.length > 0) return { kind: "answer", values };
    const [next] = valuesOf(records, current, "CNAME");
    if (next === undefined) return current === start ? { kind: "nodata" } : current;
    if (left.has(current)) return { kind: "failed", reason: "an alias loop" };
    left.add(current);
    current = canonical(next);
  }
  return { kind: "failed", reason: "too many aliases" };
}

function joined(lookups: readonly [DnsLookup, DnsLookup]): DnsLookup {
  const failed = lookups.find(({ kind }) => kind === "failed");
  if (failed) return failed;
  const values = lookups.flatMap((lookup) => (lookup.kind === "answer" ? lookup.values : []));
  return values.length > 0 ? { kind: "answer", values } : lookups[0];
}

async function chainOf(ask: Ask, name: string, target: string): Promise<AliasChain> {
  const names: string[] = [];
  let current = canonical(name);
  while (names.length <= MOST_HOPS) {
    const reply = await ask(current, "CNAME");
    if (reply.kind !== "records") return { names, end: reply };
    const [next, ...others] = new Set(valuesOf(reply.records, current, "CNAME").map(canonical));
    if (next === undefined) return { names, end: { kind: "nodata" } };
    // Two CNAME records at one name lead to either (RFC 2181 §10.1 forbids them), so neither is
    // followed.
    if (others.length > 0)
      return {
        names: [...names, next, ...others],
        end: { kind: "failed", reason: `${current} has several CNAME records` },
      };
    if (names.includes(next) || next === canonical(name))
      return { names, end: { kind: "failed", reason: "an alias loop" } };
    names.push(next);
    if (next === target) return { names, end: { kind: "nodata" } };
    current = next;
  }
  return { names, end: { kind: "failed", reason: "too many aliases" } };
}

function valuesOf(records: readonly Answer[], name: string, type: RecordType): string[] {
  return records
    .filter((record) => record.type === type && canonical(record.name) === name)
    .map(textOf);
}

function textOf(record: Answer): string {
  if (record.type === "MX") return canonical(record.data.exchange);
  if (record.type === "TXT") return [record.data].flat().map(String).join("");
  return "data" in record && typeof record.data === "string" ? record.data : "";
}

async function query(
  url: string,
  name: string,
  type: RecordType,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/dns-message", Accept: "application/dns-message" },
      // The id is 0 so that HTTP caches may answer (RFC 8484 section 4.1).
      body: new Uint8Array(
        encode({
          type: "query",
          id: 0,
          flags: RECURSION_DESIRED,
          questions: [{ type, name, class: "IN" }],
        }),
      ),
      redirect: "manual",
      signal,
    });
    if (response.status !== 200)
      return { kind: "failed", reason: `the resolver answered HTTP ${response.status}` };
    return read(await bytesOf(response));
  } catch {
    return { kind: "failed", reason: signal.aborted ? "no answer in time" : "no readable answer" };
  }
}

/** Throws for what is not a DNS message. */
function read(bytes: Buffer): Reply {
  const packet = decode(bytes);
  if (packet.type !== "response") return { kind: "failed", reason: "no readable answer" };
  if (packet.flag_tc) return { kind: "failed", reason: "a truncated answer" };
  const rcode = (packet.flags ?? 0) & 0xf;
  const records = packet.answers ?? [];
  // With aliases before it, NXDOMAIN is about their end (RFC 6604): the end is asked about by
  // itself.
  if (rcode === RCODE_NXDOMAIN && records.length === 0) return { kind: "nxdomain" };
  if (rcode !== 0 && rcode !== RCODE_NXDOMAIN)
    return { kind: "failed", reason: RCODE_NAMES[rcode] ?? `response code ${rcode}` };
  return { kind: "records", records };
}

async function bytesOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_REPLY_BYTES) throw new Error("a reply longer than DNS allows");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
