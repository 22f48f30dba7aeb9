// Brings a connection to where mail can be handed over: TCP, greeting, EHLO (or HELO), STARTTLS
// when it is offered. TLS is opportunistic: any certificate is better than none, and after a
// handshake that fails the same server is tried once without. Where the domain's policy demands TLS
// (MTA-STS), neither holds.
import { connect, isIP, isIPv4, isIPv6, type Socket } from "node:net";
import {
  failure,
  type EgressFailureCause,
  type EgressOutcome,
  type ReplyOutcome,
  type TransactionStage,
  weightiest,
} from "./outcome.ts";
import { type Capabilities, Lost, NO_CAPABILITIES, SmtpConnection } from "./smtp-connection.ts";
import { foldReply, type Reply } from "./smtp-reply.ts";
import { HandshakeFailed, startTls } from "./starttls.ts";
import type { Timeouts } from "./timeouts.ts";

/** One mail server. */
export interface MailServer {
  /** The MX host's name, as outcomes report it and certificates are checked against. */
  readonly host: string;
  readonly port: number;
  /** IP addresses in the order of trying; a static route may give a host name instead. */
  readonly addresses: readonly string[];
  /** The domain's policy: TLS with a valid certificate for `host`, or no mail. */
  readonly tlsRequired: boolean;
  /** The operator's own route leads there: a server of this gateway's name is meant. */
  readonly mayBeOurs: boolean;
}

export interface OpenOptions {
  /** The name that EHLO gives. */
  readonly hostname: string;
  /** Addresses to connect from, one of each family at most; none: the system chooses. */
  readonly sources: readonly string[];
  readonly timeouts: Timeouts;
  /** Hears of every socket before anything happens on it. */
  readonly onSocket: (socket: Socket) => void;
}

export type Opening = { readonly connection: SmtpConnection } | { readonly refused: EgressOutcome };

/** A step that ended this try; another server or address may do better. */
class Refused extends Error {
  readonly outcome: EgressOutcome;

  constructor(outcome: EgressOutcome) {
    super("refused");
    this.outcome = outcome;
  }
}

/** Tries the target's addresses in order. Never throws. */
export async function openConnection(target: MailServer, options: OpenOptions): Promise<Opening> {
  const refusals: EgressOutcome[] = [];
  for (const address of target.addresses) {
    const source = options.sources.find((candidate) => isIP(candidate) === isIP(address));
    if (options.sources.length > 0 && source === undefined) {
      refusals.push(
        failure(
          "connect",
          `the IP pool has no address to reach ${isIPv6(address) ? "IPv6" : "IPv4"} from`,
          target.host,
        ),
      );
      continue;
    }
    const opening = await openAddress(target, address, source, options);
    if ("connection" in opening) return opening;
    refusals.push(opening.refused);
  }
  return {
    refused: weightiest(refusals) ?? failure("connect", "the server has no address", target.host),
  };
}

async function openAddress(
  target: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
): Promise<Opening> {
  try {
    return { connection: await converse(target, address, source, options, true) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.outcome };
    if (!(error instanceof HandshakeFailed)) throw error;
    const tlsFailure = failure("tls", error.message, target.host);
    if (target.tlsRequired) return { refused: tlsFailure };
    return openPlain(target, address, source, options, tlsFailure);
  }
}

async function openPlain(
  target: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
  tlsFailure: EgressOutcome,
): Promise<Opening> {
  try {
    const connection = await converse(target, address, source, options, false);
    connection.tlsFailed = true;
    return { connection };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: error.outcome.kind === "reply" ? error.outcome : tlsFailure };
  }
}

async function converse(
  target: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
  tls: boolean,
): Promise<SmtpConnection> {
  const { timeouts } = options;
  const connection = new SmtpConnection(await dial(target, address, source, options), target.host);
  let stage: TransactionStage = "connect";
  try {
    const greeting = await connection.reply(timeouts.greeting);
    if (greeting.code >= 300) throw refusal(connection, "connect", greeting);
    stage = "helo";
    connection.capabilities = await greet(connection, target, options);
    if (tls && (connection.capabilities.startTls || target.tlsRequired)) {
      stage = "starttls";
      if (await startTls(connection, target.tlsRequired, timeouts.command))
        connection.capabilities = await greet(connection, target, options);
    }
    return connection;
  } catch (error) {
    connection.destroy();
    if (!(error instanceof Lost)) throw error;
    if (stage === "starttls") throw new HandshakeFailed(error.message);
    const cause: EgressFailureCause =
      stage === "connect" && error.how === "timeout" ? "connect" : "other";
    throw new Refused(
      failure(
        cause,
        `${error.message} (${stage === "connect" ? "greeting" : "EHLO"})`,
        target.host,
      ),
    );
  }
}

function dial(
  target: MailServer,
  address: string,
  source: string | undefined,
  options: OpenOptions,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({
    host: address,
    port: target.port,
    noDelay: true,
    ...(source === undefined ? {} : { localAddress: source }),
    ...(isIPv4(address) ? { family: 4 } : {}),
  });
  options.onSocket(socket);
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })),
    options.timeouts.connect,
  );
  const onError = (error: NodeJS.ErrnoException): void => {
    clearTimeout(timer);
    const code = error.code ?? "unknown";
    reject(new Refused(failure(connectCause(code), `connecting: ${code}`, target.host)));
  };
  socket.once("error", onError);
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.off("error", onError);
    resolve(socket);
  });
  return promise;
}

/**
 * Which errors of connect(2) are the server's and the way's, and which our own (no such source
 * address, no descriptors left).
 */
function connectCause(code: string): EgressFailureCause {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
  const others = [
    "EADDRNOTAVAIL",
    "EADDRINUSE",
    "EMFILE",
    "ENFILE",
    "EACCES",
    "EPERM",
    "EINVAL",
    "ABORT_ERR",
  ];
  return others.includes(code) ? "other" : "connect";
}

async function greet(
  connection: SmtpConnection,
  target: MailServer,
  options: OpenOptions,
): Promise<Capabilities> {
  const name = isIP(options.hostname)
    ? `[${isIPv6(options.hostname) ? "IPv6:" : ""}${options.hostname}]`
    : options.hostname;
  const ehlo = await connection.command(`EHLO ${name}`, options.timeouts.command);
  if (ehlo.code < 300) {
    refuseLoop(ehlo, target, options);
    return capabilitiesOf(ehlo);
  }
  // Only a 5xx says that EHLO itself is not understood.
  if (ehlo.code < 500) throw refusal(connection, "helo", ehlo);
  const helo = await connection.command(`HELO ${name}`, options.timeouts.command);
  if (helo.code >= 300) throw refusal(connection, "helo", helo);
  refuseLoop(helo, target, options);
  return NO_CAPABILITIES;
}

/**
 * A server that answers to this gateway's name is this gateway, by whatever name DNS led there (RFC
 * 5321 section 5.1): the domain has no server of its own.
 */
function refuseLoop(hello: Reply, target: MailServer, { hostname }: OpenOptions): void {
  const name = hello.lines[0]?.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
  // A name that many machines have by default says nothing.
  const isTelling = name.includes(".") && !name.startsWith("localhost.");
  if (target.mayBeOurs || !isTelling || name !== hostname.toLowerCase()) return;
  throw new Refused(
    failure("no_mail_server", "mail for the domain loops back to this gateway", target.host),
  );
}

function capabilitiesOf(ehlo: Reply): Capabilities {
  const offered = new Set(
    ehlo.lines.slice(1).map((line) => line.trim().split(/[\s=]/, 1)[0]!.toUpperCase()),
  );
  return {
    pipelining: offered.has("PIPELINING"),
    size: offered.has("SIZE"),
    eightBitMime: offered.has("8BITMIME"),
    smtpUtf8: offered.has("SMTPUTF8"),
    startTls: offered.has("STARTTLS"),
  };
}

/** A reply as the outcome of a stage. One that neither accepts nor refuses there is no verdict. */
export function replyOutcome(
  connection: SmtpConnection,
  stage: TransactionStage,
  reply: Reply,
): ReplyOutcome {
  return {
    kind: "reply",
    code: reply.code,
    ...foldReply(reply),
    stage,
    mx_host: connection.host,
    tls: connection.tls,
  };
}

function refusal(connection: SmtpConnection, stage: TransactionStage, reply: Reply): Refused {
  if (reply.code < 400)
    return new Refused(failure("other", `answered ${reply.code} out of turn`, connection.host));
  return new Refused(replyOutcome(connection, stage, reply));
}
