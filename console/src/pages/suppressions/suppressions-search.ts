// The address of the suppressions' page keeps the filters and the open row. The text of the search
// may be a person's address, so it is in the fragment, which is sent to no server.

export const REASONS = ["permanent_bounce", "complaint", "unsubscribed", "manual"] as const;
export const ORIGINS = ["auto", "manual"] as const;

export interface FilterChoice {
  readonly topic?: string;
  readonly reason?: (typeof REASONS)[number];
  readonly origin?: (typeof ORIGINS)[number];
}

export interface SuppressionsSearch extends FilterChoice {
  readonly open?: string;
}

export function suppressionsSearch(given: Record<string, unknown>): SuppressionsSearch {
  const { open, topic } = given;
  const reason = REASONS.find((one) => one === given["reason"]);
  const origin = ORIGINS.find((one) => one === given["origin"]);
  return {
    ...(typeof open === "string" && { open }),
    ...(typeof topic === "string" && topic !== "" && { topic }),
    ...(reason && { reason }),
    ...(origin && { origin }),
  };
}

/** Returns the query of the API. */
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

/** Reads the text that a fragment holds. */
export function textOfFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
