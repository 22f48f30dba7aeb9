// The inbox's mail server. It accepts mail for every domain without authentication, with or without
// STARTTLS. The inbox's rules decide its replies at each stage of a session.
import { createSecureContext } from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { selfSigned } from "../../harness/smtp/self-signed.ts";
import { listenForMail, type SmtpServer } from "../../harness/smtp/smtp-server.ts";
import type { SmtpResponder, SmtpSession, SmtpStep } from "../../harness/smtp/smtp-session.ts";
import { headingsOf } from "./from-to-subject.ts";
import { decideStage, type InboxRules, STAGES } from "./inbox-rules.ts";
import type { MessageHead } from "./inbox-store.ts";

const NAME = "inbox.localhost";
const MESSAGE_BYTES = 40 * 1024 * 1024;
const IDLE_MS = 5 * 60 * 1000;
/** Passes a message on before it is stored. Returns the reply that refuses the message, or null. */
export type HandOn = (
  raw: Buffer,
  envelope: Pick<MessageHead, "mail_from" | "rcpt_to">,
) => Promise<string | null>;

export interface MailSink {
  readonly rules: InboxRules;
  readonly handOn?: HandOn | undefined;
  /** Stores a message before the reply 250 is sent. */
  keep(raw: Buffer, envelope: Omit<MessageHead, "id" | "received_at" | "size">): MessageHead;
}

/**
 * Listens on each address in `hosts`, at the same port. Port 0 means any port that is free on the
 * first address.
 */
export async function receiveMail(
  port: number,
  sink: MailSink,
  hosts: readonly string[],
): Promise<Pick<SmtpServer, "port" | "close">> {
  const options = {
    name: NAME,
    extensions: [
      "PIPELINING",
      `SIZE ${MESSAGE_BYTES}`,
      "8BITMIME",
      "SMTPUTF8",
      "ENHANCEDSTATUSCODES",
      "STARTTLS",
    ],
    messageBytes: MESSAGE_BYTES,
    secureContext: createSecureContext(selfSigned([NAME, "localhost"])),
    idleMs: IDLE_MS,
  };
  const servers: SmtpServer[] = [];
  for (const host of hosts)
    servers.push(
      await listenForMail(servers[0]?.port ?? port, host, options, (session) =>
        answerByRules(session, sink, host),
      ),
    );
  return {
    port: servers[0]?.port ?? port,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function answerByRules(session: SmtpSession, sink: MailSink, server: string): SmtpResponder {
  const seen = { client: session.remoteAddress, helo: "", message: 0 };
  return async (step) => {
    if (step.verb === "ehlo" || step.verb === "helo") seen.helo = step.line.slice(5).trim();
    const verb = step.verb === "greeting" ? "connect" : step.verb;
    const stage = STAGES.find((one) => one === verb);
    if (stage === undefined || step.isRefused) return step.usual;
    const { delayMs, verdict } = decideStage(sink.rules, stage, recipientsOf(step), server);
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    const keep = (): Promise<string> => {
      seen.message += 1;
      return keepMessage(sink, step, { tls: session.tls, session: { ...seen } });
    };
    if (verdict.kind === "go") return stage === "end" ? keep() : step.usual;
    if (verdict.kind === "drop") {
      if (verdict.keep) await keep();
      return stage === "starttls" ? session.end(step.usual) : session.drop();
    }
    if (stage === "end" && verdict.text.startsWith("2")) await keep();
    const reply = verdict.text.replace(/\r?\n/g, "\r\n");
    const isLast = stage === "connect" ? !reply.startsWith("2") : reply.startsWith("421");
    return isLast ? session.end(reply) : reply;
  };
}

function recipientsOf({ verb, address, to }: SmtpStep): readonly string[] {
  return verb === "rcpt" ? [address] : to;
}

async function keepMessage(
  sink: MailSink,
  step: SmtpStep,
  session: Pick<MessageHead, "tls" | "session">,
): Promise<string> {
  const raw = Buffer.from(step.content.toString("latin1").replace(/(^|\r\n)\./g, "$1"), "latin1");
  const envelope = { mail_from: step.from ?? "", rcpt_to: [...step.to], ...session };
  const refusal = (await sink.handOn?.(raw, envelope)) ?? null;
  if (refusal !== null) return refusal;
  return `250 2.0.0 Kept as ${sink.keep(raw, { ...envelope, ...headingsOf(raw) }).id}`;
}
