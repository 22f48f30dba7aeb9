// Finds the DMARC policy record among a name's TXT records, and reads its tags (RFC 9989 §4.7 and
// §4.8, RFC 7489 §6.3). Pure.
import { parseTags } from "../text-records.ts";
import { type DnsLookup, valuesIn } from "../resolver.ts";

export type Action = "none" | "quarantine" | "reject";
export type PolicyTag = "p" | "sp" | "np";
export type Tags = ReadonlyMap<string, string>;

/** The DNS answers for `_dmarc.<name>`, by `<name>`. */
export type DmarcAnswers = ReadonlyMap<string, DnsLookup>;

type Failed = Extract<DnsLookup, { kind: "failed" }>;

/** The DMARC records at one name. Receivers ignore all records of a name with several records. */
export type PublishedDmarc =
  | { readonly kind: "one"; readonly tags: Tags }
  | { readonly kind: "several"; readonly count: number }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly lookup: Failed };

/**
 * Matches the version tag, which must come first and be spelled exactly (RFC 9989 §4.7, RFC 7489
 * §6.3).
 */
const RECORD = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
const MEANT_AS_RECORD = /^\s*v\s*=\s*dmarc/i;
const ACTIONS: readonly string[] = ["none", "quarantine", "reject"] satisfies Action[];
const REPORT_ADDRESS = /(?:^|,)[a-z][a-z0-9+.-]*:[^,]/i;
const REPORT_MAILBOX = /(?:^|,)mailto:[^,@]+@/i;

export function dmarcHost(domain: string): string {
  return `_dmarc.${domain}`;
}

/**
 * Returns the DMARC records at a name. Treats a name that was not looked up as a name without a
 * record.
 */
export function publishedAt(answers: DmarcAnswers, domain: string): PublishedDmarc {
  const lookup = answers.get(domain);
  if (lookup?.kind === "failed") return { kind: "unknown", lookup };
  const [record, ...others] = valuesIn(lookup).filter((text) => RECORD.test(text));
  if (record === undefined) return { kind: "none" };
  if (others.length > 0) return { kind: "several", count: others.length + 1 };
  const tags = [...parseTags(record)].map(([name, value]) => [name.toLowerCase(), value] as const);
  return { kind: "one", tags: new Map(tags) };
}

/** Returns a text that was meant as a DMARC record but does not begin with the version. */
export function malformedAt(answers: DmarcAnswers, domain: string): string | undefined {
  return valuesIn(answers.get(domain)).find((text) => MEANT_AS_RECORD.test(text));
}

/** Returns the tag's action, or null if the tag is absent or invalid. */
export function actionOf(tags: Tags, name: PolicyTag): Action | null {
  const action = tags.get(name)?.toLowerCase() ?? "";
  return isAction(action) ? action : null;
}

/** Returns the first of these tags that makes the whole record invalid, or undefined. */
export function invalidTag(tags: Tags, optional: readonly PolicyTag[]): PolicyTag | undefined {
  if (actionOf(tags, "p") === null) return "p";
  return optional.find((name) => tags.has(name) && actionOf(tags, name) === null);
}

/**
 * Returns `pct`. Returns 100 if `pct` is absent or not a number from 0 to 100, because receivers
 * ignore such a value (RFC 7489 §6.3).
 */
export function percentageOf(tags: Tags): number {
  const text = tags.get("pct") ?? "";
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : 100;
}

export function isTest(tags: Tags): boolean {
  return tags.get("t")?.toLowerCase() === "y";
}

/**
 * Returns the value of `psd`. Any value other than `y` and `n` counts as `u`, the default (RFC 9989
 * §4.7 and §4.8).
 */
export function suffixFlag(tags: Tags): "y" | "n" | "u" {
  const flag = tags.get("psd")?.toLowerCase();
  return flag === "y" || flag === "n" ? flag : "u";
}

/** Returns whether `rua` has an address of any scheme, even of one that receivers may ignore. */
export function hasReportAddress(tags: Tags): boolean {
  return REPORT_ADDRESS.test(tags.get("rua") ?? "");
}

export function hasReportMailbox(tags: Tags): boolean {
  return REPORT_MAILBOX.test(tags.get("rua") ?? "");
}

function isAction(text: string): text is Action {
  return ACTIONS.includes(text);
}
