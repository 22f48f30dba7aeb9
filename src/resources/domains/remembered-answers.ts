// Caches a resolver's answers, because several rules look up the same names.
import type { DnsLookup, Resolver } from "./resolver.ts";

/** Makes a resolver that looks up each name only once. */
export function rememberAnswers(resolver: Resolver): Resolver {
  const texts = remember(resolver.texts);
  const mailServers = remember(resolver.mailServers);
  const addresses = remember(resolver.addresses);
  const everyAddress = remember(resolver.everyAddress);
  const chains = new Map<string, ReturnType<Resolver["aliases"]>>();
  return {
    aliases(name, target) {
      const key = `${name} ${target}`;
      const chain = chains.get(key) ?? resolver.aliases(name, target);
      chains.set(key, chain);
      return chain;
    },
    texts,
    mailServers,
    addresses,
    everyAddress,
  };
}

function remember(
  lookUpName: (name: string) => Promise<DnsLookup>,
): (name: string) => Promise<DnsLookup> {
  const answers = new Map<string, Promise<DnsLookup>>();
  return (name) => {
    const answer = answers.get(name) ?? lookUpName(name);
    answers.set(name, answer);
    return answer;
  };
}
