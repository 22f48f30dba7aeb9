// The mail server of every recipient, in its own process. The fault server decides when it refuses,
// defers, hangs and drops connections. The recipient's address decides how it answers on a
// connection that has already carried a message (plan-servers.ts). It logs each decision before it
// replies, so its log stays true when the process is killed. CHAOS_MX_PORT, CHAOS_MX_LOG and
// CHAOS_FAULTS configure it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { listenForMail } from "../harness/smtp/smtp-server.ts";
import type { SmtpSession, SmtpStep } from "../harness/smtp/smtp-session.ts";
import { ADDRESSES, habitOf, silenceOf } from "./plan-servers.ts";

type InjectedFault = { readonly kind: string; readonly ms: number };

const LOG = process.env["CHAOS_MX_LOG"] ?? "";
const FAULTS_URL = process.env["CHAOS_FAULTS"] ?? "";
const BOOT = `${process.pid}.${Date.now()}`;
const OPTIONS = {
  name: "mx.chaos.example",
  extensions: ["PIPELINING", "8BITMIME", "SMTPUTF8", "ENHANCEDSTATUSCODES"],
};

/** Recipients whose first attempt was deferred. */
const greyListed = new Set<string>();
let dots = 0;

/** Decides the replies of one connection. */
class ServerReplies {
  readonly #session: SmtpSession;
  /** The client's name in EHLO. */
  #client = "";
  /** The last recipient. Its address decides how the server answers on the connection. */
  #last = "";
  /** True: the last transaction was refused at its final dot. */
  #hasRefusedDot = false;

  constructor(session: SmtpSession) {
    this.#session = session;
  }

  async answer(step: SmtpStep): Promise<string | null> {
    try {
      if (step.verb === "greeting") return await this.#greet(step.usual);
      if (step.verb === "ehlo") this.#client = step.line.split(" ")[1] ?? "";
      if (step.verb === "mail") return this.#mail(step);
      if (step.verb === "rcpt" && !step.isRefused) return await this.#recipient(step);
      return step.verb === "end" ? await this.#dot(step) : step.usual;
    } catch {
      // The fault server no longer answers, because the harness has ended.
      return this.#session.drop();
    }
  }

  async #greet(usual: string): Promise<string | null> {
    const fault = await askForFault("mx.connect");
    if (fault.kind === "defer") return this.#session.end("421 4.3.2 too busy");
    return (await endure(fault)) ? usual : this.#session.drop();
  }

  /** Answers MAIL. A MAIL inside an open transaction leaves that transaction open. */
  #mail(step: SmtpStep): string {
    const { habit, toSecond } = habitOf(this.#last);
    const isAfterRefusal = habit === "keeps_open" && this.#hasRefusedDot;
    if (toSecond !== null || isAfterRefusal) logEvent("used_again", { to: this.#last, habit });
    this.#hasRefusedDot = false;
    this.#session.to = [];
    if (toSecond !== null) this.#session.from = null;
    else if (habit === "keeps_open" && step.from !== null) return "503 5.5.1 nested MAIL";
    return toSecond ?? "250 2.1.0 ok";
  }

  async #recipient({ address, usual }: SmtpStep): Promise<string | null> {
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
    if (!(await endure(fault))) return this.#session.drop();
    if (reply === null) return usual;
    greyListed.add(address);
    logEvent("refused", { to: address, reply });
    return reply;
  }

  async #dot(step: SmtpStep): Promise<string | null> {
    dots += 1;
    const transaction = { by: this.#client, ...describe(step) };
    const { n, to } = transaction;
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
    if (!(await endure(fault))) return this.#session.drop();
    await sleep(silenceOf(to));
    this.#hasRefusedDot = reply !== null;
    if (reply !== null) {
      if (habitOf(to).habit === "keeps_open") this.#session.from = step.from;
      logEvent("refused", { n, to, reply });
      return reply;
    }
    logEvent("taken", transaction);
    await askForFault("mx.taken", to);
    if (fault.kind === "drop_taken" || this.#session.isOver) return this.#session.drop();
    this.#session.write("250 2.0.0 taken\r\n");
    logEvent("answered", { n, to });
    return null;
  }
}

function describe({ to, content }: SmtpStep) {
  const message = content.toString("latin1");
  const subject = header(message, "subject");
  return {
    n: `${BOOT}.${dots}`,
    to: to.at(-1) ?? "",
    messageId: header(message, "message-id"),
    subject,
    replyTo: header(message, "reply-to"),
    isOwnText: message.includes(`\r\n\r\n${subject}. `),
  };
}

/** Applies a fault by waiting. Resolves with false if the connection must be dropped. */
async function endure({ kind, ms }: InjectedFault): Promise<boolean> {
  if (kind === "slow" || kind === "hang") await sleep(ms);
  return kind !== "drop";
}

/** Logs synchronously. The operating system has the line when this function returns. */
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
for (const address of ADDRESSES)
  await listenForMail(Number(process.env["CHAOS_MX_PORT"]), address, OPTIONS, (session) => {
    const replies = new ServerReplies(session);
    return (step) => replies.answer(step);
  });
console.log("listening");
