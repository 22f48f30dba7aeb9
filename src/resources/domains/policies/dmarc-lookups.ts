// Looks up the DMARC records that apply to a domain by both RFCs. RFC 9989 §4.10 uses the records
// at up to eight names of its tree walk. RFC 7489 §6.6.3 uses the record at the registered name,
// which is normally one of the eight names.
import type { Resolver } from "../resolver.ts";
import { type DmarcAnswers, dmarcHost, publishedAt } from "./dmarc-record.ts";
import type { DmarcDomain } from "./dmarc-result.ts";
import { walkNames } from "./tree-walk.ts";

/**
 * Looks up all names in parallel, because eight look-ups in sequence might exceed the view's
 * deadline. If a record has `np`, also looks up whether the domain exists.
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
 * Returns whether the domain exists. It exists if `_dmarc` below it exists (RFC 8020). If the
 * look-up fails, the domain counts as existing.
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
