// A short talk with a mail server, as another one would begin it: its greeting, its name, its TLS,
// and whether it would take a bounce. It ends before any message.
import { connect, type Socket } from "node:net";
import { type Handshake, shakeHands } from "./tls-certificate.ts";

export type Talk =
  | {
      readonly kind: "talked";
      /** The host name that the greeting gives. */
      readonly name: string;
      /** Null: STARTTLS is not offered. */
      readonly tls: Handshake | null;
      /** The reply to MAIL FROM:<>, as a bounce begins. */
      readonly mail: string;
      /** The reply to the mailbox behind it; empty: it was not asked for. */
      readonly rcpt: string;
    }
  | { readonly kind: "failed"; readonly reason: string };

const TIMEOUT_MS = 10_000;
const LONGEST_REPLY = 8_192;
const OWN_NAME = "doctor.invalid";

/**
 * `servername`: of its certificate. `mailbox`: an address that it is asked about; null: none is
 * known. `ca`: as shakeHands takes it.
 */
export async function talk(
  {
    host,
    port,
    servername,
  }: { readonly host: string; readonly port: number; readonly servername: string },
  mailbox: string | null,
  ca?: string,
): Promise<Talk> {
  const socket = open(host, port);
  try {
    const greeting = await reply(socket);
    if (!greeting.startsWith("220"))
      return { kind: "failed", reason: `it greets with ${firstLine(greeting)}` };
    const offers = await say(socket, `EHLO ${OWN_NAME}`);
    let line: Socket = socket;
    let tls: Handshake | null = null;
    if (/^250[- ]STARTTLS/im.test(offers) && (await say(socket, "STARTTLS")).startsWith("220")) {
      tls = await shakeHands({ socket }, servername, ca);
      if (tls.kind === "failed")
        return { kind: "talked", name: nameIn(greeting), tls, mail: "", rcpt: "" };
      line = tls.socket;
      await say(line, `EHLO ${OWN_NAME}`);
    }
    const mail = firstLine(await say(line, "MAIL FROM:<>"));
    const rcpt =
      mailbox === null || !mail.startsWith("250")
        ? ""
        : firstLine(await say(line, `RCPT TO:<${mailbox}>`));
    line.write("QUIT\r\n");
    return { kind: "talked", name: nameIn(greeting), tls, mail, rcpt };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { kind: "failed", reason: code ?? message };
  } finally {
    socket.destroy();
  }
}

/** Whether the port takes a connection at all. Null: it does. */
export async function tryPort(host: string, port: number): Promise<string | null> {
  const socket = open(host, port);
  try {
    const greeting = await reply(socket);
    return /^[245]\d\d/.test(greeting) ? null : `it says ${firstLine(greeting)}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  } finally {
    socket.destroy();
  }
}

/** What goes wrong between two replies is heard by the next one. */
function open(host: string, port: number): Socket {
  return connect({ host, port }).on("error", () => undefined);
}

async function say(socket: Socket, command: string): Promise<string> {
  socket.write(`${command}\r\n`);
  return reply(socket);
}

/** The next whole reply, its lines together. Rejects when the connection ends or nothing comes. */
function reply(socket: Socket): Promise<string> {
  return new Promise((settled, failed) => {
    let text = "";
    const end = (act: () => void): void => {
      socket.off("data", read).off("error", fault).off("close", gone);
      clearTimeout(timer);
      act();
    };
    const read = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      if (/(?:^|\n)\d{3}(?: [^\n]*)?\r?\n$/.test(text)) end(() => settled(text));
      else if (text.length > LONGEST_REPLY) end(() => failed(new Error("a reply without an end")));
    };
    const fault = (error: Error): void => end(() => failed(error));
    const gone = (): void => end(() => failed(new Error("the connection was closed")));
    const timer = setTimeout(
      () => end(() => failed(new Error(`no answer within ${TIMEOUT_MS / 1000} s`))),
      TIMEOUT_MS,
    );
    socket.on("data", read).on("error", fault).on("close", gone);
  });
}

function nameIn(greeting: string): string {
  return /^220[ -](\S+)/.exec(greeting)?.[1]?.toLowerCase() ?? "";
}

function firstLine(text: string): string {
  return (text.split("\r\n", 1)[0] ?? "").slice(0, 200).replace(/[^\x20-\x7e]/g, "?");
}
