// Sends mail to the gateway's port 25 as other mail servers do, with a connection for each mail.
import { connect } from "node:net";
import { once } from "node:events";
import {
  SmtpConnection,
  type SmtpTimeouts,
} from "../../../../smtp-gateway/src/smtp/smtp-connection.ts";
import { openSmtpSession } from "../../../../smtp-gateway/src/smtp/smtp-opening.ts";
import { runTransaction } from "../../../../smtp-gateway/src/smtp/smtp-transaction.ts";
import { SocketTransport } from "../../../../smtp-gateway/src/smtp/socket-transport.ts";
import type { HostileReply } from "./hostile-replies.ts";

const HOST = "127.0.0.1";
const STEP_MS = 60_000;
const TIMEOUTS: SmtpTimeouts = {
  connect: STEP_MS,
  greeting: STEP_MS,
  command: STEP_MS,
  data: STEP_MS,
  block: STEP_MS,
  final: STEP_MS,
  quit: STEP_MS,
};

/** Sends one mail. Returns the code of the gateway's reply. Throws if no reply comes. */
export async function bringHostileReply(
  port: number,
  { name, to, bytes }: HostileReply,
): Promise<number> {
  const socket = connect({ host: HOST, port, noDelay: true });
  await once(socket, "connect");
  const connection = new SmtpConnection(new SocketTransport(socket, HOST, false), HOST, null);
  try {
    const opening = await openSmtpSession(connection, {
      name: "mx.receiver.example",
      allowHelo: false,
      tls: "none",
      credentials: null,
      isOwnName: () => false,
      timeouts: TIMEOUTS,
    });
    if (opening.kind !== "open") throw new Error(`the gateway's port 25: ${opening.kind}`);
    const message = { mailFrom: "ann@receiver.example", rcptTo: to, bytes, isConverted: true };
    const result = await runTransaction(connection, message, TIMEOUTS);
    if (result.kind !== "answered")
      throw new Error(
        `no reply to ${name}: ${result.kind === "broken" ? result.why : result.kind}`,
      );
    return result.reply.code;
  } finally {
    connection.close();
    socket.destroy();
  }
}
