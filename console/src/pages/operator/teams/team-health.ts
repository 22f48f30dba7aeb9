// Reads the mail of the listed teams in the last 24 hours, and how well they are. The list appears
// before these reports.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Deliverability } from "../../../../../packages/postern/src/generated/types.ts";
import type { Team } from "../../../api/operator/types.ts";
import { operatorApi } from "../../../api/operator-api-client.ts";
import { ATTENTION_EVERY_MS, useAttention } from "../operator-queries.ts";
import { figuresOf, type ListedTeam, severityOf } from "./team-ranking.ts";

/** The mail of more teams is not read, because each report costs the service a read of a day. */
const MOST_READ = 100;
const READ_AT_ONCE = 6;

export function useTeamHealth(teams: readonly Team[]): readonly ListedTeam[] {
  const attention = useAttention();
  const worst = new Map(attention.data?.worst.map(({ team, severity }) => [team.id, severity]));
  const ids = teams.slice(0, MOST_READ).map(({ id }) => id);
  const { data: reports } = useQuery({
    queryKey: ["operator", "team reports", ids],
    queryFn: () => readReports(ids),
    placeholderData: keepPreviousData,
    staleTime: ATTENTION_EVERY_MS,
    enabled: ids.length > 0,
  });
  return teams.map((team) => {
    const report = reports?.get(team.id);
    return {
      team,
      figures: report && figuresOf(report),
      severity: worst.get(team.id) ?? (report && severityOf(report)),
    };
  });
}

/** A team whose report can't be read has no figures. */
async function readReports(ids: readonly string[]): Promise<ReadonlyMap<string, Deliverability>> {
  const reports = new Map<string, Deliverability>();
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE);
    const read = await Promise.allSettled(
      some.map((id) => operatorApi.teams.getDeliverability(id)),
    );
    for (const [index, one] of read.entries())
      if (one.status === "fulfilled") reports.set(some[index] ?? "", one.value);
  }
  return reports;
}
