// Explains why a team needs attention, and how much of its mail is pending. It quotes findings in
// the service's words. Pure.
import type { DeliverabilityFinding } from "../../../../packages/postern/src/generated/types.ts";
import type { Attention, TeamAttention } from "../../api/operator/types.ts";
import { formatCount, formatShare, plural } from "../../parts/figures.ts";
import { type Clock, formatExact } from "../../parts/time/times.ts";
import type { Tone } from "../../parts/tone.ts";
import { typeset } from "../../parts/typography.ts";
import { leadOf } from "../overview/provider-cards.ts";

type Held = NonNullable<TeamAttention["held"]>;

/** Findings that count things other than recipients, each with the noun for these things. */
const COUNTED: Partial<Record<DeliverabilityFinding["kind"], string>> = {
  defers_all: "attempts",
  defers_many: "attempts",
  complaints: "delivered messages",
};

/** A reason why a team needs attention, and the mail server's reply. */
export interface AttentionReason {
  readonly says: string;
  readonly quoted: string | null;
}

export const SEVERITY: Readonly<
  Record<
    TeamAttention["severity"],
    readonly [tone: Extract<Tone, "bad" | "wait" | "mute">, word: string]
  >
> = {
  critical: ["bad", "Critical"],
  warning: ["wait", "Warning"],
  notice: ["mute", "Mail waiting"],
};

export function describeTeam(
  { findings, held, is_full: isFull, sending_holds: holds }: TeamAttention,
  clock: Clock,
): AttentionReason[] {
  const sentences = [
    ...(findings === null ? ["Its mail could not be checked: a database did not answer."] : []),
    ...(isFull ? ["Its storage for pending mail is full, so its sends fail with 502."] : []),
    ...(held ? heldSentences(held, clock) : []),
  ];
  return [
    ...(findings ?? []).map((finding) => describeFinding(finding, clock)),
    ...[...holds.map(({ message }) => message), ...sentences].map((says) => ({
      says,
      quoted: null,
    })),
  ];
}

export function describeFinding(finding: DeliverabilityFinding, { zone }: Clock): AttentionReason {
  return { says: typeset(leadOf(finding, zone)), quoted: finding.evidence.reply };
}

function heldSentences(held: Held, clock: Clock): string[] {
  const { stuck, waiting, oldest_accepted_at: oldest } = held;
  const since = `The oldest pending message was accepted on ${formatExact(Date.parse(oldest), clock)}.`;
  if (stuck > 0)
    return [
      `Stuck recipients: ${formatCount(stuck)}. Their first attempt is more than 15 minutes overdue.`,
      since,
    ];
  return waiting > 0
    ? [
        `${plural(waiting, "recipient is", "recipients are")} waiting, because more was sent than the team’s delivery rate allows.`,
        since,
      ]
    : [];
}

/** Writes the number of teams, and the number of teams that need attention. */
export function describeTeams({ teams }: Attention): string {
  const { total, critical, warning, notice, unread } = teams;
  const parts = [
    critical > 0 ? `${formatCount(critical)} critical` : "",
    warning > 0 ? plural(warning, "warning", "warnings") : "",
    notice > 0 ? `${formatCount(notice)} with mail waiting` : "",
    unread > 0 ? `${formatCount(unread)} not checked` : "",
  ].filter((part) => part !== "");
  return [plural(total, "team", "teams"), parts.join(", ")]
    .filter((part) => part !== "")
    .join(": ");
}

/** Writes a finding's numbers: `46 of 184 recipients (25%), limit 5%`. */
export function evidenceText({ kind, evidence }: DeliverabilityFinding): string {
  const { count, of, threshold } = evidence;
  const what = COUNTED[kind] ?? "recipients";
  const part = `${formatCount(count)} of ${formatCount(of)} ${what} (${formatShare(count, of)})`;
  return threshold === null ? part : `${part}, limit ${formatShare(threshold, 1)}`;
}
