// `postern send`: one message from the command line.
import { basename } from "node:path";
import { stdin } from "node:process";
import { text } from "node:stream/consumers";
import type { EmailSendRequest } from "../../generated/types.ts";
import type { CliCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { readBytes } from "../file-access.ts";
import { definedMembers, type Given, type OptionTable } from "../given.ts";

const STANDARD_INPUT = "-";

const OPTIONS: OptionTable = {
  from: { type: "string", value: "<address>", summary: "The sender, on a verified domain" },
  to: { type: "string", multiple: true, value: "<address>", summary: "A recipient" },
  cc: { type: "string", multiple: true, value: "<address>", summary: "A visible copy" },
  bcc: { type: "string", multiple: true, value: "<address>", summary: "A hidden copy" },
  "reply-to": { type: "string", multiple: true, value: "<address>", summary: "Where answers go" },
  subject: { type: "string", value: "<text>", summary: "The subject" },
  text: { type: "string", value: "<text>", summary: "The text; - reads it from standard input" },
  html: { type: "string", value: "<html>", summary: "The HTML; - reads it from standard input" },
  template: { type: "string", value: "<id>", summary: "A published template, instead of both" },
  variables: { type: "string", value: "<json>", summary: "Values of the template's markers" },
  attach: { type: "string", multiple: true, value: "<file>", summary: "A file to attach" },
  tag: { type: "string", multiple: true, value: "<tag>", summary: "A tag of its events" },
  topic: { type: "string", value: "<topic>", summary: "The topic that suppressions may be about" },
  campaign: { type: "string", value: "<campaign>", summary: "The delivery stream" },
  metadata: { type: "string", value: "<json>", summary: "Pairs that its webhook events repeat" },
  "idempotency-key": {
    type: "string",
    value: "<key>",
    summary: "Repeating the command with the same key sends nothing more",
  },
};

export const SEND_COMMAND: CliCommand = {
  name: "send",
  summary: "Send a message",
  usage: ["send --from <address> --to <address> --subject <text> --text <text>"],
  options: OPTIONS,
  examples: [
    "postern send --from hello@example.com --to ada@example.net --subject Hello --text 'It works.'",
    "postern send --from hello@example.com --to ada@example.net --subject Log --text - < build.log",
    'postern send --from hello@example.com --to ada@example.net --template template_… --variables \'{"name":"Ada"}\'',
  ],
  run: async ({ given, terminal, client }) => {
    const message = await messageOf(given);
    const key = given.text("idempotency-key");
    const sent = await client().emails.send(
      message,
      key === undefined ? {} : { idempotencyKey: key },
    );
    terminal.show(sent, () => [`Accepted: ${sent.id}`]);
  },
};

async function messageOf(given: Given): Promise<EmailSendRequest> {
  const to = given.texts("to");
  if (to.length === 0) throw wrongUsage("--to is missing");
  return definedMembers({
    from: given.needText("from"),
    to: [...to],
    cc: [...given.texts("cc")],
    bcc: [...given.texts("bcc")],
    reply_to: [...given.texts("reply-to")],
    subject: given.text("subject"),
    text: await contentOf(given.text("text")),
    html: await contentOf(given.text("html")),
    template_id: given.text("template"),
    variables: jsonOption(given, "variables"),
    attachments: given.repeated("attach").map((path) => ({
      filename: basename(path),
      content: readBytes(path).toString("base64"),
    })),
    tags: [...given.texts("tag")],
    topic: given.text("topic"),
    campaign: given.text("campaign"),
    metadata: jsonOption(given, "metadata") as EmailSendRequest["metadata"],
  });
}

async function contentOf(given: string | undefined): Promise<string | undefined> {
  return given === STANDARD_INPUT ? text(stdin) : given;
}

function jsonOption(given: Given, name: string): Record<string, unknown> | undefined {
  const json = given.text(name);
  try {
    return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
  } catch {
    throw wrongUsage(`--${name} is not JSON`);
  }
}
