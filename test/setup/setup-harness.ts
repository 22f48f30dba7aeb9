// Everything that a run of set-up needs: an account for the fake wrangler, a fake worker, and a
// state directory. Runs set-up in this process or as a program.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { patience } from "../../tools/harness/slowness.ts";
import { type SetupCommand, runCommand } from "../../tools/setup/run-command.ts";
import { deployVersion } from "../../tools/setup/deploy-version.ts";
import { setUp } from "../../tools/setup/set-up.ts";
import type { DnsServer } from "../../tools/dev/dns/dns-server.ts";
import { FakeDeployment } from "./fake-deployment.ts";
import { FakeAccountApi } from "./fake-account-api.ts";
import { type Account, callWrangler, emptyAccount } from "./fake-wrangler.ts";

const ROOT = join(import.meta.dirname, "../..");
export const ZONE = {
  id: "0123456789abcdef0123456789abcdef",
  name: "example.com",
  token: "dns-token",
};

export interface Run {
  /** The exit code. Null: set-up was killed. */
  readonly code: number | null;
  readonly text: string;
  /** The result of each step of set-up, by the step's name. */
  readonly steps: Readonly<Record<string, string>>;
}

interface StoredRecord {
  readonly name: string;
  readonly type: string;
  readonly data: unknown;
}

interface Kept {
  readonly secrets: Record<string, string>;
  readonly team?: { readonly api_key?: string };
}

export class SetupHarness {
  readonly directory = mkdtempSync(join(tmpdir(), "setup-"));
  readonly worker = new FakeDeployment();
  readonly accountApi = new FakeAccountApi({
    read: () => this.account,
    write: (account) => (this.account = account),
    publish: (name, type, data) => this.putRecord(name, type, data),
    killSetup: () => this.#kill(),
  });
  #kill = (): void => undefined;
  readonly #dns: DnsServer;
  readonly #environment: Record<string, string>;
  /** The DNS records when this harness was closed. */
  #left: readonly StoredRecord[] = [];

  private constructor(dns: DnsServer) {
    this.#dns = dns;
    this.#environment = {
      POSTERN_WRANGLER: join(import.meta.dirname, "fake-wrangler.ts"),
      POSTERN_STATE: join(this.directory, "state"),
      POSTERN_WAIT: String(patience(5)),
      FAKE_ACCOUNT: this.#accountPath,
      DNS_API_URL: `${this.dnsUrl}/client/v4`,
      DNS_RESOLVER_URL: `${this.dnsUrl}/dns-query`,
      SERVICE_DOMAIN: "post.example.com",
      EGRESS_URL: "https://mx.example.com",
      DNS_API_TOKEN: ZONE.token,
    };
  }

  /**
   * `like` continues from the state of another harness that was closed. All harnesses of a file
   * share its DNS, because set-up tells the worker the DNS's address.
   */
  static async open(dns: DnsServer, like?: SetupHarness): Promise<SetupHarness> {
    const harness = new SetupHarness(dns);
    if (like) cpSync(like.directory, harness.directory, { recursive: true });
    else harness.account = emptyAccount(ZONE);
    if (like) harness.worker.become(like.worker);
    await harness.#replaceRecords(like === undefined ? [] : like.#left);
    harness.worker.dnsUrl = harness.dnsUrl;
    harness.worker.adminToken = () => harness.account.secrets?.["ADMIN_TOKEN"] ?? "";
    harness.worker.outbound = () =>
      harness.account.deployments.at(-1)?.variables["OUTBOUND"] ?? "cloudflare";
    harness.#environment["API_URL"] = await harness.worker.listen();
    harness.#environment["CLOUDFLARE_API_BASE_URL"] = await harness.accountApi.listen();
    return harness;
  }

  async close(): Promise<void> {
    await this.leave();
    rmSync(this.directory, { recursive: true });
  }

  /** Closes the fake services, but keeps their state for another harness that continues from it. */
  async leave(): Promise<void> {
    this.#left = await this.#stored();
    await Promise.all([this.worker.close(), this.accountApi.close()]);
  }

  /** Removes a variable from the environment of the set-up runs that follow. */
  forget(name: string): void {
    Reflect.deleteProperty(this.#environment, name);
  }

  get dnsUrl(): string {
    return `http://127.0.0.1:${this.#dns.port}`;
  }

  get #accountPath(): string {
    return join(this.directory, "account.json");
  }

  get account(): Account {
    return JSON.parse(readFileSync(this.#accountPath, "utf8")) as Account;
  }

  set account(account: Account) {
    writeFileSync(this.#accountPath, JSON.stringify(account));
  }

  change(change: Partial<Account>): void {
    this.account = { ...this.account, ...change };
  }

  /** Calls of the fake wrangler so far. */
  get calls(): { readonly argv: string[]; readonly stdin: string }[] {
    const path = `${this.#accountPath}.calls`;
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text
      .split("\n")
      .flatMap((line) =>
        line === "" ? [] : [JSON.parse(line) as { argv: string[]; stdin: string }],
      );
  }

  get kept(): Kept | null {
    const path = join(this.directory, "state", "production.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Kept) : null;
  }

  /** Returns all DNS records by name, in the form `MX 10 mx.example.com`. */
  async records(): Promise<Record<string, string[]>> {
    const records = await this.#stored();
    const words = ({ type, data }: StoredRecord): string => {
      const { preference, exchange } = data as { preference?: number; exchange?: string };
      return exchange === undefined
        ? `${type} ${String(data)}`
        : `${type} ${preference} ${exchange}`;
    };
    const byName = Map.groupBy(records, ({ name }) => name);
    return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(words).toSorted()]));
  }

  async putRecord(name: string, type: string, data: unknown): Promise<void> {
    await this.#put("/records", { name, type, data });
  }

  /** Sets the faults of the test's DNS server. */
  async faults(faults: Record<string, unknown>): Promise<void> {
    await this.#put("/faults", faults);
  }

  async #stored(): Promise<readonly StoredRecord[]> {
    const response = await fetch(`${this.dnsUrl}/records`);
    return ((await response.json()) as { records: StoredRecord[] }).records;
  }

  async #replaceRecords(records: readonly StoredRecord[]): Promise<void> {
    for (const { name } of await this.#stored())
      await fetch(`${this.dnsUrl}/records`, { method: "DELETE", body: JSON.stringify({ name }) });
    const sets = Map.groupBy(records, ({ name, type }) => `${name} ${type}`);
    for (const set of sets.values())
      await this.#put("/records", { ...set[0], data: set.map(({ data }) => data) });
    await this.faults({});
  }

  async #put(path: string, body: unknown): Promise<void> {
    const init = { method: "PUT", body: JSON.stringify(body) };
    const response = await fetch(`${this.dnsUrl}${path}`, init);
    if (!response.ok) throw new Error(await response.text());
  }

  /** Returns all state that a run could have changed. */
  async everything(): Promise<unknown> {
    const { account, kept, worker } = this;
    const { databases, queues, secrets, deployments, sending, subscriptions } = account;
    const { teams, domains, emails } = worker;
    return structuredClone({
      databases,
      queues,
      secrets,
      deployments,
      sending,
      subscriptions,
      kept,
      records: await this.records(),
      teams,
      domains,
      emails,
    });
  }

  /**
   * Runs `npm run setup -- <args>` in this process, with `lines` typed in. A variable set to
   * undefined is removed from the environment.
   */
  async setup(
    args: readonly string[],
    environment: Record<string, string | undefined> = {},
    lines: readonly string[] = [],
  ): Promise<Run> {
    return this.#run(setUp, args, environment, lines);
  }

  /** Runs `npm run deploy` in this process. */
  async deploy(): Promise<Run> {
    return this.#run(deployVersion, [], {}, []);
  }

  /**
   * Runs set-up or the deployment as a program, which starts the fake wrangler as another program.
   */
  async start(program: "main" | "deploy", args: readonly string[] = []): Promise<Run> {
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, ["--no-warnings", `tools/setup/${program}.ts`, ...args], {
      cwd: ROOT,
      env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...this.#environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const code = await new Promise<number | null>((ended) => {
      child.once("close", ended);
    });
    return { code, text, steps: stepsIn(text) };
  }

  /**
   * Runs a command in this process. A killed run does not continue, because the call for which it
   * waits never returns.
   */
  async #run(
    command: SetupCommand,
    args: readonly string[],
    environment: Record<string, string | undefined>,
    lines: readonly string[],
  ): Promise<Run> {
    const killed = new Promise<null>((ended) => (this.#kill = () => ended(null)));
    let text = "";
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => ((text += String(chunk)), done()),
    });
    const ended = runCommand("setup", command, args, {
      environment: { ...this.#environment, ...environment },
      input: Readable.from(lines.map((line) => `${line}\n`)),
      output,
      errors: output,
      runWrangler: async (argv, stdin, { WRANGLER_OUTPUT_FILE_PATH: report }) => {
        const ran = callWrangler(this.#accountPath, argv, stdin, report);
        if (ran !== "killed") return ran;
        this.#kill();
        return new Promise(() => undefined);
      },
    });
    const code = await Promise.race([ended, killed]);
    return { code, text, steps: stepsIn(text) };
  }
}

function stepsIn(text: string): Record<string, string> {
  const lines = text.matchAll(
    /^ {2}(done|already|changed|would|skipped|unseen|FAILED) +(login|settings|zone|queues|databases|secrets|records|deploy|health|team|email service|sending domain|message) /gm,
  );
  return Object.fromEntries([...lines].map(([, kind = "", step = ""]) => [step, kind]));
}
