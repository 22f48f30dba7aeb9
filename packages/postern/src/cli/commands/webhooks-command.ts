// `postern webhooks`: manages webhooks, and forwards their deliveries to this machine.
import type { CreateWebhookResponse, Webhook } from "../../generated/types.ts";
import { answering, deleting, listing } from "../answer-actions.ts";
import type { CommandGroup } from "../command.ts";
import { definedMembers, type Given, type OptionTable } from "../given.ts";
import { eventsOf, LISTEN_OPTIONS, listenOptions } from "../listen/listen-options.ts";
import { listen } from "../listen/listen-run.ts";
import { figure, moment } from "../shown-values.ts";

const SETTINGS: OptionTable = {
  name: { value: "<name>", summary: "Its name; a new one's is its host" },
  events: {
    value: "<types>",
    summary: "Event types with commas; at first all nine",
  },
  format: {
    value: "<format>",
    summary: "batch, or resend: the shape of a request",
  },
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
      run: listing<Webhook>(
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
      run: answering((client, given) => {
        const url = given.word(0);
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
      summary: "Change a webhook; one that is paused after failures is tried again",
      options: {
        ...SETTINGS,
        target: { value: "<url>", summary: "Where it posts" },
        status: { value: "<status>", summary: "active or disabled" },
      },
      run: answering(
        async (client, given) => {
          const id = given.word(0);
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
      asks: (given) => `Delete the webhook ${given.word(0)}, and its undelivered events?`,
      run: deleting((client, id) => client.webhooks.delete(id)),
    },
    {
      name: "test",
      takes: "<id>",
      summary: "Send a webhook a test event, and show its reply",
      run: answering(
        (client, given) => client.webhooks.test(given.word(0)),
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
      summary: "Replace the signing secret; the old one signs too for 24 hours",
      run: answering((client, given) => client.webhooks.rotateSecret(given.word(0)), secretLines),
    },
    {
      name: "listen",
      summary: "Forward deliveries to this machine until Ctrl-C",
      options: LISTEN_OPTIONS,
      run: ({ given, deployment, client }) =>
        listen(client(), listenOptions(given, deployment().url)),
    },
  ],
};

function changesIn(given: Given) {
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
  const old = until === null ? "" : ` The old one is in force until ${moment(until)}.`;
  return [secret, `(${id}. The secret is not shown again.${old})`];
}
