// Resend's endpoints of messages, by ours (docs/from-resend.md §Emails).
import type * as z from "zod";
import { isJsonObject } from "../../lib/json.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { EmailBatchResponse, EmailSendResponse } from "../../mail/accept/wire.ts";
import { listPlaceText } from "../../mail/lookup/messages/list-place.ts";
import type { ListedEmail } from "../../mail/lookup/messages/wire.ts";
import type { Email } from "../../mail/lookup/wire.ts";
import { bareId, idSegment } from "./bare-ids.ts";
import { toListedResendEmail, toResendEmail } from "./email-shape.ts";
import { sentences } from "./error-names.ts";
import { answerList } from "./lists.ts";
import type { ResendEndpoint } from "./resend-endpoint.ts";
import { SEND_NAMES, timeOf, toOwnSend } from "./send-members.ts";

type BatchAnswer = z.output<typeof EmailBatchResponse>;
type BatchItem = BatchAnswer["data"][number];

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
        body: toOwnSend(body, now),
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
      const answer = await own.ask<BatchAnswer>({
        method: "POST",
        path: "/v1/email/batch",
        body: {
          emails: Array.isArray(body) ? body.map((one) => toOwnSend(one, now)) : body,
          ...(isPermissive && { validation: "permissive" }),
        },
        isRepeatable: true,
      });
      return toResendBatch(answer, isPermissive);
    },
  },
  {
    method: "GET",
    path: "/emails",
    permission: "full",
    handle: (request, own) =>
      answerList<ListedEmail>(request, own, {
        path: "/v1/email",
        searches: [{ status: "all" }],
        positionOf: ({ id }) => listPlaceText({ before: id, seen: {} }),
        find: (id) => own.askUnless<Email>(404, { method: "GET", path: pathOf(id) }),
        present: toListedResendEmail,
      }),
  },
  {
    method: "GET",
    path: "/emails/:id",
    permission: "full",
    async handle({ params }, own) {
      return toResendEmail(await own.ask<Email>({ method: "GET", path: pathOf(params["id"]) }));
    },
  },
  {
    method: "PATCH",
    path: "/emails/:id",
    permission: "full",
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
    permission: "full",
    async handle({ params }, own) {
      const { id } = await own.ask<{ id: string }>({
        method: "POST",
        path: `${pathOf(params["id"])}/cancel`,
      });
      return { object: "email", id: bareId(id) };
    },
  },
];

function pathOf(id: string | undefined): string {
  return `/v1/email/${idSegment("email", id)}`;
}

/** Messages that failed alone are in `errors`, also where the whole batch was valid. */
function toResendBatch({ data }: BatchAnswer, isPermissive: boolean): JsonObject {
  const errors = data.flatMap((item) =>
    item.status === "failed" ? [{ index: item.index, message: messageOf(item.error) }] : [],
  );
  return {
    data: data.flatMap((item) => (item.status === "queued" ? [{ id: bareId(item.id) }] : [])),
    ...((isPermissive || errors.length > 0) && { errors }),
  };
}

function messageOf(error: Extract<BatchItem, { status: "failed" }>["error"]): string {
  return error.type === "validation_error" ? sentences(error.errors, SEND_NAMES) : error.message;
}
