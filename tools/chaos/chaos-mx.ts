// The mail server of every recipient, in a process of its own: it refuses, defers, hangs and drops
// as the fault server says, and treats used connections as the addresses say (plan-servers.ts). It
// logs each decision before it replies, so that the log is true at whatever moment the process is
// killed. CHAOS_MX_PORT, CHAOS_MX_LOG and CHAOS_FAULTS configure it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { habitOf } from "./plan-servers.ts";

type InjectedFault = { readonly kind: string; readonly ms: number };

interface Envelope {
  /** Null: no transaction is open. */
  from: string | null;
  to: string;
}

const LOG = process.env["CHAOS_MX_LOG"] ?? "";
const FAULTS_URL = process.env["CHAOS_FAULTS"] ?? "";
const BOOT = `${process.pid}.${Date.now()}`;
const END_OF_DATA = "\r\n.\r\n";
const CAPABILITIES =
  "250-mx.chaos.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n" +
  "250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES\r\n";

/** Recipients that were deferred once. */
const greyListed = new Set<string>();
let dots = 0;

class Gone extends Error {}

class Session {
  readonly #socket: Socket;
  #rest = "";
  #isOver = false;
  /** The last recipient, which says how the server treats the connection. */
  #last = "";
  /** The last transaction was refused at its final dot. */
  #hasRefusedDot = false;
  readonly #chunks: AsyncIterator<string>;

  constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true).setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("close", () => (this.#isOver = true));
    this.#chunks = socket[Symbol.asyncIterator]() as AsyncIterator<string>;
  }

  async run(): Promise<void> {
    try {
      await this.#converse();
    } catch {
      // The client has gone, or was dropped.
    }
    this.#socket.destroy();
  }

  async #converse(): Promise<void> {
    const fault = await askForFault("mx.connect");
    if (fault.kind === "defer") return this.#sayLast("421 4.3.2 too busy\r\n");
    if (!(await this.#endure(fault))) return;
    this.#say("220 mx.chaos.example ESMTP\r\n");
    const envelope: Envelope = { from: null, to: "" };
    for (;;) {
      const line = await this.#readTo("\r\n");
      const verb = line.slice(0, 4).toUpperCase();
      const path = /<([^<>]*)>/.exec(line)?.[1] ?? "";
      if (verb === "EHLO") this.#say(CAPABILITIES);
      else if (verb === "MAIL") this.#mail(path, envelope);
      else if (verb === "RCPT") {
        if (envelope.from === null) this.#say("503 5.5.1 no sender\r\n");
        else if (!(await this.#recipient(path, envelope))) return;
      } else if (verb === "RSET") {
        envelope.from = null;
        envelope.to = "";
        this.#say("250 2.0.0 ok\r\n");
      } else if (verb === "DATA") {
        if (envelope.to === "") this.#say("503 5.5.1 no recipient\r\n");
        else if (!(await this.#data(envelope))) return;
      } else if (verb === "QUIT") return this.#sayLast("221 2.0.0 bye\r\n");
      else this.#say("250 2.0.0 ok\r\n");
    }
  }

  /** Answers MAIL. A nested one leaves the transaction open that it is nested in. */
  #mail(from: string, envelope: Envelope): void {
    const { habit, toSecond } = habitOf(this.#last);
    const isAfterRefusal = habit === "keeps_open" && this.#hasRefusedDot;
    if (toSecond !== null || isAfterRefusal) logEvent("used_again", { to: this.#last, habit });
    this.#hasRefusedDot = false;
    envelope.to = "";
    if (toSecond !== null) envelope.from = null;
    else if (habit !== "keeps_open" || envelope.from === null) envelope.from = from;
    else return this.#say("503 5.5.1 nested MAIL\r\n");
    this.#say(`${toSecond ?? "250 2.1.0 ok"}\r\n`);
  }

  /** Answers RCPT. Returns false when the connection is over. */
  async #recipient(address: string, envelope: Envelope): Promise<boolean> {
    this.#last = address;
    const fault = await askForFault("mx.rcpt", address);
    const isNew = address.startsWith("grey-") && !greyListed.has(address);
    const reply = address.startsWith("bad-")
      ? "550 5.1.1 no such user"
      : fault.kind === "refuse"
        ? "554 5.7.1 rejected by policy"
        : isNew || fault.kind === "defer"
          ? "451 4.7.1 greylisted, try again later"
          : null;
    if (!(await this.#endure(fault))) return false;
    if (reply === null) {
      envelope.to = address;
      this.#say("250 2.1.5 ok\r\n");
      return true;
    }
    greyListed.add(address);
    logEvent("refused", { to: address, reply });
    this.#say(`${reply}\r\n`);
    return true;
  }

  async #data(envelope: Envelope): Promise<boolean> {
    const { from, to } = envelope;
    this.#say("354 go ahead\r\n");
    const message = await this.#readTo(END_OF_DATA, "\r\n");
    dots += 1;
    const subject = header(message, "subject");
    const isOwnText = message.includes(`\r\n\r\n${subject}. `);
    const transaction = {
      n: `${BOOT}.${dots}`,
      from,
      to,
      messageId: header(message, "message-id"),
      subject,
      isOwnText,
    };
    logEvent("dot", transaction);
    const fault = await askForFault("mx.dot", to);
    const reply =
      fault.kind === "defer"
        ? "452 4.3.1 out of room for now"
        : fault.kind === "refuse"
          ? "554 5.7.1 rejected as it stands"
          : to.startsWith("full-")
            ? "552 5.3.4 too much for me"
            : null;
    if (!(await this.#endure(fault))) return false;
    this.#hasRefusedDot = reply !== null;
    if (reply === null || habitOf(to).habit !== "keeps_open") envelope.from = null;
    envelope.to = "";
    if (reply !== null) {
      logEvent("refused", { n: transaction.n, to, reply });
      this.#say(`${reply}\r\n`);
      return true;
    }
    logEvent("taken", transaction);
    await askForFault("mx.taken", to);
    if (fault.kind === "drop_taken" || this.#isOver) return false;
    this.#say("250 2.0.0 taken\r\n");
    logEvent("answered", { n: transaction.n, to });
    return true;
  }

  /** Waits as the fault server says. Returns false when it drops the connection. */
  async #endure({ kind, ms }: InjectedFault): Promise<boolean> {
    if (kind === "slow" || kind === "hang") await sleep(ms);
    return kind !== "drop";
  }

  /** Returns the text before `end`, which may begin in `before`. */
  async #readTo(end: string, before = ""): Promise<string> {
    let text = before + this.#rest;
    for (let at = text.indexOf(end); ; at = text.indexOf(end, Math.max(0, at))) {
      if (at >= 0) {
        this.#rest = text.slice(at + end.length);
        return text.slice(Math.min(before.length, at), at);
      }
      at = Math.max(0, text.length - end.length);
      const { done, value } = await this.#chunks.next();
      if (done) throw new Gone();
      text += value;
    }
  }

  #say(reply: string): void {
    if (!this.#isOver) this.#socket.write(reply);
  }

  #sayLast(reply: string): void {
    this.#socket.end(reply);
  }
}

/** Logs synchronously: the line is with the operating system before this returns. */
function logEvent(what: string, about: object): void {
  appendFileSync(LOG, `${JSON.stringify({ at: Date.now(), what, ...about })}\n`);
}

async function askForFault(operation: string, about = ""): Promise<InjectedFault> {
  const response = await fetch(`${FAULTS_URL}/${operation}?${encodeURIComponent(about)}`, {
    method: "POST",
  });
  return (await response.json()) as InjectedFault;
}

function header(message: string, name: string): string {
  const end = message.indexOf("\r\n\r\n");
  const unfolded = message.slice(0, end < 0 ? undefined : end).replace(/\r\n[ \t]+/g, " ");
  const start = `${name.toLowerCase()}:`;
  const field = unfolded.split("\r\n").find((line) => line.toLowerCase().startsWith(start));
  return field?.slice(start.length).trim() ?? "";
}

if (existsSync(LOG)) {
  for (const line of readFileSync(LOG, "utf8").split("\n")) {
    if (line.includes("greylisted")) greyListed.add((JSON.parse(line) as { to: string }).to);
  }
}
createServer((socket) => void new Session(socket).run()).listen(
  Number(process.env["CHAOS_MX_PORT"]),
  "127.0.0.1",
  () => console.log("listening"),
);
