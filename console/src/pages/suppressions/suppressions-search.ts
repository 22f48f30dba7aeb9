// The URL of the page has the filters, the sort order and the open row. The search text and the
// address at which the list begins may have personal data. They are in the fragment, which the
// browser sends to no server. Pure.
import { decoded } from "../../parts/decoded.ts";

export const REASONS = ["permanent_bounce", "complaint", "unsubscribed", "manual"] as const;
const ORIGINS = ["auto", "manual"] as const;
const SORTS = ["newest", "oldest", "email"] as const;

export type SortChoice = (typeof SORTS)[number];

export interface FilterChoice {
  readonly topic?: string;
  readonly reason?: (typeof REASONS)[number];
  readonly origin?: (typeof ORIGINS)[number];
}

export interface SuppressionsSearch extends FilterChoice {
  readonly open?: string;
  /** Absent: the newest suppressions come first. */
  readonly sort?: Exclude<SortChoice, "newest">;
}

/** The part of the URL that stays in the browser. */
export interface SuppressionTexts {
  /** A part of the address. */
  readonly contains: string;
  /**
   * The address at which a list sorted by address begins. Empty: the list begins with its first
   * entry.
   */
  readonly from: string;
}

const FROM = "&from=";

export function suppressionsSearch(given: Record<string, unknown>): SuppressionsSearch {
  const { open } = given;
  // The router reads `2024` as a number, so a number is converted to text.
  const topic = typeof given["topic"] === "number" ? String(given["topic"]) : given["topic"];
  const reason = REASONS.find((one) => one === given["reason"]);
  const origin = ORIGINS.find((one) => one === given["origin"]);
  const sort = SORTS.find((one) => one === given["sort"]);
  return {
    ...(typeof open === "string" && { open }),
    ...(typeof topic === "string" && topic !== "" && { topic }),
    ...(reason && { reason }),
    ...(origin && { origin }),
    ...(sort && sort !== "newest" && { sort }),
  };
}

/** Returns the filters, named as in the API. */
export function suppressionQuery(
  { topic, reason, origin }: FilterChoice,
  contains: string,
): FilterChoice & { readonly email_contains?: string } {
  return {
    ...(contains !== "" && { email_contains: contains }),
    ...(topic !== undefined && { topic }),
    ...(reason && { reason }),
    ...(origin && { origin }),
  };
}

/** Returns the query of the list: filters and sort order. */
export function listQuery({ sort, ...filters }: SuppressionsSearch, texts: SuppressionTexts) {
  const { contains, from } = texts;
  return {
    ...suppressionQuery(filters, contains),
    ...(sort && { sort }),
    ...(sort === "email" && from !== "" && { email_from: from }),
  };
}

/** Reads a fragment such as `anna%40&from=anna%40example.org`. */
export function readTexts(fragment: string): SuppressionTexts {
  const [contains = "", from = ""] = fragment.replace(/^#/, "").split(FROM);
  return { contains: decoded(contains), from: decoded(from) };
}

export function writeTexts({ contains, from }: SuppressionTexts): string {
  const start = from === "" ? "" : FROM + encodeURIComponent(from);
  return encodeURIComponent(contains) + start;
}
