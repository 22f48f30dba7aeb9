// Opens the ports for incoming mail: for submission, for reports to return-paths, or for both.
// Keeps the certificate of these ports current, and closes the ports without losing a message. Each
// port is a server of the smtp-server package with the gateway's own sessions (inbound-session.ts).
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerAuthenticationResponse,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from "smtp-server";
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js";
import { Certificates } from "./certificates.ts";
import type { IntakeSettings } from "../config.ts";
import { ConnectionCaps } from "./connection-caps.ts";
import { MessageMemory } from "./message-buffer.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";
import type { SessionReply } from "./replies.ts";
import { type CheckSender, ReplyAddresses } from "./reply-addresses.ts";
import { ReturnPaths } from "./return-paths.ts";
import { InboundSession, type InboundSessionOptions } from "./inbound-session.ts";
import { MESSAGE_MAX_BYTES, Submission } from "./submission.ts";
import { WorkerApi } from "./worker-api.ts";

/** Maximum length of a command line. AUTH needs this length (RFC 4954 §4). */
const LINE_MAX_BYTES = 12_288;
/**
 * Milliseconds in which a stopping gateway still sends sessions' last replies after the deadline.
 */
const LAST_REPLIES_MS = 500;

export type MailPorts = Awaited<ReturnType<typeof openMailPorts>>;

/**
 * Opens the ports. Rejects if the certificate can't be used or a port can't be opened.
 * `checkSender` checks the senders of replies. Null: the gateway does not check them.
 */
export async function openMailPorts(
  settings: IntakeSettings,
  token: string,
  hostname: string,
  metrics = new GatewayMetrics(),
  checkSender: CheckSender | null = null,
) {
  const worker = new WorkerApi(settings.workerOrigin, token, undefined, metrics);
  const memory = new MessageMemory(settings.bytesInFlight);
  const submission = new Submission(worker, memory, settings.user);
  const returnPaths = new ReturnPaths(worker, memory);
  const replyAddresses = new ReplyAddresses(worker, memory, checkSender);
  const caps = new ConnectionCaps(settings);
  const certificates = new Certificates(settings.certificate, settings.key);
  const open = (port: number): MailPort => {
    const takesSubmission = settings.submissionPorts.includes(port);
    const takesReports = settings.returnPathPorts.includes(port);
    const accepts = {
      submission: takesSubmission ? submission : null,
      returnPaths: takesReports || settings.submissionBounces ? returnPaths : null,
      replyAddresses: takesReports ? replyAddresses : null,
      reportsOfNullSenderOnly: !takesReports,
    };
    return new MailPort(
      { ...certificates.options, name: hostname },
      { ...accepts, caps, metrics, idleMs: settings.idleMs },
    );
  };
  const alone = settings.returnPathPorts.filter((port) => !settings.submissionPorts.includes(port));
  const servers: MailPort[] = [];
  const ports: number[] = [];
  try {
    for (const port of [...settings.submissionPorts, ...alone]) {
      const server = open(port);
      servers.push(server);
      ports.push(await server.open(port, settings.host));
    }
  } catch (error) {
    await Promise.all(servers.map((server) => server.drain(0)));
    throw error;
  }
  certificates.watch((options) => {
    for (const server of servers) server.updateSecureContext(options);
  }, settings.certificateEveryMs);
  metrics.readFrom(() => ({
    postern_gateway_sessions: servers.reduce((sum, { load }) => sum + load, 0),
    postern_gateway_certificate_expiry_timestamp_seconds: certificates.expiresAt / 1000,
  }));
  return {
    /** The open ports: the submission ports first, then the ports that accept only reports. */
    ports,
    /** True: every port listens. */
    isListening: () => servers.every(({ server }) => server.listening),
    checkWorker: () => worker.checkLink(),
    /** Bytes of messages that are on their way to the worker. */
    bytesInFlight: () => memory.taken,
    /** When the certificate in use expires, in Unix milliseconds. */
    certificateExpiresAt: () => certificates.expiresAt,
    /**
     * Accepts no new sessions, and lets each open session finish its message. Sessions that are
     * still open after `deadlineMs` are ended.
     */
    drain: async (deadlineMs: number): Promise<void> => {
      certificates.close();
      await Promise.all(servers.map((server) => server.drain(deadlineMs)));
      await worker.close();
    },
  };
}

type Callback<Result> = (error: Error | null | undefined, result?: Result) => void;

class MailPort extends SMTPServer {
  readonly #own: InboundSessionOptions;
  readonly #sessions = new Map<SMTPServerSession, InboundSession>();

  constructor(identity: { readonly name: string }, own: InboundSessionOptions) {
    super({
      ...identity,
      size: MESSAGE_MAX_BYTES,
      maxCommandLength: LINE_MAX_BYTES,
      authMethods: ["PLAIN", "LOGIN"],
      // The session itself decides which commands need authentication.
      authOptional: true,
      disabledCommands: [
        "XCLIENT",
        "XFORWARD",
        "WIZ",
        "SHELL",
        "KILL",
        ...(own.submission ? [] : ["AUTH"]),
      ],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      logger: false,
    });
    this.#own = own;
    // Lost clients and failed handshakes need no action, so their errors are ignored.
    this.on("error", () => {});
  }

  /** Number of open sessions. */
  get load(): number {
    return this.#sessions.size;
  }

  /** Resolves with the number of the port. Rejects with the error of listen(). */
  async open(port: number, host: string): Promise<number> {
    this.server.listen(host === "" ? { port } : { port, host });
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  async drain(deadlineMs: number): Promise<void> {
    const closed = this.server.listening ? once(this.server, "close") : Promise.resolve();
    this.server.close();
    for (const session of this.#sessions.values()) session.closeWhenIdle();
    const deadline = setTimeout(() => {
      for (const session of this.#sessions.values()) session.closeNow();
    }, deadlineMs);
    const last = setTimeout(() => {
      for (const session of this.#sessions.values()) session.destroy();
    }, deadlineMs + LAST_REPLIES_MS);
    await closed;
    clearTimeout(deadline);
    clearTimeout(last);
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const session = new InboundSession(this, socket, options, this.#own);
    this.connections.add(session);
    this.#sessions.set(session.session, session);
    session.on("error", (error: Error) => this.emit("error", error));
    session.init();
  }

  override onAuth(
    auth: SMTPServerAuthentication,
    session: SMTPServerSession,
    callback: Callback<SMTPServerAuthenticationResponse>,
  ): void {
    void this.#authenticate(this.#sessions.get(session)!, auth, callback);
  }

  override onData(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: Callback<string>,
  ): void {
    void this.#receive(this.#sessions.get(session)!, stream, callback);
  }

  override onClose(session: SMTPServerSession): void {
    this.#sessions.delete(session);
  }

  async #authenticate(
    session: InboundSession,
    auth: SMTPServerAuthentication,
    done: Callback<SMTPServerAuthenticationResponse>,
  ): Promise<void> {
    const { reply, sender } = await session.authenticate(auth);
    if (sender) done(null, { user: sender });
    else done(toError(reply));
  }

  async #receive(
    session: InboundSession,
    stream: SMTPServerDataStream,
    done: Callback<string>,
  ): Promise<void> {
    const reply = await session.receive(stream);
    if (!reply) return;
    if (reply.code === 250) done(null, reply.text);
    else done(toError(reply));
    session.finishMessage();
  }
}

function toError({ code, text }: SessionReply): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
