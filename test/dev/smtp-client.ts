// A raw SMTP client for tests of the inbox: sends what it is told, reads whole replies, and tells
// when the server has hung up.
import { connect, type Socket } from "node:net";
import { once } from "node:events";

export class SmtpClient {
  readonly #socket: Socket;
  #received = "";
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
      this.#wake();
    });
    socket.on("close", () => {
      this.#closed = true;
      this.#wake();
    });
    socket.on("error", () => undefined);
  }

  static async connect(port: number, host = "127.0.0.1"): Promise<SmtpClient> {
    const socket = connect(port, host);
    await once(socket, "connect");
    return new SmtpClient(socket);
  }

  /** Connected, greeted, and with the envelope given: the next command is DATA. */
  static async atData(port: number, rcptTo = "rita@example.net"): Promise<SmtpClient> {
    const client = await SmtpClient.connect(port);
    await client.reply();
    await client.command("EHLO test");
    await client.command("MAIL FROM:<sam@example.test>");
    await client.command(`RCPT TO:<${rcptTo}>`);
    return client;
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** The reply to one command, its lines ended by CRLF; "" when the server hung up instead. */
  async command(line: string): Promise<string> {
    this.send(`${line}\r\n`);
    return this.reply();
  }

  /** The next whole reply, or "" when the server hung up. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:[0-9]{3}-[^\n]*\n)*[0-9]{3}(?: [^\n]*)?\n/.exec(this.#received)?.[0];
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
}
