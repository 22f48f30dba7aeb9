// Passes the inbox's answers to the gateway by SMTP, as a reader's mail server does at port 25.
import type { WrittenReply } from "./inbox/reply-programs.ts";
import { MailRoutes } from "./email-service/mail-routes.ts";
import { attemptDelivery } from "./email-service/smtp-attempt.ts";

const STEP_MS = 30_000;
const TIMEOUTS = {
  connect: STEP_MS,
  greeting: STEP_MS,
  command: STEP_MS,
  data: STEP_MS,
  block: STEP_MS,
  final: STEP_MS,
  quit: STEP_MS,
};

export function replyDoor(host: string, port: number): (reply: WrittenReply) => Promise<string> {
  const routes = new MailRoutes({ host, port, dns: null });
  return async ({ mailFrom, rcptTo, message }) => {
    const outgoing = { mailFrom, rcptTo, bytes: message, isConverted: true };
    const result = await attemptDelivery(routes, outgoing, TIMEOUTS);
    return result.kind === "reply" ? result.reply.line : `no answer: ${result.why}`;
  };
}
