// A team's rates by provider. The service compares each rate with its limit, and this file shows
// the resulting finding beside the rate. Pure.
import type { Deliverability } from "../../../../../packages/postern/src/generated/types.ts";

type Finding = Deliverability["findings"][number];
type Provider = Deliverability["providers"][number];

interface Rate {
  readonly count: number;
  readonly whole: number;
  /** Null: the rate is within its limit. */
  readonly finding: Finding | null;
}

export interface ProviderRates extends Pick<Provider, "title" | "current"> {
  readonly bounced: Rate;
  readonly complaints: Rate;
  readonly deferrals: Rate;
}

export function ratesOf({ providers, findings }: Deliverability): ProviderRates[] {
  return providers.map(({ provider, title, current }) => {
    const { delivered, bounced, deferred, complaints } = current;
    const over = (...kinds: Finding["kind"][]): Finding | null =>
      findings.find((one) => one.provider === provider && kinds.includes(one.kind)) ?? null;
    const ended = delivered + bounced;
    return {
      title,
      current,
      bounced: {
        count: bounced,
        whole: ended,
        finding: over("refuses_all", "refuses_many", "unknown_recipients"),
      },
      complaints: {
        count: complaints,
        whole: Math.max(delivered, complaints),
        finding: over("complaints"),
      },
      deferrals: {
        count: deferred,
        whole: ended + deferred,
        finding: over("defers_all", "defers_many"),
      },
    };
  });
}
