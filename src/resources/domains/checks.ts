// Decides whether DNS has the records that a domain needs, and reports the first failure in the
// order in which a customer would fix them. Only the exact target counts, whether the alias reaches
// it directly or through other aliases (contract.md §Verification). Pure over a Resolver.
import type { Alias } from "./record-names.ts";
import { normalizeName, type DnsLookup, type Resolver } from "./resolver.ts";

export const MAIL_FLOW_CODES = [
  "apex_cname_missing",
  "apex_cname_mismatch",
  "dkim_cname_missing",
  "dkim_cname_mismatch",
  "dkim_mismatch",
  "chain_broken",
  "mx_missing",
  "spf_missing",
] as const;
export const TRACKING_CODES = [
  "tracking_cname_missing",
  "tracking_cname_mismatch",
  "chain_broken",
] as const;

type Code = (typeof MAIL_FLOW_CODES)[number] | (typeof TRACKING_CODES)[number];

export interface CheckFailure<Of extends Code = Code> {
  readonly code: Of;
  /** One or two sentences: the name, what is expected there, what was found. */
  readonly message: string;
}

export interface ExpectedKey extends Alias {
  readonly publicKey: string;
}

interface AliasCodes<Of extends Code> {
  readonly missing: Of;
  readonly mismatch: Of;
}

const APEX = { missing: "apex_cname_missing", mismatch: "apex_cname_mismatch" } as const;
const DKIM = { missing: "dkim_cname_missing", mismatch: "dkim_cname_mismatch" } as const;
const TRACKING = {
  missing: "tracking_cname_missing",
  mismatch: "tracking_cname_mismatch",
} as const;
const SHOWN_CHARACTERS = 255;

/** Returns the first problem with a domain's mail flow, or null. */
export async function checkMailFlow(
  resolver: Resolver,
  returnPath: Alias,
  keys: readonly ExpectedKey[],
): Promise<CheckFailure<(typeof MAIL_FLOW_CODES)[number]> | null> {
  const aliases = await Promise.all([
    checkAlias(resolver, returnPath, APEX),
    ...keys.map((key) => checkDkimAlias(resolver, key)),
  ]);
  const wrong = aliases.find((failure) => failure !== null);
  if (wrong) return wrong;
  const ends = await Promise.all([
    checkReturnPath(resolver, returnPath),
    ...keys.map((key) => checkKey(resolver, key)),
  ]);
  return ends.find((failure) => failure !== null) ?? null;
}

/** Returns the first problem with a tracking host, or null. */
export async function checkTracking(
  resolver: Resolver,
  alias: Alias,
): Promise<CheckFailure<(typeof TRACKING_CODES)[number]> | null> {
  const wrong = await checkAlias(resolver, alias, TRACKING);
  if (wrong) return wrong;
  const addresses = await resolver.addresses(alias.target);
  return addresses.kind === "answer" ? null : toBrokenChain(alias, addresses, "address");
}

async function checkAlias<Of extends Code>(
  resolver: Resolver,
  alias: Alias,
  codes: AliasCodes<Of>,
): Promise<CheckFailure<Of | "chain_broken"> | null> {
  const { names, end } = await resolver.aliases(alias.host, alias.target);
  if (end.kind !== "failed" && names.at(-1) === alias.target) return null;
  if (names.length === 0 && end.kind !== "failed") {
    return {
      code: codes.missing,
      message: `${alias.host} has no CNAME record. Publish one that points to ${alias.target}.`,
    };
  }
  const path = formatNames(names);
  if (end.kind === "failed") {
    const asked = names.length === 0 ? alias.host : `${alias.host}, which points to ${path}`;
    return {
      code: "chain_broken",
      message: `DNS could not be queried for ${asked}: ${printable(end.reason)}.`,
    };
  }
  // One alias that leads nowhere has a wrong target. A longer chain that does is broken on its way.
  if (end.kind === "nxdomain" && names.length > 1) {
    return {
      code: "chain_broken",
      message: `${alias.host} points to ${path}, and the last of these names does not exist.`,
    };
  }
  return {
    code: codes.mismatch,
    message: `${alias.host} must be a CNAME for ${alias.target}, but points to ${path}.`,
  };
}

/**
 * Checks an alias like checkAlias(). A DKIM key that the customer published instead of the CNAME is
 * a mismatch, not a missing record.
 */
async function checkDkimAlias(resolver: Resolver, key: ExpectedKey) {
  const failure = await checkAlias(resolver, key, DKIM);
  if (failure?.code !== DKIM.missing) return failure;
  const texts = await resolver.texts(key.host);
  if (
    texts.kind !== "answer" ||
    !texts.values.some(isKeyRecord) ||
    hasOnlyKey(texts.values, key.publicKey)
  )
    return failure;
  const message =
    `${key.host} has a TXT record with another DKIM key. Replace it by a CNAME record that ` +
    `points to ${key.target}.`;
  return { code: "dkim_mismatch" as const, message };
}

async function checkReturnPath(resolver: Resolver, alias: Alias) {
  const [servers, texts] = await Promise.all([
    resolver.mailServers(alias.target),
    resolver.texts(alias.target),
  ]);
  if (servers.kind === "failed") return toBrokenChain(alias, servers, "MX");
  if (texts.kind === "failed") return toBrokenChain(alias, texts, "TXT");
  // If either record exists, so does the name, and only the other record is missing.
  if (servers.kind === "nxdomain" && texts.kind === "nxdomain")
    return toBrokenChain(alias, servers, "MX");
  if (
    servers.kind !== "answer" ||
    !servers.values.some((exchange) => exchange !== "" && exchange !== ".")
  ) {
    return {
      code: "mx_missing" as const,
      message: `${alias.host} leads to ${alias.target}, which has no MX record.`,
    };
  }
  const policies = texts.kind === "answer" ? texts.values.filter(isSpfRecord) : [];
  if (policies.length === 1) return null;
  const held =
    policies.length === 0 ? "no SPF record" : `${policies.length} SPF records where one is allowed`;
  return {
    code: "spf_missing" as const,
    message: `${alias.host} leads to ${alias.target}, which has ${held}.`,
  };
}

async function checkKey(resolver: Resolver, key: ExpectedKey) {
  const texts = await resolver.texts(key.target);
  if (texts.kind !== "answer") return toBrokenChain(key, texts, "TXT");
  if (hasOnlyKey(texts.values, key.publicKey)) return null;
  return {
    code: "dkim_mismatch" as const,
    message:
      `${key.host} leads to ${key.target}, which does not have the DKIM key that signs this ` +
      "domain's mail.",
  };
}

function toBrokenChain(
  alias: Alias,
  found: Exclude<DnsLookup, { kind: "answer" }>,
  records: string,
) {
  const why =
    found.kind === "failed"
      ? `DNS could not be queried for it: ${found.reason}`
      : found.kind === "nxdomain"
        ? "that name does not exist"
        : `it has no ${records} record`;
  return {
    code: "chain_broken" as const,
    message: `${alias.host} points to ${alias.target} as it should, but ${why}.`,
  };
}

/** Matches the version followed by a space or the end (RFC 7208 §4.5). */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

function isKeyRecord(text: string): boolean {
  return parseTags(text).has("p");
}

/**
 * Tells whether the TXT records contain this DKIM key and no other, because a verifier may use any
 * of them.
 */
function hasOnlyKey(texts: readonly string[], publicKey: string): boolean {
  const keys = texts.map(parseTags).filter((tags) => tags.has("p"));
  return (
    keys.length > 0 &&
    keys.every(
      (tags) =>
        (tags.get("v") ?? "DKIM1") === "DKIM1" &&
        (tags.get("k") ?? "rsa") === "rsa" &&
        tags.get("p") === publicKey,
    )
  );
}

/** Parses a DKIM tag list (RFC 6376 §3.2), with white space removed from the values. */
export function parseTags(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0)
      tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).replace(/\s+/g, ""));
  }
  return tags;
}

/** Formats foreign names for a message. */
function formatNames(names: readonly string[]): string {
  return printable(names.map(normalizeName).join(", ")) || "the root";
}

/** Makes a foreign text fit for a message: printable ASCII of limited length. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, SHOWN_CHARACTERS);
}
