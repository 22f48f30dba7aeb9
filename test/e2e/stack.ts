// The whole service as `npm start` runs it, on free ports and in a state directory of its own, for
// tests that send through it, kill parts of it and restart it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ownPorts } from "../../tools/harness/loopback.ts";
import { readDev, StackClient } from "../stack/stack-client.ts";

const ROOT = join(import.meta.dirname, "../..");
const GATEWAY = "smtp-gateway/src/main.ts";

export class Stack extends StackClient {
  readonly state = mkdtempSync(join(tmpdir(), "postern-e2e-"));
  readonly #env: Readonly<Record<string, string>>;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(env: Record<string, string>, flags: readonly string[]) {
    super();
    this.#env = env;
    this.#flags = flags;
  }

  /** Starts and seeds a stack. `env` is added to the environment of `npm start -- <flags>`. */
  static async start(
    env: Record<string, string> = {},
    flags: readonly string[] = [],
  ): Promise<Stack> {
    const stack = await Stack.prepare(env, flags);
    await stack.up();
    return stack;
  }

  /** Chooses the ports and the folder of a stack that up() starts. */
  static async prepare(
    env: Record<string, string> = {},
    flags: readonly string[] = [],
  ): Promise<Stack> {
    const ports = await ownPorts(
      "PORT",
      "SMTP_PORT",
      "INBOX_PORT",
      "MX_PORT",
      "DNS_PORT",
      "EGRESS_PORT",
      "EMAIL_SERVICE_PORT",
      "FRONT_PORT",
      "PEOPLE_PORT",
    );
    const own = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
    return new Stack({ ...Object.fromEntries(own), ...env }, flags);
  }

  /** Starts the stack, or restarts it with the same ports and state. `changes` replace settings. */
  async up(changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = spawn(process.execPath, ["tools/dev/start.ts", ...this.#flags], {
      cwd: ROOT,
      env: { ...process.env, ...this.#env, ...changes, POSTERN_STATE: this.state },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = child;
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data: Buffer) => output.push(data.toString()));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the stack did not start:\n${output.join("")}`);
      this.known = readDev(this.state);
      if (this.known) return;
      await wait(100);
    }
  }

  /** Ends the stack as Ctrl-C does. */
  async down(): Promise<void> {
    if (this.#process?.exitCode === null) {
      const gone = new Promise((resolve) => this.#process?.once("exit", resolve));
      this.#process.kill("SIGINT");
      await gone;
    }
  }

  /** Ends the stack for good and removes its state. */
  async destroy(): Promise<void> {
    await this.down();
    rmSync(this.state, { recursive: true, force: true });
  }

  /** Kills the gateway. `npm start` keeps running and restarts it. */
  killGateway(): void {
    for (const pid of this.#descendants().filter((one) => commandOf(one).includes(GATEWAY)))
      kill(pid);
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

/** Returns the command line of a process as a list. Empty: the process has ended. */
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
