// The edge cases of delivery as a table. Each has the recipient's DNS, the behaviour of its mail
// servers, and the exact result (contract.md §Bounces). All of them run at once on one stack, whose
// time runs 8,640 times faster.
import { CONNECTION_SCENARIOS } from "./connection-scenarios.ts";
import { DNS_SCENARIOS } from "./dns-scenarios.ts";
import { REFUSAL_SCENARIOS } from "./refusal-scenarios.ts";
import type { Scenario } from "./scenario-terms.ts";
import { TRANSACTION_SCENARIOS } from "./transaction-scenarios.ts";

/** 72 hours become 30 seconds, the first wait 7 ms. */
export const SPEEDUP = 8_640;

/** Domains for which DNS answers SERVFAIL. */
export const FAILING_DOMAINS = ["servfail.test"];

export const SCENARIOS: readonly Scenario[] = [
  ...TRANSACTION_SCENARIOS,
  ...REFUSAL_SCENARIOS,
  ...DNS_SCENARIOS,
  ...CONNECTION_SCENARIOS,
];
