// Queries public DNS by RFC 8484 (DNS over HTTPS, wire format). Every look-up returns one of four
// kinds of results and never throws. This code follows aliases hop by hop, so an authoritative
// server can serve as the resolver.
import { Buffer } from "node:buffer";
import { type Answer, decode, encode, RECURSION_DESIRED } from "dns-packet";

export type DnsLookup =
  | { readonly kind: "answer"; readonly values: readonly string[] }
  /** The name does not exist. */
  | { readonly kind: "nxdomain" }
  /** The name exists but has no record of this type. */
  | { readonly kind: "nodata" }
  /**
   * No server gave a usable answer. `reason` is a word or a short clause. `isZoneFault`: the
   * servers answered, but the zone's aliases contradict each other, so that a retry would fail too.
   */
  | { readonly kind: "failed"; readonly reason: string; readonly isZoneFault?: true };

interface AliasChain {
  /**
   * Targets of the name's aliases, in order, in lower case and without the final dot. Empty: the
   * name has no CNAME record.
   */
  readonly names: readonly string[];
  /**
   * The end of the chain: a name without a CNAME record (`nodata`), a name that does not exist
   * (`nxdomain`), or a DNS failure. A chain that stops at the target ends with `nodata`.
   */
  readonly end: Exclude<DnsLookup, { kind: "answer" }>;
}

export interface Resolver {
  /** Follows a name's aliases hop by hop until `target` is reached or the chain ends. */
  readonly aliases: (name: string, target: string) => Promise<AliasChain>;
  /** Looks up the TXT records at the end of the name's aliases. Joins each record's strings. */
  readonly texts: (name: string) => Promise<DnsLookup>;
  /** Looks up the hosts of the MX records at the end of the name's aliases. */
  readonly mailServers: (name: string) => Promise<DnsLookup>;
  /** Looks up the A records at the end of the name's aliases, or else the AAAA records. */
  readonly addresses: (name: string) => Promise<DnsLookup>;
  /**
   * Looks up all A and AAAA records at the end of the name's aliases. Fails if one of the two
   * look-ups fails.
   */
  readonly everyAddress: (name: string) => Promise<DnsLookup>;
}

type RecordType = "A" | "AAAA" | "CNAME" | "MX" | "TXT";
type Reply =
  | { readonly kind: "records"; readonly records: readonly Answer[] }
  | Exclude<DnsLookup, { kind: "answer" }>;
type Ask = (name: string, type: RecordType) => Promise<Reply>;

const QUERY_TIMEOUT_MS = 4_000;
/** Time limit for all queries of one resolver, counted from the resolver's creation. */
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
const TOO_MANY_ALIASES = {
  kind: "failed",
  reason: "too many aliases",
  isZoneFault: true,
} as const;
const ALIAS_LOOP = { kind: "failed", reason: "an alias loop", isZoneFault: true } as const;

/** Makes a resolver for the few queries of one verification. Its deadline starts now. */
export function dnsResolver(
  url: string,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  deadlineMs = DEADLINE_MS,
): Resolver {
  const deadline = AbortSignal.timeout(deadlineMs);
  const ask: Ask = (name, type) =>
    query(url, name, type, AbortSignal.any([deadline, AbortSignal.timeout(queryTimeoutMs)]));
  return {
    aliases: (name, target) => followAliases(ask, name, target),
    texts: (name) => lookUp(ask, name, "TXT"),
    mailServers: (name) => lookUp(ask, name, "MX"),
    addresses: async (name) => {
      const found = await lookUp(ask, name, "A");
      return found.kind === "nodata" ? lookUp(ask, name, "AAAA") : found;
    },
    everyAddress: async (name) =>
      mergeLookups(await Promise.all([lookUp(ask, name, "A"), lookUp(ask, name, "AAAA")])),
  };
}

/** Returns the values of an answer. Returns an empty list for any other result of a look-up. */
export function valuesIn(lookup: DnsLookup | undefined): readonly string[] {
  return lookup?.kind === "answer" ? lookup.values : [];
}

/** Normalizes a name for comparison: lower case, without the final dot. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

async function lookUp(ask: Ask, name: string, type: RecordType): Promise<DnsLookup> {
  const left = new Set<string>();
  let current = normalizeName(name);
  while (left.size <= MOST_HOPS) {
    const reply = await ask(current, type);
    if (reply.kind !== "records") return reply;
    const end = walkReply(reply.records, current, type, left);
    if (typeof end !== "string") return end;
    current = end;
  }
  return TOO_MANY_ALIASES;
}

/**
 * Follows the aliases within one reply. Returns the records at their end, or the next name to
 * query. `left` collects the names that have an alias, to detect loops.
 */
function walkReply(
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
    if (left.has(current)) return ALIAS_LOOP;
    left.add(current);
    current = normalizeName(next);
  }
  return TOO_MANY_ALIASES;
}

function mergeLookups(lookups: readonly [DnsLookup, DnsLookup]): DnsLookup {
  const failed = lookups.find(({ kind }) => kind === "failed");
  if (failed) return failed;
  const values = lookups.flatMap(valuesIn);
  return values.length > 0 ? { kind: "answer", values } : lookups[0];
}

async function followAliases(ask: Ask, name: string, target: string): Promise<AliasChain> {
  const names: string[] = [];
  let current = normalizeName(name);
  while (names.length <= MOST_HOPS) {
    const reply = await ask(current, "CNAME");
    if (reply.kind !== "records") return { names, end: reply };
    const [next, ...others] = new Set(valuesOf(reply.records, current, "CNAME").map(normalizeName));
    if (next === undefined) return { names, end: { kind: "nodata" } };
    // A name must not have two CNAME records (RFC 2181 §10.1). If it does, its target is ambiguous,
    // so neither CNAME is followed.
    if (others.length > 0)
      return {
        names: [...names, next, ...others],
        end: {
          kind: "failed",
          reason: `${current} has several CNAME records`,
          isZoneFault: true,
        },
      };
    if (names.includes(next) || next === normalizeName(name)) return { names, end: ALIAS_LOOP };
    names.push(next);
    if (next === target) return { names, end: { kind: "nodata" } };
    current = next;
  }
  return { names, end: TOO_MANY_ALIASES };
}

function valuesOf(records: readonly Answer[], name: string, type: RecordType): string[] {
  return records
    .filter((record) => record.type === type && normalizeName(record.name) === name)
    .map(textOf);
}

function textOf(record: Answer): string {
  if (record.type === "MX") return normalizeName(record.data.exchange);
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
      // The id is 0 so that HTTP caches can answer (RFC 8484 §4.1).
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
    return readReply(await readBytes(response));
  } catch {
    return { kind: "failed", reason: signal.aborted ? "no answer in time" : "no readable answer" };
  }
}

/** Reads a DNS message. Throws if the bytes are not a DNS message. */
function readReply(bytes: Buffer): Reply {
  const packet = decode(bytes);
  if (packet.type !== "response") return { kind: "failed", reason: "no readable answer" };
  if (packet.flag_tc) return { kind: "failed", reason: "a truncated answer" };
  const rcode = (packet.flags ?? 0) & 0xf;
  const records = packet.answers ?? [];
  // If an answer has aliases, its NXDOMAIN is about the target of the last alias (RFC 6604). That
  // target gets a separate query.
  if (rcode === RCODE_NXDOMAIN && records.length === 0) return { kind: "nxdomain" };
  if (rcode !== 0 && rcode !== RCODE_NXDOMAIN)
    return { kind: "failed", reason: RCODE_NAMES[rcode] ?? `response code ${rcode}` };
  return { kind: "records", records };
}

async function readBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_REPLY_BYTES) throw new Error("a reply longer than DNS allows");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
