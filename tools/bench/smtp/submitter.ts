// One SMTP client of `bench smtp`. It uses STARTTLS with a verified certificate, AUTH PLAIN if a
// key is given, and one command at a time. It reads no more of a reply than it must, so the
// measurement shows the server's time.
import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { connect as connectTls, type SecureContext } from "node:tls";
import { SENDER_DOMAIN } from "../../harness/sample-message.ts";
import { HOST_NAME } from "./certificate.ts";

export interface SubmissionServer {
  readonly port: number;
  /** Password of the user `service`. Null means no AUTH. */
  readonly key: string | null;
}

const USER = "service";
const SILENCE_MS = 30_000;

export class Submitter {
  #socket: Socket;
  #reply = "";
  #answered: PromiseWithResolvers<string> = Promise.withResolvers();

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Opens a session that is ready for MAIL. Rejects with the server's reply if that fails. */
  static async open(
    { port, key }: SubmissionServer,
    secureContext: SecureContext,
  ): Promise<Submitter> {
    const session = new Submitter(connectTcp({ host: "127.0.0.1", port, noDelay: true }));
    session.#listen();
    await session.#expectReply(220);
    await session.#command("EHLO client.example\r\n", 250);
    await session.#command("STARTTLS\r\n", 220);
    const plain = session.#socket.setTimeout(0).removeAllListeners("data");
    session.#socket = connectTls({ socket: plain, secureContext, servername: HOST_NAME });
    session.#listen();
    // All servers here send session tickets. The client sends EHLO only after the tickets. Else a
    // server without TCP_NODELAY would wait 40 ms for a delayed ACK of the tickets. The client also
    // waits for the next turn of the event loop, because data that the event's listener writes is
    // never sent.
    await once(session.#socket, "session");
    await setImmediate();
    await session.#command("EHLO client.example\r\n", 250);
    if (key !== null)
      await session.#command(
        `AUTH PLAIN ${Buffer.from(`\0${USER}\0${key}`).toString("base64")}\r\n`,
        235,
      );
    return session;
  }

  /** `data` is the content after DATA, including the final dot. */
  async send(data: Buffer): Promise<void> {
    await this.#command(`MAIL FROM:<hello@${SENDER_DOMAIN}>\r\n`, 250);
    await this.#command("RCPT TO:<someone@recipient.example>\r\n", 250);
    await this.#command("DATA\r\n", 354);
    await this.#command(data, 250);
  }

  async quit(): Promise<void> {
    await this.#command("QUIT\r\n", 221);
    this.#socket.destroy();
  }

  #listen(): void {
    const socket = this.#socket;
    const fail = (problem: string): void => {
      // The connection may end between two commands. The next command reports it.
      this.#answered.promise.catch(() => undefined);
      this.#answered.reject(new Error(`${problem}, after "${this.#reply.trim()}"`));
    };
    socket.setTimeout(SILENCE_MS, () =>
      socket.destroy(new Error(`the server was silent for ${SILENCE_MS} ms`)),
    );
    socket.on("error", (error) => fail(error.message));
    socket.on("close", () => fail("the connection was closed"));
    socket.on("data", (chunk: Buffer) => {
      this.#reply += chunk.toString("latin1");
      if (!this.#reply.endsWith("\r\n")) return;
      // Only the last line of a reply has a space after its code. Only one reply is awaited at a
      // time.
      const last = this.#reply.lastIndexOf("\r\n", this.#reply.length - 3);
      if (this.#reply[last < 0 ? 3 : last + 5] === " ") this.#answered.resolve(this.#reply);
    });
  }

  #command(bytes: string | Buffer, code: number): Promise<void> {
    this.#socket.write(bytes);
    return this.#expectReply(code);
  }

  async #expectReply(code: number): Promise<void> {
    const reply = await this.#answered.promise;
    this.#reply = "";
    this.#answered = Promise.withResolvers();
    if (!reply.startsWith(String(code)))
      throw new Error(`the server answered "${reply.trim()}" instead of ${code}`);
  }
}
