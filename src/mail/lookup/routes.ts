// GET /v1/email/{id} answers with one message's story, recipient by recipient (docs/api.md §Our own
// endpoints).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { findEmail } from "./lookup.ts";
import { Email, toEmail } from "./wire.ts";

export const lookupEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/email/:id",
    summary: "One message and what became of it, recipient by recipient",
    description:
      "From the moment of its 202 for as long as the team's events are kept. `status` is the last word on a recipient; `events` are its timeline, oldest first: each attempt with the " +
      "mail server's host, the stage and the words of its answer, and `rule`, what in that answer made the classification. `next_attempt_at` is when a delayed recipient is tried again. " +
      "`events_truncated`: the message has more than 5,000 events, of which the oldest are left out; `GET /v1/events` pages through all of them.",
    permission: "full",
    responses: { 200: Email },
    async handle({ env, caller, params, now }) {
      const email = await findEmail(env, caller.team, params["id"] ?? "", now);
      if (!email) throw refuse("not_found");
      return json(200, toEmail(email));
    },
  }),
];
