// `postern replies`: the newest answers to the team's messages. `--follow` also shows new answers
// as they come. Strangers write answers, so control characters are removed.
import type { ListRepliesQuery, Reply } from "../../generated/types.ts";
import type { SingleCommand } from "../command.ts";
import { padToWidth } from "../display-width.ts";
import { LINES, newestRun } from "../newest-lines.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import { printable } from "../printable.ts";
import { moment } from "../shown-values.ts";

const AUTHOR_COLUMN = 32;
const PREVIEW_CHARACTERS = 100;

const OPTIONS: OptionTable = {
  follow: { short: "f", summary: "Also show new replies, until Ctrl-C" },
  limit: { value: "<n>", summary: `Replies to show; ${LINES} by default` },
  email: { value: "<id>", summary: "Filter by the message that is answered" },
  recipient: { value: "<address>", summary: "Filter by the recipient whose copy is answered" },
  unseen: { summary: "Only replies that were not seen" },
};

export const REPLIES_COMMAND: SingleCommand = {
  name: "replies",
  summary: "Show what people answered",
  options: OPTIONS,
  examples: [
    "postern replies --unseen",
    "postern replies --follow",
    "postern replies --json | jq -r .preview",
  ],
  run: newestRun(
    "replies",
    (client, given, limit) => client.replies.list({ ...queryOf(given), limit }),
    replyLine,
  ),
};

function replyLine(reply: Reply): string {
  const { received_at: at, from, from_recipient: isRecipient, auto, email_id: emailId } = reply;
  const marks = [
    isRecipient ? "" : "not the recipient",
    auto ? "automatic" : "",
    reply.seen ? "" : "new",
  ].filter((mark) => mark !== "");
  const said = reply.preview.replace(/\s+/g, " ").slice(0, PREVIEW_CHARACTERS);
  return [
    moment(at),
    padToWidth(printable(from ?? "(no address)"), AUTHOR_COLUMN),
    said === "" ? reply.subject : said,
    ...(marks.length > 0 ? [`(${marks.join(", ")})`] : []),
    emailId,
    reply.id,
  ]
    .map(printable)
    .join("  ");
}

function queryOf(given: ParsedArguments): ListRepliesQuery {
  return definedMembers({
    email_id: given.text("email"),
    recipient: given.text("recipient"),
    seen: given.has("unseen") ? ("false" as const) : undefined,
  });
}
