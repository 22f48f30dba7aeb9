// The schemas of a webhook and of its settings (contract.md §Webhooks).
import { createHash } from "node:crypto";
import * as z from "zod";
import { GivenName, noValue } from "../../given-text.ts";
import { uuidv7Of } from "../../lib/ids.ts";
import {
  WEBHOOK_EVENT_ENTRIES,
  WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_TIMEOUT_MS,
  WEBHOOK_URL_CHARACTERS,
} from "../../limits.ts";
import { refuseMember } from "../../refusal.ts";
import type {
  WebhookDeliveryError,
  StoredWebhookBatch,
  WebhookDeliveryEntry,
} from "../../rpc/outbox-calls.ts";
import type { KnownReplay } from "../../rpc/replay-calls.ts";
import type { PostAttempt } from "./post.ts";
import type { WebhookRow } from "./store.ts";
import type { Settings } from "../../settings.ts";
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from "../../rpc/event-types.ts";
import { Moment } from "../events/wire.ts";
import { targetOptions, targetProblem } from "../call-targets/call-target.ts";
import { toTime } from "../../time-text.ts";

const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;
const ABSOLUTE = /^https?:\/\/[^/?#\\]/i;
/**
 * Matches a URL with only the characters of RFC 3986. The URL parser also accepts other characters,
 * and converts them to these.
 */
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

const AUTO_REPLIES = "True: `email.replied` also reports automatic replies.";

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.url(),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  status: z.enum(["active", "circuit_disabled", "disabled"]),
  format: z.enum(["batch", "resend"]),
  auto_replies: z.literal(true).optional().describe(`${AUTO_REPLIES} Present only if true.`),
  signing_secret_prefix: z.string(),
  signing_secret_previous_prefix: z.string().nullable(),
  signing_secret_grace_expires_at: z.iso.datetime().nullable(),
  last_delivery_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});

/** A webhook with its secret, as only the responses to a creation and a rotation show it. */
export const WebhookWithSecret = Webhook.extend({ signing_secret: z.string() });

const Name = GivenName.describe("A name that tells people which webhook this is.");

/**
 * Stores a URL unchanged if it has only characters that a URI may have (RFC 3986). Otherwise stores
 * the URL in its ASCII spelling, which the requests use. checkTarget() applies the operator's
 * rules.
 */
const Url = z
  .string()
  .max(WEBHOOK_URL_CHARACTERS, `must be at most ${WEBHOOK_URL_CHARACTERS} characters`)
  .meta({
    description:
      "An absolute https URL. A URL with non-ASCII characters is stored in its ASCII spelling.",
  })
  .transform((text, context) => {
    const problem = urlProblem(text);
    if (problem !== undefined) return noValue(context, text, problem);
    return URI_CHARACTERS.test(text) ? text : new URL(text).href;
  });

/** Checks the list's length before its entries, so that a huge list causes a single error. */
const listOf = <Type extends string>(types: readonly Type[]) =>
  z
    .array(z.unknown())
    .min(1, "must name at least one event type")
    .max(WEBHOOK_EVENT_ENTRIES, `must be at most ${WEBHOOK_EVENT_ENTRIES} entries`)
    .meta({ items: { type: "string", enum: types } })
    .pipe(z.array(z.enum(types, { error: "is not an event type that can be subscribed to" })))
    .transform((given) => [...new Set(given)])
    .describe("The event types to send, at least one.");

const Events = listOf(WEBHOOK_EVENT_TYPES);
const HistoryEvents = listOf(EVENT_TYPES);

const Format = z
  .enum(["batch", "resend"])
  .describe("`batch`: up to 100 events a request. `resend`: one, in the form of Resend's.");

export const CreateWebhook = z.object({
  name: Name,
  url: Url,
  events: Events,
  format: Format.default("batch"),
  auto_replies: z.boolean().default(false).describe(AUTO_REPLIES),
});

/** The result of POST /webhooks/{id}/test. */
export const WebhookTestResult = z.object({
  delivered: z.boolean().meta({ description: "True only for a 2xx response." }),
  status_code: z.int().nullable().meta({ description: "Null when the request never completed." }),
  latency_ms: z.int().min(0),
  error: z.string().nullable().meta({ description: "Set if the request never completed." }),
  response_body_preview: z
    .string()
    .nullable()
    .meta({ description: "The first KiB of the response body." }),
});

/** An entry of the delivery log. */
export const WebhookDelivery = z.object({
  id: z.string(),
  batch_id: z.string(),
  attempt: z
    .int()
    .min(0)
    .meta({ description: "Counted from 1. For a dropped batch: the number of its attempts." }),
  attempted_at: z.iso.datetime(),
  outcome: z.enum(["delivered", "failed", "dropped"]),
  status_code: z.int().nullable().meta({ description: "Null when the request never completed." }),
  latency_ms: z.int().min(0).nullable().meta({ description: "Null for a dropped batch." }),
  error: z
    .string()
    .nullable()
    .meta({ description: "Set if the request never completed, or if the batch was dropped." }),
  event_count: z.int().min(1),
  next_attempt_at: z.iso.datetime().nullable().meta({
    description:
      "Null if no attempt is planned, because the batch has ended or deliveries are paused.",
  }),
});

/** A batch of events, with its body and the log of its deliveries. */
export const WebhookBatch = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_count: z.int().min(1),
  body: z.string().nullable().meta({
    description: "The request's body. Null after the batch was delivered or dropped.",
  }),
  deliveries: z
    .array(
      WebhookDelivery.extend({
        response_body_preview: z.string().nullable().meta({
          description: "The first KiB of the reply to a failed attempt.",
        }),
      }),
    )
    .meta({ description: "The batch's entries of the delivery log, oldest first." }),
});

/**
 * A change replaces name, URL, events and status. It replaces `format` and `auto_replies` only if
 * the request has them. A client cannot set `circuit_disabled`.
 */
export const UpdateWebhook = CreateWebhook.extend({
  status: z
    .enum(["active", "disabled"])
    .describe(
      "`disabled`: nothing is sent. `active`: also re-enables a webhook that the service " +
        "disabled.",
    ),
  format: Format.optional(),
  auto_replies: z.boolean().optional().describe(AUTO_REPLIES),
});

const TYPE = { type: "string", enum: [...EVENT_TYPES] } as const;

/** The schema of an alias of `event_types`. Its value is one type, or a list of types. */
const OtherEvents = z
  .unknown()
  .meta({ anyOf: [TYPE, { type: "array", items: TYPE }] })
  .transform((given) => (typeof given === "string" ? [given] : given))
  .pipe(HistoryEvents)
  .optional()
  .meta({
    description: "An alias of `event_types`. If both are given, `event_types` counts.",
    deprecated: true,
  });

/** Times in Unix milliseconds. */
export const ReplayWebhook = z.object({
  start: Moment,
  end: Moment.optional(),
  event_types: HistoryEvents.optional(),
  events: OtherEvents,
  event_type: OtherEvents,
});

export const WebhookReplayed = z.object({
  id: z.string(),
  webhook_id: z.string(),
  start: z.iso.datetime().meta({ description: "Inclusive, and within the team's retention." }),
  end: z.iso.datetime().meta({ description: "Exclusive." }),
  event_types: z.array(z.enum(EVENT_TYPES)),
});

/** An entry in the list of replays. */
export const ShownReplay = WebhookReplayed.extend({
  status: z.enum(["running", "done", "stopped"]),
  sent: z
    .int()
    .min(0)
    .meta({ description: "Number of events passed to the webhook's deliveries so far." }),
  reached_at: z.iso.datetime().meta({
    description:
      "The replay's progress: events after this time have been passed to the webhook's " +
      "deliveries.",
  }),
  created_at: z.iso.datetime(),
  completed_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "When the replay was done or stopped. Null while it is running." }),
}).meta({ id: "WebhookReplay" });

/** Refuses a URL that this deployment does not allow for webhooks. */
export function checkTarget(url: string, settings: Settings): void {
  const problem = targetProblem(new URL(url), targetOptions(settings));
  if (problem !== undefined) throw refuseMember("url", problem);
}

/** Renders a webhook. `now` decides whether a rotation is still open. */
export function toWebhook(row: Omit<WebhookRow, "teamId">, now: number): z.output<typeof Webhook> {
  const isRotating = row.graceExpiresAt !== null && row.graceExpiresAt > now;
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events as z.output<typeof Webhook>["events"],
    status: row.status,
    format: row.format,
    ...(row.autoReplies && { auto_replies: true }),
    signing_secret_prefix: row.secretPrefix,
    signing_secret_previous_prefix: isRotating ? row.previousSecretPrefix : null,
    signing_secret_grace_expires_at: isRotating ? toTime(row.graceExpiresAt) : null,
    last_delivery_at: toTime(row.lastDeliveryAt),
    created_at: toTime(row.createdAt),
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

export function toWebhookDelivery(
  webhookId: string,
  logged: WebhookDeliveryEntry,
): z.output<typeof WebhookDelivery> {
  return {
    id: deliveryId(webhookId, logged),
    batch_id: logged.batchId,
    attempt: logged.attempt,
    attempted_at: toTime(logged.attemptedAt),
    outcome: logged.outcome,
    status_code: logged.statusCode,
    latency_ms: logged.latencyMs,
    error: logged.error && ERRORS[logged.error],
    event_count: logged.eventCount,
    next_attempt_at: toTime(logged.nextAttemptAt),
  };
}

export function toWebhookBatch(
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
      ...toWebhookDelivery(webhookId, entry),
      response_body_preview: entry.reply,
    })),
  };
}

export function toReplay(webhookId: string, known: KnownReplay): z.output<typeof ShownReplay> {
  return {
    id: known.id,
    webhook_id: webhookId,
    start: toTime(known.start),
    end: toTime(known.end),
    event_types: [...known.types],
    status: known.status,
    sent: known.sent,
    reached_at: toTime(known.reachedAt),
    created_at: toTime(known.createdAt),
    completed_at: toTime(known.endedAt),
  };
}

/** Makes an entry's id from its time and a hash of its position. */
function deliveryId(webhookId: string, { position, attemptedAt }: WebhookDeliveryEntry): string {
  return `dlv_${uuidv7Of(attemptedAt, createHash("sha256").update(`${webhookId} ${position}`).digest().subarray(0, 16))}`;
}

/** Returns the problem of a URL that no setting of the operator allows. */
function urlProblem(text: string): string | undefined {
  if (!ABSOLUTE.test(text)) return "must be a URL that begins with https://";
  if (WHITE_SPACE_OR_CONTROL.test(text) || text.includes("\\") || !text.isWellFormed())
    return "must not contain spaces, control characters, backslashes or lone surrogates";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return "is not a URL";
  if (url.href.length > WEBHOOK_URL_CHARACTERS)
    return `must be at most ${WEBHOOK_URL_CHARACTERS} characters in its ASCII spelling`;
  if (url.hash !== "") return "must not have a fragment, which is never sent";
  return targetProblem(url, { allowPrivate: true, ownHosts: [] });
}
