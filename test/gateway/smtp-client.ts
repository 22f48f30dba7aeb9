// A raw SMTP client for tests of the intake: sends the bytes it is told, reads whole replies,
// speaks TLS and AUTH when asked to.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { GOOD_KEY } from "./fake-worker.ts";

const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/;

export class SmtpClient {
  #socket: Socket | TLSSocket;
  #received = "";
  #closed = false;
  #wake: () => void = () => {};
  /** For the next session in TLS; arrives soon after the handshake. */
  ticket: Promise<Buffer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen();
  }

  /** Connected from the loopback address `from`, not yet greeted. */
  static async connect(port: number, from = "127.0.0.1"): Promise<SmtpClient> {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from }).setNoDelay(true);
    await once(socket, "connect");
    return new SmtpClient(socket);
  }

  /** Greeted, in TLS and authenticated. */
  static async authenticated(
    port: number,
    key = GOOD_KEY,
    from = "127.0.0.1",
  ): Promise<SmtpClient> {
    const client = await SmtpClient.connect(port, from);
    await client.reply();
    await client.command("EHLO client.example");
    await client.starttls();
    await client.command("EHLO client.example");
    const said = await client.command(
      `AUTH PLAIN ${Buffer.from(`\0service\0${key}`).toString("base64")}`,
    );
    if (!said.startsWith("235")) throw new Error(said);
    return client;
  }

  /** Authenticated, with the envelope given and 354 heard. */
  static async inData(port: number): Promise<SmtpClient> {
    const client = await SmtpClient.authenticated(port);
    await client.toData();
    return client;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get tls(): TLSSocket {
    return this.#socket as TLSSocket;
  }

  async toData(): Promise<void> {
    await this.command("MAIL FROM:<a@example.test>");
    await this.command("RCPT TO:<b@example.net>");
    const said = await this.command("DATA");
    if (!said.startsWith("354")) throw new Error(said);
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** Every byte in a packet of its own, as far as the kernel goes along. */
  async drip(bytes: string): Promise<void> {
    for (const byte of Buffer.from(bytes, "latin1")) {
      this.#socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async command(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  async starttls(options: ConnectionOptions = {}): Promise<void> {
    const said = await this.command("STARTTLS");
    if (!said.startsWith("220")) throw new Error(said);
    this.#socket.removeAllListeners();
    this.#socket = connectTls({ rejectUnauthorized: false, ...options, socket: this.#socket });
    this.ticket = new Promise((resolve) => this.tls.once("session", resolve));
    this.#listen();
    await once(this.#socket, "secureConnect");
  }

  /** The next whole reply, its lines ended by CRLF; "" when the server hung up. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = REPLY.exec(this.#received)?.[0];
      if (whole !== undefined) {
        this.#received = this.#received.slice(whole.length);
        return whole;
      }
      if (this.#closed) return "";
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #listen(): void {
    this.#socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
      this.#wake();
    });
    for (const event of ["end", "close", "error"]) {
      this.#socket.on(event, () => {
        this.#closed = true;
        this.#wake();
      });
    }
  }
}
