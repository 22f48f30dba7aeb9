// Serves /v1/recipients, what is known of mail to an address (contract.md §Recipients).
import { type Endpoint, endpoint, json } from "../../../endpoint.ts";
import { refuse } from "../../../refusal.ts";
import { parseSuppressedAddress } from "../../../resources/suppressions/normalise.ts";
import { completeRecipients } from "./complete-recipients.ts";
import { findRecipient } from "./find-recipient.ts";
import { RecipientList, Recipient, RecipientQuery } from "./wire.ts";

export const recipientEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/recipients",
    summary: "List addresses that begin with a text",
    description:
      "Looks among the team's suppressions, its open messages and its most recent events. The " +
      "history keeps only hashes of addresses, so an address that got mail only some time ago " +
      "is not found here; `GET /v1/recipients/{address}` knows it.",
    operationId: "listRecipients",
    permission: "full",
    query: RecipientQuery,
    responses: { 200: RecipientList },
    async handle({ env, caller, query, now }) {
      return json(200, await completeRecipients(env, caller.team, query.prefix ?? "", now));
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/recipients/:address",
    summary: "Say why mail to an address arrived or did not",
    description:
      "Its suppressions, its last messages with what became of each and why, and its events of " +
      "the last 30 days, counted as far as the team's events are kept. `explanation` is the " +
      "answer in short. An address that nothing is known of is a 200 as well.",
    operationId: "getRecipient",
    errors: [422],
    permission: "full",
    responses: { 200: Recipient },
    async handle({ env, caller, params, now }) {
      const parsed = parseSuppressedAddress(params["address"] ?? "");
      if (parsed.kind === "refused")
        throw refuse("invalid", { errors: { address: [parsed.problem] } });
      return json(200, await findRecipient(env, caller.team, parsed.email, now));
    },
  }),
];
