// The SMTP client's transport over a Node socket. If TLS is opportunistic, STARTTLS (RFC 3207)
// accepts any certificate. If TLS is required, the certificate must be valid for the host's name.
import { isIP, type Socket } from "node:net";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import type { SmtpTransport } from "./smtp-connection.ts";

/** A TLS context is created only once, because each one loads the system's root certificates. */
let lenientContext: SecureContext | null = null;
let strictContext: SecureContext | null = null;

export class SocketTransport implements SmtpTransport {
  readonly #host: string;
  readonly #tlsRequired: boolean;
  #socket: Socket;
  /** Bytes that have arrived but were not read yet. */
  #chunks: Buffer[] = [];
  #reading: PromiseWithResolvers<Uint8Array> | null = null;
  /** The reason why no more bytes will come. Null: more bytes may come. */
  #end: Error | null = null;
  #isClosed = false;
  #onClosed: () => void = () => {};

  /** `tlsRequired`: the certificate must be valid for `host`. */
  constructor(socket: Socket, host: string, tlsRequired: boolean) {
    this.#host = host;
    this.#tlsRequired = tlsRequired;
    this.#socket = socket;
    this.#listen(socket);
  }

  /** Calls `then` when the socket closes, or at once if it is closed already. */
  whenClosed(then: () => void): void {
    if (this.#isClosed) then();
    else this.#onClosed = then;
  }

  read(): Promise<Uint8Array> {
    const chunk = this.#chunks.shift();
    if (chunk) return Promise.resolve(chunk);
    if (this.#end) return Promise.reject(this.#end);
    this.#reading = Promise.withResolvers();
    return this.#reading.promise;
  }

  write(pieces: readonly Uint8Array[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isOut = (error?: NodeJS.ErrnoException | null): void => {
      if (error) reject(new Error(error.code ?? "the connection broke"));
      else resolve();
    };
    if (pieces.length > 1) this.#socket.cork();
    for (const [index, piece] of pieces.entries())
      this.#socket.write(piece, index === pieces.length - 1 ? isOut : undefined);
    if (pieces.length > 1) this.#socket.uncork();
    return promise;
  }

  upgrade(): Promise<string | null> {
    const { promise, resolve, reject } = Promise.withResolvers<string | null>();
    const socket = connect({
      socket: this.detach(),
      rejectUnauthorized: this.#tlsRequired,
      secureContext: this.#tlsRequired ? getStrictContext() : getLenientContext(),
      ...(isIP(this.#host) ? {} : { servername: this.#host }),
    });
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(new Error(`TLS handshake: ${error.code ?? error.message}`));
    const onClose = (): void =>
      reject(new Error("the connection was closed during the TLS handshake"));
    socket.once("error", onError).once("close", onClose);
    socket.once("secureConnect", () => {
      socket.off("error", onError).off("close", onClose);
      this.#listen(socket);
      resolve(socket.getProtocol());
    });
    this.#socket = socket;
    return promise;
  }

  /** Passes the socket to TLS, which also gets the socket's errors from now on. */
  detach(): Socket {
    this.#chunks = [];
    return this.#socket
      .off("data", this.#onData)
      .off("error", this.#onError)
      .off("end", this.#onEnd)
      .off("close", this.#onClose)
      .on("error", () => {})
      .pause();
  }

  close(): void {
    this.#chunks = [];
    this.#socket.destroy();
  }

  #listen(socket: Socket | TLSSocket): void {
    socket
      .on("data", this.#onData)
      .on("error", this.#onError)
      .on("end", this.#onEnd)
      .on("close", this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    const reading = this.#reading;
    this.#reading = null;
    if (reading) reading.resolve(chunk);
    else if (!this.#socket.destroyed) this.#chunks.push(chunk);
  };

  readonly #onError = (error: NodeJS.ErrnoException): void =>
    this.#endReading(error.code ?? "the connection broke");

  readonly #onEnd = (): void => this.#endReading("the server closed the connection");

  readonly #onClose = (): void => {
    this.#endReading("the connection was closed");
    this.#isClosed = true;
    this.#onClosed();
  };

  #endReading(why: string): void {
    this.#end ??= new Error(why);
    this.#reading?.reject(this.#end);
    this.#reading = null;
  }
}

/**
 * Returns a TLS context that accepts old versions and short keys, because any encryption is better
 * than none.
 */
function getLenientContext(): SecureContext {
  lenientContext ??= createSecureContext({ minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0" });
  return lenientContext;
}

function getStrictContext(): SecureContext {
  strictContext ??= createSecureContext({ minVersion: "TLSv1.2" });
  return strictContext;
}
