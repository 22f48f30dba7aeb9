// Reads the terms of an SPF record, and counts the DNS look-ups that a receiver needs (RFC 7208
// §4.6.4). Pure except for the Resolver.
import { isSpfRecord } from "../../../operator/mail-records.ts";
import { type Resolver, valuesIn } from "../resolver.ts";

export interface SpfTerm {
  readonly qualifier: string;
  /** Name of the mechanism or modifier, in lower case. */
  readonly kind: string;
  /** The domain of an `include` or `redirect`. Empty for all other terms. */
  readonly domain: string;
}

interface SpfCost {
  /** The number of look-ups. The count stops at the first look-up over the limit. */
  readonly count: number;
  /** A clause that names the term that makes every evaluation fail. Null: no term does. */
  readonly problem: string | null;
  /** A clause that names an unreadable record and the reason. Null: all records were read. */
  readonly unknown: string | null;
}

interface Spending {
  count: number;
}

export const LOOKUPS_ALLOWED = 10;

/** Matches a term: a qualifier, a name, and the text after the name (RFC 7208 §4.6.1). */
const TERM = /^([+\-~?]?)([a-z][a-z0-9_.-]*)?(.*)$/is;
const MECHANISMS = new Set(["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"]);
const NEEDS_DOMAIN = new Set(["include", "exists", "ip4", "ip6"]);
const ASKS_DNS = new Set(["include", "a", "mx", "ptr", "exists", "redirect"]);
const FREE: SpfCost = { count: 0, problem: null, unknown: null };

/**
 * Returns the terms that a receiver evaluates, or the first malformed term. A receiver ignores
 * terms after `all`, and ignores `redirect` if the record has `all` (RFC 7208 §5.1).
 */
export function termsOf(policy: string): SpfTerm[] | string {
  const terms: SpfTerm[] = [];
  for (const word of policy.split(" ").slice(1)) {
    if (word === "") continue;
    const term = toTerm(word);
    if (term === null) return word;
    terms.push(term);
  }
  const end = terms.findIndex(({ kind }) => kind === "all");
  return end === -1 ? terms : terms.slice(0, end + 1).filter(({ kind }) => kind !== "redirect");
}

/** Counts the look-ups of the terms, including those of included records. */
export async function lookupsOf(
  resolver: Resolver,
  terms: readonly SpfTerm[],
  spent: Spending = { count: 0 },
): Promise<SpfCost> {
  const asking = terms.filter(({ kind }) => ASKS_DNS.has(kind));
  spent.count += asking.length;
  const costs =
    spent.count > LOOKUPS_ALLOWED
      ? []
      : await Promise.all(asking.map((term) => lookupsBehind(resolver, term, spent)));
  return {
    count: spent.count,
    problem: costs.map(({ problem }) => problem).find((found) => found !== null) ?? null,
    unknown: costs.map(({ unknown }) => unknown).find((found) => found !== null) ?? null,
  };
}

/**
 * Counts the look-ups of an `include` or `redirect`. Does not follow a domain with a macro, because
 * such a domain differs from message to message.
 */
async function lookupsBehind(
  resolver: Resolver,
  { kind, domain }: SpfTerm,
  spent: Spending,
): Promise<SpfCost> {
  if (domain === "" || domain.includes("%")) return FREE;
  const found = await resolver.texts(domain);
  if (found.kind === "failed") return { ...FREE, unknown: `${domain}: ${found.reason}` };
  const policies = valuesIn(found).filter(isSpfRecord);
  const [policy = ""] = policies;
  const name = `${kind}${kind === "redirect" ? "=" : ":"}${domain}`;
  if (policies.length !== 1)
    return {
      ...FREE,
      problem: `${name} leads to ${policies.length === 0 ? "no SPF record" : `${policies.length} SPF records`}`,
    };
  const terms = termsOf(policy);
  return typeof terms === "string"
    ? { ...FREE, problem: `${name} leads to a record with the unknown term "${terms}"` }
    : lookupsOf(resolver, terms, spent);
}

function toTerm(word: string): SpfTerm | null {
  const [, sign = "", name = "", rest = ""] = TERM.exec(word) ?? [];
  const qualifier = sign || "+";
  const kind = name.toLowerCase();
  if (sign === "" && kind !== "" && rest.startsWith("="))
    return { qualifier: "", kind, domain: kind === "redirect" ? rest.slice(1) : "" };
  const value = rest.startsWith(":") ? rest.slice(1) : "";
  return isMechanism(kind, rest, value)
    ? { qualifier, kind, domain: kind === "include" ? value : "" }
    : null;
}

function isMechanism(kind: string, rest: string, value: string): boolean {
  if (!MECHANISMS.has(kind) || (NEEDS_DOMAIN.has(kind) && value === "")) return false;
  return rest === "" || (kind !== "all" && /^[:/]/.test(rest));
}
