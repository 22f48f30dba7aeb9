// Judges all watched metrics of the latest sample. Pure.
import type { MetricsSample } from "../metrics/metric-figures.ts";
import { type Check, UNKNOWN } from "./operator-check.ts";
import { checkMail } from "./check-mail.ts";
import { checkLetters, checkQueues, checkWebhooks } from "./check-queues.ts";
import { checkFaults, checkSources } from "./check-requests.ts";

export function checkMetrics(looks: readonly MetricsSample[]): Check[] {
  const families = looks.at(-1)?.families ?? [];
  return [
    ...checkSources(families),
    ...checkMail(families),
    ...checkQueues(families),
    ...checkLetters(families),
    checkWebhooks(families),
    checkFaults(looks),
  ];
}

/** Returns the names of the checks that have no data because their data source did not answer. */
export function unknownAmong(checks: readonly Check[]): string[] {
  return checks.filter(({ value }) => value === UNKNOWN).map(({ name }) => name);
}
