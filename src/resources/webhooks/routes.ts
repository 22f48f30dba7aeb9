// Serves /v1/webhooks, where a team manages the URLs that get its events (contract.md §Webhooks).
// An id of no webhook of the team gets 404, even if the id is malformed.
import type * as z from "zod";
import { coreOf } from "../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  json,
  listRows,
  type HttpReply,
} from "../../endpoint.ts";
import { etagOf } from "../../lib/crypto/etag.ts";
import { newId, uuidv7 } from "../../lib/ids.ts";
import { WEBHOOK_ROTATION_GRACE_MS, WEBHOOKS_PER_TEAM } from "../../limits.ts";
import { requireRow, refuse, refuseMember } from "../../refusal.ts";
import { listWebhookDeliveries } from "./webhook-delivery-list.ts";
import { tellLedger } from "../team-settings/reach-ledger.ts";
import { announceChange, removeOutboxes } from "./outbox/outboxes.ts";
import { writeIfMatch } from "../../write-if-match.ts";
import { postSigned } from "./post.ts";
import { replayEndpoints } from "./replay/replay.ts";
import { activeSecrets, mintSecret } from "./webhook-secret.ts";
import {
  getWebhook,
  insertWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookRow,
  type WebhookSettings,
} from "./store.ts";
import { testEvent } from "./test-event.ts";
import {
  checkTarget,
  CreateWebhook,
  toWebhookBatch,
  toWebhookDelivery,
  toTestResult,
  toWebhook,
  UpdateWebhook,
  Webhook,
  WebhookBatch,
  WebhookDelivery,
  WebhookTestResult,
  WebhookWithSecret,
} from "./wire.ts";
import { objectOf } from "../../object-of.ts";

export const webhookEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/webhooks",
    summary: "List webhooks",
    permission: "full",
    paginated: true,
    responses: { 200: Webhook },
    async handle(request) {
      return listRows(
        request.page,
        (limit, after) => listWebhooks(coreOf(request), limit, after),
        (row) => toWebhook(row, request.now),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/webhooks",
    summary: "Create a webhook",
    permission: "full",
    body: CreateWebhook,
    audit: { store: "core", operation: "webhook.create" },
    etag: "read",
    responses: { 201: WebhookWithSecret },
    handle: createWebhook,
  }),
  endpoint({
    method: "GET",
    path: "/v1/webhooks/:id",
    summary: "Get a webhook",
    permission: "full",
    etag: "read",
    responses: { 200: Webhook },
    async handle(request) {
      return show(await getWebhook(coreOf(request), request.id), request.now);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/webhooks/:id",
    summary:
      "Change a webhook's name, URL, events, status, format and whether it gets automatic replies",
    permission: "full",
    body: UpdateWebhook,
    audit: { store: "core", operation: "webhook.update" },
    etag: "write",
    responses: { 200: Webhook },
    async handle(request) {
      const { name, url, events, status, format, auto_replies: autoReplies } = request.body;
      checkTarget(url, request.settings);
      const scope = coreOf(request);
      const changes = {
        name,
        url,
        events,
        status,
        ...(format && { format }),
        ...(autoReplies !== undefined && { autoReplies }),
      };
      const row = await writeIfMatch(request, {
        read: () => getWebhook(scope, request.id),
        etagOf: etagOfWebhook,
        write: (before) => updateWebhook(scope, request.id, changes, before),
      });
      await announceChange(request.env, request.caller.team, row.id);
      return show(row, request.now);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/v1/webhooks/:id",
    summary: "Delete a webhook",
    permission: "full",
    audit: { store: "core", operation: "webhook.delete" },
    etag: "write",
    responses: { 204: null },
    async handle(request) {
      const scope = coreOf(request);
      await writeIfMatch(request, {
        read: () => getWebhook(scope, request.id),
        etagOf: etagOfWebhook,
        write: (before) => removeWebhook(scope, request.id, before),
      });
      await tellLedger(request.env, request.caller.team);
      await removeOutboxes(request.env, [request.id]);
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/webhooks/:id/test",
    summary: "Send a webhook a test event and show what it answered",
    description:
      "Sends one signed `webhook.test` event, whatever the webhook's status. Nothing is " +
      "retried or kept. A 200 only means that the test was made: `delivered` says whether the " +
      "endpoint took the event.",
    permission: "full",
    responses: { 200: WebhookTestResult },
    handle: sendTest,
  }),
  endpoint({
    method: "POST",
    path: "/v1/webhooks/:id/rotate-secret",
    summary: "Replace a webhook's signing secret, honoring the previous one for 24 hours",
    permission: "full",
    errors: [409],
    audit: { store: "core", operation: "webhook.rotate_secret" },
    responses: { 200: WebhookWithSecret },
    handle: rotate,
  }),
  ...replayEndpoints,
  endpoint({
    method: "GET",
    path: "/v1/webhooks/:id/deliveries",
    operationId: "listWebhookDeliveries",
    summary: "List a webhook's deliveries of the last three days, newest first",
    description:
      "Has one entry for each attempt at a batch. A batch that was given up has one more " +
      "entry, `dropped`, because its twelve hours of retries, or its time in the queue of a " +
      "webhook that takes no deliveries, were over.",
    permission: "full",
    paginated: true,
    responses: { 200: WebhookDelivery },
    handle: (request) =>
      listWebhookDeliveries(
        request,
        "deliveries",
        (id, limit, before) =>
          objectOf(request.env, "WEBHOOK_OUTBOX", id).deliveries(limit, before),
        toWebhookDelivery,
      ),
  }),
  endpoint({
    method: "GET",
    path: "/v1/webhooks/:id/batches/:batch_id",
    operationId: "getWebhookBatch",
    summary: "Get a batch of events: its body, its attempts, and the replies",
    description:
      "Finds a batch of the last three days by the `batch_id` of its deliveries. The body is " +
      "kept until the batch is delivered or dropped, and so is the start of the reply to each " +
      "failed attempt.",
    permission: "full",
    responses: { 200: WebhookBatch },
    handle: showBatch,
  }),
];

async function createWebhook(
  request: ApiRequest<z.output<typeof CreateWebhook>>,
): Promise<HttpReply> {
  const { settings, body, now } = request;
  checkTarget(body.url, settings);
  const id = newId("wh");
  const { secret, secretPrefix, secretEncrypted } = await mintSecret(settings.keyEncryptionKey, id);
  const row = {
    id,
    name: body.name,
    url: body.url,
    events: body.events,
    status: "active" as const,
    format: body.format,
    autoReplies: body.auto_replies,
    secretPrefix,
    secretEncrypted,
    previousSecretPrefix: null,
    previousSecretEncrypted: null,
    graceExpiresAt: null,
    lastDeliveryAt: null,
    createdAt: now,
  };
  if (!(await insertWebhook(coreOf(request), row)))
    throw refuseMember("webhooks", `are ${WEBHOOKS_PER_TEAM} already; a team may have no more`);
  await tellLedger(request.env, request.caller.team);
  const shown = { ...toWebhook(row, now), signing_secret: secret };
  return json(201, shown, { ETag: etagOfWebhook(row) });
}

function show(row: WebhookRow, now: number): HttpReply {
  return json(200, toWebhook(row, now), { ETag: etagOfWebhook(row) });
}

/**
 * Returns the ETag of the settings that a change of the webhook replaces. A webhook that the
 * service paused has the ETag of an active webhook.
 */
function etagOfWebhook(settings: WebhookSettings): string {
  const { name, url, events, status, format, autoReplies } = settings;
  return etagOf([name, url, events, format, autoReplies, status === "disabled"]);
}

async function sendTest(request: ApiRequest): Promise<HttpReply> {
  const { settings, now } = request;
  const webhook = await getWebhook(coreOf(request), request.id);
  const secrets = await activeSecrets(settings.keyEncryptionKey, webhook, now);
  const event = testEvent(webhook, now, crypto.randomUUID(), uuidv7(now));
  const begun = Date.now();
  const attempt = await postSigned(settings, { url: webhook.url, secrets, ...event });
  // Waits until the rounded time has passed. Otherwise the request's duration would reveal the
  // exact time, which `latency_ms` hides.
  if (attempt.kind === "unreachable") await scheduler.wait(begun + attempt.latencyMs - Date.now());
  return json(200, toTestResult(attempt));
}

async function showBatch(request: ApiRequest): Promise<HttpReply> {
  const { id } = await getWebhook(coreOf(request), request.id);
  const batchId = request.params["batch_id"] ?? "";
  const known = await objectOf(request.env, "WEBHOOK_OUTBOX", id).batch(batchId);
  return json(200, toWebhookBatch(id, batchId, requireRow(known)));
}

async function rotate(request: ApiRequest): Promise<HttpReply> {
  const { settings, now } = request;
  const { id } = request;
  const scope = coreOf(request);
  const { secret, ...stored } = await mintSecret(settings.keyEncryptionKey, id);
  const row = await rotateSecret(scope, id, stored, now, now + WEBHOOK_ROTATION_GRACE_MS);
  if (row) {
    await announceChange(request.env, request.caller.team, id);
    return json(200, { ...toWebhook(row, now), signing_secret: secret });
  }
  await getWebhook(scope, id);
  throw refuse("webhook_rotation_in_progress");
}
