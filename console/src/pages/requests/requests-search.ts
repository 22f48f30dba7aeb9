// The filter of the page "Requests". The URL stores it.

export const STATUSES = [
  ["", "All"],
  ["4xx", "Refused"],
  ["5xx", "Faults"],
  ["2xx", "Succeeded"],
] as const;

type StatusFilter = (typeof STATUSES)[number][0];

export interface RequestsSearch {
  /** The id of the open row. */
  readonly open?: string;
  readonly status?: StatusFilter;
}

export function readRequestsSearch({ open, status }: Record<string, unknown>): RequestsSearch {
  const known = STATUSES.find(([value]) => value === status)?.[0];
  return {
    ...(typeof open === "string" && { open }),
    ...(known && { status: known }),
  };
}
