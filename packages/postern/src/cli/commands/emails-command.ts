// `postern emails`: the outcomes of messages, scheduled messages, and batches of messages.
import type { CanceledCampaign, Email, ListedEmail } from "../../generated/types.ts";
import { requestRun, listRun } from "../request-actions.ts";
import { sendTime } from "../at-option.ts";
import type { CommandGroup, CommandInput } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { definedMembers, type ParsedArguments } from "../parsed-arguments.ts";
import { printable } from "../printable.ts";
import { figure, moment, readableTime } from "../shown-values.ts";
import { BATCH_OPTIONS, sendBatchFile } from "./email-batch.ts";

const LINES = 20;

export const EMAILS_COMMAND: CommandGroup = {
  name: "emails",
  summary: "Look up messages, cancel or move scheduled ones, and send batches",
  examples: [
    "postern emails --recipient ada@example.net",
    "postern emails get email_…",
    "postern emails list --scheduled --campaign launch",
    "postern emails cancel --campaign launch",
    "postern emails move email_… --at 'in 2 hours'",
    "postern emails batch messages.jsonl --idempotency-key launch-1",
  ],
  actions: [
    {
      name: "list",
      summary: "List messages, newest first",
      options: {
        limit: { value: "<n>", summary: `Messages to show; ${LINES} by default` },
        scheduled: { summary: "Only scheduled messages, sorted by send time" },
        recipient: { value: "<address>", summary: "Filter by recipient" },
        campaign: { value: "<campaign>", summary: "Filter by campaign" },
        topic: { value: "<topic>", summary: "Filter by topic" },
        template: { value: "<id>", summary: "Filter by template" },
        tag: { multiple: true, value: "<tag>", summary: "Filter by any of these tags" },
      },
      run: listRun<ListedEmail>(
        {
          ACCEPTED: (one) => moment(one.created_at),
          STATUS: (one) => statusWords(one),
          TO: ({ recipients: [first = "-", ...more] }) =>
            more.length === 0 ? first : `${first} and ${more.length} more`,
          SUBJECT: ({ subject }) => subject,
          ID: ({ id }) => id,
        },
        (client, given, limit) =>
          client.emails.list(
            definedMembers({
              ...(given.has("scheduled")
                ? { order: "soonest" as const }
                : { status: "all" as const }),
              recipient: given.text("recipient"),
              campaign: given.text("campaign"),
              topic: given.text("topic"),
              template_id: given.text("template"),
              tags: [...given.texts("tag")],
              limit,
            }),
          ),
        LINES,
      ),
    },
    {
      name: "get",
      takes: "<id>",
      summary: "Show a message with each recipient's status and events",
      run: requestRun((client, given) => client.emails.get(given.positional(0)), emailLines),
    },
    {
      name: "cancel",
      takes: "[<id>]",
      summary: "Cancel a scheduled message, or all scheduled messages of a campaign",
      options: {
        campaign: { value: "<campaign>", summary: "All scheduled messages of this campaign" },
      },
      asks: (given) => {
        const { id, campaign } = canceledBy(given);
        return id === undefined
          ? `Cancel all scheduled messages of the campaign ${campaign}?`
          : `Cancel the message ${id}?`;
      },
      run: cancel,
    },
    {
      name: "move",
      takes: "<id>",
      summary: "Move a scheduled message to another time",
      options: { at: { value: "<time>", summary: "The new send time, or 2h from now" } },
      run: requestRun(
        (client, given) =>
          client.emails.move(given.positional(0), {
            scheduled_at: sendTime(given.needText("at"), Date.now()),
          }),
        ({ id, scheduled_at: time }) => [`Moved: ${id} goes out ${readableTime(time)}.`],
      ),
    },
    {
      name: "batch",
      takes: "<file>",
      summary: "Send the messages of a JSON or JSONL file; exits with 1 if some failed",
      options: BATCH_OPTIONS,
      run: sendBatchFile,
    },
  ],
};

type Canceled = Readonly<Record<"id" | "campaign", string | undefined>>;

/** Throws a CommandFailure unless exactly one of id and `--campaign` is given. */
function canceledBy(given: ParsedArguments): Canceled {
  const [id] = given.positionals;
  const campaign = given.text("campaign");
  if ((id === undefined) === (campaign === undefined))
    throw wrongUsage("give either a message's id or --campaign");
  return { id, campaign };
}

async function cancel({ given, terminal, client }: CommandInput): Promise<void> {
  const { id, campaign = "" } = canceledBy(given);
  const { emails } = client();
  if (id !== undefined) {
    terminal.show(await emails.cancel(id), () => [`Canceled: ${id}.`]);
    return;
  }
  const canceled: CanceledCampaign["data"] = [];
  for (let more = true; more;) {
    const some = await emails.cancelCampaign({ campaign });
    canceled.push(...some.data);
    more = some.has_more;
  }
  terminal.show(canceled, () => [`Canceled: ${figure(canceled.length)} of ${campaign}.`]);
}

function statusWords({ status, scheduled_at: time }: ListedEmail): string {
  const waits = status === undefined || status === "scheduled";
  return waits && time !== undefined ? `scheduled ${moment(time)}` : (status ?? "unknown");
}

function emailLines(email: Email): readonly string[] {
  const { id, subject, from, created_at: accepted, scheduled_at: time } = email;
  return [
    `Message      ${id}`,
    `Subject      ${printable(subject)}`,
    `From         ${printable(from)}`,
    `Accepted     ${moment(accepted)}`,
    ...(time === undefined ? [] : [`Scheduled    ${moment(time)}`]),
    ...(email.canceled_at ? [`Canceled     ${moment(email.canceled_at)}`] : []),
    ...email.recipients.flatMap(recipientLines),
    ...(email.events_truncated
      ? ["", "The message has more than 5,000 events: run postern events --email <id>"]
      : []),
  ];
}

function recipientLines(one: Email["recipients"][number]): readonly string[] {
  const { recipient, status, events, explanation, next_attempt_at: next } = one;
  return [
    "",
    `${recipient}: ${status}`,
    explanation.summary,
    ...(next === null ? [] : [`The next attempt is at ${moment(next)}.`]),
    ...events.map(({ occurred_at: at, type, mx_host: host, smtp_response: reply }) =>
      printable(`  ${[moment(at), type, host, reply].filter((part) => part !== null).join("  ")}`),
    ),
  ];
}
