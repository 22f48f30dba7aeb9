// GET /v1/email/{id} returns one message with each recipient's status and events (docs/api.md §Our
// own endpoints).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { repliesOf } from "../../db/client.ts";
import { REPLIES_PER_MESSAGE } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { listRepliesTo } from "../../resources/replies/store.ts";
import { courierFor } from "../../resources/team-settings/courier-choice.ts";
import { settingsOf } from "../../settings.ts";
import { feedbackIdOf } from "../feedback-id.ts";
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
      const { team } = caller;
      const settings = settingsOf(env);
      // Cloudflare writes Feedback-ID itself (docs/couriers.md).
      const isOurs = courierFor(team.courier, settings) !== "cloudflare";
      const labels = { ...email.message, teamId: team.id };
      const feedbackId = isOurs ? await feedbackIdOf(labels, settings) : null;
      const scope = repliesOf(env, team);
      const replies = await listRepliesTo(scope, email.message.emailId, REPLIES_PER_MESSAGE, now);
      return json(200, toEmail(email, feedbackId, replies));
    },
  }),
];
