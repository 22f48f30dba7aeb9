// A mail server that accepts everything and only keeps the time of each message: the destination of
// every sender in `bench deliver`. It offers PIPELINING and no TLS. While it is shut it answers no
// command, so that mail can pile up before it.
import { createServer, type Socket } from "node:net";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { answerQuestions } from "../../harness/command-loop.ts";

/**
 * `shut` and `open` also reset the count. `wait` waits for this many messages since the reset and
 * answers with each one's time.
 */
export type SinkQuestion =
  | { readonly shut: true }
  | { readonly open: true }
  | { readonly wait: number; readonly withinMs: number };

export interface Arrivals {
  /** Milliseconds since the first one. */
  readonly at: readonly number[];
}

const END_OF_DATA = "\r\n.\r\n";
const GREETING = "220 sink.example ESMTP\r\n";
const REPLIES: Readonly<Record<string, string>> = {
  EHLO:
    "250-sink.example\r\n250-PIPELINING\r\n250-SIZE 10485760\r\n" +
    "250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n",
  HELO: "250 sink.example\r\n",
  MAIL: "250 2.1.0 ok\r\n",
  RCPT: "250 2.1.5 ok\r\n",
  DATA: "354 go ahead\r\n",
  RSET: "250 2.0.0 ok\r\n",
  NOOP: "250 2.0.0 ok\r\n",
  QUIT: "221 2.0.0 bye\r\n",
};

let arrivals: number[] = [];
let gate: PromiseWithResolvers<void> | undefined;
let arrived: () => void = () => {};

class Session {
  readonly #socket: Socket;
  /** An incomplete command, or the last bytes of a message that may begin its end. */
  #rest = "";
  #inData = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("error", () => socket.destroy());
    void this.#run();
  }

  async #run(): Promise<void> {
    await gate?.promise;
    this.#socket.write(GREETING);
    try {
      for await (const chunk of this.#socket as AsyncIterable<string>) {
        await gate?.promise;
        const reply = this.#read(chunk);
        if (reply !== "") this.#socket.write(reply);
        if (reply.endsWith(REPLIES["QUIT"]!)) this.#socket.end();
      }
    } catch {
      this.#socket.destroy(); // A sender was stopped.
    }
  }

  #read(chunk: string): string {
    this.#rest += chunk;
    let replies = "";
    for (;;) {
      const end = this.#inData ? this.#rest.indexOf(END_OF_DATA) : this.#rest.indexOf("\r\n");
      if (end < 0) break;
      if (this.#inData) {
        this.#rest = this.#rest.slice(end + END_OF_DATA.length);
        this.#inData = false;
        arrivals.push(performance.now());
        arrived();
        replies += "250 2.0.0 taken\r\n";
      } else {
        const verb = this.#rest.slice(0, Math.min(end, 4)).toUpperCase();
        this.#rest = this.#rest.slice(end + 2);
        this.#inData = verb === "DATA";
        replies += REPLIES[verb] ?? "500 5.5.2 unknown\r\n";
        // A message that is a single dot has to end as well.
        if (this.#inData) this.#rest = `\r\n${this.#rest}`;
      }
    }
    if (this.#inData) this.#rest = this.#rest.slice(-(END_OF_DATA.length - 1));
    return replies;
  }
}

async function answer(question: SinkQuestion): Promise<object> {
  if ("wait" in question) return waitFor(question.wait, question.withinMs);
  arrivals = [];
  gate?.resolve();
  gate = "shut" in question ? Promise.withResolvers<void>() : undefined;
  return {};
}

async function waitFor(messages: number, withinMs: number): Promise<Arrivals> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  arrived = (): void => {
    if (arrivals.length >= messages) resolve();
  };
  const timer = setTimeout(
    () =>
      reject(new Error(`${arrivals.length} of ${messages} messages came within ${withinMs} ms`)),
    withinMs,
  );
  arrived();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    arrived = () => {};
  }
  return { at: arrivals.map((at) => at - arrivals[0]!) };
}

const server = createServer((socket) => new Session(socket));
console.log(`listening on ${await listenOnLoopback(server)}`);
await answerQuestions((question) => answer(question as SinkQuestion));
process.exit(0);
