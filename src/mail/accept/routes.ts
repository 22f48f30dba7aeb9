// Declares the endpoints that accept mail: POST /v1/email, /v1/email/batch and
// /v1/email/{id}/send-again (contract.md §Sending), and the gateway's endpoints for SMTP submission
// (docs/gateway-protocol.md).
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { sendAgain } from "./again/send-again.ts";
import { SendAgainRequest } from "./again/wire.ts";
import { acceptEmail } from "./accept-email.ts";
import { acceptBatch } from "./batch/accept-batch.ts";
import { acceptBundle, BundleResponses } from "./smtp/accept-bundle.ts";
import { acceptSubmission } from "./smtp/accept-submission.ts";
import { FRAME_BYTES } from "./smtp/submission-frame.ts";
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
      "One message with one envelope: everyone in `to` and `cc` sees the others. " +
      "The answer is also 202 when some recipients can't be mailed: each of them bounces. " +
      "At least one of `text`, `html` and `template_id` is required; " +
      "`template_id` excludes the other two.",
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
      "Each of `emails` is an independent send, merged with `defaults`. " +
      "For most members the entry's value wins. " +
      "`headers`, `variables` and `metadata` are merged member by member, " +
      "and the entry's members win. " +
      "`cc`, `bcc`, `attachments` and `tags` are joined, those of `defaults` first. " +
      "One invalid entry refuses the whole batch, unless `validation` is `permissive`: then it " +
      "fails alone. " +
      "After validation each entry succeeds or fails alone: 202 when all are queued, " +
      "207 when some are, otherwise 400, 429 or 502 with an error for each item.",
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

export const sendAgainEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/email/:id/send-again",
    summary: "Send a message again to one of its recipients",
    description:
      "Sends the kept content of the message as a new message with a new Message-ID and date. " +
      "Limits, suppressions and the key's `allowed_domains` apply as to every send.",
    operationId: "sendEmailAgain",
    permission: "full",
    body: SendAgainRequest,
    audit: { store: "ledger", operation: "email.send_again" },
    optionalBody: true,
    responses: { 202: EmailSendResponse },
    admitsItself: true,
    handle: sendAgain,
  }),
];

export const submissionEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/gateway/key",
    summary: "Check an SMTP client's API key and address",
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
    largestBody: FRAME_BYTES,
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
    responses: { 200: BundleResponses },
    admitsItself: true,
    handle: (request) => acceptBundle(sendContextOf(request), request.bytes, request.replyTo),
  }),
];
