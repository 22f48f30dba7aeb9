// Determines the DMARC policy of a domain under two RFCs. RFC 9989 replaced RFC 7489 in May 2026,
// and some receivers still follow RFC 7489. Pure.
import {
  type Action,
  actionOf,
  type DmarcAnswers,
  hasReportAddress,
  invalidTag,
  isTest,
  percentageOf,
  type PolicyTag,
  publishedAt,
  type PublishedDmarc,
  type Tags,
} from "./dmarc-record.ts";
import { walkNames, walkTree } from "./tree-walk.ts";

export interface DmarcDomain {
  readonly domain: string;
  /** The organizational domain of RFC 7489 §3.2: the registered name. */
  readonly organization: string;
  readonly answers: DmarcAnswers;
  /** False: DNS answered NXDOMAIN for the domain itself (RFC 9989 §3.2.13). */
  readonly doesExist: boolean;
}

/** `domain` is the name that has the record, without `_dmarc`. */
export type DmarcResult =
  | {
      readonly kind: "policy";
      readonly domain: string;
      readonly tags: Tags;
      readonly tag: PolicyTag;
      readonly published: Action;
      readonly asked: Action;
      /**
       * Percentage of the mail to which `asked` applies. The next weaker action applies to the rest
       * of the mail.
       */
      readonly share: number;
      /**
       * The tag that makes `asked` the next weaker action after `published`. Null: both actions are
       * equal.
       */
      readonly loweredBy: "t=y" | "pct=0" | null;
    }
  /** The record is invalid. Receivers treat it as p=none if it has `rua`, or else ignore it. */
  | {
      readonly kind: "void";
      readonly domain: string;
      readonly tag: PolicyTag;
      readonly isMonitored: boolean;
    }
  | { readonly kind: "several"; readonly domain: string; readonly count: number }
  | { readonly kind: "absent" }
  | (Extract<PublishedDmarc, { kind: "unknown" }> & { readonly domain: string });

const ONE_LESS: Readonly<Record<Action, Action>> = {
  reject: "quarantine",
  quarantine: "none",
  none: "none",
};

/** Returns the action for the mail that `pct` or `t` exempts (RFC 7489 §6.6.4, RFC 9989 §4.7). */
export function oneLess(action: Action): Action {
  return ONE_LESS[action];
}

/** Finds the policy by RFC 7489 §6.6.3. */
export function resultBy7489({ domain, organization, answers }: DmarcDomain): DmarcResult {
  const place = publishedAt(answers, domain).kind === "none" ? organization : domain;
  const published = publishedAt(answers, place);
  if (published.kind === "none") return { kind: "absent" };
  if (published.kind !== "one") return { ...published, domain: place };
  const { tags } = published;
  const tag = place !== domain && tags.has("sp") ? "sp" : "p";
  return readRecord(place, tags, tag, ["sp"], (action) => {
    const share = percentageOf(tags);
    return share === 0
      ? { asked: oneLess(action), share: 100, loweredBy: "pct=0" }
      : { asked: action, share, loweredBy: null };
  });
}

/** Finds the policy by RFC 9989 §4.10.1. Ignores the records of a name that has several. */
export function resultBy9989({ domain, answers, doesExist }: DmarcDomain): DmarcResult {
  const own = publishedAt(answers, domain);
  if (own.kind === "unknown") return { ...own, domain };
  if (own.kind === "one") return readByTest(domain, own.tags, "p");
  const { records, organization, fault } = walkTree(answers, domain);
  if (fault) return fault;
  // The last record of the tree walk may be the public suffix's record. It applies if the
  // organizational domain has no record.
  const record = records.find((one) => one.domain === organization) ?? records.at(-1);
  if (record === undefined) return severalOnTheWay(answers, domain);
  return readByTest(record.domain, record.tags, inheritedTag(record.tags, doesExist));
}

function severalOnTheWay(answers: DmarcAnswers, domain: string): DmarcResult {
  for (const name of walkNames(domain)) {
    const published = publishedAt(answers, name);
    if (published.kind === "several") return { ...published, domain: name };
  }
  return { kind: "absent" };
}

function inheritedTag(tags: Tags, doesExist: boolean): PolicyTag {
  if (!doesExist && tags.has("np")) return "np";
  return tags.has("sp") ? "sp" : "p";
}

function readByTest(place: string, tags: Tags, tag: PolicyTag): DmarcResult {
  return readRecord(place, tags, tag, ["sp", "np"], (action) =>
    isTest(tags)
      ? { asked: oneLess(action), share: 100, loweredBy: "t=y" }
      : { asked: action, share: 100, loweredBy: null },
  );
}

/**
 * Makes the result from a record. A record without a valid `p`, or with an invalid policy tag, is
 * `void`.
 */
function readRecord(
  domain: string,
  tags: Tags,
  tag: PolicyTag,
  known: readonly PolicyTag[],
  weigh: (published: Action) => {
    readonly asked: Action;
    readonly share: number;
    readonly loweredBy: "t=y" | "pct=0" | null;
  },
): DmarcResult {
  const spoilt = invalidTag(tags, known);
  const published = actionOf(tags, tag);
  if (spoilt !== undefined || published === null)
    return { kind: "void", domain, tag: spoilt ?? tag, isMonitored: hasReportAddress(tags) };
  const whole = { asked: published, share: 100, loweredBy: null };
  const weighed = published === "none" ? whole : weigh(published);
  return { kind: "policy", domain, tags, tag, published, ...weighed };
}
