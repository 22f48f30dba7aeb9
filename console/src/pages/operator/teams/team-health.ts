// Reads the mail of the listed teams in the last 24 hours, and judges each team. The list appears
// before these reports. For each report the service reads a day of events. Therefore only a few
// reports are read at once, and each report only once in some minutes.
import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Deliverability } from "../../../../../packages/postern/src/generated/types.ts";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { useAttention } from "../operator-queries.ts";
import { figuresOf, type ListedTeam, severityOf } from "./team-ranking.ts";

const READ_AT_ONCE = 6;
const FRESH_MS = 300_000;

type Report = Pick<Deliverability, "providers" | "findings">;

/**
 * Reads the reports in the order of the list. `readCount` is the number of reports that were read.
 */
export function useTeamHealth(teams: readonly Team[]) {
  const attention = useAttention();
  const worst = new Map(attention.data?.worst.map(({ team, severity }) => [team.id, severity]));
  const [asked, setAsked] = useState(READ_AT_ONCE);
  const { reports, endedCount } = useQueries({
    queries: teams.map(({ id }, index) => ({
      queryKey: ["operator", "team report", id],
      queryFn: async (): Promise<Report> => {
        const { providers, findings } = await operatorApi.teams.getDeliverability(id);
        return { providers, findings };
      },
      staleTime: FRESH_MS,
      enabled: index < asked,
    })),
    combine: (results) => ({
      reports: results.map(({ data }) => data),
      endedCount: results.filter(({ data, isError }) => data !== undefined || isError).length,
    }),
  });
  useEffect(() => setAsked(endedCount + READ_AT_ONCE), [endedCount]);
  return {
    readCount: endedCount,
    listed: teams.map((team, index): ListedTeam => {
      const report = reports[index];
      return {
        team,
        figures: report && figuresOf(report),
        severity: worst.get(team.id) ?? (report && severityOf(report)),
      };
    }),
  };
}
