// `postern stats`: counts of events by interval. The table leaves out intervals without events.
import type { GetStatsQuery, Stats } from "../../generated/types.ts";
import { requestRun, type Columns, table } from "../request-actions.ts";
import type { SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import { moment } from "../shown-values.ts";

type Interval = Stats["data"][number];

const GROUPS = { domain: "recipient_domain", provider: "provider" } as const;

export const WINDOW_OPTIONS: OptionTable = {
  since: { value: "<time>", summary: "From this date or time; default: 24 hours ago" },
  until: { value: "<time>", summary: "Up to this date or time; default: now" },
};

export const STATS_COMMAND: SingleCommand = {
  name: "stats",
  summary: "Count the outcomes of the mail by hour or day",
  options: {
    ...WINDOW_OPTIONS,
    interval: { value: "<interval>", summary: "hour or day" },
    by: { value: "<group>", summary: "Group by recipients' domain or provider" },
    "without-simulator": { summary: "Leave out mail to the simulator" },
  },
  examples: [
    "postern stats",
    "postern stats --since 2026-11-01 --interval day",
    "postern stats --by provider --json | jq .data",
  ],
  run: requestRun((client, given) => client.stats.get(queryOf(given)), statsLines),
};

function queryOf(given: ParsedArguments): GetStatsQuery {
  const by = given.text("by");
  if (by !== undefined && by !== "domain" && by !== "provider")
    throw wrongUsage(`--by is domain or provider, not ${by}`);
  return definedMembers({
    ...windowOf(given),
    interval: given.text("interval") as GetStatsQuery["interval"],
    group_by: by && GROUPS[by],
    simulator: given.has("without-simulator") ? ("exclude" as const) : undefined,
  });
}

export function windowOf(given: ParsedArguments): {
  readonly start?: string;
  readonly end?: string;
} {
  return definedMembers({ start: given.text("since"), end: given.text("until") });
}

function statsLines({ start, end, data }: Stats, given: ParsedArguments): readonly string[] {
  const busy = data.filter(({ counts }) => Object.values(counts).some((count) => count > 0));
  const title = `${moment(start)} to ${moment(end)}, UTC`;
  if (busy.length === 0) return [title, "", "No events."];
  const names = Object.keys(busy[0]?.counts ?? {}) as (keyof Interval["counts"])[];
  const by = given.text("by");
  const group: Columns<Interval> =
    by === undefined
      ? {}
      : { [by.toUpperCase()]: (one) => one.recipient_domain ?? one.provider ?? "-" };
  const columns: Columns<Interval> = {
    FROM: (one) => moment(one.start),
    ...group,
    ...Object.fromEntries(
      names.map((name) => [name.toUpperCase(), ({ counts }: Interval) => counts[name]]),
    ),
  };
  const counts = Object.fromEntries(
    names.map((name) => [name, busy.reduce((sum, one) => sum + one.counts[name], 0)]),
  ) as unknown as Interval["counts"];
  const shown = busy.length === 1 ? busy : [...busy, { ...busy[0], start: "all", counts }];
  return [title, "", ...table(columns, shown as readonly Interval[])];
}
