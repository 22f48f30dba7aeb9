// Finds the organizational domain of a name by the DMARC records of the names above it (RFC 9989
// §4.10). Pure.
import {
  type DmarcAnswers,
  publishedAt,
  type PublishedDmarc,
  suffixFlag,
  type Tags,
} from "./dmarc-record.ts";

/** One name of a walk with its only DMARC record. */
interface RecordFound {
  readonly domain: string;
  readonly tags: Tags;
}

export interface TreeWalk {
  /** Records on the way, from the longest name to the shortest. */
  readonly records: readonly RecordFound[];
  /** Null: DNS gave no answer for `fault`, so the walk did not end. */
  readonly organization: string | null;
  readonly fault:
    | (Extract<PublishedDmarc, { kind: "unknown" }> & { readonly domain: string })
    | null;
}

/** A longer name is shortened to so many labels, so that a walk takes eight queries at most. */
const LABELS_AFTER_FIRST = 7;

/** Returns the names of a walk in order: the domain, then the names above it. */
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
 * Selects by RFC 9989 §4.10.2. A record with a `psd` of `y` or `n` ends a walk, so it can only be
 * the last one. Where the walk starts, `psd=y` leaves the domain itself, which has no longer name.
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
