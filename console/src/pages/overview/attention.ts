// Finds what needs a person's hand, each as a sentence with its evidence and the page that helps.
// The worst come first. Pure.
import type {
  Domain,
  EventCounts,
  Usage,
  Webhook,
} from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { type Allowance, allowancesOf } from "../usage/usage-figures.ts";
import {
  BOUNCE_THRESHOLD,
  bounceClasses,
  bouncedShare,
  COMPLAINT_WARNING,
  complainedShare,
  domainsOf,
  judgeComplaints,
  messagesOf,
  outcomesOf,
  type CountedRun,
  runsOf,
  type CountedSpan,
  type OutcomeTotals,
  totalsOf,
} from "./overview-figures.ts";
import { intervalName } from "./overview-range.ts";
import { formatDay, zoneAt } from "../../parts/times.ts";

type ConcernTone = "bad" | "spam" | "wait" | "mute";

export interface Concern {
  readonly id: string;
  readonly tone: ConcernTone;
  /** A name that is quoted before the sentence; null: the sentence stands alone. */
  readonly name: string | null;
  readonly says: string;
  /** Facts that the sentence rests on. */
  readonly evidence: string;
  /** The page that helps, its query, and the verb of its button. */
  readonly to: string;
  readonly search: Readonly<Record<string, string | number>>;
  readonly act: string;
}

export interface Evidence {
  /** Days of the window in which the mail was counted. */
  readonly days: number;
  readonly now: OutcomeTotals;
  /** The equally long window before; null: the retention does not cover it. */
  readonly before: OutcomeTotals | null;
  readonly interval: "hour" | "day";
  /** Beginning of the window, ISO 8601. */
  readonly start: string;
  /** End of the window, Unix milliseconds. */
  readonly end: number;
  /** The simulator's domain; null: not known. */
  readonly simulator: string | null;
  /** The entries by recipient domain. */
  readonly recipientEntries: readonly CountedSpan[];
  readonly domains: readonly Domain[];
  readonly webhooks: readonly Webhook[];
  /** Null: not known. */
  readonly usage: Usage | null;
  /** The zone that times are shown in. */
  readonly zone: string;
}

/** Shares and numbers from which a recipient domain stands out. Fewer are chance. */
const NOTABLE_RECIPIENTS = 5;
const NOTABLE_COMPLAINTS = 2;
const NOTABLE_SHARE = 0.2;
/** Part of an allowance from which it is nearly used up. */
const NEAR_LIMIT = 0.8;
/** A recipient domain's trouble is present if it had some within this time. */
const RECENT_MS = { hour: 6 * 3_600_000, day: 2 * 86_400_000 };
/** A rise is growth by at least this factor. */
const RISE = 1.5;
const PER_KIND = 3;
const NAMED_OTHERS = 5;
/** The windows of the page "Messages", in days. */
const LOG_DAYS = [1, 3, 7, 30];
const ORDER: readonly ConcernTone[] = ["bad", "spam", "wait", "mute"];

export function concernsOf(evidence: Evidence): readonly Concern[] {
  return [
    ...refusals(evidence),
    ...deferrals(evidence),
    ...bounces(evidence),
    ...complaints(evidence),
    ...suppressions(evidence),
    ...evidence.webhooks.flatMap((one) => webhookConcern(one, evidence.zone)),
    ...evidence.domains.flatMap(domainConcerns),
    ...quotas(evidence),
  ].toSorted((one, other) => ORDER.indexOf(one.tone) - ORDER.indexOf(other.tone));
}

function refusals(evidence: Evidence): Concern[] {
  const trouble = { verb: "refuse", says: "your mail", outcome: "bounced" } as const;
  const partOf = ({ bounced }: EventCounts): number => bounced;
  return runConcerns(evidence, trouble, partOf, (run) => classesText(run));
}

function deferrals(evidence: Evidence): Concern[] {
  const trouble = { verb: "put", says: "your mail off", outcome: "delayed" } as const;
  const partOf = (counts: EventCounts): number => outcomesOf(counts).delayed;
  const detail = ({ counts }: CountedRun): string =>
    `${formatCount(counts.delayed)} attempts put off`;
  return runConcerns(evidence, trouble, partOf, detail);
}

/** Names the domains with most recipients in trouble, and all the others together. */
function runConcerns(
  evidence: Evidence,
  {
    verb,
    says,
    outcome,
  }: Readonly<Record<"verb" | "says", string>> & { outcome: "bounced" | "delayed" },
  partOf: (counts: EventCounts) => number,
  detail: (run: CountedRun) => string,
): Concern[] {
  const { interval, end, days } = evidence;
  const runs = runsOf(
    realEntries(evidence),
    partOf,
    NOTABLE_SHARE,
    end - RECENT_MS[interval],
  ).filter(({ part }) => part >= NOTABLE_RECIPIENTS);
  const [named, rest] = [runs.slice(0, PER_KIND), runs.slice(PER_KIND)];
  const common = { tone: "bad", ...log(`email.${outcome}`, days) } as const;
  const concerns: Concern[] = named.map((run) => ({
    id: `${verb} ${run.domain}`,
    name: run.domain,
    says: `${verb}s ${says} since ${sinceText(run, evidence)}`,
    evidence: `${ofAll(run.part, run.messages, outcome)} · ${detail(run)}`,
    ...common,
  }));
  if (rest.length === 0) return concerns;
  const last: Concern = {
    id: `${verb} others`,
    name: null,
    says:
      rest.length === 1
        ? `1 other recipient domain ${verb}s ${says}`
        : `${formatCount(rest.length)} other recipient domains ${verb} ${says}`,
    evidence: rest
      .slice(0, NAMED_OTHERS)
      .map(({ domain }) => domain)
      .join(", "),
    ...common,
  };
  return [...concerns, last];
}

/** Leaves out the simulator, whose troubles are wanted. */
function realEntries({ recipientEntries, simulator }: Evidence): readonly CountedSpan[] {
  return recipientEntries.filter(({ recipient_domain: name }) => name !== simulator);
}

function sinceText({ since }: CountedRun, { interval, start, zone }: Evidence): string {
  const own = interval === "hour" ? zoneAt(Date.parse(since), zone) : "(UTC)";
  const name = `${intervalName(since, interval, zone)} ${own}`;
  return since <= start ? `${name} or before` : name;
}

function bounces(evidence: Evidence): Concern[] {
  const real = totalsOf(realEntries(evidence));
  const { counts } = real;
  if (counts.bounced < NOTABLE_RECIPIENTS || (bouncedShare(counts) ?? 0) < BOUNCE_THRESHOLD)
    return [];
  return [
    {
      id: "bounces",
      tone: "bad",
      name: null,
      says: "Bounces are over 2 %, where providers begin to distrust a sender",
      evidence: [ofAll(counts.bounced, messagesOf(counts), "bounced"), classesText(real)].join(
        " · ",
      ),
      ...log("email.bounced", evidence.days),
    },
  ];
}

/** Names the domains with complaints over the threshold, or else all mail together. */
function complaints(evidence: Evidence): Concern[] {
  const entries = realEntries(evidence);
  const real = totalsOf(entries);
  const isNotable = ({ counts }: OutcomeTotals): boolean =>
    counts.complained >= NOTABLE_COMPLAINTS && (complainedShare(counts) ?? 0) >= COMPLAINT_WARNING;
  const named = domainsOf(entries).filter(isNotable).slice(0, PER_KIND);
  const all = named.length === 0 && isNotable(real) ? [{ ...real, domain: null }] : named;
  return all.map(({ domain, counts }) => ({
    id: `complaints ${domain ?? ""}`,
    tone: "spam",
    name: domain,
    says: `${domain === null ? "Complaints are" : "has complaints"} ${judgeComplaints(counts)?.says}`,
    evidence: ofAll(counts.complained, counts.delivered, "delivered complained"),
    ...log("email.complained", evidence.days),
  }));
}

/** Bounces and complaints suppress addresses. */
function suppressions({ now, before }: Evidence): Concern[] {
  if (before === null) return [];
  const lost = ({ counts }: OutcomeTotals) => counts.bounced + counts.complained;
  const [share, shareBefore] = [
    lost(now) / messagesOf(now.counts),
    lost(before) / messagesOf(before.counts),
  ];
  if (lost(now) < 2 * NOTABLE_RECIPIENTS || !(share > shareBefore * RISE)) return [];
  return [
    {
      id: "suppressions",
      tone: "wait",
      name: null,
      says: "Suppressions are rising",
      evidence:
        `${formatCount(lost(now))} bounces and complaints (${formatShare(lost(now), messagesOf(now.counts))}), ` +
        `${formatCount(lost(before))} in the time before (${formatShare(lost(before), messagesOf(before.counts))})`,
      to: "/suppressions",
      search: {},
      act: "Show",
    },
  ];
}

function webhookConcern(
  { id, name, status, last_delivery_at: last }: Webhook,
  zone: string,
): Concern[] {
  if (status === "active") return [];
  const isPaused = status === "circuit_disabled";
  return [
    {
      id,
      tone: isPaused ? "wait" : "mute",
      name,
      says: isPaused ? "paused itself: its events wait" : "is disabled: its events are not queued",
      evidence: [
        isPaused ? "ten failures in a row, one probe every 5 to 15 minutes" : `status ${status}`,
        last === null
          ? "nothing was ever delivered"
          : `last delivery ${formatDay(Date.parse(last), zone)}`,
      ].join(" · "),
      to: "/webhooks",
      search: { open: id },
      act: "Open",
    },
  ];
}

function domainConcerns({
  id,
  name,
  status,
  verification_failure: failure,
  tracking,
}: Domain): Concern[] {
  const records = { to: "/domains", search: { open: id }, act: "Records" };
  const own: Concern[] =
    status === "verified" && failure === null
      ? []
      : [
          {
            id,
            tone: status === "verified" ? "wait" : "mute",
            name,
            says:
              status === "verified" ? "was verified, and its records changed" : "is not verified",
            evidence: failure
              ? `${failure.code}: ${failure.message}`
              : "its records were not looked up yet",
            ...records,
          },
        ];
  if (tracking.status !== "pending") return own;
  const reason = tracking.verification_failure;
  return [
    ...own,
    {
      id: `${id} tracking`,
      tone: "mute",
      name: tracking.subdomain === null ? name : `${tracking.subdomain}.${name}`,
      says: "is not verified: opens and clicks are not counted",
      evidence: reason ? `${reason.code}: ${reason.message}` : "its records were not looked up yet",
      ...records,
    },
  ];
}

function quotas({ usage }: Evidence): Concern[] {
  const near =
    usage === null
      ? []
      : allowancesOf(usage).filter(({ used, limit }) => used >= limit * NEAR_LIMIT);
  return near.map((one: Allowance) => ({
    id: `quota ${one.name}`,
    tone: one.used >= one.limit ? "bad" : "wait",
    name: null,
    says: one.used >= one.limit ? `${one.name}: used up` : `${one.name}: nearly used up`,
    evidence: `${formatCount(one.used)} of ${formatCount(one.limit)} (${formatShare(one.used, one.limit)})`,
    to: "/usage",
    search: {},
    act: "Show",
  }));
}

function log(type: string, days: number): Pick<Concern, "to" | "search" | "act"> {
  const window = LOG_DAYS.find((one) => one >= days) ?? days;
  const search = { view: "events", event_type: type, days: window };
  return { to: "/messages", search, act: "Show" };
}

function ofAll(part: number, whole: number, verb: string): string {
  return `${formatCount(part)} of ${formatCount(whole)} ${verb} (${formatShare(part, whole)})`;
}

function classesText(totals: OutcomeTotals): string {
  return bounceClasses(totals)
    .slice(0, 2)
    .map(([name, count]) => `${name} ${formatCount(count)}`)
    .join(", ");
}
