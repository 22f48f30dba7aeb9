// Makes the sentences for a finding and its remedy (contract.md §Deliverability). Pure.
import { DAY_MS } from "../../limits.ts";
import { mitigationOf } from "../providers/mitigation.ts";
import type { RealProvider } from "../providers/provider-of.ts";
import { PROVIDER_RULES } from "../providers/provider-rules.ts";
import type { HourRefusal } from "./provider-window.ts";
import type { MailFinding } from "./wire.ts";

/** The facts that a finding's sentence needs. */
export interface FindingCause {
  readonly kind: MailFinding["kind"];
  readonly provider: RealProvider | null;
  /** Unix milliseconds. */
  readonly since: number;
  readonly now: number;
  readonly count: number;
  readonly of: number;
  /** The most frequent refusal. */
  readonly most: HourRefusal | undefined;
}

const OTHERS = "Other providers";
const UNKNOWN = "Unknown providers";

const COUNT = new Intl.NumberFormat("en-US");
const PER_CENT = new Intl.NumberFormat("en-US", {
  style: "percent",
  maximumSignificantDigits: 2,
});

/** Returns a provider's name for the beginning of a sentence. */
export function titleOf(provider: RealProvider | null): string {
  return rulesOf(provider)?.title ?? (provider === null ? UNKNOWN : OTHERS);
}

/** Returns a finding as one sentence. */
export function nameOf({ kind, provider, since, now, count, of, most }: FindingCause): string {
  const [who, when] = [titleOf(provider), `since ${timeText(since, now)}`];
  const has = rulesOf(provider) ? "has" : "have";
  const words = most ? `: ${most.text.replace(/\.$/, "")}, ${timesText(most.count)}` : "";
  const part = `${COUNT.format(count)} of ${COUNT.format(of)}`;
  switch (kind) {
    case "refuses_all":
      return `${who} ${has} refused all mail ${when}${words}.`;
    case "refuses_many":
      return `${who} ${has} refused ${part} recipients ${when}${words}.`;
    case "defers_all":
      return `${who} ${has} delayed all mail ${when}${words}.`;
    case "defers_many":
      return `${who} ${has} delayed ${part} attempts ${when}${words}.`;
    case "unknown_recipients":
      return `${who} ${has} refused ${part} recipients as unknown ${when}${words}.`;
    case "complaints":
      return (
        `${part} messages that ${rulesOf(provider) ? who : who.toLowerCase()} accepted ` +
        `(${PER_CENT.format(count / of)}) have been reported as spam ${when}.`
      );
  }
}

/** Returns advice on a finding. `source` is the page that publishes the finding's threshold. */
export function actionOn(
  { kind, provider, most }: FindingCause,
  source: string | null,
): MailFinding["action"] {
  const rules = rulesOf(provider);
  const page = source ?? rules?.source;
  switch (kind) {
    case "complaints":
      return {
        kind: "clean_list",
        text: "Send only to people who asked for it, with a one-click unsubscribe link.",
        ...(page !== undefined && { href: page }),
      };
    case "unknown_recipients":
      return {
        kind: "clean_list",
        text:
          "Have people confirm their addresses (double opt-in). The service suppresses addresses " +
          "that were permanently refused.",
        ...(page !== undefined && { href: page }),
      };
    case "defers_all":
    case "defers_many":
      return {
        kind: "wait",
        text: "Send fewer messages at a time. The service retries each message for up to 72 hours.",
        ...(rules && { href: rules.source }),
      };
    case "refuses_all":
    case "refuses_many":
      return onRefusal(most?.classification ?? null, provider);
  }
}

function onRefusal(
  classification: string | null,
  provider: RealProvider | null,
): MailFinding["action"] {
  if (classification === "AuthenticationFailed")
    return {
      kind: "fix_dns",
      text: "Compare the sending domain's records with what GET /v1/domains/{id}/dns expects.",
      href: "/v1/domains",
    };
  if (classification === "SpamContent" || classification === "ContentRelated")
    return {
      kind: "change_content",
      text: "Compare the refused messages with accepted ones: links, attachments, wording.",
    };
  const text = "Ask the postmasters of the refusing servers for mitigation.";
  return { kind: "contact_provider", ...(mitigationOf(provider) ?? { text }) };
}

function rulesOf(provider: RealProvider | null): (typeof PROVIDER_RULES)[number] | undefined {
  return PROVIDER_RULES.find(({ name }) => name === provider);
}

function timesText(count: number): string {
  return count === 1 ? "once" : `${COUNT.format(count)} times`;
}

/** Formats a time, without the date if the time is today. */
function timeText(at: number, now: number): string {
  const text = new Date(at).toISOString();
  const isToday = Math.floor(at / DAY_MS) === Math.floor(now / DAY_MS);
  return isToday ? `${text.slice(11, 16)} UTC` : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
