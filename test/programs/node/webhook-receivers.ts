// The receivers of examples/webhook-receivers, run unchanged as programs: the file of each, the
// program that runs it, and the command.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { OutsideTool } from "../../support/outside-tools.ts";
import { ownPort } from "../../../tools/harness/loopback.ts";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "examples/webhook-receivers");

/** A program that serves the Workers module in Node, with the requests that a Worker would get. */
const WORKER_DRIVER = `
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import worker from "./workers.ts";
createServer(async (request, response) => {
  const asked = new Request("http://receiver.test" + request.url, { method: "POST", headers: request.headers, body: await buffer(request) });
  response.writeHead((await worker.fetch(asked, process.env)).status).end();
}).listen(process.env.PORT, "127.0.0.1");`;

/**
 * Serves the Ruby receiver receiver.ru as a Rack server does, because a machine may have Ruby but
 * no Rack server.
 */
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
  /** The language's name in the test's output. */
  readonly name: string;
  /** The program that runs the receiver. Undefined: Node. */
  readonly tool?: OutsideTool;
  readonly file: string;
  /** A package that this machine has, used in place of the package that the receiver imports. */
  readonly packages?: readonly [imported: string, used: string];
  /** Set if the receiver's library does not refuse a signature time in the future, however far. */
  readonly looksOnlyBack?: true;
  readonly beside?: readonly [file: string, text: string];
  /** The command that builds the receiver. It ends before the receiver starts. */
  readonly build?: readonly string[];
  readonly run: (port: number) => readonly string[];
}

const inNode = (name: string, file: string) => ({
  name,
  file,
  run: () => [process.execPath, file],
});

export const LANGUAGES: readonly Language[] = [
  inNode("node", "node.ts"),
  {
    ...inNode("workers", "workers.ts"),
    beside: ["driver.ts", WORKER_DRIVER],
    run: () => [process.execPath, "driver.ts"],
  },
  inNode("standardwebhooks", "standard-webhooks.ts"),
  { ...inNode("svix", "standard-webhooks.ts"), packages: ["standardwebhooks", "svix"] },
  { ...inNode("stripe", "stripe.ts"), looksOnlyBack: true },
  { name: "Python", tool: "python", file: "receiver.py", run: () => ["python3", "receiver.py"] },
  {
    name: "Go",
    tool: "go",
    file: "receiver.go",
    build: ["go", "build", "-o", "receiver", "receiver.go"],
    run: () => ["./receiver"],
  },
  {
    name: "PHP",
    tool: "php",
    file: "receiver.php",
    run: (port) => ["php", "-S", `127.0.0.1:${port}`, "receiver.php"],
  },
  {
    name: "Ruby",
    tool: "ruby",
    file: "receiver.ru",
    beside: ["driver.rb", RACK_DRIVER],
    run: () => ["ruby", "driver.rb"],
  },
];

/** The receiver's files in the folder, and those of them that some language runs. */
export const FILES: ReadonlySet<string> = new Set(readdirSync(FOLDER));
export const RUN_FILES: ReadonlySet<string> = new Set(LANGUAGES.map(({ file }) => file));

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

  /** Starts the receiver's program. Resolves when it accepts connections. */
  static async start(language: Language, secret: string): Promise<RunningReceiver> {
    const directory = mkdtempSync(join(tmpdir(), `receiver-${language.name}-`));
    const port = await ownPort();
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

  /** The text that the receiver's program has printed so far. */
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
    for (;;) {
      if (this.#child.exitCode !== null)
        throw new Error(`the receiver did not start:\n${this.#printed}`);
      if (await takesConnections(port)) return;
      await wait(50);
    }
  }
}

function write(directory: string, { file, packages, beside }: Language): void {
  const path = join(directory, file);
  copyFileSync(join(FOLDER, file), path);
  if (packages) {
    const [imported, used] = packages.map((name) => `from "${name}"`) as [string, string];
    writeFileSync(path, readFileSync(path, "utf8").replace(imported, used));
  }
  if (beside) writeFileSync(join(directory, beside[0]), beside[1]);
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
