// The URLs of the operator's pages keep the open row, the search text and the selected queue.

export const QUEUES = ["postern-deliver", "postern-webhook", "postern-dns-cleanup"] as const;
export type ChosenQueue = (typeof QUEUES)[number];

interface TeamsSearch {
  open?: string;
  /** Words of a team's name or id. */
  q?: string;
}

interface LettersSearch {
  open?: string;
  queue?: ChosenQueue;
}

export function teamsSearch({ open, q }: Record<string, unknown>): TeamsSearch {
  return {
    ...(typeof open === "string" && { open }),
    ...(typeof q === "string" && q !== "" && { q }),
  };
}

export function lettersSearch({ open, queue }: Record<string, unknown>): LettersSearch {
  const known = QUEUES.find((one) => one === queue);
  return { ...(typeof open === "string" && { open }), ...(known && { queue: known }) };
}
