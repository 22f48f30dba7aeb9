// Makes a team's deliverability report from its hourly counts of mail (contract.md
// §Deliverability). The team, the operator and the team's own ledger get the report.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { windowOf } from "../stats/count-window.ts";
import { pullHours, type ReadRecentEvents } from "../stats/pull-counts.ts";
import { previousWindow, assessMail } from "./assess-mail.ts";
import { MailWindow } from "./provider-window.ts";
import type { Deliverability, DeliverabilityWindow } from "./wire.ts";

/**
 * Returns the report on a team's mail in a window. The team's ledger passes its own function to
 * read its recent events.
 */
export async function assessTeam(
  env: Env,
  team: Team,
  query: DeliverabilityWindow,
  now: number,
  readRecentEvents?: ReadRecentEvents,
): Promise<Deliverability> {
  const window = windowOf({ ...query, interval: "hour" }, team.eventRetentionDays, now);
  const before = previousWindow(window, team.eventRetentionDays, now);
  const [current, previous] = [new MailWindow(), new MailWindow()];
  const both = { start: before?.start ?? window.start, end: window.end };
  await pullHours(
    env,
    team,
    both,
    { isReal: true, ...(readRecentEvents && { readRecentEvents }) },
    (at, hour) => (at < window.start ? previous : current).add(at, hour),
  );
  return assessMail({ window, before, current, previous, now });
}
