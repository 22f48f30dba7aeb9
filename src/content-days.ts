// Decides for how many days a team's sent content is kept (contract.md §Kept content): by the
// team's own choice, within the operator's bounds and the team's event retention. Pure.
import { CONTENT_DAYS } from "./operator/setting-table.ts";

export type ContentDays = (typeof CONTENT_DAYS)[number];

/** The operator's bounds, in days. */
export interface ContentBounds {
  /** The days for teams that have not chosen. */
  readonly standard: ContentDays;
  readonly most: ContentDays;
}

/**
 * Returns the number of days that applies to a team. `contentDays` is null if the team has not
 * chosen.
 */
export function contentDaysOf(
  team: { readonly contentDays: ContentDays | null; readonly eventRetentionDays: number },
  bounds: ContentBounds,
): ContentDays {
  const most = mostContentDays(team.eventRetentionDays, bounds);
  const chosen = team.contentDays ?? bounds.standard;
  return chosen < most ? chosen : most;
}

/** Returns the maximum number of days that a team with this event retention may choose. */
export function mostContentDays(eventRetentionDays: number, { most }: ContentBounds): ContentDays {
  return CONTENT_DAYS.findLast((days) => days <= Math.min(most, eventRetentionDays)) ?? 0;
}
