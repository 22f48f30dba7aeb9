// Looks up MTA-STS policies (RFC 8461). A domain publishes such a policy by DNS and HTTPS. The
// policy names the domain's mail servers, and requires valid TLS. Only policies in mode `enforce`
// count. If a policy can't be fetched, the last known policy stays in force.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { queryDns, type DnsResolver } from "./mx.ts";
import { isPublicAddress } from "./public-address.ts";

/**
 * The `mx` patterns of an enforced policy. Each pattern is a host name, or `*.` followed by a
 * domain.
 */
export type StsPatterns = readonly string[];

/** Fetches the text of a domain's policy file. Rejects if it can't be fetched. */
export type FetchPolicy = (domain: string) => Promise<string>;

interface Known {
  readonly id: string | null;
  /** The patterns of the enforced policy. Null: the domain enforces no policy. */
  readonly patterns: StsPatterns | null;
  /** Time when the policy expires, in milliseconds of the process's clock. */
  readonly expires: number;
  checked: number;
}

const DOMAINS_KNOWN_MAX = 10_000;
const POLICY_RECHECK_MS = 300_000;
const POLICY_MAX_BYTES = 64 * 1024;
const MAX_AGE_MAX_SECONDS = 31_557_600;
const FETCH_TIMEOUT_MS = 15_000;

export class MtaSts {
  readonly #dns: DnsResolver;
  readonly #fetch: FetchPolicy;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #looking = new Map<string, Promise<StsPatterns | null>>();

  constructor(
    dns: DnsResolver,
    fetchPolicy: FetchPolicy,
    now: () => number = () => performance.now(),
  ) {
    this.#dns = dns;
    this.#fetch = fetchPolicy;
    this.#now = now;
  }

  /**
   * Resolves with the patterns of the domain's enforced policy; a mail server must match one of
   * them. Resolves with null if the domain enforces no policy. Never rejects.
   */
  async enforcedBy(domain: string): Promise<StsPatterns | null> {
    const known = this.#known.get(domain);
    if (known && known.checked + POLICY_RECHECK_MS > this.#now()) return known.patterns;
    const looking = this.#looking.get(domain);
    if (looking) return looking;
    const lookup = this.#lookUp(domain).finally(() => this.#looking.delete(domain));
    this.#looking.set(domain, lookup);
    return lookup;
  }

  async #lookUp(domain: string): Promise<StsPatterns | null> {
    const before = this.#known.get(domain);
    const valid = before && before.expires > this.#now() ? before : undefined;
    const id = await this.#publishedId(domain);
    let known: Known = valid ?? { id: null, patterns: null, expires: 0, checked: 0 };
    if (id !== null && id !== valid?.id) known = (await this.#fetchPolicy(domain, id)) ?? known;
    known.checked = this.#now();
    this.#known.delete(domain);
    if (this.#known.size >= DOMAINS_KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(domain, known);
    return known.patterns;
  }

  /**
   * Returns the id of the published policy. Returns null if the domain publishes no policy or the
   * look-up failed.
   */
  async #publishedId(domain: string): Promise<string | null> {
    const answer = await queryDns(() => this.#dns.resolveTxt(`_mta-sts.${domain}`));
    if ("failed" in answer) return null;
    const records = answer.records
      .map((strings) => strings.join(""))
      .filter((text) => /^v=STSv1\s*(?:;|$)/.test(text));
    if (records.length !== 1) return null;
    return /;\s*id\s*=\s*([a-z0-9]{1,32})\s*(?:;|$)/i.exec(records[0]!)?.[1] ?? null;
  }

  async #fetchPolicy(domain: string, id: string): Promise<Known | null> {
    try {
      const policy = parsePolicy(await this.#fetch(domain));
      return (
        policy && {
          id,
          patterns: policy.patterns,
          expires: this.#now() + policy.maxAgeSeconds * 1000,
          checked: 0,
        }
      );
    } catch {
      return null;
    }
  }
}

/**
 * Parses a policy file. Returns null if the file is malformed. `patterns` is null if the policy's
 * mode is not `enforce`.
 */
function parsePolicy(text: string): { patterns: StsPatterns | null; maxAgeSeconds: number } | null {
  const fields = text.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(":");
    return { name: line.slice(0, Math.max(colon, 0)).trim(), value: line.slice(colon + 1).trim() };
  });
  const first = (name: string): string => fields.find((field) => field.name === name)?.value ?? "";
  const mode = first("mode");
  const maxAge = first("max_age");
  const mx = fields
    .filter((field) => field.name === "mx")
    .map((field) => field.value.toLowerCase());
  if (
    first("version") !== "STSv1" ||
    !["enforce", "testing", "none"].includes(mode) ||
    !/^\d{1,10}$/.test(maxAge)
  )
    return null;
  if (mode !== "none" && mx.length === 0) return null;
  return {
    patterns: mode === "enforce" ? mx : null,
    maxAgeSeconds: Math.min(Number(maxAge), MAX_AGE_MAX_SECONDS),
  };
}

/**
 * Tells whether a mail server's name matches one of the patterns. A wildcard stands for exactly one
 * label.
 */
export function matchesPolicy(host: string, patterns: StsPatterns): boolean {
  const name = host.toLowerCase();
  const parent = name.slice(name.indexOf(".") + 1);
  return patterns.some((pattern) =>
    pattern.startsWith("*.") ? name.includes(".") && parent === pattern.slice(2) : name === pattern,
  );
}

/**
 * Returns a function that fetches policy files over HTTPS. The function demands a valid certificate
 * and a public IP address, and follows no redirect. It stops after 64 KB or 15 seconds.
 */
export function createPolicyFetcher(dns: DnsResolver, allowPrivate: boolean): FetchPolicy {
  return async (domain) => {
    const name = `mta-sts.${domain}`;
    const answers = await Promise.all([
      queryDns(() => dns.resolve4(name)),
      queryDns(() => dns.resolve6(name)),
    ]);
    const addresses = answers.flatMap((answer) => ("records" in answer ? answer.records : []));
    const host = addresses.find((address) => allowPrivate || isPublicAddress(address));
    if (host === undefined) throw new Error("the policy host has no usable address");
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const outgoing = request({
      host,
      path: "/.well-known/mta-sts.txt",
      servername: name,
      headers: { host: name, "user-agent": "postern-gateway" },
      agent: false,
      signal,
    });
    outgoing.on("error", () => {}).end();
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return readText(incoming);
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  if (incoming.statusCode !== 200) {
    incoming.destroy();
    throw new Error(`the policy host answered ${incoming.statusCode}`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > POLICY_MAX_BYTES) throw new Error("the policy is larger than 64 KB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
