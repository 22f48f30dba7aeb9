// Reads the overview's data from the API. It refreshes each minute while the tab is visible.
import { useQuery } from "@tanstack/react-query";
import type { Stats } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { DAY_MS } from "../../parts/time/time-units.ts";
import { isEmpty, totalsOf } from "./overview-figures.ts";
import {
  type SimulatorMail,
  type StatsWindow,
  LONGEST_DAYS,
  windowBefore,
  windowOfRange,
} from "./overview-range.ts";

const POLL = { refetchInterval: 60_000 } as const;
/** A new team's overview polls faster until the first message appears. */
const FIRST_MESSAGE_MS = 5_000;
const MOST = 100;

/**
 * Returns the daily statistics of the longest range. The number of days in the answer reveals the
 * team's retention.
 */
export function useLongestStats(simulator: SimulatorMail) {
  return useQuery({
    queryKey: ["stats", "longest", simulator],
    queryFn: () => readStats(windowOfRange(LONGEST_DAYS, Date.now()), simulator),
    ...POLL,
  });
}

/**
 * Tells whether the team has sent any mail, even if only to the simulator. Undefined: this is not
 * known yet. `hasReal` says whether the team has sent mail to people.
 */
export function useHasMail(hasReal: boolean | undefined): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["stats", "any mail"],
    queryFn: async () => {
      const stats = await readStats(windowOfRange(LONGEST_DAYS, Date.now()), "include");
      return !isEmpty(totalsOf(stats.data));
    },
    enabled: hasReal === false,
    refetchInterval: ({ state }) => (state.data === true ? false : FIRST_MESSAGE_MS),
  });
  return hasReal === true ? true : data;
}

/** Returns the statistics of the last 24 hours. They are requested only while `isShown` is true. */
export function useHours(isShown: boolean, simulator: SimulatorMail) {
  return useQuery({
    queryKey: ["stats", "hours", simulator],
    queryFn: () => readStats(windowOfRange(1, Date.now()), simulator),
    enabled: isShown,
    ...POLL,
  });
}

/**
 * Returns the statistics of the previous period of equal length. Null: the team's retention does
 * not cover this period.
 */
export function useStatsBefore(days: number, simulator: SimulatorMail) {
  return useQuery({
    queryKey: ["stats", "before", days, simulator],
    queryFn: async () => {
      const before = windowBefore(windowOfRange(days, Date.now()));
      if (before.start < Date.now() - LONGEST_DAYS * DAY_MS) return null;
      const stats = await readStats(before, simulator, before.end);
      return Date.parse(stats.start) > before.start ? null : stats;
    },
    ...POLL,
  });
}

export function useRecipientDomains(days: number, simulator: SimulatorMail) {
  return useQuery({
    queryKey: ["stats", "recipient_domain", days, simulator],
    queryFn: () => {
      const { start, interval } = windowOfRange(days, Date.now());
      const group = { interval, group_by: "recipient_domain" as const, simulator };
      return api.stats.get({ start: timeOf(start), ...group });
    },
    ...POLL,
  });
}

export function useOwnDomains() {
  return useQuery({
    queryKey: ["domains", "overview"],
    queryFn: () => api.domains.list({ limit: MOST }).page(),
    ...POLL,
  });
}

export function useWebhooks() {
  return useQuery({
    queryKey: ["webhooks", "overview"],
    queryFn: () => api.webhooks.list({ limit: MOST }).page(),
    ...POLL,
  });
}

function readStats(
  { start, interval }: StatsWindow,
  simulator: SimulatorMail,
  end?: number,
): Promise<Stats> {
  return api.stats.get({
    start: timeOf(start),
    interval,
    simulator,
    ...(end !== undefined && { end: timeOf(end) }),
  });
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
