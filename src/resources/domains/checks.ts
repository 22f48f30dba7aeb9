// Decides whether DNS has what a domain asks for, and tells the failure codes apart in the order in
// which a customer would mend them. Pure over a Resolver. Only the exact target counts, reached
// directly or through other aliases (contract.md §Verification).
import type { Alias } from "./record-names.ts";
import { canonical, type DnsLookup, type Resolver } from "./resolver.ts";

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
  /** One sentence or two: the name, what is expected there, what was found. */
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

/** The first thing that is wrong with a domain's mail flow; null when nothing is. */
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

/** The first thing that is wrong with a tracking host; null when nothing is. */
export async function checkTracking(
  resolver: Resolver,
  alias: Alias,
): Promise<CheckFailure<(typeof TRACKING_CODES)[number]> | null> {
  const wrong = await checkAlias(resolver, alias, TRACKING);
  if (wrong) return wrong;
  const addresses = await resolver.addresses(alias.target);
  return addresses.kind === "answer" ? null : brokenChain(alias, addresses, "address");
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
  const path = shown(names);
  if (end.kind === "failed") {
    const asked = path === "" ? alias.host : `${alias.host}, which points to ${path}`;
    return {
      code: "chain_broken",
      message: `DNS could not be asked about ${asked}: ${shown([end.reason])}.`,
    };
  }
  // A single alias that leads nowhere is a wrong target; a longer chain that does is broken on its
  // way.
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
 * As checkAlias(); a key that the customer published in place of the CNAME is told apart from
 * nothing at all.
 */
async function checkDkimAlias(resolver: Resolver, key: ExpectedKey) {
  const failure = await checkAlias(resolver, key, DKIM);
  if (failure?.code !== DKIM.missing) return failure;
  const texts = await resolver.texts(key.host);
  if (
    texts.kind !== "answer" ||
    !texts.values.some(isKeyRecord) ||
    holdsOnly(texts.values, key.publicKey)
  )
    return failure;
  const message = `${key.host} has a TXT record with another DKIM key. Replace it by a CNAME record that points to ${key.target}.`;
  return { code: "dkim_mismatch" as const, message };
}

async function checkReturnPath(resolver: Resolver, alias: Alias) {
  const [servers, texts] = await Promise.all([
    resolver.mailServers(alias.target),
    resolver.texts(alias.target),
  ]);
  if (servers.kind === "failed") return brokenChain(alias, servers, "MX");
  if (texts.kind === "failed") return brokenChain(alias, texts, "TXT");
  // Either record shows that the name exists, so that only the other one is missing.
  if (servers.kind === "nxdomain" && texts.kind === "nxdomain")
    return brokenChain(alias, servers, "MX");
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
  if (texts.kind !== "answer") return brokenChain(key, texts, "TXT");
  if (holdsOnly(texts.values, key.publicKey)) return null;
  return {
    code: "dkim_mismatch" as const,
    message: `${key.host} leads to ${key.target}, which does not have the DKIM key that signs this domain's mail.`,
  };
}

function brokenChain(alias: Alias, found: Exclude<DnsLookup, { kind: "answer" }>, records: string) {
  const why =
    found.kind === "failed"
      ? `DNS could not be asked about it: ${found.reason}`
      : found.kind === "nxdomain"
        ? "that name does not exist"
        : `it has no ${records} record`;
  return {
    code: "chain_broken" as const,
    message: `${alias.host} points to ${alias.target} as it should, but ${why}.`,
  };
}

/** RFC 7208 section 4.5: the version, then a space or the end. */
function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

function isKeyRecord(text: string): boolean {
  return tagsOf(text).has("p");
}

/**
 * Whether every DKIM key among the TXT records is this one, and it is there: a verifier may take
 * any of them.
 */
function holdsOnly(texts: readonly string[], publicKey: string): boolean {
  const keys = texts.map(tagsOf).filter((tags) => tags.has("p"));
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

/** A DKIM tag list (RFC 6376 section 3.2), white space removed from the values. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0)
      tags.set(part.slice(0, equals).trim(), part.slice(equals + 1).replace(/\s+/g, ""));
  }
  return tags;
}

/** Names from strangers, fit for a message. */
function shown(names: readonly string[]): string {
  return (
    names
      .map(canonical)
      .join(", ")
      .replace(/[^\x21-\x7e ]/g, "?")
      .slice(0, SHOWN_CHARACTERS) || "the root"
  );
}
