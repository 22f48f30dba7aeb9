// The open row, the search text, the sort order and the selected queue on the operator's pages. The
// URL stores them.

const TEAM_SORTS = ["newest", "attention", "sent", "bounced"] as const;
export type TeamSort = (typeof TEAM_SORTS)[number];

export const QUEUES = ["postern-deliver", "postern-webhook", "postern-dns-cleanup"] as const;
export type ChosenQueue = (typeof QUEUES)[number];

interface TeamsSearch {
  open?: string;
  /** A part of a team's name or domain, or its id. */
  q?: string;
  /** Absent: the newest teams come first. */
  sort?: Exclude<TeamSort, "newest">;
}

interface LettersSearch {
  open?: string;
  queue?: ChosenQueue;
}

export function teamsSearch({ open, q, sort }: Record<string, unknown>): TeamsSearch {
  const known = TEAM_SORTS.find((one) => one === sort);
  return {
    ...(known && known !== "newest" && { sort: known }),
    ...(typeof open === "string" && { open }),
    ...((typeof q === "string" || typeof q === "number") && q !== "" && { q: String(q) }),
  };
}

export function lettersSearch({ open, queue }: Record<string, unknown>): LettersSearch {
  const known = QUEUES.find((one) => one === queue);
  return { ...(typeof open === "string" && { open }), ...(known && { queue: known }) };
}
