// Asks DNS for the gateway's checks of itself. A failed look-up differs from a name without
// records, because a silent resolver proves nothing about a record.
import { Resolver } from "node:dns/promises";

type RecordType = "A" | "AAAA" | "MX" | "PTR" | "TXT";

/** Resolves with the values, empty if there is no record. Rejects with NoDnsAnswer. */
export type WatchDns = (name: string, type: RecordType) => Promise<readonly string[]>;

export class NoDnsAnswer extends Error {}

const TIMEOUT_MS = 4_000;
const TRIES = 2;
/** Codes of node:dns for a name without records. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA"]);

/** `servers`: addresses with or without a port; empty: the system's resolvers. */
export function dnsOf(servers: readonly string[]): WatchDns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name, type) => {
    try {
      return await valuesOf(resolver, name, type);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (ABSENT.has(code)) return [];
      throw new NoDnsAnswer(`DNS gave no answer for ${type} ${name} (${code})`);
    }
  };
}

/** Asks each question only once. */
export function remembering(dns: WatchDns): WatchDns {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (name, type) => {
    const question = `${type} ${name}`;
    const answer = asked.get(question) ?? dns(name, type);
    asked.set(question, answer);
    return answer;
  };
}

export async function addressesOf(dns: WatchDns, host: string): Promise<readonly string[]> {
  return (await Promise.all([dns(host, "A"), dns(host, "AAAA")])).flat();
}

async function valuesOf(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
    case "MX":
      return (await resolver.resolveMx(name)).map(({ exchange }) => canonical(exchange));
    case "PTR":
      return (await resolver.resolvePtr(name)).map(canonical);
    case "TXT":
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  }
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
