// `postern show`: the content of a sent message.
import type { EmailContent } from "../../generated/types.ts";
import type { SingleCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../exit-codes.ts";
import { printable } from "../printable.ts";
import { figure, moment } from "../shown-values.ts";

export const SHOW_COMMAND: SingleCommand = {
  name: "show",
  summary: "Show the content of a sent message",
  takes: "<id>",
  options: { html: { summary: "Print the HTML alone" }, text: { summary: "Print the text alone" } },
  examples: ["postern show email_01a1fb6c-943e-7e35-b378-f74400936f31 --html > mail.html"],
  run: async ({ given, terminal, client }) => {
    const parts = (["html", "text"] as const).filter((part) => given.has(part));
    if (parts.length > 1) throw wrongUsage("--html and --text exclude each other");
    const content = await client().emails.getContent(given.positional(0));
    const [part] = parts;
    if (part === undefined || terminal.isJson)
      return terminal.show(content, () => contentLines(content));
    const body = content[part];
    if (body === null)
      throw new CommandFailure(
        `the message has no ${part === "html" ? "HTML" : "text"}`,
        EXIT.notFound,
      );
    terminal.showFile(body.endsWith("\n") ? body : `${body}\n`);
  },
};

function contentLines({
  headers,
  text,
  html,
  attachments,
  kept_until: until,
}: EmailContent): readonly string[] {
  const size = html === null ? "" : `HTML of ${figure(html.length)} characters: see --html`;
  return [
    ...Object.entries(headers).map(([name, value]) => printable(`${name}: ${value}`)),
    ...attachments.map((file) =>
      printable(
        `Attachment ${file.index}: ${file.filename}, ${file.content_type}, ${figure(file.size)} bytes`,
      ),
    ),
    `Kept until: ${moment(until)}`,
    "",
    ...(text === null ? [] : [text]),
    ...(size === "" ? [] : [size]),
  ];
}
