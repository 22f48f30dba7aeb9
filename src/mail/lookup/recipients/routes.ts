// Serves /v1/recipients: the facts about mail to an address (contract.md §Recipients).
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
      "Searches the team's suppressions, open messages and most recent events. The history " +
      "keeps only hashes of addresses. So an address that got mail only some time ago is not " +
      "listed here; `GET /v1/recipients/{address}` knows it.",
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
      "Returns the address's suppressions, its last messages with the outcome of each and the " +
      "reason, and counts of its events in the last 30 days, as far as the team's events are " +
      "kept. `explanation` is the answer in short. An unknown address is a 200 too.",
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
