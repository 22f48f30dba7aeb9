// A raw SMTP client for tests of the gateway's and the inbox's servers: it sends exactly the given
// bytes, returns whole replies byte for byte, and uses TLS and AUTH on request. The product's own
// client would not do, because it never sends such wrong input as tests send.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { GOOD_KEY } from "../gateway/fake-worker.ts";

const REPLY = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/;

export class SmtpClient {
  #socket: Socket | TLSSocket;
  #received = "";
  #closed = false;
  #wake: () => void = () => {};
  /**
   * The TLS session ticket with which the next connection can resume the session. It arrives soon
   * after the handshake.
   */
  ticket: Promise<Buffer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen();
  }

  /** Connects from the loopback address `from`. The caller reads the greeting. */
  static async connect(port: number, from = "127.0.0.1", host = "127.0.0.1"): Promise<SmtpClient> {
    const socket = connect({ port, host, localAddress: from }).setNoDelay(true);
    await once(socket, "connect");
    return new SmtpClient(socket);
  }

  /** Connects, starts TLS and authenticates. */
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
    const answer = await client.command(
      `AUTH PLAIN ${Buffer.from(`\0service\0${key}`).toString("base64")}`,
    );
    if (!answer.startsWith("235")) throw new Error(answer);
    return client;
  }

  /** Authenticates and sends an envelope and DATA, so that the server waits for the message. */
  static async inData(port: number): Promise<SmtpClient> {
    const client = await SmtpClient.authenticated(port);
    await client.toData();
    return client;
  }

  /** Connects without TLS and gives an envelope: the next command is DATA. */
  static async withEnvelope(port: number, rcptTo = "rita@example.net"): Promise<SmtpClient> {
    const client = await SmtpClient.connect(port);
    await client.reply();
    await client.command("EHLO test");
    await client.command("MAIL FROM:<sam@example.test>");
    await client.command(`RCPT TO:<${rcptTo}>`);
    return client;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get tls(): TLSSocket {
    return this.#socket as TLSSocket;
  }

  /** Sends MAIL, RCPT and DATA, and reads the reply 354. */
  async toData(): Promise<void> {
    await this.command("MAIL FROM:<a@example.test>");
    await this.command("RCPT TO:<b@example.net>");
    const answer = await this.command("DATA");
    if (!answer.startsWith("354")) throw new Error(answer);
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** Sends every byte in a packet of its own, as far as the kernel permits. */
  async drip(bytes: string): Promise<void> {
    for (const byte of Buffer.from(bytes, "latin1")) {
      this.#socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Sends a command line and returns the server's reply. An empty string: the server closed the
   * connection.
   */
  async command(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  async starttls(options: ConnectionOptions = {}): Promise<void> {
    const answer = await this.command("STARTTLS");
    if (!answer.startsWith("220")) throw new Error(answer);
    this.#socket.removeAllListeners();
    this.#socket = connectTls({ rejectUnauthorized: false, ...options, socket: this.#socket });
    this.ticket = new Promise((resolve) => this.tls.once("session", resolve));
    this.#listen();
    await once(this.#socket, "secureConnect");
  }

  /** Returns the next whole reply, its lines ended by CRLF; "" when the server hung up. */
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
