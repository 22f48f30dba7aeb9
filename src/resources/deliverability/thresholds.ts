// Lists the rates above which the service makes a finding (contract.md §Deliverability), with the
// pages that publish these rates. Pure.
import type { RealProvider } from "../providers/provider-of.ts";

/** The rates from which a finding is a warning, or is critical. A rate of 1 means all mail. */
export interface Threshold {
  readonly warning: number;
  readonly critical: number;
  /** The page that publishes the rates. Null: this service chose the rates. */
  readonly source: string | null;
}

/**
 * The page on which a large sender, Amazon SES, publishes the rates at which it reviews and pauses
 * accounts. These rates apply to providers that publish no rates of their own.
 */
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

/** Rates of recipients whose mail was refused because of the address. */
export const UNKNOWN_RECIPIENTS: Threshold = { warning: 0.05, critical: 0.1, source: REVIEWS };
/** Rates of recipients whose mail was refused for a reason other than the address. */
export const REFUSED: Threshold = { warning: 0.05, critical: 0.5, source: null };
/**
 * Rates of deferred attempts. They are high, because greylisting defers every first attempt: half
 * of all attempts are then deferred, even if all mail arrives.
 */
export const DEFERRED_ATTEMPTS: Threshold = { warning: 0.6, critical: 0.95, source: null };

/** A finding needs at least this many events of its kind, whatever their rate. */
export const FEWEST_COMPLAINTS = 3;
export const FEWEST_REFUSALS = 5;
export const FEWEST_UNKNOWN = 10;

/** Returns the complaint rates that apply to a provider. */
export function complaintsOf(provider: RealProvider | null): Threshold {
  return (provider && COMPLAINTS_OF[provider]) ?? COMPLAINTS;
}
