// Opens a connection to a mail server: TCP to the server's addresses in order, then the SMTP
// opening. TLS is opportunistic: any certificate is accepted, and after a failed handshake the
// server is tried once without TLS. If the domain's policy demands TLS (MTA-STS), the certificate
// must be valid, and the server is never tried without TLS.
import { connect, isIP, isIPv4, isIPv6, type Socket } from "node:net";
import { type LostConnection, SmtpConnection } from "../smtp/smtp-connection.ts";
import type { ServerAddresses } from "../destinations/destination-name.ts";
import { openSmtpSession, type OpeningResult, type OpeningStep } from "../smtp/smtp-opening.ts";
import type { Reply } from "../smtp/smtp-reply.ts";
import {
  dateNow,
  type DatedOutcome,
  type EgressFailureCause,
  type EgressOutcome,
  failure,
  replyOutcome,
  decisiveOutcome,
} from "../outcome.ts";
import { SocketTransport } from "../smtp/socket-transport.ts";
import type { Timeouts } from "../config.ts";

export interface MailServer extends ServerAddresses {
  /** True: the domain's policy demands TLS with a valid certificate for `host`. */
  readonly tlsRequired: boolean;
}

export interface OpenOptions {
  /** The name in EHLO. */
  readonly hostname: string;
  /** Source addresses, at most one IPv4 and one IPv6. If the list is empty, the system chooses. */
  readonly sources: readonly string[];
  readonly timeouts: Timeouts;
  /** Called with each new socket, before it connects. */
  readonly onSocket: (socket: Socket) => void;
}

export type Opening =
  | { readonly connection: ServerConnection }
  | { readonly refused: DatedOutcome };

/**
 * The result at one address. `tlsFailed`: the TLS handshake failed, so the server may be tried
 * again without TLS.
 */
type AddressResult = AddressOpening | { readonly tlsFailed: EgressOutcome };

type AddressOpening =
  | { readonly connection: ServerConnection }
  | { readonly refused: EgressOutcome };

/** Codes of connect(2) errors that come from this host. */
const OWN_ERRORS = new Set(
  "EADDRNOTAVAIL EADDRINUSE EMFILE ENFILE EACCES EPERM EINVAL ABORT_ERR".split(" "),
);

/** An SMTP connection over a Node socket. */
export class ServerConnection extends SmtpConnection {
  /**
   * True: a TLS handshake with this server failed before, so this connection has no TLS. If the
   * server refuses mail because TLS is missing, the outcome is a failure of TLS.
   */
  tlsFailed = false;
  /** The TCP socket, also after TLS has begun on it. */
  readonly socket: Socket;
  readonly #transport: SocketTransport;

  constructor(socket: Socket, { host, tlsRequired }: Pick<MailServer, "host" | "tlsRequired">) {
    const transport = new SocketTransport(socket, host, tlsRequired);
    super(transport, host, null);
    this.socket = socket;
    this.#transport = transport;
  }

  /** Calls `then` when the socket closes, or at once if it is closed already. */
  whenClosed(then: () => void): void {
    this.#transport.whenClosed(then);
  }
}

/** Tries the server's addresses in order. Never throws. */
export async function openConnection(server: MailServer, options: OpenOptions): Promise<Opening> {
  const refusals: DatedOutcome[] = [];
  for (const address of server.addresses) {
    const source = options.sources.find((candidate) => isIP(candidate) === isIP(address));
    if (options.sources.length > 0 && source === undefined) {
      const family = isIPv6(address) ? "IPv6" : "IPv4";
      const detail = `no address of the IP pool can reach ${family}`;
      refusals.push(dateNow(failure("connect", detail, server.host)));
      continue;
    }
    const opening = await openAddress(server, address, source, options);
    if ("connection" in opening) return opening;
    refusals.push(dateNow(opening.refused));
  }
  return {
    refused:
      decisiveOutcome(refusals) ??
      dateNow(failure("connect", "the server has no address", server.host)),
  };
}

async function openAddress(
  server: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
): Promise<AddressOpening> {
  const encrypted = await attempt(server, address, source, options, true);
  if (!("tlsFailed" in encrypted)) return encrypted;
  const { tlsFailed } = encrypted;
  if (server.tlsRequired) return { refused: tlsFailed };
  const plain = await attempt(server, address, source, options, false);
  if ("connection" in plain) {
    plain.connection.tlsFailed = true;
    return plain;
  }
  const isReply = "refused" in plain && plain.refused.kind === "reply";
  return isReply ? plain : { refused: tlsFailed };
}

async function attempt(
  server: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
  tls: boolean,
): Promise<AddressResult> {
  const dialled = await dial(server, address, source, options);
  if ("refused" in dialled) return dialled;
  const connection = new ServerConnection(dialled.socket, server);
  const { hostname, timeouts } = options;
  const result = await openSmtpSession(connection, {
    name: isIP(hostname) ? `[${isIPv6(hostname) ? "IPv6:" : ""}${hostname}]` : hostname,
    allowHelo: true,
    tls: server.tlsRequired ? "required" : tls ? "offered" : "none",
    credentials: null,
    isOwnName: (hello) => !server.mayBeOurs && isNameOf(hostname, hello),
    timeouts,
  });
  return result.kind === "open" ? { connection } : toAddressResult(connection, result);
}

/** Connects to one address. If this fails, resolves with the outcome instead. */
function dial(
  { host, port }: MailServer,
  address: string,
  source: string | undefined,
  { timeouts, onSocket }: OpenOptions,
): Promise<{ readonly socket: Socket } | { readonly refused: EgressOutcome }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof dial>>>();
  const socket = connect({
    host: address,
    port,
    noDelay: true,
    ...(source === undefined ? {} : { localAddress: source }),
    ...(isIPv4(address) ? { family: 4 } : {}),
  });
  onSocket(socket);
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })),
    timeouts.connect,
  );
  const onError = ({ code = "unknown" }: NodeJS.ErrnoException): void => {
    clearTimeout(timer);
    resolve({ refused: failure(connectCause(code), `connecting: ${code}`, host) });
  };
  socket.once("error", onError);
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.off("error", onError);
    resolve({ socket });
  });
  return promise;
}

/**
 * Returns the cause of a connect(2) error. An error of this host, for example a missing source
 * address or too many open files, counts as `other`.
 */
function connectCause(code: string): EgressFailureCause {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
  return OWN_ERRORS.has(code) ? "other" : "connect";
}

/**
 * Tells whether a server's EHLO reply gives this gateway's name. Such a server is this gateway,
 * even if DNS names it differently (RFC 5321 §5.1), so the domain has no mail server.
 */
function isNameOf(hostname: string, hello: Reply): boolean {
  const name = hello.lines[0]?.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
  // A name without a dot, or `localhost.`, is the default name of many machines, so it does not
  // show that the server is this gateway.
  const isTelling = name.includes(".") && !name.startsWith("localhost.");
  return isTelling && name === hostname.toLowerCase();
}

function toAddressResult(
  connection: ServerConnection,
  result: Exclude<OpeningResult, { readonly kind: "open" }>,
): AddressResult {
  const { host } = connection;
  const tlsFailure = (detail: string) => ({ tlsFailed: failure("tls", detail, host) });
  switch (result.kind) {
    case "own_name":
      return {
        refused: failure("no_mail_server", "mail for the domain loops back to this gateway", host),
      };
    case "unsupported":
      return tlsFailure("the domain's policy demands TLS, but the server does not offer it");
    case "refused": {
      const { step, reply } = result;
      if (step === "starttls") return tlsFailure(`STARTTLS was answered ${reply.code}`);
      if (reply.code < 400)
        return { refused: failure("other", `answered ${reply.code} out of turn`, host) };
      return { refused: replyOutcome(connection, step === "greeting" ? "connect" : "helo", reply) };
    }
    case "lost":
      if (result.step === "starttls") return tlsFailure(result.lost.message);
      return { refused: outcomeOfLoss(host, result.step, result.lost) };
  }
}

function outcomeOfLoss(
  host: string,
  step: OpeningStep,
  { how, message }: LostConnection,
): EgressOutcome {
  const isSilent = step === "greeting" && how === "timeout";
  const detail = `${message} (${step === "greeting" ? "greeting" : "EHLO"})`;
  return failure(isSilent ? "connect" : "other", detail, host);
}
