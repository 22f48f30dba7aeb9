// The worker's side of the double of the Email Service. It gives the worker a binding EMAIL that
// passes messages to the double. It also puts the double's events onto the queue. It runs in
// workerd, around the worker's own handlers, under the limits of the platform that PLATFORM names
// (docs/real-platform.md). The code in src does not know it.
import { asInvocation, limitBindings } from "../platform/limited-worker.ts";
import { CRON_CONTINENT } from "../platform/object-continents.ts";

/** The member of an EmailMessage under which the platform stores the message's bytes. */
const RAW = "EmailMessage::raw";
const EVENTS_PATH = "/__email-service/events";
/** The binding through which the wrapped worker puts events onto the queue. */
export const EVENTS_BINDING = "EMAIL_SERVICE_EVENTS";

type BindingSet = Readonly<Record<string, unknown>>;

interface EventProducer {
  sendBatch(messages: readonly { readonly body: unknown; readonly contentType: "json" }[]): unknown;
}

interface SentMessage {
  readonly from: string;
  readonly to: string;
  readonly [RAW]?: string | ReadableStream;
}

export interface EmailBinding {
  send(message: SentMessage): Promise<{ readonly messageId: string }>;
}

export interface WrappableHandlers {
  fetch(request: Request, env: BindingSet, context: unknown): Promise<Response> | Response;
  queue(batch: unknown, env: BindingSet, context: unknown): Promise<void>;
  scheduled(controller: unknown, env: BindingSet, context: unknown): Promise<void>;
  email?(message: unknown, env: BindingSet, context: unknown): Promise<void>;
}

export function eventsUrlOf(workerUrl: string): string {
  return workerUrl + EVENTS_PATH;
}

/** Returns a binding whose `send()` throws errors with a code, as on the platform. */
export function emailBinding(url: string, token: string): EmailBinding {
  return {
    async send(message) {
      const raw = message[RAW];
      if (raw === undefined)
        throw withCode("E_VALIDATION_ERROR", "the local Email Service takes an EmailMessage only");
      const query = new URLSearchParams({ from: message.from, to: message.to });
      const response = await fetch(`${url}/send?${query.toString()}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: await new Response(raw).arrayBuffer(),
      });
      if (response.ok) return (await response.json()) as { messageId: string };
      if (response.status === 413)
        throw withCode("E_CONTENT_TOO_LARGE", "Email content exceeds the limit of 5 MiB.");
      if (response.status !== 422)
        throw withCode("E_INTERNAL_SERVER_ERROR", `the local Email Service: ${response.status}`);
      const { code, message: words } = (await response.json()) as {
        code: string | null;
        message: string;
      };
      throw code === null ? new Error(words) : withCode(code, words);
    },
  };
}

/** Puts the double's events onto the queue. Returns null if the request has no events. */
export async function takeEvents(
  request: Request,
  queue: EventProducer,
  token: string,
): Promise<Response | null> {
  if (new URL(request.url).pathname !== EVENTS_PATH) return null;
  if (request.headers.get("authorization") !== `Bearer ${token}`)
    return new Response(null, { status: 403 });
  const events = (await request.json()) as unknown[];
  await queue.sendBatch(events.map((body) => ({ body, contentType: "json" })));
  return new Response(null, { status: 204 });
}

/**
 * Wraps a worker's handlers, so that they use the double. The variables EMAIL_SERVICE_URL and
 * EMAIL_SERVICE_TOKEN give the double's URL and token.
 */
export function withEmailService(worker: WrappableHandlers): WrappableHandlers {
  return {
    async fetch(request, env, context) {
      const queue = env[EVENTS_BINDING] as EventProducer;
      const taken = await takeEvents(request, queue, String(env["EMAIL_SERVICE_TOKEN"]));
      const { continent } = (request as { cf?: { continent?: string } }).cf ?? {};
      return (
        taken ?? asInvocation(() => worker.fetch(request, withBinding(env), context), continent)
      );
    },
    queue: (batch, env, context) =>
      asInvocation(() => worker.queue(batch, withBinding(env), context)),
    scheduled: (controller, env, context) =>
      asInvocation(() => worker.scheduled(controller, withBinding(env), context), CRON_CONTINENT),
    email: (message, env, context) =>
      asInvocation(() => worker.email?.(message, withBinding(env), context) ?? Promise.resolve()),
  };
}

/**
 * Each bindings object is wrapped only once, because the worker caches values by the identity of
 * this object.
 */
const wrapped = new WeakMap<BindingSet, BindingSet>();

function withBinding(env: BindingSet): BindingSet {
  const known = wrapped.get(env);
  if (known) return known;
  // The worker would report the double's variables as misspelt settings, so they are removed.
  const { EMAIL_SERVICE_URL: url, EMAIL_SERVICE_TOKEN: token, ...own } = env;
  const made = limitBindings({ ...own, EMAIL: emailBinding(String(url), String(token)) });
  wrapped.set(env, made);
  return made;
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
