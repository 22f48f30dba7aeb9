// Resend's endpoints of webhooks, translated to Postern's webhooks of the format `resend`
// (docs/from-resend.md §Webhooks).
import type * as z from "zod";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { refuse } from "../../refusal.ts";
import type { WebhookWithSecret } from "../../resources/webhooks/wire.ts";
import { bareId, idSegment, ownId } from "./bare-ids.ts";
import { serveList } from "./lists.ts";
import { membersGiven, type OwnApi, type ResendEndpoint } from "./resend-endpoint.ts";
import {
  isParkedWebhook,
  nameOf,
  readEvents,
  toResendWebhook,
  type OwnWebhook,
} from "./webhook-shape.ts";

type WithSecret = z.output<typeof WebhookWithSecret>;

const PATH = "/v1/webhooks";
const NAMES = { url: "endpoint" } as const;
const MEMBERS: ReadonlySet<string> = new Set(["endpoint", "events", "status"]);
const STATUSES: Readonly<Record<string, "active" | "disabled">> = {
  enabled: "active",
  disabled: "disabled",
};

export const webhookEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/webhooks",
    handle: (request, own) =>
      serveList<OwnWebhook>(request, own, {
        path: PATH,
        find: (id) => own.askUnless(404, { method: "GET", path: webhookPath(id) }),
        present: toResendWebhook,
      }),
  },
  {
    method: "POST",
    path: "/webhooks",
    status: 201,
    memberNames: NAMES,
    handle: ({ body }, own) => create(body, own),
  },
  {
    method: "GET",
    path: "/webhooks/:id",
    async handle({ params }, own) {
      const webhook = await own.ask<OwnWebhook>({ method: "GET", path: webhookPath(params["id"]) });
      // Postern shows a webhook's secret only in the answer to its creation (contract.md
      // §Signatures).
      return { object: "webhook", ...toResendWebhook(webhook), signing_secret: null };
    },
  },
  {
    method: "PATCH",
    path: "/webhooks/:id",
    memberNames: NAMES,
    async handle({ params, body }, own) {
      const webhook = await own.ask<OwnWebhook>({ method: "GET", path: webhookPath(params["id"]) });
      await own.ask({
        method: "PATCH",
        path: webhookPath(webhook.id),
        body: isJsonObject(body)
          ? settingsAfter(webhook, membersGiven(body, MEMBERS, own.ignore), own)
          : body,
      });
      return { object: "webhook", id: bareId(webhook.id) };
    },
  },
  {
    method: "DELETE",
    path: "/webhooks/:id",
    async handle({ params }, own) {
      const { id = "" } = params;
      await own.ask({ method: "DELETE", path: webhookPath(id) });
      return { object: "webhook", id: bareId(ownId("wh", id)), deleted: true };
    },
  },
  {
    method: "POST",
    path: "/webhooks/:id/signing-secret/rotate",
    async handle({ params }, own) {
      const { id, signing_secret } = await own.ask<WithSecret>({
        method: "POST",
        path: `${webhookPath(params["id"])}/rotate-secret`,
      });
      return { object: "webhook", id: bareId(id), signing_secret };
    },
  },
];

export function webhookPath(id: string | undefined): string {
  return `${PATH}/${idSegment("wh", id)}`;
}

/**
 * Creates a webhook. If Postern has none of the event types that the request names, the webhook is
 * disabled at once.
 */
async function create(body: unknown, own: OwnApi): Promise<JsonObject> {
  if (!isJsonObject(body)) return own.ask({ method: "POST", path: PATH, body });
  const { endpoint, events, status } = membersGiven(body, MEMBERS, own.ignore);
  const wanted = readEvents(events);
  own.ignore(wanted.unknown.map((type) => ["events", type]));
  const given = status === undefined ? undefined : readStatus(status);
  const settings = {
    name: nameOf(endpoint, wanted.isParked),
    url: endpoint,
    events: wanted.events,
    format: "resend",
  };
  const { id, signing_secret } = await own.ask<WithSecret>({
    method: "POST",
    path: PATH,
    body: settings,
  });
  if (wanted.isParked || given === "disabled")
    await own.ask({
      method: "PATCH",
      path: webhookPath(id),
      body: { ...settings, status: "disabled" },
    });
  return { object: "webhook", id: bareId(id), signing_secret };
}

/** Returns the webhook's settings after the change. */
function settingsAfter(webhook: OwnWebhook, change: JsonObject, own: OwnApi): JsonObject {
  const { endpoint = webhook.url, events, status } = change;
  const wanted = readEvents(events ?? webhook.events);
  own.ignore(wanted.unknown.map((type) => ["events", type]));
  const was = isParkedWebhook(webhook);
  const parks = events === undefined ? was : wanted.isParked;
  // A parked webhook is disabled only because Postern lacks its event types. It is enabled as soon
  // as it asks for a type that Postern has.
  const kept = webhook.status === "disabled" && !was ? "disabled" : "active";
  const given = status === undefined ? kept : readStatus(status);
  const isNamed = webhook.url !== endpoint || was !== parks;
  return {
    name: isNamed ? nameOf(endpoint, parks) : webhook.name,
    url: endpoint,
    events: wanted.events,
    status: parks ? "disabled" : given,
  };
}

function readStatus(status: unknown): "active" | "disabled" {
  const own = typeof status === "string" ? STATUSES[status] : undefined;
  if (own) return own;
  throw refuse("invalid", { errors: { status: ["must be one of: enabled, disabled"] } });
}
