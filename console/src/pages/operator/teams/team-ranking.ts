// The mail of a listed team in the last 24 hours, the severity of its problems, and the order of
// the list. Pure.
import type { Deliverability } from "../../../../../packages/postern/src/generated/types.ts";
import type { Team, TeamAttention } from "../../../api/operator/types.ts";
import type { TeamSort } from "../operator-search.ts";

type Severity = TeamAttention["severity"];

/** Each count is a number of recipients. */
interface TeamMailFigures {
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
}

export interface ListedTeam {
  readonly team: Team;
  /** Undefined: the report was not read yet, or could not be read. */
  readonly figures: TeamMailFigures | undefined;
  /** Null: the team has no problem. Undefined: the report was not read yet. */
  readonly severity: Severity | null | undefined;
}

/** Adds up the providers' figures. */
export function figuresOf({ providers }: Pick<Deliverability, "providers">): TeamMailFigures {
  const sum = (valueOf: (entry: Deliverability["providers"][number]["current"]) => number) =>
    providers.reduce((total, { current }) => total + valueOf(current), 0);
  return {
    sent: sum(({ sent }) => sent),
    delivered: sum(({ delivered }) => delivered),
    bounced: sum(({ bounced }) => bounced),
    complained: sum(({ complaints }) => complaints),
  };
}

export function severityOf({ findings }: Pick<Deliverability, "findings">): Severity | null {
  if (findings.some(({ severity }) => severity === "critical")) return "critical";
  return findings.length > 0 ? "warning" : null;
}

const URGENCY: readonly (Severity | null)[] = ["critical", "warning", "notice", null];

/** Teams without figures come last. Teams that are equal keep their order. */
export function sortTeams(teams: readonly ListedTeam[], sort: TeamSort): readonly ListedTeam[] {
  if (sort === "newest") return teams;
  const rank = ({ figures, severity }: ListedTeam): number => {
    if (sort === "attention") return URGENCY.indexOf(severity ?? null);
    if (!figures) return 1;
    return sort === "sent" ? -figures.sent : -figures.bounced / Math.max(1, figures.sent);
  };
  return teams.toSorted((one, other) => rank(one) - rank(other));
}
