// POST /v1/email (spec.md "Send"), and its other way in: what the gateway took by SMTP (docs/gateway-protocol.md).
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { acceptEmail } from "./accept.ts";
import { acceptSubmission } from "./smtp-intake.ts";
import { EmailSendRequest, EmailSendResponse } from "./wire.ts";

export const emailEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/email",
    summary: "Send one message to up to 50 recipients",
    permission: "send",
    body: EmailSendRequest,
    responses: { 202: EmailSendResponse },
    admitsItself: true,
    handle: acceptEmail,
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
    handle: acceptSubmission,
  }),
];
