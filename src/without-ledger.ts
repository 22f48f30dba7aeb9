// Answers as an empty ledger would, for a team that never had mail. So such a team's reads create
// no ledger (docs/near-its-users.md §What decides). Pure.
import type { Team } from "./endpoint.ts";
import { DAY_MS } from "./limits.ts";
import type { Stub } from "./namespace.ts";
import type { Ledger } from "./rpc/ledger.ts";

/** The calls that a team may make before its first mail. */
export type EarlyCalls = Pick<
  Ledger,
  | "find"
  | "findWithContent"
  | "mentioning"
  | "listHeld"
  | "listScheduled"
  | "waitingCampaigns"
  | "cancel"
  | "cancelCampaign"
  | "listAudit"
  | "move"
  | "readTail"
  | "usage"
  | "holdOf"
  | "dropDomain"
  | "dropPendingSuppressions"
  | "webhooksChanged"
>;

const NOTHING_FOUND = { open: null, logged: null };

export function withoutLedger({
  startingCredits,
}: Pick<Team, "startingCredits">): Stub<EarlyCalls> {
  return {
    find: async () => NOTHING_FOUND,
    findWithContent: async () => NOTHING_FOUND,
    mentioning: async () => [],
    listHeld: async () => ({ messages: [], isMore: false, bookmarks: {} }),
    listScheduled: async () => ({ messages: [], isMore: false }),
    waitingCampaigns: async () => [],
    cancel: async () => ({ kind: "gone" }),
    listAudit: async () => [],
    cancelCampaign: async () => ({ emailIds: [], isMore: false }),
    move: async () => false,
    readTail: async () => ({ events: [], seqs: [], origins: [], isMore: false, bookmarks: {} }),
    usage: async (now) => ({
      dailyUsed: 0,
      monthlyUsed: 0,
      overageCredits: startingCredits,
      dailyResetsAt: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
      monthlyResetsAt: endOfMonth(now),
      labels: { tagsPerHour: 0, topicPerHour: 0, campaignPerHour: 0, campaignPer72Hours: 0 },
      messages: 0,
      jobs: 0,
      delivery: {
        waiting: 0,
        queued: 0,
        attempting: 0,
        deferred: 0,
        awaiting: 0,
        oldestAcceptedAt: null,
      },
      unpaged: 0,
      undelivered: 0,
    }),
    holdOf: async () => null,
    dropDomain: async () => undefined,
    dropPendingSuppressions: async () => false,
    webhooksChanged: async () => undefined,
  };
}

function endOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
