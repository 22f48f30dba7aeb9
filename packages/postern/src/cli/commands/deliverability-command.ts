// `postern deliverability`: the problems with the mail to each mailbox provider, and the figures.
import type { Deliverability, ProviderDeliverability } from "../../generated/types.ts";
import { requestRun, table } from "../request-actions.ts";
import type { SingleCommand } from "../command.ts";
import { moment } from "../shown-values.ts";
import { WINDOW_OPTIONS, windowOf } from "./stats-command.ts";

export const DELIVERABILITY_COMMAND: SingleCommand = {
  name: "deliverability",
  summary: "Say which mailbox providers refuse or delay the mail, and what can be done",
  options: WINDOW_OPTIONS,
  examples: [
    "postern deliverability",
    "postern deliverability --since 2026-11-20 --json | jq '.findings[].summary'",
  ],
  run: requestRun((client, given) => client.deliverability.get(windowOf(given)), reportLines),
};

function reportLines({ start, end, findings, providers }: Deliverability): readonly string[] {
  return [
    `${moment(start)} to ${moment(end)}, UTC`,
    "",
    ...(findings.length === 0 ? ["No problem was found."] : []),
    ...findings.flatMap(({ severity, summary, evidence, action }) => [
      `${severity}: ${summary}`,
      ...(evidence.reply === null ? [] : [`  ${evidence.reply}`]),
      `  - ${action.text}`,
    ]),
    ...(providers.length === 0 ? [] : ["", ...providerTable(providers)]),
  ];
}

function providerTable(providers: readonly ProviderDeliverability[]): readonly string[] {
  return table(
    {
      PROVIDER: ({ title }) => title,
      SENT: ({ current }) => current.sent,
      DELIVERED: ({ current }) => current.delivered,
      DEFERRED: ({ current }) => current.deferred,
      BOUNCED: ({ current }) => current.bounced,
      COMPLAINTS: ({ current }) => current.complaints,
      "MEDIAN SECONDS": ({ current }) => current.time_to_acceptance.median_seconds ?? "-",
    },
    providers,
  );
}
