// Looks up the DMARC records that decide about a domain, by both RFCs: the names of the tree walk,
// at most eight, and the registered name, which is one of them (RFC 9989 §4.10, RFC 7489 §6.6.3).
import type { Resolver } from "../resolver.ts";
import { type DmarcAnswers, dmarcHost, publishedAt } from "./dmarc-record.ts";
import type { DmarcDomain } from "./dmarc-verdict.ts";
import { walkNames } from "./tree-walk.ts";

/**
 * Asks for all names at once, because a walk of eight questions in a row might outlast the view's
 * deadline. Whether the domain exists is asked only if `np` makes it count.
 */
export async function lookUpDmarc(
  resolver: Pick<Resolver, "texts">,
  domain: string,
  organization: string,
): Promise<DmarcDomain> {
  const names = [...new Set([...walkNames(domain), organization])];
  const answers: DmarcAnswers = new Map(
    await Promise.all(
      names.map(async (name) => [name, await resolver.texts(dmarcHost(name))] as const),
    ),
  );
  return { domain, organization, answers, doesExist: await doesExist(resolver, domain, answers) };
}

/** A name exists if `_dmarc` below it does (RFC 8020), or if DNS gives no answer for it. */
async function doesExist(
  { texts }: Pick<Resolver, "texts">,
  domain: string,
  answers: DmarcAnswers,
): Promise<boolean> {
  if (answers.get(domain)?.kind !== "nxdomain") return true;
  const isAsked = [...answers.keys()].some((name) => {
    const published = publishedAt(answers, name);
    return published.kind === "one" && published.tags.has("np");
  });
  return !isAsked || (await texts(domain)).kind !== "nxdomain";
}
