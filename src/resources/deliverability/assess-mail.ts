// Makes the deliverability report from the mail of two windows (contract.md §Deliverability). Pure.
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { RULES_VERSION } from "../providers/provider-rules.ts";
import type { CountWindow } from "../stats/count-window.ts";
import { findingsAbout } from "./mail-findings.ts";
import { titleOf } from "./finding-texts.ts";
import { type HourRefusal, type MailWindow, ProviderWindow } from "./provider-window.ts";
import type {
  Deliverability,
  Figures,
  MailFinding,
  ProviderEntry,
  FrequentRefusal,
} from "./wire.ts";

type Span = Pick<CountWindow, "start" | "end">;

interface Report {
  readonly window: Span;
  /** The preceding window. Null: it ends before the team's retention begins. */
  readonly before: Span | null;
  readonly current: MailWindow;
  readonly previous: MailWindow;
  readonly now: number;
}

const REFUSALS_SHOWN = 10;

/** Returns the preceding window of the same length, limited by the team's retention. */
export function previousWindow(
  { start, end }: Span,
  retentionDays: number,
  now: number,
): Span | null {
  const oldest = Math.floor((now - retentionDays * DAY_MS) / HOUR_MS) * HOUR_MS;
  const before = { start: Math.max(start - (end - start), oldest), end: start };
  return before.start < before.end ? before : null;
}

export function assessMail({ window, before, current, previous, now }: Report): Deliverability {
  const names = new Set([...current.providers.keys(), ...previous.providers.keys()]);
  const entries = Array.from(names, (provider): ProviderEntry => {
    const mail = current.providers.get(provider) ?? new ProviderWindow();
    return {
      provider,
      title: titleOf(provider),
      current: figuresOf(mail),
      previous: before && figuresOf(previous.providers.get(provider) ?? new ProviderWindow()),
      refusals: mail.frequentRefusals().slice(0, REFUSALS_SHOWN).map(toFrequentRefusal),
    };
  });
  const findings = [...current.providers].flatMap(([provider, mail]) =>
    findingsAbout(provider, mail, previous.providers.get(provider), { ...window, now }),
  );
  return {
    ...spanText(window),
    previous: before && spanText(before),
    rules: { version: RULES_VERSION, oldest: oldestRules(current, previous) },
    providers: entries.toSorted(
      (one, other) =>
        Number(one.provider === null) - Number(other.provider === null) ||
        mailOf(other.current) - mailOf(one.current),
    ),
    findings: findings.toSorted(
      (one, other) => rankOf(one) - rankOf(other) || other.evidence.count - one.evidence.count,
    ),
  };
}

function figuresOf({ counts, times }: ProviderWindow): Figures {
  return {
    sent: counts.of("sent"),
    delivered: counts.of("delivered"),
    deferred: counts.of("delayed"),
    bounced: counts.of("bounced"),
    bounces: Object.fromEntries([...counts.classes].toSorted(([, one], [, other]) => other - one)),
    complaints: counts.of("complained"),
    time_to_acceptance: { median_seconds: times.within(0.5), p95_seconds: times.within(0.95) },
  };
}

function toFrequentRefusal({
  kind,
  classification,
  text,
  count,
  firstAt,
}: HourRefusal): FrequentRefusal {
  return { kind, classification, text, count, first_at: new Date(firstAt).toISOString() };
}

function oldestRules(...windows: readonly MailWindow[]): number | null {
  const oldest = Math.min(...windows.map(({ rules }) => rules));
  return Number.isFinite(oldest) ? oldest : null;
}

function mailOf({ sent, delivered, deferred, bounced }: Figures): number {
  return sent + delivered + deferred + bounced;
}

function rankOf({ severity }: MailFinding): number {
  return severity === "critical" ? 0 : 1;
}

function spanText({ start, end }: Span): { start: string; end: string } {
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}
