// Says why a team needs attention, and what mail it holds. A finding says so in the service's own
// words. Pure.
import type { Attention, Deliverability, TeamAttention } from "../../api/operator/types.ts";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { type Clock, formatExact } from "../../parts/time/times.ts";
import type { Tone } from "../../parts/tone.ts";
import { plural } from "./checks/operator-check.ts";

type Finding = Deliverability["findings"][number];
type Held = NonNullable<TeamAttention["held"]>;

export const SEVERITY: Readonly<
  Record<
    TeamAttention["severity"],
    readonly [tone: Extract<Tone, "bad" | "wait" | "mute">, word: string]
  >
> = {
  critical: ["bad", "Critical"],
  warning: ["wait", "Warning"],
  notice: ["mute", "Waiting"],
};

/** Returns the reasons, one sentence each. */
export function describeTeam(
  { findings, held, is_full: isFull }: TeamAttention,
  clock: Clock,
): string[] {
  return [
    ...(findings ?? []).map(({ summary }) => summary),
    ...(findings === null ? ["Its mail could not be checked: a database did not answer."] : []),
    ...(isFull ? ["Its ledger is full, so its sends fail with 502."] : []),
    ...(held ? heldSentences(held, clock) : []),
  ];
}

function heldSentences(held: Held, clock: Clock): string[] {
  const { stuck, waiting, oldest_accepted_at: oldest } = held;
  const since = `The oldest open message was accepted on ${formatExact(Date.parse(oldest), clock)}.`;
  if (stuck > 0)
    return [
      `${plural(stuck, "recipient is", "recipients are")} stuck: released, but not attempted.`,
      since,
    ];
  return waiting > 0
    ? [`${plural(waiting, "recipient waits", "recipients wait")} for release.`, since]
    : [];
}

/** Says how many teams were looked at, and how many need attention. */
export function describeTeams({ teams, worst }: Attention): string {
  const { total, critical, warning, notice, unread } = teams;
  const parts = [
    `${formatCount(critical)} critical`,
    `${formatCount(warning)} ${warning === 1 ? "warning" : "warnings"}`,
    `${formatCount(notice)} with waiting mail`,
    ...(unread > 0 ? [`${formatCount(unread)} not checked`] : []),
  ];
  const all = `${plural(total, "team", "teams")} watched`;
  return worst.length === 0 && critical + warning + notice === 0
    ? all
    : `${all}: ${parts.join(", ")}`;
}

/** Says a finding's numbers: `46 of 46 (100 %), limit 5 %`. */
export function evidenceText({ evidence }: Finding): string {
  const { count, of, threshold } = evidence;
  const part = `${formatCount(count)} of ${formatCount(of)} (${formatShare(count, of)})`;
  return threshold === null ? part : `${part}, limit ${formatShare(threshold, 1)}`;
}
