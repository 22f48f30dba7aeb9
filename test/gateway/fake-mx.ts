// A mail server for tests: replies to each command as the test's script says, or hangs, drops the
// connection or drips, and keeps the commands and messages that it got.
import { createServer, type Server, type Socket, type AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { selfSigned } from "../../tools/dev/inbox/self-signed.ts";

/** A string is the reply (CRLF is added). `later` gives the test a function that replies. */
type Step =
  | string
  | { readonly act: "hang" | "drop" }
  | { readonly act: "later"; readonly give: (say: (text: string) => void) => void }
  | { readonly act: "drip"; readonly text: string; readonly everyMs: number }
  | { readonly act: "say_and_drop"; readonly text: string };

/**
 * Steps by verb (`greeting`, `ehlo`, `helo`, `starttls`, `mail`, `rcpt`, `data`, `end`, `rset`,
 * `quit`). A function gets the line, the number of times the verb came on this connection, and the
 * number of the connection.
 */
export type Script = Partial<
  Record<string, Step | ((line: string, count: number, connection: number) => Step)>
>;

const POLITE: Script = {
  greeting: "220 mx.test ESMTP",
  ehlo: "250-mx.test\r\n250-PIPELINING\r\n250-SIZE 50000000\r\n250 8BITMIME",
  helo: "250 mx.test",
  starttls: "220 go ahead",
  mail: "250 2.1.0 sender ok",
  rcpt: "250 2.1.5 recipient ok",
  data: "354 go ahead",
  end: "250 2.0.0 queued as 1",
  rset: "250 2.0.0 reset",
  quit: { act: "say_and_drop", text: "221 bye" },
};

export interface FakeMx {
  readonly port: number;
  /** Commands of all connections, in the order in which they came. */
  readonly lines: string[];
  /** Bytes between DATA and the final dot, still dot-stuffed. */
  readonly messages: Buffer[];
  readonly connections: {
    readonly remoteAddress: string;
    readonly verbs: string[];
    encrypted: boolean;
  }[];
  readonly open: () => number;
  readonly server: Server;
  /** Ends the connections that are open. */
  readonly hangUp: () => void;
  readonly close: () => Promise<void>;
}

export async function fakeMx(
  script: Script = {},
  host = "127.0.0.1",
  tls = selfSigned(["mx.test"]),
): Promise<FakeMx> {
  const sockets = new Set<Socket>();
  const mx: Omit<FakeMx, "port" | "close"> = {
    lines: [],
    messages: [],
    connections: [],
    open: () => sockets.size,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    server: createServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      new Conversation(socket, { ...POLITE, ...script }, mx, tls).start();
    }),
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  mx.server.listen(0, host, resolve);
  await promise;
  const close = async (): Promise<void> => {
    mx.hangUp();
    await new Promise<unknown>((done) => {
      mx.server.close(done);
    });
  };
  return { ...mx, port: (mx.server.address() as AddressInfo).port, close };
}

class Conversation {
  #socket: Socket;
  readonly #script: Script;
  readonly #mx: Pick<FakeMx, "lines" | "messages" | "connections">;
  readonly #tls: { key: string; cert: string };
  readonly #seen: FakeMx["connections"][number];
  readonly #number: number;
  #input = Buffer.alloc(0);
  #inMessage = false;
  #hasSender = false;
  #recipients = 0;
  #deaf = false;

  constructor(
    socket: Socket,
    script: Script,
    mx: Pick<FakeMx, "lines" | "messages" | "connections">,
    tls: { key: string; cert: string },
  ) {
    this.#socket = socket;
    this.#script = script;
    this.#mx = mx;
    this.#tls = tls;
    this.#seen = { remoteAddress: socket.remoteAddress ?? "", verbs: [], encrypted: false };
    this.#number = mx.connections.push(this.#seen);
  }

  start(): void {
    this.#listen();
    this.#play("greeting", "");
  }

  #listen(): void {
    this.#socket.on("error", () => {});
    this.#socket.on("data", this.#onData);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#deaf) return;
    this.#input = Buffer.concat([this.#input, chunk]);
    while (this.#next());
  };

  /** Handles one line or message of the input. Returns false for empty input. */
  #next(): boolean {
    if (this.#inMessage) {
      const end = this.#input.subarray(0, 3).equals(Buffer.from(".\r\n"))
        ? 0
        : this.#input.indexOf("\r\n.\r\n") + 2;
      if (end === 1) return false;
      this.#mx.messages.push(Buffer.from(this.#input.subarray(0, end)));
      this.#input = this.#input.subarray(end + 3);
      this.#inMessage = false;
      return this.#play("end", "");
    }
    const end = this.#input.indexOf("\r\n");
    if (end < 0) return false;
    const line = this.#input.toString("utf8", 0, end);
    this.#input = this.#input.subarray(end + 2);
    this.#mx.lines.push(line);
    return this.#play(line.split(/[ :]/, 1)[0]!.toLowerCase(), line);
  }

  /** Plays the step of a verb. Returns false when nothing more is to be read. */
  #play(verb: string, line: string): boolean {
    this.#seen.verbs.push(verb);
    // A server refuses RCPT without a sender and DATA without a recipient, unless the test's script
    // says otherwise.
    const isEarly =
      this.#script[verb] === POLITE[verb] &&
      ((verb === "rcpt" && !this.#hasSender) || (verb === "data" && this.#recipients === 0));
    const given = isEarly
      ? "503 5.5.1 bad sequence of commands"
      : (this.#script[verb] ?? "502 5.5.1 what?");
    const step =
      typeof given === "function"
        ? given(line, this.#seen.verbs.filter((seen) => seen === verb).length, this.#number)
        : given;
    if (typeof step === "string") {
      this.#socket.write(`${step}\r\n`);
      if (verb === "mail") this.#hasSender = step.startsWith("2");
      if (verb === "mail") this.#recipients = 0;
      if (verb === "rcpt" && step.startsWith("2")) this.#recipients++;
      if (verb === "data" && step.startsWith("354")) this.#inMessage = true;
      if (verb === "starttls" && step.startsWith("220")) this.#encrypt();
      return true;
    }
    if (step.act === "later") {
      step.give((text) => this.#socket.write(`${text}\r\n`));
      return true;
    }
    if (step.act === "drop") this.#socket.destroy();
    if (step.act === "say_and_drop") this.#socket.end(`${step.text}\r\n`);
    if (step.act === "drip") this.#drip(step.text, step.everyMs);
    this.#deaf = true;
    return false;
  }

  #drip(text: string, everyMs: number): void {
    let at = 0;
    const timer = setInterval(() => this.#socket.write(text[at++ % text.length]!), everyMs);
    this.#socket.on("close", () => clearInterval(timer));
  }

  #encrypt(): void {
    this.#socket.off("data", this.#onData);
    const encrypted = new TLSSocket(this.#socket, { isServer: true, ...this.#tls });
    encrypted.on("secure", () => {
      this.#seen.encrypted = true;
    });
    this.#input = Buffer.alloc(0);
    this.#socket = encrypted;
    this.#listen();
  }
}
