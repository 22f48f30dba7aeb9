// The filter of the page "Replies". The URL stores it.

export const SEEN_FILTERS = [
  ["", "All"],
  ["unseen", "Unseen"],
] as const;

type SeenFilter = (typeof SEEN_FILTERS)[number][0];

export interface RepliesSearch {
  /** The id of the open row. */
  readonly open?: string;
  readonly show?: SeenFilter;
}

export function readRepliesSearch({ open, show }: Record<string, unknown>): RepliesSearch {
  return {
    ...(typeof open === "string" && { open }),
    ...(show === "unseen" && { show }),
  };
}
