// Makes entries of GET /v1/stats for tests.
import type { EventCounts } from "../../../packages/postern/src/generated/types.ts";
import { type CountedSpan, NOTHING } from "../../../console/src/pages/overview/overview-figures.ts";

export function countsWith(counts: Partial<EventCounts>): EventCounts {
  return { ...NOTHING, ...counts };
}

/** Makes a day's entry; `domain` is left out unless it is given. */
export function entryOn(
  day: number,
  counts: Partial<EventCounts>,
  domain?: string,
  bounced: Record<string, number> = {},
): CountedSpan {
  return {
    start: new Date(Date.UTC(2026, 10, day)).toISOString(),
    ...(domain !== undefined && { recipient_domain: domain }),
    counts: countsWith(counts),
    bounced,
  };
}
