// Finds the organizational domain of a name by the DMARC records of its parent names (RFC 9989
// §4.10). Pure.
import {
  type DmarcAnswers,
  publishedAt,
  type PublishedDmarc,
  suffixFlag,
  type Tags,
} from "./dmarc-record.ts";

/** A name of a walk that has exactly one DMARC record. */
interface RecordFound {
  readonly domain: string;
  readonly tags: Tags;
}

export interface TreeWalk {
  /** The records that the walk found, from the longest name to the shortest. */
  readonly records: readonly RecordFound[];
  /** The organizational domain. Null: DNS did not answer for the name in `fault`. */
  readonly organization: string | null;
  readonly fault:
    | (Extract<PublishedDmarc, { kind: "unknown" }> & { readonly domain: string })
    | null;
}

/**
 * After its first query, a walk continues with names of at most this many labels. So it makes at
 * most eight queries.
 */
const LABELS_AFTER_FIRST = 7;

/** Returns the names of a walk in order: the domain, then its parent names. */
export function walkNames(domain: string): string[] {
  const labels = domain.split(".");
  const above = Math.min(labels.length - 1, LABELS_AFTER_FIRST);
  return [
    domain,
    ...Array.from({ length: above }, (_, nth) => labels.slice(nth - above).join(".")),
  ];
}

export function walkTree(answers: DmarcAnswers, domain: string): TreeWalk {
  const records: RecordFound[] = [];
  for (const name of walkNames(domain)) {
    const published = publishedAt(answers, name);
    if (published.kind === "unknown")
      return { records, organization: null, fault: { ...published, domain: name } };
    if (published.kind !== "one") continue;
    records.push({ domain: name, tags: published.tags });
    if (suffixFlag(published.tags) !== "u") break;
  }
  return { records, organization: selectOrganization(domain, records), fault: null };
}

/**
 * Selects the organizational domain by RFC 9989 §4.10.2. A record with `psd=y` or `psd=n` ends a
 * walk, so only the last record can have such a tag. If the domain itself has `psd=y`, the domain
 * is the result.
 */
function selectOrganization(domain: string, records: readonly RecordFound[]): string {
  const last = records.at(-1);
  if (last === undefined) return domain;
  if (suffixFlag(last.tags) !== "y") return last.domain;
  return domain
    .split(".")
    .slice(-last.domain.split(".").length - 1)
    .join(".");
}
