// The peer of `bench deliver`: nodemailer with a pool of ten connections. It composes and signs
// (DKIM) the same message for each delivery.
import { createTransport } from "nodemailer";
import { serveCommands } from "../../harness/command-loop.ts";
import { MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";

const CONNECTIONS = 10;
/** The gateway has the same limit by default. */
const MESSAGES_PER_CONNECTION = 100;

const transport = createTransport({
  pool: true,
  host: "127.0.0.1",
  port: Number(process.env["BENCH_SINK_PORT"]),
  ignoreTLS: true,
  maxConnections: CONNECTIONS,
  maxMessages: MESSAGES_PER_CONNECTION,
  dkim: {
    domainName: SENDER_DOMAIN,
    keySelector: "bench",
    privateKey: process.env["BENCH_DKIM_KEY"] ?? "",
  },
});

async function send(messages: number): Promise<object> {
  const { from, to, subject, text, html } = MESSAGE;
  await Promise.all(
    Array.from({ length: messages }, () => transport.sendMail({ from, to, subject, text, html })),
  );
  return {};
}

console.log("ready");
await serveCommands((question) => send((question as { readonly send: number }).send));
process.exit(0);
