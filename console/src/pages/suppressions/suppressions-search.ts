// The address of the suppressions' page keeps the filters, the order and the open row. What may be
// a person's address is in the fragment, which is sent to no server: the text of the search, and
// the address at which the list begins. Pure.

export const REASONS = ["permanent_bounce", "complaint", "unsubscribed", "manual"] as const;
export const ORIGINS = ["auto", "manual"] as const;
export const SORTS = ["newest", "oldest", "email"] as const;

export type SortChoice = (typeof SORTS)[number];

export interface FilterChoice {
  readonly topic?: string;
  readonly reason?: (typeof REASONS)[number];
  readonly origin?: (typeof ORIGINS)[number];
}

export interface SuppressionsSearch extends FilterChoice {
  readonly open?: string;
  /** The newest come first where it is absent. */
  readonly sort?: Exclude<SortChoice, "newest">;
}

/** The part of the address that stays in the browser. */
export interface SuppressionTexts {
  /** Words of the address. */
  readonly contains: string;
  /** The list by address begins here; empty: at its start. */
  readonly from: string;
}

const FROM = "&from=";

export function suppressionsSearch(given: Record<string, unknown>): SuppressionsSearch {
  const { open, topic } = given;
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

/** Returns the filters as the API names them. */
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

/** Returns the query of the list: its filters and its order. */
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

/** Returns a fragment's text; one that is encoded wrongly stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
