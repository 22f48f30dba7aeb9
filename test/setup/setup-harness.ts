// A place to run set-up in: an account for the fake wrangler, the local DNS with Cloudflare's API,
// a fake worker, a state directory, and set-up as a program.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patience } from "../../tools/harness/slowness.ts";
import { type DnsServer, startDns } from "../../tools/dev/dns/dns-server.ts";
import { FakeDeployment } from "./fake-deployment.ts";
import { FakeAccountApi } from "./fake-account-api.ts";
import { type Account, emptyAccount } from "./fake-wrangler.ts";

const ROOT = join(import.meta.dirname, "../..");
export const ZONE = {
  id: "0123456789abcdef0123456789abcdef",
  name: "example.com",
  token: "dns-token",
};

export interface Run {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly text: string;
  /** Result of each step. */
  readonly steps: Readonly<Record<string, string>>;
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
    killSetup: () => this.#child?.kill("SIGKILL"),
  });
  #child: ChildProcess | undefined;
  #dns!: DnsServer;
  #environment: Record<string, string> = {};

  /**
   * `like` copies the state of another harness, which rests. The DNS has the same address too,
   * because the worker was given it.
   */
  static async start(like?: SetupHarness): Promise<SetupHarness> {
    const harness = new SetupHarness();
    if (like) cpSync(like.directory, harness.directory, { recursive: true });
    if (like) harness.worker.become(like.worker);
    harness.#dns = await startDns(like ? like.#dns.port : 0, join(harness.directory, "dns"), ZONE);
    harness.worker.dnsUrl = harness.dnsUrl;
    harness.worker.adminToken = () => harness.account.secrets?.["ADMIN_TOKEN"] ?? "";
    harness.worker.outbound = () =>
      harness.account.deployments.at(-1)?.variables["OUTBOUND"] ?? "cloudflare";
    if (!like) harness.account = emptyAccount(ZONE);
    harness.#environment = {
      POSTERN_WRANGLER: join(import.meta.dirname, "fake-wrangler.ts"),
      POSTERN_STATE: join(harness.directory, "state"),
      POSTERN_WAIT: String(patience(5)),
      FAKE_ACCOUNT: harness.#accountPath,
      API_URL: await harness.worker.listen(),
      CLOUDFLARE_API_BASE_URL: await harness.accountApi.listen(),
      DNS_API_URL: `${harness.dnsUrl}/client/v4`,
      DNS_RESOLVER_URL: `${harness.dnsUrl}/dns-query`,
      SERVICE_DOMAIN: "post.example.com",
      EGRESS_URL: "https://mx.example.com",
      DNS_API_TOKEN: ZONE.token,
    };
    return harness;
  }

  async close(): Promise<void> {
    await this.rest();
    rmSync(this.directory, { recursive: true });
  }

  /** Stops serving. */
  async rest(): Promise<void> {
    await Promise.all([this.#dns.close(), this.worker.close(), this.accountApi.close()]);
  }

  /** Removes a variable from the environment of the runs that follow. */
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

  /** Records of the form `MX 10 mx.example.com`, by name. */
  async records(): Promise<Record<string, string[]>> {
    const { records } = (await (await this.#ask("/records")).json()) as {
      records: { name: string; type: string; data: unknown }[];
    };
    const words = ({ type, data }: { type: string; data: unknown }): string => {
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

  /** Sets the faults of the DNS. */
  async faults(faults: Record<string, unknown>): Promise<void> {
    await this.#put("/faults", faults);
  }

  /** Uses a new connection: another harness may have served at this address before. */
  #ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.dnsUrl}${path}`, { ...init, headers: { connection: "close" } });
  }

  async #put(path: string, body: unknown): Promise<void> {
    const response = await this.#ask(path, { method: "PUT", body: JSON.stringify(body) });
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
   * Runs `npm run setup -- <args>` with `lines` typed in. A variable set to undefined is removed
   * from the environment.
   */
  async setup(
    args: readonly string[],
    environment: Record<string, string | undefined> = {},
    lines: readonly string[] = [],
  ): Promise<Run> {
    return this.#run("tools/setup/main.ts", args, environment, lines);
  }

  /** Runs `npm run deploy`. */
  async deploy(): Promise<Run> {
    return this.#run("tools/setup/deploy.ts", [], {}, []);
  }

  async #run(
    program: string,
    args: readonly string[],
    environment: Record<string, string | undefined>,
    lines: readonly string[],
  ): Promise<Run> {
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, ["--no-warnings", program, ...args], {
      cwd: ROOT,
      env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...this.#environment, ...environment },
      stdio: "pipe",
    });
    this.#child = child;
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.stdin.on("error", () => undefined).end(lines.map((line) => `${line}\n`).join(""));
    const code = await new Promise<number | null>((ended) => {
      child.once("close", ended);
    });
    return { code, text, steps: stepsIn(text) };
  }
}

function stepsIn(text: string): Record<string, string> {
  const lines = text.matchAll(
    /^ {2}(done|already|changed|would|skipped|unseen|FAILED) +(login|settings|zone|queues|databases|secrets|records|deploy|health|team|email service|sending domain|message) /gm,
  );
  return Object.fromEntries([...lines].map(([, kind = "", step = ""]) => [step, kind]));
}
