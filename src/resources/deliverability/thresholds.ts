// Lists the rates from which a provider's answers are a finding (contract.md §Deliverability), with
// the pages that publish them. Pure.
import type { RealProvider } from "../providers/provider-of.ts";

/** Parts of 1, from which a rate is a warning, and from which it is critical. */
export interface Threshold {
  readonly warning: number;
  readonly critical: number;
  /** The page that publishes the rates; null: they are this service's own. */
  readonly source: string | null;
}

/** Reviews and pauses of a large sender, which hold for providers that publish no rates. */
const REVIEWS = "https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html";

const COMPLAINTS: Threshold = { warning: 0.001, critical: 0.005, source: REVIEWS };
const COMPLAINTS_OF: Partial<Record<RealProvider, Threshold>> = {
  google: { warning: 0.001, critical: 0.003, source: "https://support.google.com/a/answer/81126" },
  yahoo: {
    warning: 0.001,
    critical: 0.003,
    source: "https://senders.yahooinc.com/best-practices/",
  },
};

/** Recipients whose addresses are refused. */
export const UNKNOWN_RECIPIENTS: Threshold = { warning: 0.05, critical: 0.1, source: REVIEWS };
/** Recipients who are refused for another reason than their address. */
export const REFUSED: Threshold = { warning: 0.05, critical: 0.5, source: null };
/** Attempts that are put off. Greylisting puts off each first attempt, and half of all with it. */
export const DEFERRED_ATTEMPTS: Threshold = { warning: 0.6, critical: 0.95, source: null };

/** The smallest numbers of events that make a finding, whatever their rate. */
export const FEWEST_COMPLAINTS = 3;
export const FEWEST_REFUSALS = 5;
export const FEWEST_UNKNOWN = 10;

/** Returns the rates of complaints for the mail that a provider accepted. */
export function complaintsOf(provider: RealProvider | null): Threshold {
  return (provider && COMPLAINTS_OF[provider]) ?? COMPLAINTS;
}
