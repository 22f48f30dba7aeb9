// POST /v1/email and /v1/email/batch (contract.md §Sending), and their other way in: messages that
// the gateway took by SMTP (docs/gateway-protocol.md).
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { acceptEmail } from "./accept-email.ts";
import { acceptBatch } from "./batch/accept-batch.ts";
import { acceptBundle, BundleAnswers } from "./smtp/accept-bundle.ts";
import { acceptSubmission } from "./smtp/accept-submission.ts";
import { sendContextOf } from "./send-context.ts";
import {
  EmailBatchRequest,
  EmailBatchResponse,
  EmailSendRequest,
  EmailSendResponse,
} from "./wire.ts";

export const emailEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/email",
    summary: "Send one message to up to 50 recipients",
    description:
      "One message, one envelope; everyone in `to` and `cc` sees the others. 202 also when some recipients can't be mailed and were left out. " +
      "At least one of `text`, `html` and `template_id` is needed; a template goes with neither of the others.",
    operationId: "sendEmail",
    permission: "send",
    body: EmailSendRequest,
    responses: { 202: EmailSendResponse },
    admitsItself: true,
    handle: acceptEmail,
  }),
  endpoint({
    method: "POST",
    path: "/v1/email/batch",
    summary: "Send up to 100 independent messages in one request",
    description:
      "Each of `emails` is a send of its own, merged with `defaults`: of most members the entry's value wins; `headers` and `variables` are merged " +
      "member by member, the entry's winning; `cc`, `bcc`, `attachments` and `tags` are joined, those of `defaults` first. " +
      "One entry that is not valid refuses the whole batch; after that each goes its own way: 202 when all are queued, 207 when some are, " +
      "otherwise 400, 429 or 502 with every item's own error.",
    operationId: "sendEmailBatch",
    permission: "send",
    body: EmailBatchRequest,
    responses: {
      202: EmailBatchResponse,
      207: EmailBatchResponse,
      400: EmailBatchResponse,
      429: EmailBatchResponse,
      502: EmailBatchResponse,
    },
    admitsItself: true,
    handle: acceptBatch,
  }),
];

export const submissionEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/gateway/key",
    summary: "Whether a key is good, from where the client is",
    permission: "send",
    internal: true,
    responses: { 204: null },
    handle: () => Promise.resolve({ status: 204 }),
  }),
  endpoint({
    method: "POST",
    path: "/gateway/messages",
    summary: "Take a message that was submitted by SMTP",
    permission: "send",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 202: EmailSendResponse },
    admitsItself: true,
    handle: (request) => acceptSubmission(sendContextOf(request), request.bytes),
  }),
  endpoint({
    method: "POST",
    path: "/gateway/message-bundles",
    summary: "Take several messages that were submitted by SMTP at the same time",
    permission: "send",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 200: BundleAnswers },
    admitsItself: true,
    handle: (request) => acceptBundle(sendContextOf(request), request.bytes, request.replyTo),
  }),
];
