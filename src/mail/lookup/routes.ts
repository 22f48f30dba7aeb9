// GET /v1/email/{id} returns one message with each recipient's status and events (docs/api.md §Our
// own endpoints).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import { findEmail } from "./lookup.ts";
import { Email, toEmail } from "./wire.ts";

export const lookupEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/email/:id",
    summary: "Get a message with each recipient's status and events",
    description:
      "Available from the message's 202 for as long as the team's events are kept. `status` is " +
      "the recipient's latest state. `events` is its timeline, oldest first: each attempt with " +
      "the mail server's host, the stage and text of its reply, and `rule`, the part of the " +
      "reply that decided the classification. `next_attempt_at` is when a delayed recipient is " +
      "tried again. " +
      "`events_truncated`: the message has more than 5,000 events and the oldest are left out; " +
      "`GET /v1/events` pages through all of them.",
    permission: "full",
    responses: { 200: Email },
    async handle({ env, caller, id, now }) {
      const email = await findEmail(env, caller.team, id, now);
      if (!email) throw refuse("not_found");
      return json(200, toEmail(email));
    },
  }),
];
