// Declares the endpoints that list, count, move and cancel messages that wait for their scheduled
// time (contract.md §Scheduled sends). If a call comes at the time of the release, the ledger
// decides which of them counts.
import { type ApiRequest, type Endpoint, endpoint, json, listPage } from "../../endpoint.ts";
import { notedChange } from "../../noted-change.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import { reachLedger, reachLedgerAgain } from "../../resources/team-settings/reach-ledger.ts";
import { findEmail, type EmailWithRecipients } from "../lookup/lookup.ts";
import { MESSAGES_PER_CANCEL } from "../../limits.ts";
import { judgeSchedule } from "../scheduled-at.ts";
import { listPositionText } from "../lookup/messages/list-position.ts";
import { listMessages } from "../lookup/messages/list-messages.ts";
import { ListedEmail, toListedEmail } from "../lookup/messages/wire.ts";
import {
  readAllPosition,
  schedulePositionText,
  rangeOf,
  refuseForeignFilters,
} from "./list-range.ts";
import {
  CancelCampaignRequest,
  CanceledCampaign,
  CanceledEmail,
  ListEmailsQuery,
  MovedEmail,
  MoveEmailRequest,
  toScheduledEmail,
  toWaitingCampaigns,
  WaitingCampaigns,
} from "./wire.ts";

export const scheduleEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/email",
    summary: "List scheduled messages, or all messages",
    description:
      "Lists, by default, the messages that wait for their scheduled time. The last accepted comes " +
      "first; with `order=soonest`, the earliest scheduled time comes first. With `status=all` " +
      "lists every message that is kept, the last accepted first, with its status and its newest " +
      "event. A page of `status=all` may have fewer messages than `limit`, or none, and still " +
      "have a next page.",
    operationId: "listEmails",
    permission: "full",
    paginated: true,
    query: ListEmailsQuery,
    responses: { 200: ListedEmail },
    async handle(request) {
      const { env, caller, page, query, now } = request;
      refuseForeignFilters(query);
      if (query.status === "all") {
        const { status: _status, order: _order, ...filters } = query;
        const place = readAllPosition(page.after);
        const all = await listMessages(env, caller.team, filters, place, page.limit, now);
        return listPage(all.messages.map(toListedEmail), all.next && listPositionText(all.next));
      }
      const range = rangeOf(query, page.after);
      const { messages, isMore, last } = await reachLedger(env, caller.team, (ledger) =>
        ledger.listScheduled(range, page.limit),
      );
      const next = last ? schedulePositionText(last) : (messages.at(-1)?.emailId ?? null);
      return listPage(messages.map(toScheduledEmail), isMore ? next : null);
    },
  }),
  endpoint({
    method: "GET",
    path: "/v1/email/campaigns",
    summary: "Count the scheduled messages of each campaign",
    description:
      "Returns up to 100 campaigns, the one with the earliest scheduled time first. At most " +
      "10,000 messages are counted in all; `is_complete` is false for a campaign that has " +
      "more.",
    operationId: "listEmailCampaigns",
    permission: "full",
    responses: { 200: WaitingCampaigns },
    async handle({ env, caller }) {
      const campaigns = await reachLedger(env, caller.team, (ledger) => ledger.waitingCampaigns());
      return json(200, toWaitingCampaigns(campaigns));
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/email/cancel",
    summary: "Cancel the scheduled messages of a campaign",
    description:
      `Cancels up to ${MESSAGES_PER_CANCEL} messages, those with the earliest scheduled time ` +
      "first, as if each were canceled by itself. Call again while `has_more` is true. A " +
      "campaign without waiting messages gives an empty answer.",
    operationId: "cancelEmailCampaign",
    permission: "full",
    body: CancelCampaignRequest,
    audit: { store: "ledger", operation: "campaign.cancel" },
    responses: { 200: CanceledCampaign },
    async handle(request) {
      const { env, caller, now, body } = request;
      const noted = notedChange(request, body.campaign);
      const { emailIds, isMore } = await reachLedger(env, caller.team, (ledger) =>
        ledger.cancelCampaign(body.campaign, MESSAGES_PER_CANCEL, now, noted),
      );
      const canceled_at = new Date(now).toISOString();
      return json(200, { data: emailIds.map((id) => ({ id, canceled_at })), has_more: isMore });
    },
  }),
  endpoint({
    method: "POST",
    path: "/v1/email/:id/cancel",
    summary: "Cancel a scheduled message",
    description:
      "After a 200 no copy of the message is ever sent. The quota of its day and month is " +
      "returned if that day and month are not over. A repeated call gets the same answer. 409: " +
      "the message was already released, or was never scheduled.",
    operationId: "cancelEmail",
    permission: "full",
    errors: [409],
    audit: { store: "ledger", operation: "email.cancel" },
    responses: { 200: CanceledEmail },
    async handle(request) {
      const { env, caller, id, now } = request;
      const canceled = await reachLedgerAgain(env, caller.team, (ledger) =>
        ledger.cancel(id, now, notedChange(request, id)),
      );
      if (canceled.kind === "gone") throw refuseLate(await findEmail(env, caller.team, id, now));
      return json(200, { id, canceled_at: new Date(canceled.canceledAt).toISOString() });
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/v1/email/:id",
    summary: "Change the time of a scheduled message",
    description:
      "A time in the past minute releases the message at once. 409: the message was already " +
      "released or canceled, or was never scheduled.",
    operationId: "moveEmail",
    permission: "full",
    body: MoveEmailRequest,
    errors: [409],
    audit: { store: "ledger", operation: "email.move" },
    responses: { 200: MovedEmail },
    async handle(request) {
      const { env, caller, id, now, body } = request;
      const judged = judgeSchedule(body.scheduled_at, now);
      if ("problem" in judged) throw await refuseTime(request, id, judged.problem);
      const noted = notedChange(request, id, ["scheduled_at"]);
      const isMoved = await reachLedgerAgain(env, caller.team, (ledger) =>
        ledger.move(id, judged.at, now, noted),
      );
      if (!isMoved) {
        const email = await findEmail(env, caller.team, id, now);
        // A call that moves a message to now releases it. If an equal call did so just before, this
        // call succeeds too.
        if (email?.canceledAt !== null || email.message.scheduledAt !== judged.at)
          throw refuseLate(email);
      }
      return json(200, { id, scheduled_at: new Date(judged.at).toISOString() });
    },
  }),
];

/** Returns the refusal of a scheduled time: 422, or 404 if the team has no such message. */
async function refuseTime(
  { env, caller, now }: Pick<ApiRequest, "env" | "caller" | "now">,
  id: string,
  problem: string,
): Promise<RefusalError> {
  return (await findEmail(env, caller.team, id, now))
    ? refuse("invalid", { errors: { scheduled_at: [problem] } })
    : refuse("not_found");
}

/**
 * Returns the refusal for a message that is not waiting: 409, or 404 if the team has no such
 * message.
 */
function refuseLate(email: EmailWithRecipients | undefined): RefusalError {
  if (!email) return refuse("not_found");
  const { canceledAt, message } = email;
  const reason =
    canceledAt !== null ? "canceled" : message.scheduledAt ? "released" : "unscheduled";
  return refuse("not_cancelable", { reason });
}
