// The receivers of docs/webhook-receivers.md, extracted unchanged from the page and run as programs: the
// name of each, its interpreter, and how to run it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { patience } from "../../tools/harness/slowness.ts";
import { freePort } from "../../tools/harness/loopback.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/webhook-receivers.md"), "utf8");
const READY_WITHIN_MS = patience(60_000);

/** Serves the Workers module as its platform would. */
const WORKER_DRIVER = `
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import worker from "./receiver.ts";
createServer(async (request, response) => {
  const asked = new Request("http://receiver.test" + request.url, { method: "POST", headers: request.headers, body: await buffer(request) });
  response.writeHead((await worker.fetch(asked, process.env)).status).end();
}).listen(process.env.PORT, "127.0.0.1");`;

/** Serves config.ru as a Rack server does, for a machine without one. */
const RACK_DRIVER = `
require "socket"
require "stringio"
$stdout.sync = true
def run(app) = $app = app
load "./receiver.ru"
server = TCPServer.new("127.0.0.1", Integer(ENV["PORT"]))
loop do
  client = server.accept
  next client.close unless client.gets
  env = {}
  while (line = client.gets) && line != "\\r\\n"
    name, value = line.chomp.split(": ", 2)
    env["HTTP_" + name.upcase.tr("-", "_")] = value
  end
  env["rack.input"] = StringIO.new(client.read(env["HTTP_CONTENT_LENGTH"].to_i))
  status, = $app.call(env)
  client.write("HTTP/1.1 #{status} Answered\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
  client.close
end`;

export interface Language {
  /** Name shown to the reader. */
  readonly name: string;
  /** The heading above its code. */
  readonly heading: string;
  readonly interpreter: string;
  readonly file: string;
  readonly edit?: (code: string) => string;
  /** Set if its library accepts any time ahead of the clock. */
  readonly looksOnlyBack?: true;
  readonly beside?: readonly [file: string, text: string];
  /** A command that runs to its end before the start. */
  readonly build?: readonly string[];
  readonly run: (port: number) => readonly string[];
}

const NODE = {
  interpreter: process.execPath,
  file: "receiver.ts",
  run: () => [process.execPath, "receiver.ts"],
};
const STANDARD = "Node, with a Standard Webhooks library";

const LANGUAGES: readonly Language[] = [
  { ...NODE, name: "node", heading: "Node, without a library" },
  {
    ...NODE,
    name: "workers",
    heading: "Cloudflare Workers, Deno, Bun",
    beside: ["driver.ts", WORKER_DRIVER],
    run: () => [process.execPath, "driver.ts"],
  },
  { ...NODE, name: "standardwebhooks", heading: STANDARD },
  {
    ...NODE,
    name: "svix",
    heading: STANDARD,
    edit: (code) => code.replace('from "standardwebhooks"', 'from "svix"'),
  },
  { ...NODE, name: "stripe", heading: "Node, with Stripe's library", looksOnlyBack: true },
  {
    name: "python3",
    heading: "Python",
    interpreter: "python3",
    file: "receiver.py",
    run: () => ["python3", "receiver.py"],
  },
  {
    name: "go",
    heading: "Go",
    interpreter: "go",
    file: "receiver.go",
    build: ["go", "build", "-o", "receiver", "receiver.go"],
    run: () => ["./receiver"],
  },
  {
    name: "php",
    heading: "PHP",
    interpreter: "php",
    file: "receiver.php",
    run: (port) => ["php", "-S", `127.0.0.1:${port}`, "receiver.php"],
  },
  {
    name: "ruby",
    heading: "Ruby",
    interpreter: "ruby",
    file: "receiver.ru",
    beside: ["driver.rb", RACK_DRIVER],
    run: () => ["ruby", "driver.rb"],
  },
];

export const HEADINGS: ReadonlySet<string> = new Set(LANGUAGES.map(({ heading }) => heading));
export const INSTALLED = LANGUAGES.filter(
  ({ interpreter }) =>
    spawnSync(interpreter, [interpreter === "go" ? "version" : "--version"]).status === 0,
);
export const ABSENT = LANGUAGES.filter((language) => !INSTALLED.includes(language)).map(
  ({ name }) => name,
);

/** Returns the code under each heading of the page. */
export function snippets(): ReadonlyMap<string, string> {
  const sections = PAGE.split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const code = /^```\w+\n(.*?)^```$/ms.exec(section)?.[1];
      return code === undefined ? [] : [[section.slice(0, section.indexOf("\n")), code] as const];
    }),
  );
}

/** A running receiver with a port of its own. */
export class RunningReceiver {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #directory: string;
  #printed = "";

  private constructor(url: string, child: ChildProcess, directory: string) {
    this.url = url;
    this.#child = child;
    this.#directory = directory;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (data: Buffer) => (this.#printed += data.toString()));
  }

  /** Resolves when the receiver accepts connections. */
  static async start(language: Language, secret: string): Promise<RunningReceiver> {
    const directory = mkdtempSync(join(tmpdir(), `receiver-${language.name}-`));
    const port = await freePort();
    write(directory, language);
    const options = {
      cwd: directory,
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, NODE_OPTIONS: "" },
    };
    const [builder, ...sources] = language.build ?? [];
    if (builder !== undefined) {
      const built = spawnSync(builder, sources, { ...options, encoding: "utf8" });
      if (built.status !== 0) throw new Error(built.stderr);
    }
    const [program = "", ...args] = language.run(port);
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const receiver = new RunningReceiver(`http://127.0.0.1:${port}/`, child, directory);
    await receiver.#ready(port);
    return receiver;
  }

  /** The receiver's output so far. */
  get printed(): string {
    return this.#printed;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const gone = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await gone;
    }
    rmSync(this.#directory, { recursive: true });
  }

  async #ready(port: number): Promise<void> {
    for (const deadline = Date.now() + READY_WITHIN_MS; ; await wait(50)) {
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the receiver did not start:\n${this.#printed}`);
      if (await takesConnections(port)) return;
    }
  }
}

function write(directory: string, { heading, file, edit, beside }: Language): void {
  const code = snippets().get(heading);
  if (code === undefined)
    throw new Error(`docs/webhook-receivers.md has no code under "${heading}"`);
  writeFileSync(join(directory, file), edit ? edit(code) : code);
  if (beside) writeFileSync(join(directory, beside[0]), beside[1]);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  mkdirSync(join(directory, "tmp"));
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
