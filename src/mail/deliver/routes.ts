// Declares the endpoint for mail to postmaster that the gateway received
// (docs/gateway-protocol.md). 202 means that the mail was forwarded to the operator or dropped. 503
// means that the sender should try again.
import { type Endpoint, endpoint } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { forwardToOperator } from "./postmaster.ts";

export const postmasterEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/gateway/postmaster",
    summary: "Take a message to postmaster",
    permission: "gateway",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 202: null, 503: null },
    async handle({ env, bytes, now }) {
      const forwarding = await forwardToOperator(env, bytes, now);
      if (forwarding === "too_large") throw refuse("payload_too_large");
      return { status: forwarding === "later" ? 503 : 202 };
    },
  }),
];
