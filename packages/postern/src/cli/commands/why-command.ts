// `postern why`: the service's explanation about mail to an address.
import type { Explanation, Recipient, RecipientMessage } from "../../generated/types.ts";
import type { SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { printable } from "../printable.ts";
import { moment } from "../shown-values.ts";

export const WHY_COMMAND: SingleCommand = {
  name: "why",
  summary: "Explain why mail to an address arrived or did not",
  takes: "<address>",
  examples: ["postern why ada@example.net", "postern why ada@example.net --json"],
  run: async ({ given, terminal, client }) => {
    const address = given.positional(0).trim();
    if (!address.includes("@")) throw wrongUsage(`${address} is not an address`);
    const recipient = await client().recipients.get(address);
    terminal.show(recipient, () => answerLines(recipient));
  },
};

function answerLines({ explanation, suppressions, messages }: Recipient): readonly string[] {
  const { summary, next, actions } = explanation;
  const others = suppressions.map((one) => one.explanation.summary);
  return [
    summary,
    ...others.filter((one) => one !== summary),
    ...replyLines(explanation),
    next,
    ...actions.map(({ text }) => `- ${text}`),
    ...(messages.length === 0 ? [] : ["", "The last messages, newest first:"]),
    ...messages.map(messageLine),
  ];
}

function replyLines({ evidence }: Explanation): readonly string[] {
  if (!evidence?.reply) return [];
  return [printable(`${evidence.mx_host ?? "The reply"}: ${evidence.reply}`)];
}

function messageLine({ created_at: at, subject, explanation }: RecipientMessage): string {
  return printable(`${moment(at)}  “${subject}”  ${explanation.summary}`);
}
