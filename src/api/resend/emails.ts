// Resend's endpoints of messages, translated to Postern's (docs/from-resend.md §Emails).
import type * as z from "zod";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { EmailBatchResponse, EmailSendResponse } from "../../mail/accept/wire.ts";
import { listPositionText } from "../../mail/lookup/messages/list-position.ts";
import type { ListedEmail } from "../../mail/lookup/messages/wire.ts";
import type { Email } from "../../mail/lookup/wire.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import { bareId, idSegment } from "./bare-ids.ts";
import {
  type EmailContent,
  toListedResendEmail,
  toResendAttachments,
  toResendEmail,
} from "./email-shape.ts";
import { sentences } from "./error-names.ts";
import { serveList } from "./lists.ts";
import type { OwnRequest, ResendEndpoint } from "./resend-endpoint.ts";
import { SEND_NAMES, timeOf, toOwnSend, toOwnSends } from "./send-members.ts";

type BatchAnswer = z.output<typeof EmailBatchResponse>;
type Failed = Extract<BatchAnswer["data"][number], { status: "failed" }>;

export const emailEndpoints: readonly ResendEndpoint[] = [
  {
    method: "POST",
    path: "/emails",
    permission: "send",
    memberNames: SEND_NAMES,
    async handle({ body, now }, own) {
      const { id } = await own.ask<z.output<typeof EmailSendResponse>>({
        method: "POST",
        path: "/v1/email",
        body: toOwnSend(body, now, own.ignore),
        isRepeatable: true,
      });
      return { id: bareId(id) };
    },
  },
  {
    method: "POST",
    path: "/emails/batch",
    permission: "send",
    memberNames: SEND_NAMES,
    async handle({ body, headers, now }, own) {
      const isPermissive = headers.get("X-Batch-Validation") === "permissive";
      const { data } = await own.askForAll(isBatchAnswer, {
        method: "POST",
        path: "/v1/email/batch",
        body: {
          emails: toOwnSends(body, now, own.ignore),
          ...(isPermissive && { validation: "permissive" }),
        },
        isRepeatable: true,
      });
      return toResendBatch(data, isPermissive);
    },
  },
  {
    method: "GET",
    path: "/emails",
    handle: (request, own) =>
      serveList<ListedEmail>(request, own, {
        path: "/v1/email",
        searches: [{ status: "all" }],
        positionOf: ({ id }) => listPositionText({ before: id, seen: {} }),
        find: (id) => own.askUnless<Email>(404, { method: "GET", path: pathOf(id) }),
        present: toListedResendEmail,
      }),
  },
  {
    method: "GET",
    path: "/emails/:id",
    async handle({ params }, own) {
      const path = pathOf(params["id"]);
      const email = await own.ask<Email>({ method: "GET", path });
      const content = await own.askUnless<EmailContent>(404, contentAt(path));
      return toResendEmail(email, content);
    },
  },
  {
    method: "GET",
    path: "/emails/:id/attachments",
    async handle({ params }, own) {
      const content = await own.ask<EmailContent>(contentAt(pathOf(params["id"])));
      return { object: "list", has_more: false, data: toResendAttachments(content) };
    },
  },
  {
    method: "GET",
    path: "/emails/:id/attachments/:file",
    async handle({ params }, own) {
      const content = await own.ask<EmailContent>(contentAt(pathOf(params["id"])));
      const file = toResendAttachments(content).find(({ id }) => id === params["file"]);
      if (!file) throw refuse("not_found");
      return { object: "attachment", ...file };
    },
  },
  {
    method: "PATCH",
    path: "/emails/:id",
    async handle({ params, body, now }, own) {
      const time = isJsonObject(body) ? body["scheduled_at"] : undefined;
      const { id } = await own.ask<{ id: string }>({
        method: "PATCH",
        path: pathOf(params["id"]),
        body: { scheduled_at: typeof time === "string" ? timeOf(time, now) : time },
      });
      return { object: "email", id: bareId(id) };
    },
  },
  {
    method: "POST",
    path: "/emails/:id/cancel",
    async handle({ params }, own) {
      const { id } = await own.ask<{ id: string }>({
        method: "POST",
        path: `${pathOf(params["id"])}/cancel`,
      });
      return { object: "email", id: bareId(id) };
    },
  },
];

function contentAt(path: string): OwnRequest {
  return { method: "GET", path: `${path}/content` };
}

function pathOf(id: string | undefined): string {
  return `/v1/email/${idSegment("email", id)}`;
}

/**
 * Recognizes the answer to a batch. It has one shape for every status, even if no message was
 * queued.
 */
function isBatchAnswer(body: unknown): body is BatchAnswer {
  return isJsonObject(body) && isJsonObject(body["summary"]) && Array.isArray(body["data"]);
}

/**
 * Converts the answer to a batch. Its `errors` list the failed messages. A strict batch is refused
 * if every message failed.
 */
function toResendBatch(data: BatchAnswer["data"], isPermissive: boolean): JsonObject {
  const failed = data.filter((item) => item.status === "failed");
  if (!isPermissive && failed.length === data.length) throw refusalOf(failed);
  const errors = failed.map(({ index, error }) => ({ index, message: messageOf(error) }));
  return {
    data: data.flatMap((item) => (item.status === "queued" ? [{ id: bareId(item.id) }] : [])),
    ...((isPermissive || errors.length > 0) && { errors }),
  };
}

/**
 * Returns the field errors of all messages of a batch. If no field is wrong, returns the error of
 * the first message.
 */
function refusalOf(failed: readonly Failed[]): RefusalError {
  const errors = Object.fromEntries(
    failed.flatMap(({ index, error }) =>
      error.type === "validation_error"
        ? Object.entries(error.errors).map(([path, problems]) => [
            `emails.${index}.${path}`,
            problems,
          ])
        : [],
    ),
  );
  if (Object.keys(errors).length > 0) return refuse("invalid", { errors });
  const [first] = failed;
  if (first?.error.type !== "quota_exceeded") return refuse("pipeline_unavailable");
  const { scope, limit, retry_after_seconds: retryAfterSeconds } = first.error;
  return refuse("quota_exceeded", { quota: { scope, limit, retryAfterSeconds } });
}

function messageOf(error: Failed["error"]): string {
  return error.type === "validation_error" ? sentences(error.errors, SEND_NAMES) : error.message;
}
