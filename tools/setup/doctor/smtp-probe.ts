// Begins a session with a mail server, as another mail server does. It reads the server's greeting
// and certificate, and asks whether the server would accept a bounce. The session ends before any
// message.
import { connect } from "node:net";
import { LostConnection, SmtpConnection } from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { Reply } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { SocketTransport } from "../../../smtp-gateway/src/smtp/socket-transport.ts";
import { type Handshake, shakeHands } from "./tls-certificate.ts";

export type SmtpTalk =
  | {
      readonly kind: "talked";
      /** The host name that the server gives in its greeting. */
      readonly name: string;
      /** The result of the TLS handshake. Null: the server does not offer STARTTLS. */
      readonly tls: Handshake | null;
      /** The reply to MAIL FROM:<>, the sender of a bounce. */
      readonly mail: string;
      /** The reply to RCPT for `mailbox`. It is empty if `mailbox` is null. */
      readonly rcpt: string;
    }
  | { readonly kind: "failed"; readonly reason: string };

const TIMEOUT_MS = 10_000;
const OWN_NAME = "doctor.invalid";

/**
 * Runs a session with the server. `servername` is the name that the certificate must have.
 * `mailbox` is the mail address for RCPT, or null if no RCPT is sent. `ca` is passed to shakeHands.
 */
export async function talk(
  {
    host,
    port,
    servername,
  }: { readonly host: string; readonly port: number; readonly servername: string },
  mailbox: string | null,
  ca?: string,
): Promise<SmtpTalk> {
  const transport = dial(host, port);
  let connection = new SmtpConnection(transport, host, null);
  try {
    const greeting = await connection.reply(TIMEOUT_MS);
    if (greeting.code !== 220)
      return { kind: "failed", reason: `it greets with ${firstLine(greeting)}` };
    const name = greeting.lines[0]?.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
    let tls: Handshake | null = null;
    if (await agreesToTls(connection)) {
      tls = await shakeHands({ socket: transport.detach() }, servername, ca);
      if (tls.kind === "failed") return { kind: "talked", name, tls, mail: "", rcpt: "" };
      const encrypted = new SocketTransport(tls.socket, host, false);
      connection = new SmtpConnection(encrypted, host, tls.protocol);
      await connection.command(`EHLO ${OWN_NAME}`, TIMEOUT_MS);
    }
    return { kind: "talked", name, tls, ...(await askForBounce(connection, mailbox)) };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  } finally {
    transport.close();
  }
}

/** Returns the reason why this machine can't connect to the port. Null: it can connect. */
export async function tryPort(host: string, port: number): Promise<string | null> {
  const connection = new SmtpConnection(dial(host, port), host, null);
  try {
    const greeting = await connection.reply(TIMEOUT_MS);
    return Math.floor(greeting.code / 100) === 3 ? `it says ${firstLine(greeting)}` : null;
  } catch (error) {
    return reasonOf(error);
  } finally {
    connection.close();
  }
}

function dial(host: string, port: number): SocketTransport {
  return new SocketTransport(connect({ host, port }), host, false);
}

async function agreesToTls(connection: SmtpConnection): Promise<boolean> {
  const { code, lines } = await connection.command(`EHLO ${OWN_NAME}`, TIMEOUT_MS);
  if (code !== 250 || !lines.some((line) => /^STARTTLS/i.test(line))) return false;
  return (await connection.command("STARTTLS", TIMEOUT_MS)).code === 220;
}

async function askForBounce(
  connection: SmtpConnection,
  mailbox: string | null,
): Promise<{ mail: string; rcpt: string }> {
  const mail = firstLine(await connection.command("MAIL FROM:<>", TIMEOUT_MS));
  const rcpt =
    mailbox === null || !mail.startsWith("250")
      ? ""
      : firstLine(await connection.command(`RCPT TO:<${mailbox}>`, TIMEOUT_MS));
  connection.send("QUIT\r\n");
  return { mail, rcpt };
}

function reasonOf(error: unknown): string {
  if (error instanceof LostConnection && error.how === "timeout")
    return `no answer within ${TIMEOUT_MS / 1000} s`;
  return error instanceof Error ? error.message : String(error);
}

function firstLine({ code, lines }: Reply): string {
  return `${code} ${lines[0] ?? ""}`
    .trim()
    .slice(0, 200)
    .replace(/[^\x20-\x7e]/g, "?");
}
