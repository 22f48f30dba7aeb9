// Brings a connection to where mail can be handed to the relay: TCP, greeting, EHLO, TLS, AUTH. TLS
// is never optional here: the password would go in the clear, and mail with it. So a relay that
// does not offer STARTTLS, or whose certificate is not for its name, gets neither
// (docs/operating.md §Couriers).
import { Buffer } from "node:buffer";
import { logWarning } from "../../../lib/log.ts";
import type { FailureCause, Outcome, Stage } from "../../message.ts";
import { type Capabilities, Lost, SmtpConnection } from "./smtp-connection.ts";
import type { SmtpRelay } from "../../../settings.ts";
import { foldReply, type Reply } from "./smtp-reply.ts";

/**
 * Milliseconds. Shorter than RFC 5321 section 4.5.3.2 has them: a queue's consumer lives for 15
 * minutes.
 */
export interface Timeouts {
  readonly connect: number;
  readonly greeting: number;
  /** The reply to a command, and a TLS handshake. */
  readonly command: number;
  /** The reply to DATA. */
  readonly data: number;
  /** Each 64 KB of a message on its way out. */
  readonly block: number;
  /** The reply to the final dot. */
  readonly final: number;
  readonly quit: number;
}

export type Opening = { readonly connection: SmtpConnection } | { readonly refused: Outcome };

/** Where the session stood: the stages of an outcome, and those between that no outcome has. */
type Step = "connect" | "greeting" | "helo" | "starttls" | "auth";

/** The relay ended the session by a reply, or has not what it takes. */
class Refused extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super("refused");
    this.outcome = outcome;
  }
}

/** `name`: what EHLO gives. Never throws but for a fault of ours. */
export async function openSession(
  relay: SmtpRelay,
  name: string,
  timeouts: Timeouts,
): Promise<Opening> {
  const progress: { step: Step } = { step: "connect" };
  let connection: SmtpConnection | undefined;
  try {
    connection = await SmtpConnection.open(relay, timeouts.connect);
    await converse(connection, relay, name, timeouts, progress);
    return { connection };
  } catch (error) {
    connection?.close();
    const refused = await outcomeOf(error, relay, progress.step, timeouts);
    logWarning("relay_refused", {
      relay: relay.host,
      step: progress.step,
      why: refused.kind === "reply" ? refused.code : refused.detail,
    });
    return { refused };
  }
}

async function converse(
  connection: SmtpConnection,
  relay: SmtpRelay,
  name: string,
  timeouts: Timeouts,
  progress: { step: Step },
): Promise<void> {
  progress.step = "greeting";
  expectPositive(connection, "connect", await connection.reply(timeouts.greeting));
  progress.step = "helo";
  connection.capabilities = await greet(connection, name, timeouts);
  if (!relay.implicitTls) {
    progress.step = "starttls";
    if (!connection.capabilities.startTls)
      throw new Refused(failed("tls", "the relay offers no STARTTLS", relay.host));
    expectPositive(connection, "starttls", await connection.command("STARTTLS", timeouts.command));
    await connection.startTls(timeouts.command);
    connection.capabilities = await greet(connection, name, timeouts);
  }
  progress.step = "auth";
  await authenticate(connection, relay, timeouts);
}

async function greet(
  connection: SmtpConnection,
  name: string,
  timeouts: Timeouts,
): Promise<Capabilities> {
  const ehlo = await connection.command(`EHLO ${name}`, timeouts.command);
  expectPositive(connection, "helo", ehlo);
  const offered = ehlo.lines.slice(1).map((line) =>
    line
      .trim()
      .toUpperCase()
      .split(/[\s=]+/),
  );
  const keywords = new Set(offered.map(([keyword]) => keyword));
  return {
    pipelining: keywords.has("PIPELINING"),
    size: keywords.has("SIZE"),
    eightBitMime: keywords.has("8BITMIME"),
    smtpUtf8: keywords.has("SMTPUTF8"),
    startTls: keywords.has("STARTTLS"),
    auth: new Set(
      offered.flatMap(([keyword, ...mechanisms]) => (keyword === "AUTH" ? mechanisms : [])),
    ),
  };
}

/**
 * RFC 4954, PLAIN rather than LOGIN. A relay that does not know us has refused no message: that is
 * our own failure, tried again until the operator mends it, whatever its reply's first digit.
 */
async function authenticate(
  connection: SmtpConnection,
  relay: SmtpRelay,
  timeouts: Timeouts,
): Promise<void> {
  if (!connection.encrypted) throw new Error("credentials before TLS");
  const { auth } = connection.capabilities;
  const { username, password } = relay;
  const answers = auth.has("PLAIN") ? [`\0${username}\0${password}`] : [username, password];
  if (!auth.has("PLAIN") && !auth.has("LOGIN"))
    throw new Refused(failed("other", "the relay offers neither AUTH PLAIN nor LOGIN", relay.host));
  let reply = await connection.command(
    auth.has("PLAIN") ? `AUTH PLAIN ${base64(answers.shift() ?? "")}` : "AUTH LOGIN",
    timeouts.command,
  );
  for (const answer of answers) {
    if (reply.code !== 334) break;
    reply = await connection.command(base64(answer), timeouts.command);
  }
  if (!isPositive(reply))
    throw new Refused(failed("other", `AUTH was answered ${reply.code}`, relay.host));
}

/**
 * A reply as the outcome of a stage: a verdict only where it refuses, or is the last word on a
 * message.
 */
export function replyOutcome(connection: SmtpConnection, stage: Stage, reply: Reply): Outcome {
  const { host, encrypted } = connection;
  const isVerdict = reply.code >= 400 || (stage === "end" && isPositive(reply));
  if (!isVerdict) return failed("other", `answered ${reply.code} out of turn (${stage})`, host);
  // Which version of TLS, a Worker is not told.
  return {
    kind: "reply",
    code: reply.code,
    ...foldReply(reply),
    stage,
    mxHost: host,
    tls: encrypted ? "TLS" : null,
  };
}

export function failed(cause: FailureCause, detail: string, mxHost: string): Outcome {
  return { kind: "failure", cause, detail, mxHost };
}

/**
 * A relay that turns the whole session away for good has refused no address and read no message: a
 * 5xx here would bounce all mail of the service at once, so that it is a failure on the sending
 * side. A 4xx delays by itself, and so does whatever is said to STARTTLS (judge.ts).
 */
function expectPositive(
  connection: SmtpConnection,
  stage: "connect" | "helo" | "starttls",
  reply: Reply,
): void {
  if (isPositive(reply)) return;
  const forGood = reply.code >= 500 && stage !== "starttls";
  throw new Refused(
    forGood
      ? failed("other", `answered ${reply.code} (${stage})`, connection.host)
      : replyOutcome(connection, stage, reply),
  );
}

function isPositive({ code }: Reply): boolean {
  return code >= 200 && code <= 299;
}

async function outcomeOf(
  error: unknown,
  relay: SmtpRelay,
  step: Step,
  timeouts: Timeouts,
): Promise<Outcome> {
  if (error instanceof Refused) return error.outcome;
  if (!(error instanceof Lost)) throw error;
  const detail = `${error.message} (${step})`;
  if (step === "connect")
    return failed((await isTlsToBlame(relay, timeouts)) ? "tls" : "connect", detail, relay.host);
  if (step === "starttls") return failed("tls", detail, relay.host);
  return failed(
    step === "greeting" && error.how === "timeout" ? "connect" : "other",
    detail,
    relay.host,
  );
}

/**
 * With TLS from the first byte a refused connection and a failed handshake look the same: where a
 * plain connection comes about, it was the handshake.
 */
async function isTlsToBlame(
  { host, port, implicitTls }: SmtpRelay,
  timeouts: Timeouts,
): Promise<boolean> {
  if (!implicitTls) return false;
  try {
    (await SmtpConnection.open({ host, port, implicitTls: false }, timeouts.connect)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    return false;
  }
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
