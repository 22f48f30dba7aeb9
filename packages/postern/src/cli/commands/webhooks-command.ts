// `postern webhooks`: manages webhooks, and forwards their deliveries to this machine.
import type { CreateWebhookResponse, Webhook } from "../../generated/types.ts";
import { requestRun, deleteRun, listRun } from "../request-actions.ts";
import type { CommandGroup } from "../command.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import { eventsOf, LISTEN_OPTIONS, listenOptions } from "../listen/listen-options.ts";
import { listen } from "../listen/listen-run.ts";
import { figure, moment } from "../shown-values.ts";

const SETTINGS: OptionTable = {
  name: { value: "<name>", summary: "The name; a new webhook is by default named after its host" },
  events: { value: "<types>", summary: "Event types, separated by commas; default: all nine" },
  format: { value: "<format>", summary: "The format of a request: batch or resend" },
};

export const WEBHOOKS_COMMAND: CommandGroup = {
  name: "webhooks",
  summary: "Manage webhooks, and forward their deliveries to this machine",
  examples: [
    "postern webhooks create https://shop.example.com/hook --events email.bounced,email.complained",
    "postern webhooks update wh_… --status disabled",
    "postern webhooks test wh_…",
    "postern webhooks listen --forward http://localhost:3000/hook",
    "postern webhooks listen --forward http://localhost:3000/hook --events email.bounced --public-url https://….example.net",
  ],
  actions: [
    {
      name: "list",
      summary: "List the webhooks",
      run: listRun<Webhook>(
        {
          NAME: ({ name }) => name,
          STATUS: ({ status }) => status,
          URL: ({ url }) => url,
          ID: ({ id }) => id,
        },
        (client, _, limit) => client.webhooks.list({ limit }),
      ),
    },
    {
      name: "create",
      takes: "<url>",
      summary: "Create a webhook, and show its signing secret once",
      options: SETTINGS,
      run: requestRun((client, given) => {
        const url = given.positional(0);
        return client.webhooks.create({
          name: URL.canParse(url) ? new URL(url).host : url,
          url,
          ...changesIn(given),
          events: [...eventsOf(given.text("events"))],
        });
      }, secretLines),
    },
    {
      name: "update",
      takes: "<id>",
      summary: "Change a webhook; this also resumes a paused one",
      options: {
        ...SETTINGS,
        target: { value: "<url>", summary: "Where it posts" },
        status: { value: "<status>", summary: "active or disabled" },
      },
      run: requestRun(
        async (client, given) => {
          const id = given.positional(0);
          const { name, url, events, status } = await client.webhooks.get(id);
          return client.webhooks.update(id, {
            name,
            url,
            events,
            status: status === "disabled" ? status : "active",
            ...changesIn(given),
          });
        },
        ({ id, name, url, status }) => [`${id} (${name}) is ${status}: ${url}`],
      ),
    },
    {
      name: "delete",
      takes: "<id>",
      summary: "Delete a webhook, and the events that it has not got yet",
      asks: (given) => `Delete the webhook ${given.positional(0)}, and its undelivered events?`,
      run: deleteRun((client, id) => client.webhooks.delete(id)),
    },
    {
      name: "test",
      takes: "<id>",
      summary: "Send a webhook a test event, and show its reply",
      run: requestRun(
        (client, given) => client.webhooks.test(given.positional(0)),
        ({ delivered, status_code: code, latency_ms: ms, error, response_body_preview: reply }) => [
          `${delivered ? "Delivered" : "Not delivered"} after ${figure(ms)} ms: ${code ?? error ?? "-"}`,
          ...(code !== null && error !== null ? [error] : []),
          ...(reply ? [reply] : []),
        ],
        ({ delivered }) => delivered,
      ),
    },
    {
      name: "rotate",
      takes: "<id>",
      summary: "Replace the signing secret; for 24 hours, the old one also signs",
      run: requestRun(
        (client, given) => client.webhooks.rotateSecret(given.positional(0)),
        secretLines,
      ),
    },
    {
      name: "listen",
      summary: "Forward deliveries to this machine until Ctrl-C",
      options: LISTEN_OPTIONS,
      run: (input) =>
        listen(input.client(), listenOptions(input.given, input.deployment().url), input),
    },
  ],
};

function changesIn(given: ParsedArguments) {
  const events = given.text("events");
  return definedMembers({
    name: given.text("name"),
    url: given.text("target"),
    events: events === undefined ? undefined : [...eventsOf(events)],
    format: given.text("format") as Webhook["format"] | undefined,
    status: given.text("status") as "active" | "disabled" | undefined,
  });
}

function secretLines(webhook: CreateWebhookResponse): readonly string[] {
  const { id, signing_secret: secret, signing_secret_grace_expires_at: until } = webhook;
  const old = until === null ? "" : ` The old secret is valid until ${moment(until)}.`;
  return [secret, `(${id}. The secret is not shown again.${old})`];
}
