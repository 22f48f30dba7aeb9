// The edge cases of delivery as a table. Each has the recipient's DNS, the behaviour of its mail
// servers, and the exact result (contract.md §Bounces). All of them run at once on one stack, on
// which time passes thousands of times faster.
import { patience } from "../../../tools/harness/slowness.ts";
import { CONNECTION_SCENARIOS } from "./connection-scenarios.ts";
import { DNS_SCENARIOS } from "./dns-scenarios.ts";
import { REFUSAL_SCENARIOS } from "./refusal-scenarios.ts";
import type { Scenario } from "./scenario-terms.ts";
import { TRANSACTION_SCENARIOS } from "./transaction-scenarios.ts";

const HOURS_72_MS = 72 * 3_600_000;
/** Time runs faster, so that 72 hours last 40 seconds. They last longer on a slow machine. */
export const SPEEDUP = HOURS_72_MS / patience(40_000);

/** Domains for which DNS answers SERVFAIL. */
export const FAILING_DOMAINS = ["servfail.test"];

export const SCENARIOS: readonly Scenario[] = [
  ...TRANSACTION_SCENARIOS,
  ...REFUSAL_SCENARIOS,
  ...DNS_SCENARIOS,
  ...CONNECTION_SCENARIOS,
];
