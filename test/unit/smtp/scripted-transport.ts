// A transport for unit tests of the SMTP client. It answers each write as the test's script says,
// and records what was written.
import { Buffer } from "node:buffer";
import {
  SmtpConnection,
  type SmtpTransport,
} from "../../../smtp-gateway/src/smtp/smtp-connection.ts";

/**
 * Answers what the client wrote, as a server would. Null: the server says nothing. An Error ends
 * the connection.
 */
export type ScriptedAnswers = (written: string, count: number) => string | null | Error;

export const TIMEOUTS = {
  connect: 200,
  greeting: 60,
  command: 60,
  data: 60,
  block: 60,
  final: 60,
  quit: 60,
};

export class ScriptedTransport implements SmtpTransport {
  /** The text of each write to the server. */
  readonly written: string[] = [];
  isClosed = false;
  isEncrypted = false;
  /** False: a write to the server does not end, as if the server did not read. */
  isTaking = true;
  readonly #answers: ScriptedAnswers;
  readonly #arrived: (Uint8Array | Error)[] = [];
  #reading: PromiseWithResolvers<Uint8Array> | null = null;

  constructor(answers: ScriptedAnswers) {
    this.#answers = answers;
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    const text = Buffer.concat(pieces).toString("latin1");
    this.written.push(text);
    const answer = this.#answers(text, this.written.length);
    if (answer !== null) this.serve(answer);
    if (!this.isTaking) await new Promise(() => undefined);
  }

  read(): Promise<Uint8Array> {
    this.#reading = Promise.withResolvers();
    const { promise } = this.#reading;
    this.#deliver();
    return promise;
  }

  upgrade(): Promise<string> {
    this.isEncrypted = true;
    return Promise.resolve("TLSv1.3");
  }

  close(): void {
    this.isClosed = true;
    this.serve(new Error("closed by the client"));
  }

  /** Makes the server send bytes, or end the connection. */
  serve(answer: string | Error): void {
    this.#arrived.push(typeof answer === "string" ? Buffer.from(answer, "latin1") : answer);
    this.#deliver();
  }

  #deliver(): void {
    if (!this.#reading) return;
    const next = this.#arrived.shift();
    if (next === undefined) return;
    const { resolve, reject } = this.#reading;
    this.#reading = null;
    if (next instanceof Error) reject(next);
    else resolve(next);
  }
}

export function connect(answers: ScriptedAnswers): {
  transport: ScriptedTransport;
  connection: SmtpConnection;
} {
  const transport = new ScriptedTransport(answers);
  return { transport, connection: new SmtpConnection(transport, "mx.test", null) };
}
