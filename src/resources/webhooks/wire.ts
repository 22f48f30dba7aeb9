// The schemas of a webhook and of what a team may set on it (contract.md §Webhooks).
import { createHash } from "node:crypto";
import * as z from "zod";
import { uuidv7Of } from "../../lib/ids.ts";
import {
  NAME_CHARACTERS,
  WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_TIMEOUT_MS,
  WEBHOOK_URL_CHARACTERS,
} from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import type {
  WebhookDeliveryError,
  StoredWebhookBatch,
  WebhookDeliveryEntry,
} from "../../rpc/outbox-calls.ts";
import type { KnownReplay } from "../../rpc/replay-calls.ts";
import type { PostAttempt } from "./post.ts";
import type { WebhookRow } from "./store.ts";
import type { Settings } from "../../settings.ts";
import { EVENT_TYPES } from "../../rpc/event-types.ts";
import { Moment } from "../events/wire.ts";
import { targetOptions, targetProblem } from "./webhook-target.ts";

/** More than the nine types, because a type that is named twice counts once. */
const EVENT_ENTRIES = 100;

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;
const ABSOLUTE = /^https?:\/\/[^/?#\\]/i;
/** The characters of RFC 3986. The parser accepts others too, and encodes them with these. */
const URI_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;

const ERRORS: Readonly<Record<WebhookDeliveryError, string>> = {
  unreachable:
    "No response: check that the host resolves to public addresses only, accepts connections on " +
    "the port, has a valid certificate, and sends a complete response of at most " +
    `${WEBHOOK_RESPONSE_BYTES / 1_024} KiB.`,
  timed_out: `No completed response within ${WEBHOOK_TIMEOUT_MS / 1_000} seconds.`,
  expired: "dropped: the batch waited or was retried for too long.",
  backlog_full: "dropped: too many events were already queued for this webhook.",
};

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.url(),
  events: z.array(z.enum(EVENT_TYPES)),
  status: z.enum(["active", "circuit_disabled", "disabled"]),
  format: z.enum(["batch", "resend"]),
  signing_secret_prefix: z.string(),
  signing_secret_previous_prefix: z.string().nullable(),
  signing_secret_grace_expires_at: z.iso.datetime().nullable(),
  last_delivery_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

/** A webhook in the responses to a creation and a rotation, the only ones that show the secret. */
export const WebhookWithSecret = Webhook.extend({ signing_secret: z.string() });

const Name = z
  .string()
  .refine((text) => text.trim() !== "", { error: "must not be empty", abort: true })
  .refine(
    (text) => text.length <= 2 * NAME_CHARACTERS && Array.from(text).length <= NAME_CHARACTERS,
    `must be at most ${NAME_CHARACTERS} characters`,
  )
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    "must not hold control characters or halves of characters",
  )
  .describe("How people tell the webhook from others.");

/**
 * Keeps a URI as it was written, and any other URL in the ASCII spelling that is called.
 * checkTarget() applies the operator's rules.
 */
const Url = z
  .string()
  .max(WEBHOOK_URL_CHARACTERS, `must be at most ${WEBHOOK_URL_CHARACTERS} characters`)
  .meta({
    description:
      "An absolute https URL. It may hold characters beyond ASCII, and is then kept in its " +
      "ASCII spelling.",
  })
  .transform((text, context) => {
    const problem = urlProblem(text);
    if (problem === undefined) return URI_CHARACTERS.test(text) ? text : new URL(text).href;
    context.issues.push({ code: "custom", message: problem, input: text });
    return z.NEVER;
  });

const EventType = z.enum(EVENT_TYPES, { error: "is not an event type that can be subscribed to" });

/** Counts the list before its entries are read, so that a huge list is one error. */
const Events = z
  .array(z.unknown())
  .min(1, "must name at least one event type")
  .max(EVENT_ENTRIES, `must be at most ${EVENT_ENTRIES} entries`)
  .meta({ items: { type: "string", enum: EVENT_TYPES } })
  .pipe(z.array(EventType))
  .transform((types) => [...new Set(types)])
  .describe("The types of events, at least one.");

const Format = z.enum(["batch", "resend"]).meta({
  description:
    "`batch`: a request has up to 100 events. `resend`: a request has one event, in the shape " +
    "of Resend's webhooks.",
});

export const CreateWebhook = z.object({
  name: Name,
  url: Url,
  events: Events,
  format: Format.default("batch"),
});

/** The result of POST /webhooks/{id}/test. */
export const WebhookTestResult = z.object({
  delivered: z.boolean().meta({ description: "True only for a 2xx." }),
  status_code: z.int().nullable().meta({ description: "Null when the request never completed." }),
  latency_ms: z.int().min(0),
  error: z.string().nullable().meta({ description: "Set when the request never completed." }),
  response_body_preview: z
    .string()
    .nullable()
    .meta({ description: "The first KiB of the response's body." }),
});

/** An entry of the delivery log. */
export const WebhookDelivery = z.object({
  id: z.string(),
  batch_id: z.string(),
  attempt: z
    .int()
    .min(0)
    .meta({ description: "From 1. Of a batch that was dropped: how many there were." }),
  attempted_at: z.iso.datetime(),
  outcome: z.enum(["delivered", "failed", "dropped"]),
  status_code: z.int().nullable().meta({ description: "Null when the request never completed." }),
  latency_ms: z.int().min(0).nullable().meta({ description: "Null for a batch that was dropped." }),
  error: z
    .string()
    .nullable()
    .meta({ description: "Set when the request never completed, or the batch was dropped." }),
  event_count: z.int().min(1),
  next_attempt_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Null when none is planned: it is over, or deliveries are held." }),
});

/** A batch of events with all that is kept of it. */
export const WebhookBatch = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_count: z.int().min(1),
  body: z.string().nullable().meta({
    description: "The request's body. Null once the batch was delivered or dropped.",
  }),
  deliveries: z
    .array(
      WebhookDelivery.extend({
        response_body_preview: z.string().nullable().meta({
          description: "The first KiB of the reply to an attempt that failed.",
        }),
      }),
    )
    .meta({ description: "The batch's entries of the delivery log, oldest first." }),
});

/**
 * An update replaces name, URL, events and status, and the format if it names one. Only the service
 * sets `circuit_disabled`.
 */
export const UpdateWebhook = CreateWebhook.extend({
  status: z
    .enum(["active", "disabled"])
    .describe("`disabled`: nothing is sent. `active` also ends what the service disabled."),
  format: Format.optional(),
});

const TYPE = { type: "string", enum: [...EVENT_TYPES] } as const;

/** Another name of `event_types`, with one type or a list of them. */
const OtherEvents = z
  .unknown()
  .meta({ anyOf: [TYPE, { type: "array", items: TYPE }] })
  .transform((given) => (typeof given === "string" ? [given] : given))
  .pipe(Events)
  .optional()
  .meta({ description: "Another name of `event_types`, which wins.", deprecated: true });

/** Times in Unix milliseconds. */
export const ReplayWebhook = z.object({
  start: Moment,
  end: Moment.optional(),
  event_types: Events.optional(),
  events: OtherEvents,
  event_type: OtherEvents,
});

/** A replay that has begun. */
export const WebhookReplayed = z.object({
  id: z.string(),
  webhook_id: z.string(),
  start: z.iso.datetime().meta({ description: "Inclusive, and within the team's retention." }),
  end: z.iso.datetime().meta({ description: "Exclusive." }),
  event_types: z.array(z.enum(EVENT_TYPES)),
});

/** A replay in the list of those that are known. */
export const ShownReplay = WebhookReplayed.extend({
  status: z.enum(["running", "done", "stopped"]),
  sent: z.int().min(0).meta({ description: "Events handed over to be delivered, so far." }),
  reached_at: z.iso
    .datetime()
    .meta({ description: "How far back it has come: its events after this time are handed over." }),
  created_at: z.iso.datetime(),
  completed_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When it ended, done or stopped; null while it is running." }),
}).meta({ id: "WebhookReplay" });

/** Refuses a URL that this deployment does not let webhooks call. */
export function checkTarget(url: string, settings: Settings): void {
  const problem = targetProblem(new URL(url), targetOptions(settings));
  if (problem !== undefined) throw refuse("invalid", { errors: { url: [problem] } });
}

/** Renders a webhook. `now` decides whether a rotation is still in progress. */
export function toWebhook(row: Omit<WebhookRow, "teamId">, now: number): z.output<typeof Webhook> {
  const isRotating = row.graceExpiresAt !== null && row.graceExpiresAt > now;
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events as z.output<typeof Webhook>["events"],
    status: row.status,
    format: row.format,
    signing_secret_prefix: row.secretPrefix,
    signing_secret_previous_prefix: isRotating ? row.previousSecretPrefix : null,
    signing_secret_grace_expires_at: isRotating ? toTime(row.graceExpiresAt) : null,
    last_delivery_at: toTime(row.lastDeliveryAt),
    created_at: new Date(row.createdAt).toISOString(),
  };
}

export function toTestResult(attempt: PostAttempt): z.output<typeof WebhookTestResult> {
  const answered = attempt.kind === "answered";
  return {
    delivered: answered && attempt.isSuccess,
    status_code: answered ? attempt.status : null,
    latency_ms: attempt.latencyMs,
    error: answered ? null : ERRORS[attempt.kind],
    response_body_preview: answered ? attempt.preview : null,
  };
}

export function toDelivery(
  webhookId: string,
  logged: WebhookDeliveryEntry,
): z.output<typeof WebhookDelivery> {
  return {
    id: deliveryId(webhookId, logged),
    batch_id: logged.batchId,
    attempt: logged.attempt,
    attempted_at: new Date(logged.attemptedAt).toISOString(),
    outcome: logged.outcome,
    status_code: logged.statusCode,
    latency_ms: logged.latencyMs,
    error: logged.error && ERRORS[logged.error],
    event_count: logged.eventCount,
    next_attempt_at: toTime(logged.nextAttemptAt),
  };
}

export function toBatch(
  webhookId: string,
  id: string,
  { eventCount, body, entries }: StoredWebhookBatch,
): z.output<typeof WebhookBatch> {
  return {
    id,
    webhook_id: webhookId,
    event_count: eventCount,
    body,
    deliveries: entries.map((entry) => ({
      ...toDelivery(webhookId, entry),
      response_body_preview: entry.reply,
    })),
  };
}

export function toReplay(webhookId: string, known: KnownReplay): z.output<typeof ShownReplay> {
  return {
    id: known.id,
    webhook_id: webhookId,
    start: new Date(known.start).toISOString(),
    end: new Date(known.end).toISOString(),
    event_types: [...known.types],
    status: known.status,
    sent: known.sent,
    reached_at: new Date(known.reachedAt).toISOString(),
    created_at: new Date(known.createdAt).toISOString(),
    completed_at: toTime(known.endedAt),
  };
}

/** Makes an entry's id: its time, then a hash of its position. */
function deliveryId(webhookId: string, { position, attemptedAt }: WebhookDeliveryEntry): string {
  return `dlv_${uuidv7Of(attemptedAt, createHash("sha256").update(`${webhookId} ${position}`).digest().subarray(0, 16))}`;
}

/** Returns what is wrong with a URL under any operator's settings. */
function urlProblem(text: string): string | undefined {
  if (!ABSOLUTE.test(text)) return "must be a URL that begins with https://";
  if (WHITE_SPACE_OR_CONTROL.test(text) || text.includes("\\") || !text.isWellFormed())
    return "must not hold spaces, control characters, backslashes or halves of characters";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "is not a URL";
  if (url.href.length > WEBHOOK_URL_CHARACTERS)
    return `must be at most ${WEBHOOK_URL_CHARACTERS} characters in its ASCII spelling`;
  if (url.hash !== "") return "must not have a fragment, which is never sent";
  return targetProblem(url, { allowPrivate: true, ownHosts: [] });
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
