// Asks DNS for the gateway's checks of itself. A failed look-up gives an error and not an empty
// answer, because a resolver without an answer proves nothing about a record.
import { Resolver } from "node:dns/promises";

type RecordType = "A" | "AAAA" | "MX" | "PTR" | "TXT";

/**
 * Resolves with the values of the records, or with an empty list if the name has no such record.
 * Rejects with NoDnsAnswer if the look-up fails.
 */
export type WatchDns = (name: string, type: RecordType) => Promise<readonly string[]>;

export class NoDnsAnswer extends Error {}

const TIMEOUT_MS = 4_000;
const TRIES = 2;
/** Error codes of node:dns which mean that the name has no such record. */
const ABSENT = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Makes the look-up function. `servers`: addresses with or without a port. If the list is empty,
 * the function asks the system's resolvers.
 */
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

/** Returns a function that asks DNS each question only once and remembers the answer. */
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
