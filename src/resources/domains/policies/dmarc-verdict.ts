// Tells what a domain's DMARC records ask of receivers, by each of the two RFCs that receivers
// follow today: RFC 9989 and RFC 7489, which it replaced in May 2026. Pure.
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
  /** The organizational domain of RFC 7489 §3.2: the name that was registered. */
  readonly organization: string;
  readonly answers: DmarcAnswers;
  /** False when DNS answers NXDOMAIN for the domain itself (RFC 9989 §3.2.13). */
  readonly doesExist: boolean;
}

/** `domain` is the name that the record belongs to, `_dmarc` left out. */
export type DmarcVerdict =
  | {
      readonly kind: "policy";
      readonly domain: string;
      readonly tags: Tags;
      readonly tag: PolicyTag;
      readonly published: Action;
      readonly asked: Action;
      /** Percentage of the mail for which `asked` holds. One step less is asked for the rest. */
      readonly share: number;
      /** The tag that makes `asked` one step less than `published`. */
      readonly loweredBy: "t=y" | "pct=0" | null;
    }
  /** The record is void: receivers take it for p=none, or ignore it if it names no `rua`. */
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

/** Returns what is asked of mail that `pct` or `t` exempts (RFC 7489 §6.6.4, RFC 9989 §4.7). */
export function oneLess(action: Action): Action {
  return ONE_LESS[action];
}

/** Discovers the policy by RFC 7489 §6.6.3. */
export function verdictBy7489({ domain, organization, answers }: DmarcDomain): DmarcVerdict {
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

/** Discovers the policy by RFC 9989 §4.10.1. Several records at one name are discarded (§4.10). */
export function verdictBy9989({ domain, answers, doesExist }: DmarcDomain): DmarcVerdict {
  const own = publishedAt(answers, domain);
  if (own.kind === "unknown") return { ...own, domain };
  if (own.kind === "one") return readByTest(domain, own.tags, "p");
  const { records, organization, fault } = walkTree(answers, domain);
  if (fault) return fault;
  // The record of the public suffix, the last one, counts where the organizational domain has none.
  const record = records.find((one) => one.domain === organization) ?? records.at(-1);
  if (record === undefined) return severalOnTheWay(answers, domain);
  return readByTest(record.domain, record.tags, inheritedTag(record.tags, doesExist));
}

function severalOnTheWay(answers: DmarcAnswers, domain: string): DmarcVerdict {
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

function readByTest(place: string, tags: Tags, tag: PolicyTag): DmarcVerdict {
  return readRecord(place, tags, tag, ["sp", "np"], (action) =>
    isTest(tags)
      ? { asked: oneLess(action), share: 100, loweredBy: "t=y" }
      : { asked: action, share: 100, loweredBy: null },
  );
}

/** A record without a valid `p`, or with another policy tag that is not valid, is void. */
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
): DmarcVerdict {
  const spoilt = invalidTag(tags, known);
  const published = actionOf(tags, tag);
  if (spoilt !== undefined || published === null)
    return { kind: "void", domain, tag: spoilt ?? tag, isMonitored: hasReportAddress(tags) };
  const whole = { asked: published, share: 100, loweredBy: null };
  const weighed = published === "none" ? whole : weigh(published);
  return { kind: "policy", domain, tags, tag, published, ...weighed };
}
