// One message over one SMTP connection: STARTTLS, AUTH, envelope, data. The answer to the final dot
// is all that the caller gets; a 250 is a promise.
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface ChaosSubmission {
  readonly port: number;
  readonly apiKey: string;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly message: string;
  /** Leaves after so many milliseconds, wherever it is then; null: when it has an answer. */
  readonly hangsUpAfter: number | null;
}

const SILENCE_MS = 20_000;

/**
 * The reply to the message, or to the step that was refused before. Rejects when the connection
 * ends without one.
 */
export async function submitMessage({
  port,
  apiKey,
  from,
  recipients,
  message,
  hangsUpAfter,
}: ChaosSubmission): Promise<string> {
  const plain = connectTcp({ host: "127.0.0.1", port, noDelay: true });
  const timer = hangsUpAfter === null ? undefined : setTimeout(() => plain.destroy(), hangsUpAfter);
  let talk = new Talk(plain);
  try {
    await talk.reply();
    for (const line of ["EHLO client.example", "STARTTLS"]) await talk.say(`${line}\r\n`);
    talk.leave();
    talk = new Talk(connectTls({ socket: plain, rejectUnauthorized: false }));
    const steps = [
      "EHLO client.example",
      `AUTH PLAIN ${Buffer.from(`\0service\0${apiKey}`).toString("base64")}`,
      `MAIL FROM:<${from}>`,
      ...recipients.map((recipient) => `RCPT TO:<${recipient}>`),
      "DATA",
    ];
    for (const step of steps) {
      const reply = await talk.say(`${step}\r\n`);
      if (!/^[23]/.test(reply)) return reply;
    }
    return await talk.say(`${message.replace(/^\./gm, "..")}\r\n.\r\n`);
  } finally {
    clearTimeout(timer);
    plain.destroy();
  }
}

class Talk {
  readonly #socket: Socket;
  #text = "";
  #waiting: PromiseWithResolvers<string> | undefined;
  #end: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on("data", this.#onData).on("error", this.#onEnd).on("close", this.#onEnd);
  }

  say(words: string): Promise<string> {
    this.#socket.write(words);
    return this.reply();
  }

  reply(): Promise<string> {
    if (this.#end) return Promise.reject(this.#end);
    this.#waiting = Promise.withResolvers();
    const { promise } = this.#waiting;
    this.#look();
    return promise;
  }

  /** The socket is another's from now on. */
  leave(): void {
    this.#socket.off("data", this.#onData);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#text += chunk.toString("latin1");
    this.#look();
  };

  readonly #onEnd = (): void => {
    this.#end = new Error("the connection ended");
    this.#waiting?.reject(this.#end);
  };

  /** The last line of a reply has a space behind its code. */
  #look(): void {
    const end = /^\d{3}(?: .*)?\r\n/m.exec(this.#text);
    if (!end || !this.#waiting) return;
    const reply = this.#text.slice(end.index).trim();
    this.#text = "";
    this.#waiting.resolve(reply);
    this.#waiting = undefined;
  }
}
