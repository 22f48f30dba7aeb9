// A mail server for tests. It replies to each command as the test's script says, or hangs, drops
// the connection, or sends its reply in small pieces. It records the commands and messages that it
// got.
import { createSecureContext } from "node:tls";
import { selfSigned } from "../../tools/harness/smtp/self-signed.ts";
import { listenForMail, type SmtpServer } from "../../tools/harness/smtp/smtp-server.ts";
import type { SmtpResponder, SmtpSession } from "../../tools/harness/smtp/smtp-session.ts";

/**
 * The server's reaction to a command. A string is the reply, without CRLF. `later` gives the test a
 * function that sends the reply. After `hang` the server reads no further commands.
 */
type ServerStep =
  | string
  | { readonly act: "hang" | "drop" }
  | { readonly act: "later"; readonly give: (say: (text: string) => void) => void }
  | { readonly act: "drip"; readonly text: string; readonly everyMs: number }
  | { readonly act: "say_and_drop" | "say_and_hang"; readonly text: string };

/**
 * Steps by verb (`greeting`, `ehlo`, `helo`, `starttls`, `mail`, `rcpt`, `data`, `end`, `rset`,
 * `quit`). A function gets the line, how often the verb came on this connection, and the number of
 * the connection. A verb without a step is accepted, or refused if it comes out of order.
 */
export type Script = Partial<Record<string, ServerStep | ScriptStep>>;
export type ScriptStep = (line: string, count: number, connection: number) => ServerStep;

const SILENCE_EVERY_MS = 5;
/** Number of event-loop turns for the client to read the replies before the silence. */
const TURNS_TO_READ = 4;
/** Number of event-loop turns for the client to close the connection after it stops waiting. */
const TURNS_TO_LEAVE = 60;
let passSilence: (() => void) | undefined;

/**
 * Sets the function that passes time. It is called again and again while a server is silent. Servers
 * that are silent already do not call it.
 */
export function onSilence(pass: (() => void) | undefined): void {
  passSilence = pass;
}

const EXTENSIONS = ["PIPELINING", "SIZE 50000000", "8BITMIME"];

export interface FakeMx extends SmtpServer {
  /** The SMTP commands that the server got on all connections, in order. */
  readonly lines: string[];
  /** Bytes between DATA and the final dot. They are still dot-stuffed. */
  readonly messages: Buffer[];
  readonly connections: {
    readonly remoteAddress: string;
    readonly verbs: string[];
    encrypted: boolean;
  }[];
}

export async function fakeMx(
  script: Script = {},
  host = "127.0.0.1",
  tls = selfSigned(["mx.test"]),
): Promise<FakeMx> {
  const seen: Omit<FakeMx, keyof SmtpServer> = { lines: [], messages: [], connections: [] };
  const steps = { end: "250 2.0.0 queued as 1", ...script };
  const options = {
    name: "mx.test",
    extensions: EXTENSIONS,
    secureContext: createSecureContext(tls),
  };
  const server = await listenForMail(0, host, options, (session) => play(session, steps, seen));
  let closed: Promise<void> | undefined;
  return { ...seen, ...server, close: () => (closed ??= server.close()) };
}

function play(
  session: SmtpSession,
  script: Script,
  { lines, messages, connections }: Omit<FakeMx, keyof SmtpServer>,
): SmtpResponder {
  const verbs: string[] = [];
  const connection = { remoteAddress: session.remoteAddress, verbs, encrypted: false };
  const number = connections.push(connection);
  return ({ verb, line, content, usual }) => {
    if (verb === "end") messages.push(content);
    else if (verb !== "greeting") lines.push(line);
    verbs.push(verb);
    connection.encrypted ||= session.tls !== null;
    const given = script[verb] ?? usual;
    const step =
      typeof given === "function"
        ? given(line, verbs.filter((one) => one === verb).length, number)
        : given;
    const isNewest = (): boolean => number === connections.length;
    return typeof step === "string" ? step : act(session, step, isNewest);
  };
}

function act(
  session: SmtpSession,
  step: Exclude<ServerStep, string>,
  isNewest: () => boolean,
): null | Promise<never> {
  if (step.act === "drop") return session.drop();
  if (step.act === "say_and_drop") return session.end(step.text);
  if (step.act === "later") {
    step.give((text) => session.write(`${text}\r\n`));
    return null;
  }
  if (step.act === "say_and_hang") session.write(`${step.text}\r\n`);
  if (step.act === "drip") drip(session, step.text, step.everyMs);
  beSilent(session, isNewest);
  return new Promise(() => undefined);
}

/** Passes time while the server is silent on the client's newest connection. */
function beSilent(session: SmtpSession, isNewest: () => boolean): void {
  const pass = passSilence;
  if (!pass) return;
  let turns = 0;
  const timer = setInterval(() => {
    if (session.isOver || pass !== passSilence || !isNewest()) clearInterval(timer);
    else if (turns++ % TURNS_TO_LEAVE === TURNS_TO_READ) pass();
  }, SILENCE_EVERY_MS);
}

function drip(session: SmtpSession, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (session.isOver) clearInterval(timer);
    else session.write(text.charAt(at++ % text.length));
  }, everyMs);
}
