// Describes the state of a webhook from its status and the newest entries of its delivery log.
// Pure.
import type {
  Webhook,
  WebhookDeliveries,
} from "../../../../packages/postern/src/generated/types.ts";
import { formatCount, formatDuration, plural } from "../../parts/figures.ts";
import { type Clock, formatTime } from "../../parts/time/times.ts";
import { capitalized } from "../../parts/typography.ts";

export type ListedWebhookDelivery = WebhookDeliveries;

/** The service pauses a webhook after this many failures in a row. */
const FAILURES_BEFORE_PAUSE = 10;
/** The time within which the next retry counts as due. */
const DUE_MS = 5_000;

export interface WebhookHealth {
  readonly tone: "ok" | "wait" | "bad";
  readonly word: string;
  /** The state in one sentence. */
  readonly answer: string;
  /** Sentences after the first one. */
  readonly rest: string;
  /** The endpoint's latest reply. Null: the endpoint has not replied yet. */
  readonly said: string | null;
}

/** Figures from the newest entries of a delivery log. */
export interface LogFigures {
  /** The number of failed attempts since the last successful delivery. */
  readonly failures: number;
  /**
   * The number of failed batches whose events are still queued, and the number of events in these
   * batches. A later delivery or a drop removes a batch from the count.
   */
  readonly waitingBatches: number;
  readonly waitingEvents: number;
  readonly droppedEvents: number;
  /** The time of the next planned attempt, Unix milliseconds. Null: no attempt is planned. */
  readonly nextAt: number | null;
}

/** Returns the figures. `entries` must be newest first, as the API lists them. */
export function figuresOf(entries: readonly ListedWebhookDelivery[], now: number): LogFigures {
  const attempts = entries.filter(({ outcome }) => outcome !== "dropped");
  const newestDelivered = attempts.findIndex(({ outcome }) => outcome === "delivered");
  const newestOfBatch = new Map<string, ListedWebhookDelivery>();
  for (const entry of entries)
    if (!newestOfBatch.has(entry.batch_id)) newestOfBatch.set(entry.batch_id, entry);
  const newest = [...newestOfBatch.values()];
  const waiting = newest.filter(({ outcome }) => outcome === "failed");
  const planned = waiting
    .map(({ next_attempt_at: at }) => (at === null ? Number.NaN : Date.parse(at)))
    .filter((at) => at > now);
  return {
    failures: newestDelivered === -1 ? attempts.length : newestDelivered,
    waitingBatches: waiting.length,
    waitingEvents: sumEvents(waiting),
    droppedEvents: sumEvents(newest.filter(({ outcome }) => outcome === "dropped")),
    nextAt: planned.length > 0 ? Math.min(...planned) : null,
  };
}

/** Writes an endpoint's reply, such as `500 in 84 ms`. */
export function describeResponse(
  entry: Pick<ListedWebhookDelivery, "status_code" | "latency_ms" | "error"> & {
    readonly outcome?: string;
  },
): string {
  const { status_code: status, latency_ms: latency, error } = entry;
  if (status !== null)
    return latency === null ? `${status}` : `${status} in ${formatDuration(latency)}`;
  const why = error ?? "No response.";
  return latency === null ? why : `${why.replace(/\.$/, "")} (${formatDuration(latency)})`;
}

export function webhookHealth(
  webhook: Webhook,
  entries: readonly ListedWebhookDelivery[],
  clock: Clock,
): WebhookHealth {
  const figures = figuresOf(entries, clock.now);
  const last = entries.find(({ outcome }) => outcome !== "dropped");
  const said = last ? describeResponse(last) : null;
  switch (webhook.status) {
    case "circuit_disabled":
      return {
        tone: "wait",
        word: "Paused",
        answer: `Paused automatically after ${FAILURES_BEFORE_PAUSE} failures in a row.`,
        rest: joined(retrySentence(last, clock), queuedSentence(figures)),
        said,
      };
    case "disabled":
      return {
        tone: "bad",
        word: "Disabled",
        answer: "Disabled: no events are sent.",
        rest: "New events are not queued. Enable the webhook, then replay the events it missed.",
        said,
      };
    case "active":
      return activeStory(webhook, { figures, entries, last, clock });
  }
}

interface LogContext {
  readonly figures: LogFigures;
  readonly entries: readonly ListedWebhookDelivery[];
  /** The newest attempt. */
  readonly last: ListedWebhookDelivery | undefined;
  readonly clock: Clock;
}

function activeStory(
  webhook: Webhook,
  { figures, entries, last, clock }: LogContext,
): WebhookHealth {
  const { failures, droppedEvents, nextAt } = figures;
  const next = nextAt === null ? null : `Next retry ${formatTime(nextAt, clock)}.`;
  const dropped =
    droppedEvents === 0 ? null : `${events(droppedEvents)} dropped; a replay sends them again.`;
  if (!last)
    return {
      tone: "ok",
      word: "Active",
      answer:
        webhook.last_delivery_at === null
          ? "Nothing has been sent yet."
          : "Nothing was sent in the last 3 days.",
      rest: joined("Send a test to check the endpoint.", dropped),
      said: null,
    };
  if (failures > 0)
    return {
      tone: "wait",
      word: "Failing",
      answer:
        failures === 1
          ? "The last attempt failed."
          : `The last ${formatCount(failures)} attempts failed.`,
      rest: joined(
        failures < FAILURES_BEFORE_PAUSE
          ? `Deliveries pause after ${FAILURES_BEFORE_PAUSE} failures in a row.`
          : null,
        next,
        waitingSentence(figures),
        dropped,
      ),
      said: describeResponse(last),
    };
  const taken = entries.filter(({ outcome }) => outcome === "delivered").length;
  return {
    tone: "ok",
    word: "Delivering",
    answer: takenSentence(taken, entries.length),
    rest: joined(
      `Last delivery ${formatTime(Date.parse(last.attempted_at), clock)}.`,
      waitingSentence(figures),
      figures.waitingBatches > 0 ? next : null,
      dropped,
    ),
    said: describeResponse(last),
  };
}

function takenSentence(taken: number, whole: number): string {
  if (whole === 1) return "Its only delivery succeeded.";
  return taken === whole
    ? `The last ${formatCount(taken)} deliveries succeeded.`
    : `${formatCount(taken)} of the last ${formatCount(whole)} attempts succeeded.`;
}

/**
 * Returns the sentence about the retry of the newest attempt. Retries of earlier attempts were
 * planned before the pause and are no longer valid.
 */
function retrySentence(last: ListedWebhookDelivery | undefined, clock: Clock): string {
  const planned = last?.next_attempt_at ?? null;
  if (planned === null) return "The first retry follows 5 to 15 minutes after the pause.";
  const at = Date.parse(planned);
  return at > clock.now + DUE_MS
    ? `Next retry ${formatTime(at, clock)}.`
    : "The next retry is due.";
}

function joined(...sentences: readonly (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

/** Returns the tooltip of an attempt's cell. */
export function cellTitle(entry: ListedWebhookDelivery, clock: Clock): string {
  const { outcome, attempt, attempted_at: at, event_count: count } = entry;
  const which = outcome === "dropped" ? `after ${attempt} attempts` : `attempt ${attempt}`;
  return `${capitalized(outcome)}, ${which}, ${events(count)}, ${formatTime(Date.parse(at), clock)}: ${describeResponse(entry)}`;
}

/** Counts the entries of the delivery log by outcome. */
export function outcomeCounts(
  entries: readonly ListedWebhookDelivery[],
): readonly (readonly [ListedWebhookDelivery["outcome"], number])[] {
  return (["delivered", "failed", "dropped"] as const).map((outcome) => [
    outcome,
    entries.filter((entry) => entry.outcome === outcome).length,
  ]);
}

export function events(count: number): string {
  return plural(count, "event", "events");
}

/**
 * Returns the sentence about queued events. The log has only batches that were attempted, so the
 * number is a lower bound.
 */
function queuedSentence({ waitingEvents }: LogFigures): string {
  return waitingEvents === 0
    ? "Events are queued until the endpoint answers with a 2xx."
    : `${formatCount(waitingEvents)} or more events are queued.`;
}

function waitingSentence({
  waitingBatches,
  waitingEvents,
}: Pick<LogFigures, "waitingBatches" | "waitingEvents">): string | null {
  if (waitingBatches === 0) return null;
  const batches = waitingBatches === 1 ? "batch" : "batches";
  return `${formatCount(waitingBatches)} failed ${batches} (${events(waitingEvents)}) will be retried.`;
}

function sumEvents(entries: readonly ListedWebhookDelivery[]): number {
  return entries.reduce((sum, { event_count: count }) => sum + count, 0);
}

/**
 * Counts the entries of `newest` that are newer than the entry `firstId`. If `newest` does not
 * contain that entry, every entry counts.
 */
export function newerThan(
  newest: readonly ListedWebhookDelivery[],
  firstId: string | undefined,
): number {
  const at = newest.findIndex(({ id }) => id === firstId);
  return at === -1 ? newest.length : at;
}

const ONLY: Readonly<Record<Webhook["status"], string>> = {
  active: "The webhook is active.",
  circuit_disabled: "The webhook is paused. Its events are queued.",
  disabled: "The webhook is disabled and receives no events.",
};

/** Describes how many of the webhooks are not active. */
export function listSentence(webhooks: readonly Pick<Webhook, "status">[]): string {
  const count = (status: Webhook["status"]) =>
    webhooks.filter((one) => one.status === status).length;
  const [paused, disabled] = [count("circuit_disabled"), count("disabled")];
  const [one] = webhooks;
  if (one && webhooks.length === 1) return ONLY[one.status];
  if (paused === 0 && disabled === 0) return "All webhooks are active.";
  const whole = `of ${formatCount(webhooks.length)} webhooks`;
  if (paused === 0) return `${formatCount(disabled)} ${whole} disabled.`;
  const others = disabled > 0 ? `, ${formatCount(disabled)} disabled` : "";
  return `${formatCount(paused)} ${whole} paused${others}. Events for paused webhooks are queued.`;
}

/**
 * Returns the ids of the log entries whose planned next attempt is still valid. Only the newest
 * entry of a batch can have a valid plan. While the webhook is paused, only the newest entry of the
 * whole log can have one.
 */
export function plannedIds(
  entries: readonly ListedWebhookDelivery[],
  status: Webhook["status"],
  now: number,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const newest = entries.filter(({ batch_id: batch }, index) => {
    const isNewest = status === "active" ? !seen.has(batch) : index === 0;
    seen.add(batch);
    return isNewest && status !== "disabled";
  });
  return new Set(
    newest
      .filter(({ next_attempt_at: at }) => at !== null && Date.parse(at) > now)
      .map(({ id }) => id),
  );
}
