// The whole service as `npm start` runs it, on free ports and in a state directory of its own, for
// tests that send through it, kill parts of it and restart it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { patience } from "../../tools/harness/slowness.ts";
import { freePorts } from "../../tools/harness/loopback.ts";

const ROOT = join(import.meta.dirname, "../..");
const READY_WITHIN_MS = patience(90_000);
const GATEWAY = "smtp-gateway/src/main.ts";

export interface Dev {
  readonly api_url: string;
  readonly api_key: string;
  readonly team_id: string;
  readonly admin_token: string;
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly ca: string;
  };
  readonly inbox_url: string;
  readonly dns_url: string;
  readonly egress_url: string;
  /** Only with the courier `cloudflare`. */
  readonly email_service_url?: string;
}

export interface InboxMessage {
  readonly id: string;
  readonly mail_from: string;
  readonly rcpt_to: string[];
  readonly subject: string;
}

export class Stack {
  readonly state = mkdtempSync(join(tmpdir(), "postern-e2e-"));
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #dev: Dev | undefined;

  private constructor(env: Record<string, string>) {
    this.#env = env;
  }

  /** Starts and seeds a stack. `env` is added to the environment of `npm start`. */
  static async start(env: Record<string, string> = {}): Promise<Stack> {
    const ports = await freePorts(
      "PORT",
      "SMTP_PORT",
      "INBOX_PORT",
      "MX_PORT",
      "DNS_PORT",
      "EGRESS_PORT",
      "EMAIL_SERVICE_PORT",
    );
    const stack = new Stack({
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
      ...env,
    });
    await stack.up();
    return stack;
  }

  get dev(): Dev {
    if (!this.#dev) throw new Error("the stack is not up");
    return this.#dev;
  }

  /** Starts it, or restarts it with the same ports and state. `changes` replace settings. */
  async up(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = spawn(process.execPath, ["tools/dev/start.ts"], {
      cwd: ROOT,
      env: { ...process.env, ...this.#env, ...changes, POSTERN_STATE: this.state },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => output.push(data.toString()));
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the stack did not start:\n${output.join("")}`);
      const dev = this.#readDev();
      if (dev) {
        this.#dev = dev;
        return;
      }
      await wait(100);
    }
  }

  /** Ends it as Ctrl-C does. */
  async down(): Promise<void> {
    if (this.#process?.exitCode === null) {
      const gone = new Promise((resolve) => this.#process?.once("exit", resolve));
      this.#process.kill("SIGINT");
      await gone;
    }
  }

  /** Ends it for good and removes its state. */
  async destroy(): Promise<void> {
    await this.down();
    rmSync(this.state, { recursive: true, force: true });
  }

  /** Kills the worker's runtime. `npm start` keeps running and restarts the worker. */
  killWorker(): void {
    for (const pid of this.#descendants().filter((one) => commandOf(one)[0]?.includes("workerd")))
      kill(pid);
  }

  /** Kills the gateway. `npm start` keeps running and restarts it. */
  killGateway(): void {
    for (const pid of this.#descendants().filter((one) => commandOf(one).includes(GATEWAY)))
      kill(pid);
  }

  /** Kills every process of the stack at once, `npm start` included. */
  async killAll(): Promise<void> {
    const start = this.#process;
    const gone = new Promise((resolve) => start?.once("exit", resolve));
    for (const pid of [...(start?.pid === undefined ? [] : [start.pid]), ...this.#descendants()])
      kill(pid);
    await gone;
    rmSync(join(this.state, "dev.json"), { force: true });
  }

  async api(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.dev.api_url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.dev.api_key}`,
        // A pause of this process may outlast a connection that rests, which is closed in between.
        Connection: "close",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async send(to: string, subject: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.api(
      "POST",
      "/v1/email",
      { from: "hello@example.test", to: [to], subject, text: `${subject}.` },
      headers,
    );
  }

  /** Returns the event types of one message, oldest first. */
  async history(emailId: string): Promise<string[]> {
    const response = await this.api("GET", `/v1/events?limit=100&email_id=${emailId}`);
    const { data } = (await response.json()) as { data: { type: string }[] };
    return data.map(({ type }) => type).toReversed();
  }

  async inbox(query = ""): Promise<InboxMessage[]> {
    const response = await fetch(`${this.dev.inbox_url}/api/messages?limit=10000${query}`);
    return (await response.json()) as InboxMessage[];
  }

  async raw(id: string): Promise<Buffer> {
    return Buffer.from(
      await (await fetch(`${this.dev.inbox_url}/api/messages/${id}/raw`)).arrayBuffer(),
    );
  }

  async rules(rules: readonly Record<string, unknown>[]): Promise<void> {
    const response = await fetch(`${this.dev.inbox_url}/api/rules`, {
      method: "PUT",
      body: JSON.stringify({ rules }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  #readDev(): Dev | undefined {
    try {
      return JSON.parse(readFileSync(join(this.state, "dev.json"), "utf8")) as Dev;
    } catch {
      return undefined;
    }
  }

  #descendants(): number[] {
    const parents = new Map(
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), parentOf(Number(name))]),
    );
    const found = new Set([this.#process?.pid ?? -1]);
    for (let grown = true; grown;) {
      grown = false;
      for (const [pid, parent] of parents) {
        if (!found.has(pid) && found.has(parent)) {
          found.add(pid);
          grown = true;
        }
      }
    }
    found.delete(this.#process?.pid ?? -1);
    return [...found];
  }
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return -1;
  }
}

/** Returns the program and its arguments; nothing for a process that has ended. */
function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process had already ended.
  }
}
