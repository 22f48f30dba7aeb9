// Creates a card for each provider with findings, from the service's sentences and figures
// (contract.md §Deliverability). Pure.
import type {
  Deliverability,
  DeliverabilityFigures,
  DeliverabilityFinding,
  EventCounts,
} from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatDuration, formatShare } from "../../parts/figures.ts";
import { formatDay, formatOfDay } from "../../parts/time/times.ts";
import { logSearchOf } from "../messages/messages-search.ts";
import { messagesOf, NOTHING } from "./overview-figures.ts";

type Entry = Deliverability["providers"][number];

export interface ProviderCard {
  readonly entry: Entry;
  /** The findings, the worst first. */
  readonly findings: readonly DeliverabilityFinding[];
  readonly tone: "bad" | "wait";
}

/** Returns a card for each provider with findings, the worst first. */
export function cardsOf({
  providers,
  findings,
}: Pick<Deliverability, "providers" | "findings">): ProviderCard[] {
  return [...Map.groupBy(findings, ({ provider }) => provider)].flatMap(([provider, own]) => {
    const entry = providers.find((one) => one.provider === provider);
    const isCritical = own.some(({ severity }) => severity === "critical");
    return entry ? [{ entry, findings: own, tone: isCritical ? "bad" : "wait" }] : [];
  });
}

/**
 * Returns a finding's sentence, with its times in the displayed time zone. Removes the server's
 * reply, because the card quotes it below.
 */
export function leadOf(finding: DeliverabilityFinding, zone: string): string {
  const { summary, since, evidence } = finding;
  const words =
    evidence.reply === null ? -1 : summary.indexOf(`: ${evidence.reply.replace(/\.$/, "")}`);
  const lead = words === -1 ? summary : `${summary.slice(0, words)}.`;
  const at = Date.parse(since);
  return lead.replace(/since (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/, (_, day?: string) =>
    day === undefined
      ? `since ${formatOfDay(at, zone)}`
      : `since ${formatDay(at, zone)}, ${formatOfDay(at, zone)}`,
  );
}

/**
 * Returns the codes of a server's reply, such as `550 5.7.1`. Null: the reply begins with no code.
 */
export function codeOf(reply: string | null): string | null {
  return /^[245]\d\d(?: [245]\.\d{1,3}\.\d{1,3})?/.exec(reply ?? "")?.[0] ?? null;
}

/** Returns the refusals that a finding counts, the most frequent first. */
export function refusalsOf(
  { evidence: { events } }: DeliverabilityFinding,
  { refusals }: Pick<Entry, "refusals">,
): Entry["refusals"] {
  const { event_type: type, bounce_classification: classes = "" } = logSearchOf(events);
  return refusals.filter(({ kind, classification }) =>
    kind === "deferred"
      ? type === "email.delayed"
      : type === "email.bounced" && classes.split(",").includes(classification ?? "none"),
  );
}

/**
 * A figure of the current and of the previous period. Null: the team's retention does not cover the
 * previous period.
 */
type Compared = readonly [name: string, now: string, before: string | null];

/** Returns the figures of both periods, without those that are zero in both. */
export function comparedFigures({ current, previous }: Entry): Compared[] {
  const rows: readonly (readonly [string, (figures: DeliverabilityFigures) => string | null])[] = [
    ["Sent", ({ sent }) => (sent === 0 ? null : formatCount(sent))],
    ["Delivered", (figures) => shareOf(figures.delivered, messagesOf(countsOf(figures)))],
    ["Bounced", (figures) => shareOf(figures.bounced, messagesOf(countsOf(figures)))],
    ["Delayed attempts", ({ deferred }) => (deferred === 0 ? null : formatCount(deferred))],
    ["Complaints", ({ complaints, delivered }) => complaintShare(complaints, delivered)],
    ["Median time to delivery", medianOf],
  ];
  return rows.flatMap(([name, write]): Compared[] => {
    const [now, before] = [write(current), previous && write(previous)];
    if (now === null && before === null) return [];
    const none = write === medianOf ? "–" : "0";
    return [[name, now ?? none, previous && (before ?? none)]];
  });
}

/**
 * Returns a provider's figures with the names of GET /v1/stats, so that the overview's functions
 * can use them.
 */
export function countsOf(figures: DeliverabilityFigures): EventCounts {
  const { sent, delivered, deferred, bounced, complaints } = figures;
  return { ...NOTHING, sent, delivered, delayed: deferred, bounced, complained: complaints };
}

function shareOf(part: number, whole: number): string | null {
  return part === 0 ? null : `${formatCount(part)} (${formatShare(part, whole)})`;
}

function complaintShare(complaints: number, delivered: number): string | null {
  return shareOf(complaints, Math.max(delivered, complaints));
}

function medianOf({ time_to_acceptance: time }: DeliverabilityFigures): string | null {
  return time.median_seconds === null ? null : formatDuration(time.median_seconds * 1_000);
}
