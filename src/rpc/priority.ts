// The priorities of a send (contract.md §Priority).

/** The ledger releases `high` mail before the team's `normal` mail. */
export const PRIORITIES = ["high", "normal"] as const;

export type Priority = (typeof PRIORITIES)[number];
