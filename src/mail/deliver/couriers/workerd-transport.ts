// The SMTP client's transport over a workerd socket (`cloudflare:sockets`). A Worker gets only
// "internal error" for a failed handshake, and no clearer error for a refused connection. So the
// step at which an error comes decides how the failure is reported.
import { Buffer } from "node:buffer";
import { connect } from "cloudflare:sockets";
import type { SmtpTransport } from "../../../../smtp-gateway/src/smtp/smtp-connection.ts";
import type { SmtpRelay } from "../../../settings.ts";

export class WorkerdTransport implements SmtpTransport {
  readonly #host: string;
  #socket: Socket;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor({ host, port, implicitTls }: Pick<SmtpRelay, "host" | "port" | "implicitTls">) {
    this.#host = host;
    const socket = connect(
      { hostname: host, port },
      { secureTransport: implicitTls ? "on" : "starttls", allowHalfOpen: false },
    );
    [this.#socket, this.#reader, this.#writer] = streamsOf(socket);
  }

  /** Resolves when the socket is connected, or after the handshake if TLS is implicit. */
  opened(): Promise<void> {
    return this.#opened("the connection or its TLS handshake failed");
  }

  async read(): Promise<Uint8Array> {
    const { done, value } = await this.#reader.read().catch(throwBroken);
    if (done) throw new Error("the server closed the connection");
    return value;
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    const [first] = pieces;
    const bytes = first && pieces.length === 1 ? first : Buffer.concat(pieces);
    await this.#writer.write(bytes).catch(throwBroken);
  }

  async upgrade(): Promise<string> {
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    const secure = this.#socket.startTls({ expectedServerHostname: this.#host });
    [this.#socket, this.#reader, this.#writer] = streamsOf(secure);
    await this.#opened("the TLS handshake failed");
    return TLS;
  }

  close(): void {
    // The client does not wait until the socket is closed, because a socket in the middle of a
    // handshake, or with unread bytes, never reports that it is closed.
    for (const end of [
      () => this.#reader.cancel(),
      () => this.#writer.abort(),
      () => this.#socket.close(),
    ])
      void ignoreErrors(end);
  }

  async #opened(failure: string): Promise<void> {
    try {
      await this.#socket.opened;
    } catch {
      throw new Error(failure);
    }
  }
}

/** The name of the TLS version. A Worker cannot find out which version is in use. */
export const TLS = "TLS";

function streamsOf(
  socket: Socket,
): [Socket, ReadableStreamDefaultReader<Uint8Array>, WritableStreamDefaultWriter<Uint8Array>] {
  // Errors of the socket's promises are ignored, because reads and writes report how the socket
  // ends.
  void ignoreErrors(() => socket.closed);
  void ignoreErrors(() => socket.opened);
  const reader = (socket.readable as ReadableStream<Uint8Array>).getReader();
  const writer = (socket.writable as WritableStream<Uint8Array>).getWriter();
  void ignoreErrors(() => reader.closed);
  void ignoreErrors(() => writer.closed);
  return [socket, reader, writer];
}

async function ignoreErrors(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch {
    // The connection is over with or without an error.
  }
}

function throwBroken(): never {
  throw new Error("the connection broke");
}
