// `postern send`: sends one message.
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import type { SendBody } from "../../request/send-body.ts";
import type { EmailSendRequest } from "../../generated/types.ts";
import { sendTime } from "../at-option.ts";
import type { SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { readBytes } from "../file-access.ts";
import { definedMembers, type ParsedArguments, type OptionTable } from "../parsed-arguments.ts";
import type { ProgramStreams } from "../program-streams.ts";
import { readableTime } from "../shown-values.ts";

const STANDARD_INPUT = "-";

const OPTIONS: OptionTable = {
  from: {
    value: "<address>",
    summary: "The sender, on a verified domain; by default the template's sender",
  },
  to: { multiple: true, value: "<address>", summary: "A recipient" },
  cc: { multiple: true, value: "<address>", summary: "A visible copy" },
  bcc: { multiple: true, value: "<address>", summary: "A hidden copy" },
  "reply-to": { multiple: true, value: "<address>", summary: "Where answers go" },
  subject: { value: "<text>", summary: "The subject" },
  text: { value: "<text>", summary: "The text; - reads it from standard input" },
  html: { value: "<html>", summary: "The HTML; - reads it from standard input" },
  template: { value: "<id>", summary: "A published template, instead of --text and --html" },
  at: { value: "<time>", summary: "The send time: 2027-01-31T09:00+01:00, or 2h from now" },
  variables: { value: "<json>", summary: "Values of the template's markers" },
  attach: { multiple: true, value: "<file>", summary: "A file to attach" },
  tag: { multiple: true, value: "<tag>", summary: "A tag for the message's events" },
  topic: { value: "<topic>", summary: "The message's topic, for suppressions by topic" },
  campaign: { value: "<campaign>", summary: "The delivery stream" },
  metadata: { value: "<json>", summary: "Key-value pairs that the webhook events repeat" },
  "idempotency-key": {
    value: "<key>",
    summary: "Repeating the command with the same key sends nothing more",
  },
};

export const SEND_COMMAND: SingleCommand = {
  name: "send",
  summary: "Send a message",
  options: OPTIONS,
  examples: [
    "postern send --from hello@example.com --to ada@example.net --subject Hello --text 'It works.'",
    "postern send --from hello@example.com --to ada@example.net --subject Log --text - < build.log",
    'postern send --from hello@example.com --to ada@example.net --template template_… --variables \'{"name":"Ada"}\'',
    "postern send --from hello@example.com --to ada@example.net --subject Hello --text Soon. --at 'in 2 hours'",
  ],
  run: async ({ given, terminal, streams, client }) => {
    const message = await messageOf(given, streams.input);
    const key = given.text("idempotency-key");
    const sent = await client().emails.send(
      message as object as SendBody<EmailSendRequest>,
      key === undefined ? {} : { idempotencyKey: key },
    );
    const { id, scheduled_at: time } = sent;
    terminal.show(sent, () => [
      `Accepted: ${id}`,
      ...(time === undefined ? [] : [`The message goes out ${readableTime(time)}.`]),
    ]);
  },
};

async function messageOf(
  given: ParsedArguments,
  input: ProgramStreams["input"],
): Promise<EmailSendRequest> {
  const to = given.texts("to");
  if (to.length === 0) throw wrongUsage("--to is missing");
  const at = given.text("at");
  const template = given.text("template");
  const contentOf = async (name: string): Promise<string | undefined> => {
    const content = given.text(name);
    return content === STANDARD_INPUT ? text(input) : content;
  };
  return definedMembers({
    from: template === undefined ? given.needText("from") : given.text("from"),
    to: [...to],
    cc: [...given.texts("cc")],
    bcc: [...given.texts("bcc")],
    reply_to: [...given.texts("reply-to")],
    subject: given.text("subject"),
    text: await contentOf("text"),
    html: await contentOf("html"),
    template_id: template,
    scheduled_at: at === undefined ? undefined : sendTime(at, Date.now()),
    variables: given.json("variables"),
    attachments: given.repeated("attach").map((path) => ({
      filename: basename(path),
      content: readBytes(path).toString("base64"),
    })),
    tags: [...given.texts("tag")],
    topic: given.text("topic"),
    campaign: given.text("campaign"),
    metadata: given.json("metadata") as EmailSendRequest["metadata"],
  });
}
