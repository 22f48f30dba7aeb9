// Return-paths for the gateway (docs/gateway-protocol.md): whether an address is one, and what arrived there.
import { type ApiRequest, type Endpoint, endpoint, type Reply } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { receiveReport, recipientOf } from "./inbound.ts";

export const returnPathEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/gateway/return-paths/:token",
    summary: "Whether a token is a genuine return-path",
    permission: "gateway",
    internal: true,
    responses: { 204: null },
    async handle({ env, params, now }) {
      if (!(await recipientOf(env, params.token ?? "", now))) throw refuse("not_found");
      return { status: 204 };
    },
  }),
  endpoint({
    method: "POST",
    path: "/gateway/inbound/:token",
    summary: "Take a message that arrived at a return-path",
    permission: "gateway",
    internal: true,
    accepts: "application/octet-stream",
    responses: { 202: null },
    handle: takeReport,
  }),
];

async function takeReport({ env, params, bytes, now }: ApiRequest): Promise<Reply> {
  const receipt = await receiveReport(env, params.token ?? "", bytes, now);
  if (receipt.kind === "unknown") throw refuse("not_found");
  if (receipt.kind === "too_large") throw refuse("payload_too_large");
  if (receipt.kind === "refused") throw refuse("invalid", { errors: { message: [receipt.problem] } });
  return { status: 202 };
}
