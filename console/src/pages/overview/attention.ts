// Finds problems with rates, webhooks, domains and quotas. provider-cards.ts finds the refusals by
// providers. Each problem has a sentence, its evidence and a link to the page that helps. Pure.
import type { Domain, Usage, Webhook } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatShare } from "../../parts/figures.ts";
import { type Allowance, allowancesOf } from "../usage/usage-figures.ts";
import { formatDay } from "../../parts/time/times.ts";
import {
  judgeBounces,
  judgeComplaints,
  messagesOf,
  type OutcomeTotals,
} from "./overview-figures.ts";

/** The tones, the most urgent first. */
export const URGENCY = ["bad", "wait", "mute"] as const;

export interface Concern {
  readonly id: string;
  readonly tone: (typeof URGENCY)[number];
  /**
   * The name of the webhook or domain, shown before the sentence. Null: the sentence is not about a
   * webhook or a domain.
   */
  readonly name: string | null;
  readonly says: string;
  /** The facts that support the sentence. */
  readonly evidence: string;
  /**
   * The page on which the problem can be solved, its search parameters, and the label of the button
   * that opens it.
   */
  readonly to: string;
  readonly search: Readonly<Record<string, string | number>>;
  readonly act: string;
}

export interface Evidence {
  /** The outcomes of the displayed period. Null: the list does not show the rates. */
  readonly rates: (Pick<OutcomeTotals, "counts"> & ShownTime) | null;
  readonly domains: readonly Domain[];
  readonly webhooks: readonly Webhook[];
  /** Null: the usage is not known. */
  readonly usage: Usage | null;
  /** The time zone of displayed times. */
  readonly zone: string;
}

interface ShownTime {
  /** The start of the period, ISO 8601. */
  readonly start: string;
  /** The length of the period, such as `14 days`. */
  readonly time: string;
}

/** The share of an allowance above which it counts as nearly used up. */
const NEAR_LIMIT = 0.8;
const UNCHECKED = "DNS records not checked yet";

export function concernsOf(evidence: Evidence): readonly Concern[] {
  const { rates, webhooks, domains, usage, zone } = evidence;
  return [
    ...rateConcerns(rates),
    ...webhooks.flatMap((one) => webhookConcern(one, zone)),
    ...domains.flatMap(domainConcerns),
    ...quotas(usage),
  ];
}

/** A rate over its threshold is a problem even if no single provider has a finding. */
function rateConcerns(rates: Evidence["rates"]): Concern[] {
  if (rates === null) return [];
  const { counts, start, time } = rates;
  const { bounced, complained, delivered } = counts;
  const judged = [
    { type: "bounced", verdict: judgeBounces(counts), part: bounced, whole: messagesOf(counts) },
    {
      type: "complained",
      verdict: judgeComplaints(counts),
      part: complained,
      whole: Math.max(delivered, complained),
    },
  ] as const;
  return judged.flatMap(({ type, verdict, part, whole }) =>
    verdict?.tone === "bad"
      ? [
          {
            id: `rate ${type}`,
            tone: "wait" as const,
            name: null,
            says: `${formatShare(part, whole)} ${type} in the last ${time}, ${verdict.says}`,
            evidence: `${formatCount(part)} of ${formatCount(whole)} recipients`,
            to: "/messages",
            search: { event_type: `email.${type}`, start },
            act: "Show",
          },
        ]
      : [],
  );
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
      says: isPaused
        ? "is paused after failed deliveries; its events are queued"
        : "is disabled and receives no events",
      evidence: [
        ...(isPaused ? ["10 or more failures in a row, retried every 5 to 15 minutes"] : []),
        last === null
          ? "nothing delivered yet"
          : `last delivery ${formatDay(Date.parse(last), zone)}`,
      ].join(" · "),
      to: "/webhooks",
      search: { open: id },
      act: "Show",
    },
  ];
}

function domainConcerns(domain: Domain): Concern[] {
  const { id, name, status, verification_failure: failure, tracking } = domain;
  const records = { to: "/domains", search: { open: id }, act: "Show records" };
  const isVerified = status === "verified";
  const own: Concern = {
    id,
    tone: isVerified ? "wait" : "mute",
    name,
    says: isVerified ? "is verified, but its DNS records have changed" : "is not verified",
    evidence: failure ? `${failure.code}: ${failure.message}` : UNCHECKED,
    ...records,
  };
  const { subdomain, verification_failure: reason } = tracking;
  const host: Concern = {
    id: `${id} tracking`,
    tone: "mute",
    name: subdomain === null ? name : `${subdomain}.${name}`,
    says: "is not verified: opens and clicks are not tracked",
    evidence: reason ? `${reason.code}: ${reason.message}` : UNCHECKED,
    ...records,
  };
  return [
    ...(isVerified && failure === null ? [] : [own]),
    ...(tracking.status === "pending" ? [host] : []),
  ];
}

function quotas(usage: Usage | null): Concern[] {
  const near =
    usage === null
      ? []
      : allowancesOf(usage).filter(({ used, limit }) => used >= limit * NEAR_LIMIT);
  return near.map((one: Allowance) => ({
    id: `quota ${one.name}`,
    tone: one.used >= one.limit ? "bad" : "wait",
    name: null,
    says:
      one.used >= one.limit ? `${one.name}: limit reached` : `${one.name}: limit nearly reached`,
    evidence: `${formatCount(one.used)} of ${formatCount(one.limit)} (${formatShare(one.used, one.limit)})`,
    to: "/usage",
    search: {},
    act: "Show",
  }));
}
