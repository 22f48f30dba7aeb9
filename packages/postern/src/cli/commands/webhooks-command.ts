// `postern webhooks`: lists them, and forwards their deliveries to this machine.
import type { Webhook } from "../../generated/types.ts";
import { type Actions, runAction } from "../chosen-action.ts";
import type { CliCommand, CommandInput } from "../command.ts";
import type { ExitCode } from "../exit-codes.ts";
import { LISTEN_OPTIONS, listenOptions } from "../listen/listen-options.ts";
import { listen } from "../listen/listen-run.ts";
import { tableLines } from "../command-output.ts";

const ACTIONS: Actions = { list, listen: forward };

export const WEBHOOKS_COMMAND: CliCommand = {
  name: "webhooks",
  summary: "List webhooks, and forward their deliveries to this machine",
  usage: ["webhooks", "webhooks listen --forward <url> [--events <types>] [--public-url <url>]"],
  actions: Object.keys(ACTIONS),
  options: LISTEN_OPTIONS,
  examples: [
    "postern webhooks listen --forward http://localhost:3000/hook",
    "postern webhooks listen --forward http://localhost:3000/hook --events email.bounced --public-url https://….example.net",
  ],
  run: (input) => runAction(ACTIONS, input),
};

async function list({ terminal, client }: CommandInput): Promise<void> {
  const webhooks: Webhook[] = [];
  for await (const webhook of client().webhooks.list({ limit: 100 })) webhooks.push(webhook);
  terminal.show(webhooks, () =>
    tableLines(
      ["NAME", "STATUS", "URL", "ID"],
      webhooks.map(({ name, status, url, id }) => [name, status, url, id]),
    ),
  );
}

function forward({ given, deployment, client }: CommandInput): Promise<ExitCode> {
  return listen(client(), listenOptions(given, deployment().url));
}
