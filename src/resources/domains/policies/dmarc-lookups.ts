// Looks up the DMARC records that apply to a domain under either RFC: the records of the at most
// eight names of the tree walk (RFC 9989 §4.10), and the record of the registered name (RFC 7489
// §6.6.3). The registered name is normally one of the eight.
import type { Resolver } from "../resolver.ts";
import { type DmarcAnswers, dmarcHost, publishedAt } from "./dmarc-record.ts";
import type { DmarcDomain } from "./dmarc-result.ts";
import { walkNames } from "./tree-walk.ts";

/**
 * Looks all names up in parallel, because eight look-ups one after the other might exceed the
 * view's deadline. Also looks up whether the domain exists, but only if a record has `np`.
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

/**
 * A name exists if `_dmarc` below the name exists (RFC 8020). A name whose look-up fails also
 * counts as existing.
 */
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
