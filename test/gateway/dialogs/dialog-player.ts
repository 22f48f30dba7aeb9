// Reads and plays the SMTP dialogs of test/gateway/dialogs/*.dialog. A file begins with `#` lines
// that describe it, and `name: value` lines with the port's role, its settings and the worker's
// answers. After an empty line come the steps, one a line:
//
//   `S: pattern` expects the server's next line; `*` matches anything
//   `C: text` sends a line; adjacent C and B steps go out in one write
//   `B: text` sends bytes, with the escapes \r \n \0 \\ \xNN
//   `TLS` does the handshake
//   `END` expects the server to close the connection
//   `DOWN` stops the worker
//   `W: pattern` expects the worker's next request: method, path, [key], [`<>` for a null sender]
//   `E: text` expects the envelope of the worker's last message
//   `M: text` expects the bytes of the worker's last message, with the escapes of B
//   `PAUSE ms` waits
//
// {plain user password} and {base64 text} give the arguments of AUTH in B and C, and {x*1000}
// repeats a text. In B, C and E, {IN 60} is the date-time 60 seconds after the start of the tests,
// and {in 60} the same in lower case.
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { ScriptedAnswer } from "../fake-worker.ts";
import { type MailHarness, startMailHarness, type HarnessRole } from "../mail-harness.ts";

const BEGAN_AT = Date.now();

interface Dialog {
  readonly stage: ReadonlyMap<string, readonly string[]>;
  readonly steps: readonly {
    readonly line: number;
    readonly kind: string;
    readonly text: string;
  }[];
}

/**
 * Plays the dialog. Throws at the first step whose result is not the expected one, with the line
 * number of the step.
 */
export async function play(text: string): Promise<void> {
  const dialog = parse(text);
  const [role = "submission"] = dialog.stage.get("port") ?? [];
  const [settings = "{}"] = dialog.stage.get("settings") ?? [];
  const harness = await startMailHarness(role as HarnessRole, JSON.parse(settings) as object);
  for (const [route, answers] of dialog.stage) {
    if (route !== "port" && route !== "settings")
      harness.worker.answers[route] = answers.map(parseAnswer);
  }
  const player = new Player(harness);
  try {
    await player.perform(dialog);
  } finally {
    player.hangUp();
    await harness.close();
  }
}

function parse(text: string): Dialog {
  const lines = text.split("\n");
  const begin = lines.indexOf("");
  const stage = new Map<string, string[]>();
  for (const line of lines.slice(0, begin).filter((one) => !one.startsWith("#"))) {
    const [, name = "", value = ""] = /^([a-z-]+): (.*)$/.exec(line) ?? [];
    stage.set(name, [...(stage.get(name) ?? []), value]);
  }
  const steps = lines.map((line, index) => {
    const [, kind = "", rest = ""] = /^([A-Z]+):? ?(.*)$/.exec(line) ?? [];
    return { line: index + 1, kind, text: rest };
  });
  return { stage, steps: steps.slice(begin).filter(({ kind }) => kind !== "") };
}

/**
 * Parses the worker's answer in a dialog: `204`, `403 retry`, `422 {"error": …}` or `cut before`.
 */
function parseAnswer(text: string): ScriptedAnswer {
  const [, status = "", rest = ""] = /^(\S+) ?(.*)$/.exec(text) ?? [];
  if (status === "cut") return { status: 202, body: {}, cut: rest as "before" | "inside" };
  if (rest === "retry") return { status: Number(status), headers: { "retry-after": "900" } };
  return { status: Number(status), ...(rest !== "" && { body: JSON.parse(rest) as unknown }) };
}

class Player {
  readonly #harness: MailHarness;
  #socket: Socket | TLSSocket | undefined;
  #received = "";
  #ended = false;
  #asked = 0;
  #outgoing: Buffer[] = [];

  constructor(harness: MailHarness) {
    this.#harness = harness;
  }

  async perform({ steps }: Dialog): Promise<void> {
    this.#socket = connect(this.#harness.port, "127.0.0.1").setNoDelay(true);
    this.#listen(this.#socket);
    await once(this.#socket, "connect");
    for (const { line, kind, text } of steps) {
      if (kind !== "C" && kind !== "B") this.#flush();
      try {
        await this.#step(kind, text);
      } catch (error) {
        throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  hangUp(): void {
    this.#socket?.destroy();
  }

  #step(kind: string, text: string): Promise<void> | void {
    switch (kind) {
      case "C":
        return void this.#outgoing.push(Buffer.from(`${expand(text)}\r\n`, "latin1"));
      case "B":
        return void this.#outgoing.push(Buffer.from(unescape(expand(text)), "latin1"));
      case "S":
        return this.#expectLine(text);
      case "END":
        return this.#expectEnd();
      case "TLS":
        return this.#upgrade();
      case "DOWN":
        return this.#harness.worker.close();
      case "PAUSE":
        return new Promise((resolve) => setTimeout(resolve, Number(text)));
      case "W":
        return this.#expectRequest(text);
      case "E":
        return expectEqual(this.#harness.worker.requests.at(-1)?.envelope, expandTimes(text));
      case "M":
        return expectEqual(this.#harness.worker.requests.at(-1)?.message, unescape(expand(text)));
      default:
        throw new Error(`no such step: ${kind}`);
    }
  }

  #flush(): void {
    if (this.#outgoing.length > 0) this.#socket?.write(Buffer.concat(this.#outgoing));
    this.#outgoing = [];
  }

  async #expectLine(pattern: string): Promise<void> {
    await waitUntil(() => this.#received.includes("\r\n") || this.#ended);
    const end = this.#received.indexOf("\r\n");
    const line = end < 0 ? `(the end) ${this.#received}` : this.#received.slice(0, end);
    this.#received = this.#received.slice(end + 2);
    expectMatch(line, pattern);
  }

  async #expectEnd(): Promise<void> {
    await waitUntil(() => this.#ended);
    expectEqual(this.#received, "");
  }

  async #expectRequest(pattern: string): Promise<void> {
    await waitUntil(() => this.#harness.worker.requests.length > this.#asked);
    const { method, path, key, isSenderNull } = this.#harness.worker.requests[this.#asked]!;
    this.#asked += 1;
    expectMatch([method, path, key ?? [], isSenderNull ? "<>" : []].flat().join(" "), pattern);
  }

  async #upgrade(): Promise<void> {
    expectEqual(this.#received, "");
    const raw = this.#socket!;
    raw.removeAllListeners("data").removeAllListeners("end");
    const socket = connectTls({ socket: raw, rejectUnauthorized: false });
    this.#socket = socket;
    this.#listen(socket);
    await once(socket, "secureConnect");
  }

  #listen(socket: Socket): void {
    socket.on("data", (chunk: Buffer) => {
      this.#received += chunk.toString("latin1");
    });
    for (const event of ["end", "close"] as const) {
      socket.on(event, () => {
        this.#ended = true;
      });
    }
    socket.on("error", () => {});
  }
}

function expand(text: string): string {
  return expandTimes(text)
    .replace(/\{plain (\S*) (\S*)\}/g, (_, user: string, password: string) =>
      base64(`\0${user}\0${password}`),
    )
    .replace(/\{base64 ([^}]*)\}/g, (_, plain: string) => base64(plain))
    .replace(/\{([^{}]+)\*(\d+)\}/g, (_, part: string, count: string) =>
      unescape(part).repeat(Number(count)),
    );
}

function expandTimes(text: string): string {
  return text.replace(/\{(in) (-?\d+)\}/gi, (_, spelling: string, seconds: string) => {
    const time = new Date(BEGAN_AT + Number(seconds) * 1_000).toISOString();
    return spelling === "in" ? time.toLowerCase() : time;
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function unescape(text: string): string {
  const named: Record<string, string> = { r: "\r", n: "\n", "0": "\0", "\\": "\\" };
  return text.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex: string | undefined, name: string) =>
    hex === undefined ? (named[name] ?? name) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function expectMatch(line: string, pattern: string): void {
  const quoted = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!new RegExp(`^${quoted.join(".*")}$`, "s").test(line))
    throw new Error(`expected ${pattern}, got ${line}`);
}

function expectEqual(got: string | undefined, expected: string): void {
  if (got !== expected)
    throw new Error(
      `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got?.slice(0, 2000))}`,
    );
}

async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
