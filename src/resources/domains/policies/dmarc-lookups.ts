// Looks up the DMARC records that apply to a domain under either RFC. Their names are those of the
// tree walk, at most eight, and the registered name, which is one of the eight (RFC 9989 §4.10, RFC
// 7489 §6.6.3).
import type { Resolver } from "../resolver.ts";
import { type DmarcAnswers, dmarcHost, publishedAt } from "./dmarc-record.ts";
import type { DmarcDomain } from "./dmarc-result.ts";
import { walkNames } from "./tree-walk.ts";

/**
 * Looks all names up at once, because a walk of eight look-ups in a row might exceed the view's
 * deadline. Looks up whether the domain exists only if a record has `np`.
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
 * A name exists if `_dmarc` below it exists (RFC 8020). A name also counts as existing if DNS gives
 * no answer for it.
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
