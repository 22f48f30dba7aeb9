// Names the reasons of suppressions. Pure.
import type { REASONS } from "./suppressions-search.ts";

export const REASON_NAMES: Readonly<Record<(typeof REASONS)[number], string>> = {
  permanent_bounce: "Bounced for good",
  complaint: "Complained",
  unsubscribed: "Unsubscribed",
  manual: "By hand",
};
