// Serves GET /admin/attention: the teams that need the operator, most severe first (contract.md
// §Operator API). Each ledger watches its own team and reports to the Metrics object. So a response
// costs one call to that object, and a new assessment of each listed team.
import { type Endpoint, endpoint, json, type Team } from "../../endpoint.ts";
import {
  type Gauges,
  METRICS_OBJECT,
  type RankedTeam,
  type Worst,
} from "../../rpc/metrics-calls.ts";
import type { Env } from "../../env.ts";
import { describeHold } from "../../explain/explain-hold.ts";
import type { NamedHold } from "../../rpc/holds.ts";
import { logError } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { SECOND_MS } from "../../limits.ts";
import { RefusalError } from "../../refusal.ts";
import { assessTeam } from "../deliverability/assess-team.ts";
import type { MailFinding } from "../deliverability/wire.ts";
import { countTeams } from "../team-settings/team-counts.ts";
import { teamFor } from "../team-settings/team-cache.ts";
import { severityOf } from "./attention-rank.ts";
import { Attention, AttentionQuery, type SendingHold, type TeamAttention } from "./wire.ts";
import { objectOf } from "../../object-of.ts";

const TIMEOUT_MS = 5 * SECOND_MS;
const LISTED = 20;
/**
 * Maximum number of teams whose mail is assessed in parallel. This limits memory: each assessment
 * reads the hours of three days, up to 120 KB per hour (docs/storage.md §Counts).
 */
const REPORTS_AT_ONCE = 4;

export const attentionEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/attention",
    summary: "Get the teams that need attention",
    description:
      "Lists the worst teams first. `critical` and `warning`: a provider refuses or defers " +
      "the team's mail, its bounces or complaints reach a published rate, its mail is stuck or " +
      "held, or its ledger is full. `notice`: the team has mail that has waited for its release for " +
      "over an hour. Each team's ledger watches its own mail, and reports a refusal within " +
      "six minutes.",
    permission: "operator",
    query: AttentionQuery,
    responses: { 200: Attention },
    async handle({ env, query: { skip = "0" }, now }) {
      const [total, { counts, worst }, accountHold] = await Promise.all([
        countTeams(env),
        readWorst(env, Number(skip), now),
        readAccountHold(env),
      ]);
      const entries: (TeamAttention | null)[] = [];
      for (let at = 0; at < worst.length; at += REPORTS_AT_ONCE) {
        const some = worst.slice(at, at + REPORTS_AT_ONCE);
        entries.push(...(await Promise.all(some.map((one) => describeTeam(env, one, now)))));
      }
      const answer: Attention = {
        checked_at: new Date(now).toISOString(),
        account_hold: accountHold,
        teams: { total, ...recount(counts, worst, entries) },
        worst: entries.filter((entry) => entry !== null),
      };
      return json(200, answer);
    },
  }),
];

async function readWorst(env: Env, skip: number, now: number): Promise<Worst> {
  try {
    const metrics = objectOf(env, "METRICS", METRICS_OBJECT);
    return await withTimeout(TIMEOUT_MS, () => metrics.readWorst({ skip, limit: LISTED }, now));
  } catch (error) {
    const fault = new Error("the Metrics object did not answer", { cause: error });
    throw new RefusalError({ code: "storage_unavailable" }, {}, fault);
  }
}

/** Corrects the number of teams of each severity by the new assessments of the listed teams. */
function recount(
  counts: Worst["counts"],
  reports: readonly RankedTeam[],
  entries: readonly (TeamAttention | null)[],
): Worst["counts"] {
  const corrected = { ...counts };
  for (const { severity } of reports) corrected[severity] -= 1;
  for (const entry of entries) if (entry) corrected[entry.severity] += 1;
  return corrected;
}

/** Returns null if the team was deleted or no longer needs attention. */
async function describeTeam(
  env: Env,
  { source, gauges, at }: RankedTeam,
  now: number,
): Promise<TeamAttention | null> {
  const team = await teamFor(env, source, now);
  if (!team) return null;
  const findings = hasFindings(gauges) ? await readFindings(env, team, now) : [];
  const severity = severityOf({ ...gauges, ...(findings && countFindings(findings)) }, now);
  if (severity === null) return null;
  return {
    team: { id: team.id, name: team.name },
    severity,
    findings,
    held: heldOf(gauges),
    sending_holds: isHeld(gauges) ? await readHolds(env, team.id) : [],
    is_full: (gauges["full"] ?? 0) > 0,
    reported_at: new Date(at).toISOString(),
  };
}

/** Returns null if the object does not answer. The response still has the holds of each team. */
async function readAccountHold(env: Env): Promise<SendingHold | null> {
  try {
    const metrics = objectOf(env, "METRICS", METRICS_OBJECT);
    const hold = await withTimeout(TIMEOUT_MS, () => metrics.accountHold());
    return hold && toSendingHold({ ...hold, domain: null });
  } catch (error) {
    logError("account_hold_unread", error);
    return null;
  }
}

/** Returns an empty list if the ledger does not answer. */
async function readHolds(env: Env, teamId: string): Promise<SendingHold[]> {
  try {
    const ledger = objectOf(env, "TEAM_LEDGER", teamId);
    return (await withTimeout(TIMEOUT_MS, () => ledger.listHolds())).map(toSendingHold);
  } catch (error) {
    logError("holds_unread", error, { team_id: teamId });
    return [];
  }
}

function toSendingHold({ domain, since, code, ...hold }: NamedHold): SendingHold {
  const message = describeHold({ ...hold, code }, domain ?? "the account");
  return { domain, since: new Date(since).toISOString(), code, message };
}

function isHeld({ holds = 0 }: Gauges): boolean {
  return holds > 0;
}

/** Returns null if the report could not be read. */
async function readFindings(env: Env, team: Team, now: number): Promise<MailFinding[] | null> {
  try {
    const report = await withTimeout(TIMEOUT_MS, () => assessTeam(env, team, {}, now));
    return report.findings;
  } catch (error) {
    logError("team_report_unread", error, { team_id: team.id });
    return null;
  }
}

function hasFindings({
  criticalFindings = 0,
  warningFindings = 0,
  unreadMail = 0,
}: Gauges): boolean {
  return criticalFindings + warningFindings + unreadMail > 0;
}

/** Returns the counts of the current findings, which replace the counts in the ledger's report. */
function countFindings(findings: readonly MailFinding[]): Gauges {
  const criticalFindings = findings.filter(({ severity }) => severity === "critical").length;
  return { criticalFindings, warningFindings: findings.length - criticalFindings, unreadMail: 0 };
}

function heldOf(gauges: Gauges): TeamAttention["held"] {
  const { oldestAcceptedAt } = gauges;
  if (oldestAcceptedAt === undefined) return null;
  const { waiting = 0, queued = 0, attempting = 0, deferred = 0, awaiting = 0, stuck = 0 } = gauges;
  const oldest = new Date(oldestAcceptedAt).toISOString();
  return { waiting, queued, attempting, deferred, awaiting, stuck, oldest_accepted_at: oldest };
}
