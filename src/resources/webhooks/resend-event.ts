// Renders an event in the form of Resend's webhooks (contract.md §Formats). Converts the event's
// entry in a batch, so that a stored batch can be sent in both formats. An event type that Resend
// does not have keeps its own type and members. Pure.
import type { BounceType, EventType } from "../../rpc/event-types.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import type { WebhookEvent, WebhookEventData } from "./event.ts";

type ResendEventType = Exclude<EventType, "email.delayed"> | "email.delivery_delayed";

/** The body of a request with one event. */
interface ResendEvent {
  readonly type: ResendEventType;
  /** When the event occurred, RFC 3339. */
  readonly created_at: string;
  readonly data: ResendMessage;
}

/** Members of `data` that every event has. */
interface ResendMessage {
  /** When the message was accepted, RFC 3339. */
  readonly created_at: string;
  /** A bare UUID, without a prefix. `template_id` has the same form. */
  readonly email_id: string;
  readonly message_id: string;
  readonly from: string;
  /** Only the recipient of the event. */
  readonly to: readonly [string];
  readonly subject: string;
  readonly template_id?: string;
  /** The message's `metadata`, which Resend calls tags. */
  readonly tags?: Readonly<Record<string, string>>;
}

/**
 * The `subType` of bounces that the address did not cause: the mailbox is full, or the server
 * refused the message or its sender. These bounces are `Transient` (contract.md §Bounces), because
 * users of Resend's webhooks stop sending to the address of a `Permanent` bounce.
 */
const SPARING_SUB_TYPES: Readonly<Record<string, string>> = {
  QuotaIssues: "MailboxFull",
  ProhibitedAttachment: "AttachmentRejected",
  ContentRelated: "ContentRejected",
  SpamContent: "ContentRejected",
  SpamRelated: "ContentRejected",
  VirusRelated: "ContentRejected",
  SpamBlock: "General",
  PolicyRelated: "General",
  AuthenticationFailed: "General",
};

export function toResendEvent({ type, occurred_at: at, data }: WebhookEvent): ResendEvent {
  return {
    type: type === "email.delayed" ? "email.delivery_delayed" : type,
    created_at: at,
    data: {
      ...(type === "email.unsubscribed" && ownMembers(data)),
      ...messageOf(data),
      ...(data.bounce && { bounce: bounceBlock(data, data.bounce) }),
      ...(type === "email.clicked" && {
        click: {
          link: data.tracking?.url ?? "",
          timestamp: at,
          userAgent: data.tracking?.user_agent ?? "",
        },
      }),
      ...(data.suppression && {
        suppressed: { message: reasonOf(data), type: "OnAccountSuppressionList" },
      }),
    },
  };
}

/**
 * Returns the event's own members without `tags` and `metadata`, because Resend's `tags` contain
 * the metadata.
 */
function ownMembers({ tags: _1, metadata: _2, ...members }: WebhookEventData): object {
  return members;
}

function messageOf(data: WebhookEventData): ResendMessage {
  const emailId = withoutPrefix(data.email_id);
  return {
    created_at: new Date(timeOfUuidv7(emailId)).toISOString(),
    email_id: emailId,
    message_id: data.message_id,
    from: data.from,
    to: [data.recipient],
    subject: data.subject,
    ...(data.template_id && { template_id: withoutPrefix(data.template_id) }),
    ...(data.metadata && { tags: data.metadata }),
  };
}

function bounceBlock(
  data: WebhookEventData,
  bounce: NonNullable<WebhookEventData["bounce"]>,
): object {
  const { smtp_response: reply } = bounce;
  return {
    message: reasonOf(data),
    ...typesOf(bounce.type, bounce.classification),
    ...(reply !== null && { diagnosticCode: [reply] }),
  };
}

function typesOf(
  type: BounceType,
  classification: string | null,
): { readonly type: "Permanent" | "Transient"; readonly subType: string } {
  const sparing = SPARING_SUB_TYPES[classification ?? ""];
  const isPermanent = type === "permanent" && sparing === undefined;
  return { type: isPermanent ? "Permanent" : "Transient", subType: sparing ?? "General" };
}

function reasonOf({ explanation }: WebhookEventData): string {
  return explanation?.summary ?? "";
}

function withoutPrefix(id: string): string {
  return id.slice(id.indexOf("_") + 1);
}
