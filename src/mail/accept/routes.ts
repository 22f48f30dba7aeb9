// POST /v1/email (spec.md "Send").
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { acceptEmail } from "./accept.ts";
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
