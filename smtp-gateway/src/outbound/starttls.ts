// STARTTLS on an open connection (RFC 3207): with any certificate when TLS is a courtesy, with a
// valid one for the host's name when it is demanded.
import { isIP } from "node:net";
import { connect, createSecureContext, type SecureContext } from "node:tls";
import type { SmtpConnection } from "./smtp-connection.ts";

/** TLS did not come about, and the connection is of no more use. */
export class HandshakeFailed extends Error {}

/**
 * Old versions and short keys too: what a server can do is better than nothing at all. Made once,
 * since each context loads the system's roots.
 */
let lenientContext: SecureContext | null = null;
let strictContext: SecureContext | null = null;

/**
 * False: the server declined, and the conversation goes on without TLS since nothing demands it.
 * Throws HandshakeFailed.
 */
export async function startTls(
  connection: SmtpConnection,
  required: boolean,
  ms: number,
): Promise<boolean> {
  if (!connection.capabilities.startTls)
    throw new HandshakeFailed("the server does not offer TLS, which its domain's policy demands");
  const reply = await connection.command("STARTTLS", ms);
  if (reply.code >= 300) {
    if (required || reply.code === 421)
      throw new HandshakeFailed(`STARTTLS was answered ${reply.code}`);
    return false;
  }
  await handshake(connection, required, ms);
  return true;
}

function handshake(connection: SmtpConnection, required: boolean, ms: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({
    socket: connection.detach(),
    rejectUnauthorized: required,
    secureContext: required ? strict() : lenient(),
    ...(isIP(connection.host) ? {} : { servername: connection.host }),
  });
  const fail = (why: string): void => {
    clearTimeout(timer);
    socket.destroy();
    reject(new HandshakeFailed(why));
  };
  const timer = setTimeout(() => fail("the TLS handshake took too long"), ms);
  const onError = (error: NodeJS.ErrnoException): void =>
    fail(`TLS handshake: ${error.code ?? error.message}`);
  const onClose = (): void => fail("the connection was closed during the TLS handshake");
  socket.once("error", onError).once("close", onClose);
  socket.once("secureConnect", () => {
    clearTimeout(timer);
    socket.off("error", onError).off("close", onClose);
    connection.attach(socket, socket.getProtocol());
    resolve();
  });
  return promise;
}

function lenient(): SecureContext {
  lenientContext ??= createSecureContext({ minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0" });
  return lenientContext;
}

function strict(): SecureContext {
  strictContext ??= createSecureContext({ minVersion: "TLSv1.2" });
  return strictContext;
}
