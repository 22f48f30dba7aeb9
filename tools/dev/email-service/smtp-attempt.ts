// Makes one attempt of the Email Service to deliver a message by SMTP, with the product's own SMTP
// client. The attempt tries the recipient's mail servers in order. It uses TLS if a server offers
// it. After a failed handshake, it uses no TLS.
import { connect, type Socket } from "node:net";
import {
  type OpeningResult,
  openSmtpSession,
} from "../../../smtp-gateway/src/smtp/smtp-opening.ts";
import {
  SmtpConnection,
  type SmtpTimeouts,
} from "../../../smtp-gateway/src/smtp/smtp-connection.ts";
import { foldReply, type Reply } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import {
  isDecisiveReply,
  type OutgoingMessage,
  runTransaction,
} from "../../../smtp-gateway/src/smtp/smtp-transaction.ts";
import { SocketTransport } from "../../../smtp-gateway/src/smtp/socket-transport.ts";
import type { MailRoutes } from "./mail-routes.ts";
import type { QuotedSmtp } from "./sending-events.ts";

const OWN_NAME = "email-service.localhost";

export type DeliveryResult =
  | { readonly kind: "reply"; readonly reply: QuotedSmtp }
  /** No server gave a decisive reply. */
  | { readonly kind: "failure"; readonly why: string };

/**
 * The result of opening a connection. After `next`, the attempt tries the next server. After
 * `tlsFailed` (a failed TLS handshake), it tries the same server without TLS.
 */
type Opened =
  | { readonly connection: SmtpConnection }
  | { readonly next: DeliveryResult }
  | { readonly tlsFailed: string };

/** Makes one attempt. Never throws. */
export async function attemptDelivery(
  routes: MailRoutes,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<DeliveryResult> {
  const found = await routes.targetsOf(message.rcptTo);
  if ("none" in found) return { kind: "failure", why: found.none };
  const results: DeliveryResult[] = [];
  for (const { host, address } of found.targets) {
    const place = { host, address, port: routes.port };
    let opened = await open(place, "offered", timeouts);
    if ("tlsFailed" in opened) opened = await open(place, "none", timeouts);
    if (!("connection" in opened)) {
      results.push("next" in opened ? opened.next : failure(opened.tlsFailed));
      continue;
    }
    const { result, isFinal } = await transmit(opened.connection, message, timeouts);
    if (isFinal) return result;
    results.push(result);
  }
  return decisive(results);
}

interface Place {
  readonly host: string;
  readonly address: string;
  readonly port: number;
}

async function open(
  { host, address, port }: Place,
  tls: "offered" | "none",
  timeouts: SmtpTimeouts,
): Promise<Opened> {
  const socket = await dial(address, port, timeouts.connect);
  if (typeof socket === "string") return { next: failure(`connecting: ${socket}`) };
  const connection = new SmtpConnection(new SocketTransport(socket, host, false), host, null);
  const result = await openSmtpSession(connection, {
    name: OWN_NAME,
    allowHelo: true,
    tls,
    credentials: null,
    isOwnName: () => false,
    timeouts,
  });
  return result.kind === "open" ? { connection } : notOpened(result);
}

function notOpened(result: Exclude<OpeningResult, { readonly kind: "open" }>): Opened {
  if (result.kind === "lost")
    return result.step === "starttls"
      ? { tlsFailed: result.lost.message }
      : { next: failure(result.lost.message) };
  if (result.kind === "refused") return { next: quoted(result.reply) };
  return { next: failure(result.kind) };
}

/** Sends the message over an open connection. `isFinal`: no other server follows. */
async function transmit(
  connection: SmtpConnection,
  message: OutgoingMessage,
  timeouts: SmtpTimeouts,
): Promise<{ result: DeliveryResult; isFinal: boolean }> {
  const result = await runTransaction(connection, message, timeouts);
  if (!connection.lost) await connection.quit(timeouts.quit);
  switch (result.kind) {
    case "answered":
      return isDecisiveReply(result.stage, result.reply)
        ? { result: quoted(result.reply), isFinal: true }
        : { result: failure(`answered ${result.reply.code} out of turn`), isFinal: true };
    case "unsupported":
      return { result: quoted(result.reply), isFinal: false };
    case "broken":
      return { result: failure(result.why), isFinal: result.stage === "end" };
    case "stale":
      return { result: failure("the connection was stale"), isFinal: false };
    case "unread":
      return { result: failure("the server did not answer all commands"), isFinal: false };
  }
}

/** Connects to a server. Resolves with the socket, or with the code of the error. */
function dial(host: string, port: number, ms: number): Promise<Socket | string> {
  const { promise, resolve } = Promise.withResolvers<Socket | string>();
  const socket = connect({ host, port, noDelay: true });
  const timer = setTimeout(() => {
    socket.destroy();
    resolve("ETIMEDOUT");
  }, ms);
  const onError = ({ code = "unknown" }: NodeJS.ErrnoException): void => {
    clearTimeout(timer);
    resolve(code);
  };
  socket.once("error", onError).once("connect", () => {
    clearTimeout(timer);
    socket.off("error", onError);
    resolve(socket);
  });
  return promise;
}

/**
 * Returns the decisive result of an attempt. A deferral comes first, because it keeps the message
 * in the queue. Any other reply comes before a failed connection, because a reply has more
 * information.
 */
function decisive(results: readonly DeliveryResult[]): DeliveryResult {
  const replies = results.filter((result) => result.kind === "reply");
  return (
    replies.find(({ reply }) => reply.code < 500) ??
    replies[0] ??
    results[0] ??
    failure("the domain has no mail server")
  );
}

function quoted(reply: Reply): DeliveryResult {
  const { enhanced, text } = foldReply(reply);
  const line = [reply.code, enhanced, text]
    .filter((part) => part !== null && part !== "")
    .join(" ");
  return { kind: "reply", reply: { code: reply.code, enhanced, line } };
}

function failure(why: string): DeliveryResult {
  return { kind: "failure", why };
}
