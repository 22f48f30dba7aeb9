// The ports on which mail comes in, for submission, for return-paths or for both: opens them, keeps
// their certificate fresh, and closes them without cutting a message off. Each is a server of
// smtp-server's with sessions of our own.
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
import { Certificates } from "../certificates.ts";
import type { IntakeSettings } from "../config.ts";
import { ConnectionCaps } from "./connection-caps.ts";
import { MessageRoom } from "./message-buffer.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";
import type { SessionReply } from "./replies.ts";
import { ReturnPaths } from "./return-paths.ts";
import { Session, type SessionOptions } from "./session.ts";
import { MESSAGE_MAX_BYTES, Submission } from "./submission.ts";
import { WorkerApi, type WorkerState } from "../worker-api.ts";

/** A command line: RFC 4954 section 4 asks for as much in AUTH. */
const LINE_MAX_BYTES = 12_288;
/** What is left after the deadline is given this long to hear why. */
const LAST_MS = 500;

export interface MailPorts {
  /**
   * In the order of the settings: first those for submission, then those for return-paths alone.
   */
  readonly ports: readonly number[];
  /** All of them do. */
  readonly isListening: () => boolean;
  readonly askWorker: () => Promise<WorkerState>;
  /** Of messages on their way to the worker. */
  readonly bytesInFlight: () => number;
  /**
   * Takes no new session, ends those under way with their message, cuts off what is left after
   * `deadlineMs`.
   */
  readonly drain: (deadlineMs: number) => Promise<void>;
}

/** Rejects with what the certificate or a port says. */
export async function openMailPorts(
  settings: IntakeSettings,
  token: string,
  hostname: string,
  metrics = new GatewayMetrics(),
): Promise<MailPorts> {
  const worker = new WorkerApi(settings.workerOrigin, token, undefined, metrics);
  const room = new MessageRoom(settings.bytesInFlight);
  const submission = new Submission(worker, room, settings.user);
  const returnPaths = new ReturnPaths(worker, room);
  const caps = new ConnectionCaps(settings);
  const certificates = new Certificates(settings.certificate, settings.key);
  const open = (port: number): MailPort => {
    const takesSubmission = settings.submissionPorts.includes(port);
    const takesReports = settings.returnPathPorts.includes(port);
    const roles = {
      submission: takesSubmission ? submission : null,
      returnPaths: takesReports || settings.submissionBounces ? returnPaths : null,
      reportsOfNullSenderOnly: !takesReports,
    };
    return new MailPort(
      { ...certificates.options, name: hostname },
      { ...roles, caps, metrics, idleMs: settings.idleMs },
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
  const drain = async (deadlineMs: number): Promise<void> => {
    certificates.close();
    await Promise.all(servers.map((server) => server.drain(deadlineMs)));
    await worker.close();
  };
  const isListening = (): boolean => servers.every(({ server }) => server.listening);
  return {
    ports,
    isListening,
    askWorker: () => worker.askLink(),
    bytesInFlight: () => room.taken,
    drain,
  };
}

type Callback<Result> = (error: Error | null | undefined, result?: Result) => void;

class MailPort extends SMTPServer {
  readonly #own: SessionOptions;
  readonly #sessions = new Map<SMTPServerSession, Session>();

  constructor(identity: { readonly name: string }, own: SessionOptions) {
    super({
      ...identity,
      size: MESSAGE_MAX_BYTES,
      maxCommandLength: LINE_MAX_BYTES,
      authMethods: ["PLAIN", "LOGIN"],
      // Whether one is needed depends on the port and on what the session is about: Session
      // decides.
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
    // Clients that vanish, and handshakes that fail: nothing to do about either.
    this.on("error", () => {});
  }

  /** Sessions open now. */
  get load(): number {
    return this.#sessions.size;
  }

  /** Resolves with the port. Rejects with what listen() says. */
  async open(port: number, host: string): Promise<number> {
    this.server.listen(host === "" ? { port } : { port, host });
    await once(this.server, "listening");
    return (this.server.address() as AddressInfo).port;
  }

  async drain(deadlineMs: number): Promise<void> {
    const closed = this.server.listening ? once(this.server, "close") : Promise.resolve();
    this.server.close();
    for (const session of this.#sessions.values()) session.leave();
    const deadline = setTimeout(() => {
      for (const session of this.#sessions.values()) session.endNow();
    }, deadlineMs);
    const last = setTimeout(() => {
      for (const session of this.#sessions.values()) session.destroy();
    }, deadlineMs + LAST_MS);
    await closed;
    clearTimeout(deadline);
    clearTimeout(last);
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const session = new Session(this, socket, options, this.#own);
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
    void this.#take(this.#sessions.get(session)!, stream, callback);
  }

  override onClose(session: SMTPServerSession): void {
    this.#sessions.delete(session);
  }

  async #authenticate(
    session: Session,
    auth: SMTPServerAuthentication,
    done: Callback<SMTPServerAuthenticationResponse>,
  ): Promise<void> {
    const { reply, sender } = await session.authenticate(auth);
    if (sender) done(null, { user: sender });
    else done(asError(reply));
  }

  async #take(
    session: Session,
    stream: SMTPServerDataStream,
    done: Callback<string>,
  ): Promise<void> {
    const reply = await session.take(stream);
    if (!reply) return;
    if (reply.code === 250) done(null, reply.text);
    else done(asError(reply));
    session.messageEnded();
  }
}

function asError({ code, text }: SessionReply): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
