// Decides the first sentence of the operator's overview: the worst problem, or that nothing needs
// attention. The overview says that nothing needs attention only if every part was read; otherwise
// it names the unread parts. Pure.
import type { Attention } from "../../api/operator/types.ts";
import type { Clock } from "../../parts/time/times.ts";
import { type Check, type OperatorPath, plural } from "./checks/operator-check.ts";
import { describeTeam } from "./team-texts.ts";

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
  /** Further sentences. */
  readonly rest: string;
  readonly evidence: string;
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
 * `concerns` are sorted, the worst first. `unknown` holds the names of the checks that have no
 * data.
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

/** Names the data that the last attempt could not read. */
export function unreadAmong(
  readings: readonly WatchedPart[],
  unknown: readonly string[],
): string[] {
  const failed = readings.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
  return [...failed, ...unknown.map((name) => `“${name}”`)];
}

/** Sorts the problems of checks and teams, the worst first. */
export function concernsOf(
  checks: readonly Check[],
  attention: Attention | undefined,
  clock: Clock,
): OperatorConcern[] {
  const all = [
    ...checks.flatMap(checkConcern),
    ...(attention ? teamConcerns(attention, clock) : []),
  ];
  return all.toSorted((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

/** Describes what was checked, if nothing needs attention. */
export function checkedText(checks: readonly Check[], teams: number): string {
  const passed = checks.filter(({ tone }) => tone === "ok").length;
  const mail = `No problem with the mail of ${plural(teams, "team", "teams")}.`;
  return `${plural(passed, "health check", "health checks")} passed.${teams === 0 ? "" : ` ${mail}`}`;
}

function checkConcern({ tone, id, name, says, evidence, act, to }: Check): OperatorConcern[] {
  return tone === "bad" || tone === "wait"
    ? [{ id, name, tone, ...inTwo(says), evidence, act, to, teamId: "" }]
    : [];
}

/** Splits the text after its first sentence. */
function inTwo(says: string): Pick<OperatorConcern, "head" | "rest"> {
  const head = /^.*?\.(?= |$)/.exec(says)?.[0] ?? says;
  return { head, rest: says.slice(head.length).trim() };
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
