// Makes the events of Cloudflare's Email Service as its documentation shows them, and puts them
// into the worker's queue.
import { bindings } from "./api.ts";

/** The queue's producer binding. Only the tests' worker has it. */
const { EMAIL_EVENTS } = bindings as unknown as { readonly EMAIL_EVENTS: Queue };

export interface EventFacts {
  readonly messageId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly eventId?: string;
  /** Unix milliseconds. */
  readonly at?: number;
}

type Details = Readonly<Record<string, unknown>>;

/**
 * Makes the members of an event that quote a mail server's reply, such as `550 5.1.1 User unknown`.
 */
export function quoting(reply: string): Details {
  const [, code, enhanced] = /^(\d{3})[ -](?:(\d\.\d+\.\d+) )?/.exec(reply) ?? [];
  return {
    provider: "external_smtp",
    deliveryTimeMs: 812,
    smtpStatusCode: code,
    ...(enhanced && { smtpEnhancedStatusCode: enhanced }),
    smtpResponse: reply,
  };
}

export function emailServiceEvent(
  kind: string,
  { messageId, sender, recipient, eventId = crypto.randomUUID(), at = Date.now() }: EventFacts,
  delivery: Details = {},
  more: Details = {},
): Details {
  return {
    type: `cf.email.sending.message.${kind}`,
    source: {
      type: "email.sending",
      zoneId: "023e105f4ecef8ad9ca31a8372d0c353",
      domain: sender.slice(sender.indexOf("@") + 1),
    },
    payload: {
      eventId,
      messageId,
      sender,
      recipient,
      subject: "Hi",
      terminal: kind !== "deferred",
      delivery: { status: kind, ...delivery },
      ...more,
    },
    metadata: {
      accountId: "f9f79265f388666de8122cfb508d7776",
      eventSubscriptionId: "1830c4bb612e43c3af7f4cada31fbf3f",
      eventSchemaVersion: 1,
      eventTimestamp: new Date(at).toISOString(),
    },
  };
}

/** Puts events into the worker's queue for the Email Service's events, in this order. */
export async function publishEvents(...events: readonly unknown[]): Promise<void> {
  await EMAIL_EVENTS.sendBatch(events.map((body) => ({ body, contentType: "json" as const })));
}
