// Chooses the first sentence of the operator's overview: the worst problem, or that nothing needs
// attention. The overview says that nothing needs attention only if every part was read. Otherwise
// it names the parts that were not read. Pure.
import type { Attention } from "../../api/operator/types.ts";
import { type Clock, formatOfDay } from "../../parts/time/times.ts";
import { plural } from "../../parts/figures.ts";
import type { ShownCheck } from "./check-status.ts";
import { describeTeam } from "./team-texts.ts";

type OperatorPath =
  | "/operator/dead-letters"
  | "/operator/delivery"
  | "/operator/shards"
  | "/operator/teams";

/** Prefixes of check names, each with the page for its checks and the text of the link. */
const PAGES: readonly (readonly [begin: string, to: OperatorPath, act: string])[] = [
  ["queues.dead_letters", "/operator/dead-letters", "Dead letters"],
  ["queues.stuck", "/operator/delivery", "Gateways"],
  ["gateway.", "/operator/delivery", "Gateways"],
  ["mail.", "/operator/teams", "Teams"],
  ["ledgers.", "/operator/teams", "Teams"],
  ["events.", "/operator/shards", "Shards"],
];

/** The result of the last attempt to read one data source. */
export interface WatchedPart {
  readonly name: string;
  readonly isRead: boolean;
  readonly hasFailed: boolean;
}

export interface OperatorConcern {
  readonly id: string;
  readonly name: string;
  readonly tone: "bad" | "wait";
  /** The problem in one sentence. */
  readonly head: string;
  /** Sentences after the first one. */
  readonly rest: string;
  readonly evidence: string;
  /** The link's text. Empty: the console has no page for the problem. */
  readonly act: string;
  readonly to: OperatorPath | "/operator/teams/$teamId";
  readonly teamId: string;
}

export type OverviewSummary =
  | { readonly kind: "checking" }
  | { readonly kind: "concern"; readonly worst: OperatorConcern; readonly more: number }
  | { readonly kind: "unread"; readonly unread: readonly string[] }
  | { readonly kind: "fine" };

/**
 * Returns the summary. `concerns` are sorted, the worst first. `unknown` has the names of the
 * checks without data.
 */
export function summaryOf(
  readings: readonly WatchedPart[],
  concerns: readonly OperatorConcern[],
  unknown: readonly string[],
): OverviewSummary {
  const [worst, ...rest] = concerns;
  if (worst) return { kind: "concern", worst, more: rest.length };
  const unread = unreadAmong(readings, unknown);
  if (unread.length > 0) return { kind: "unread", unread };
  return readings.every(({ isRead }) => isRead) ? { kind: "fine" } : { kind: "checking" };
}

/** Returns the names of the data that the last attempt could not read. */
export function unreadAmong(
  readings: readonly WatchedPart[],
  unknown: readonly string[],
): string[] {
  const failed = readings.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
  return [...failed, ...unknown.map((name) => `“${name}”`)];
}

/** Sorts the problems of checks and teams, the worst first. */
export function concernsOf(
  checks: readonly ShownCheck[],
  attention: Attention | undefined,
  clock: Clock,
): OperatorConcern[] {
  const all = [
    ...checks.flatMap((row) => checkConcern(row, clock)),
    ...(attention ? teamConcerns(attention, clock) : []),
  ];
  return all.toSorted((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

/** Describes what was checked. It is shown if nothing needs attention. */
export function checkedText(checks: readonly ShownCheck[], teams: number): string {
  const passed = checks.filter(({ status }) => status === "ok").length;
  const mail = `No problem with the mail of ${plural(teams, "team", "teams")}.`;
  return `${plural(passed, "health check", "health checks")} passed.${teams === 0 ? "" : ` ${mail}`}`;
}

function checkConcern(row: ShownCheck, { zone }: Clock): OperatorConcern[] {
  const { check, subject, title, status, message, next_step, since, evidence } = row;
  if (status !== "critical" && status !== "warning") return [];
  const [, to, act] = PAGES.find(([begin]) => check.startsWith(begin)) ?? [
    "",
    "/operator/teams",
    "",
  ];
  const began = since === null ? "" : ` (since ${formatOfDay(Date.parse(since), zone, "second")})`;
  return [
    {
      id: `${check} ${subject ?? ""} ${message}`,
      name: title,
      tone: status === "critical" ? "bad" : "wait",
      head: message,
      rest: next_step ?? "",
      evidence: `${evidence}${began}`,
      act,
      to,
      teamId: "",
    },
  ];
}

function teamConcerns({ teams, worst }: Attention, clock: Clock): OperatorConcern[] {
  const named = worst.flatMap((entry): OperatorConcern[] => {
    if (entry.severity === "notice") return [];
    const { id, name } = entry.team;
    const [reason] = describeTeam(entry, clock);
    return [
      {
        id,
        name,
        tone: entry.severity === "critical" ? "bad" : "wait",
        head: `${name}: ${reason?.says ?? ""}`,
        rest: "",
        evidence: reason?.quoted ?? "",
        act: "Open team",
        to: "/operator/teams/$teamId",
        teamId: id,
      },
    ];
  });
  const unnamed =
    teams.critical + teams.warning - worst.filter(({ severity }) => severity !== "notice").length;
  if (unnamed <= 0) return named;
  return [
    ...named,
    {
      id: "more teams",
      name: "all",
      tone: teams.critical > worst.length ? "bad" : "wait",
      head: `${plural(unnamed, "more team needs", "more teams need")} attention.`,
      rest: "",
      evidence: "",
      act: "Teams",
      to: "/operator/teams",
      teamId: "",
    },
  ];
}
