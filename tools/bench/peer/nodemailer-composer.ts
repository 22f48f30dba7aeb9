// The peer of `bench compose`: nodemailer's MailComposer and DKIM signer, used by a transport that
// delivers nowhere. `compose` makes one whole message.
import { createTransport } from "nodemailer";
import { serveCommands } from "../../harness/command-loop.ts";
import type { EngineTurns } from "../engine/work.ts";
import { MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";

const transport = createTransport({
  streamTransport: true,
  buffer: true,
  newline: "windows",
  dkim: {
    domainName: SENDER_DOMAIN,
    keySelector: "bench",
    privateKey: process.env["BENCH_DKIM_KEY"] ?? "",
  },
});

async function perform({ times }: EngineTurns): Promise<object> {
  const { from, to, subject, text, html } = MESSAGE;
  let output: Buffer | undefined;
  for (let turn = 0; turn < times; turn += 1) {
    const { message } = await transport.sendMail({ from, to, subject, text, html });
    if (Buffer.isBuffer(message)) output = message;
  }
  return { output: output?.toString() };
}

console.log("ready");
await serveCommands((question) => perform(question as EngineTurns));
