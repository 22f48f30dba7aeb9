// Submits one message over one SMTP session: STARTTLS, AUTH, envelope, data. Returns the deciding
// reply as text. A 250 promises delivery.
import { connect } from "node:net";
import { SmtpConnection, type SmtpTimeouts } from "../../smtp-gateway/src/smtp/smtp-connection.ts";
import { stuffDots } from "../../smtp-gateway/src/smtp/dot-stuffing.ts";
import { openSmtpSession } from "../../smtp-gateway/src/smtp/smtp-opening.ts";
import type { Reply } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import { SocketTransport } from "../../smtp-gateway/src/smtp/socket-transport.ts";

export interface ChaosSubmission {
  readonly port: number;
  readonly apiKey: string;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly message: string;
  /**
   * Milliseconds after which the client closes the connection, at any step. Null: the client waits
   * for the reply.
   */
  readonly hangsUpAfter: number | null;
}

const HOST = "127.0.0.1";
/** The client's time limit for each step. Node's `fetch` has the same limit for an answer. */
const SILENCE_MS = 300_000;
const TIMEOUTS: SmtpTimeouts = {
  connect: SILENCE_MS,
  greeting: SILENCE_MS,
  command: SILENCE_MS,
  data: SILENCE_MS,
  block: SILENCE_MS,
  final: SILENCE_MS,
  quit: SILENCE_MS,
};

/**
 * Returns the reply to the message, or to the earlier step that was refused. Rejects if the
 * connection ends without a reply.
 */
export async function submitMessage(submission: ChaosSubmission): Promise<string> {
  const { port, hangsUpAfter } = submission;
  const socket = connect({ host: HOST, port, noDelay: true });
  const timer =
    hangsUpAfter === null ? undefined : setTimeout(() => socket.destroy(), hangsUpAfter);
  const connection = new SmtpConnection(new SocketTransport(socket, HOST, false), HOST, null);
  try {
    return (await openSubmission(connection, submission)) ?? (await send(connection, submission));
  } finally {
    clearTimeout(timer);
    connection.close();
    socket.destroy();
  }
}

/** Returns the reply that refused the session. Null: the session is open. */
async function openSubmission(
  connection: SmtpConnection,
  { apiKey }: ChaosSubmission,
): Promise<string | null> {
  const opening = await openSmtpSession(connection, {
    name: "client.example",
    allowHelo: false,
    tls: "offered",
    credentials: { username: "service", password: apiKey },
    isOwnName: () => false,
    timeouts: TIMEOUTS,
  });
  if (opening.kind === "open") return null;
  if (opening.kind === "refused") return textOf(opening.reply);
  throw new Error(opening.kind === "lost" ? opening.lost.message : opening.kind);
}

async function send(
  connection: SmtpConnection,
  { from, recipients, message }: ChaosSubmission,
): Promise<string> {
  const commands = [
    `MAIL FROM:<${from}>`,
    ...recipients.map((recipient) => `RCPT TO:<${recipient}>`),
    "DATA",
  ];
  for (const command of commands) {
    const reply = await connection.command(command, SILENCE_MS);
    if (reply.code >= 400) return textOf(reply);
  }
  connection.send(stuffDots(Buffer.from(message)));
  return textOf(await connection.reply(SILENCE_MS));
}

/** The last line of a reply, with its code. */
function textOf({ code, lines }: Reply): string {
  return `${code} ${lines.at(-1) ?? ""}`;
}
