// Everything that a run of set-up needs: an account's double, a fake worker, and a
// state directory.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { type SetupCommand, runCommand } from "../../tools/setup/run-command.ts";
import { deployVersion } from "../../tools/setup/deploy-version.ts";
import type { CommandEnvironment, RunWrangler } from "../../tools/setup/run-wrangler.ts";
import { setUp } from "../../tools/setup/set-up.ts";
import { readText, type StoredSetup } from "../../tools/setup/setup-file.ts";
import { FakeDeployment } from "./fake-deployment.ts";
import { AccountApiDouble } from "../../tools/dev/account/account-api-double.ts";
import { type Account, emptyAccount } from "../../tools/dev/account/cloudflare-account.ts";
import { WranglerDouble } from "../../tools/dev/account/wrangler-double.ts";
import { SMALL_ROOT } from "./small-root.ts";
import { startedClock } from "./started-clock.ts";
import type { FrontRecord } from "../../tools/dev/front/front-outcome.ts";
import { type TestZone, ZONE } from "./test-zone.ts";

export interface Run {
  /** The exit code. Null: set-up was killed. */
  readonly code: number | null;
  readonly text: string;
  /** The result of each step of set-up, by the step's name. */
  readonly steps: Readonly<Record<string, string>>;
}

export class SetupHarness {
  readonly directory = mkdtempSync(join(tmpdir(), "setup-"));
  readonly worker = new FakeDeployment();
  readonly wrangler: WranglerDouble;
  readonly accountApi: AccountApiDouble;
  readonly dns: TestZone;
  readonly environment: Record<string, string>;
  /** Runs wrangler's commands. A test may let others act between them. */
  runWrangler: RunWrangler;
  /** The DNS records when this harness was closed. */
  #left: readonly FrontRecord[] = [];

  private constructor(dns: TestZone, like?: SetupHarness) {
    this.dns = dns;
    this.wrangler = new WranglerDouble(structuredClone(like?.account ?? emptyAccount(ZONE)));
    this.accountApi = new AccountApiDouble(this.wrangler, { onboard: dns.onboard });
    this.runWrangler = this.wrangler.run;
    this.environment = {
      POSTERN_STATE: join(this.directory, "state"),
      DNS_API_URL: `${dns.url}/client/v4`,
      DNS_RESOLVER_URL: `${dns.url}/dns-query`,
      SERVICE_DOMAIN: "post.example.com",
      EGRESS_URL: "https://mx.example.com",
      DNS_API_TOKEN: ZONE.token,
      SENDING_DOMAIN: ZONE.name,
    };
  }

  /**
   * `like` continues from the state of another harness that was closed. All harnesses of a file
   * share its DNS, because set-up tells the worker the DNS's address.
   */
  static async open(dns: TestZone, like?: SetupHarness): Promise<SetupHarness> {
    const harness = new SetupHarness(dns, like);
    const { environment, worker, accountApi } = harness;
    if (like) cpSync(like.directory, harness.directory, { recursive: true });
    if (like) worker.become(like.worker);
    await dns.replaceAll(like ? like.#left : []);
    worker.dnsUrl = dns.url;
    worker.adminToken = () => harness.account.secrets?.["ADMIN_TOKEN"] ?? "";
    worker.outbound = () => harness.variables?.["OUTBOUND"] ?? "cloudflare";
    environment["API_URL"] = await worker.listen();
    environment["CLOUDFLARE_API_BASE_URL"] = await accountApi.listen();
    return harness;
  }

  async close(): Promise<void> {
    await this.leave();
    rmSync(this.directory, { recursive: true });
  }

  /** Closes the fake services, but keeps their state for another harness that continues from it. */
  async leave(): Promise<void> {
    this.#left = await this.dns.all();
    await Promise.all([this.worker.close(), this.accountApi.close()]);
  }

  get account(): Account {
    return this.wrangler.account;
  }

  /** The variables of the last deployment. */
  get variables(): Record<string, string> | undefined {
    return this.account.deployments.at(-1)?.variables;
  }

  change(change: Partial<Account>): void {
    this.wrangler.change(change);
  }

  get calls(): WranglerDouble["calls"] {
    return this.wrangler.calls;
  }

  get kept(): StoredSetup | null {
    return JSON.parse(readText(this.#file) ?? "null") as StoredSetup | null;
  }

  /** Changes stored answers, as another version of set-up would have stored them. */
  store(settings: Readonly<Record<string, string>>): void {
    const kept = { ...this.kept, settings: { ...this.kept?.settings, ...settings } };
    writeFileSync(this.#file, JSON.stringify(kept));
  }

  get #file(): string {
    return join(this.directory, "state", "production.json");
  }

  /** Returns all DNS records by name, in the form `MX 10 mx.example.com`. */
  async records(): Promise<Record<string, string[]>> {
    const words = ({ type, data }: FrontRecord): string => {
      const { preference, exchange } = data as { preference?: number; exchange?: string };
      return `${type} ${exchange === undefined ? String(data) : `${preference} ${exchange}`}`;
    };
    const byName = Map.groupBy(await this.dns.all(), ({ name }) => name);
    return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(words).toSorted()]));
  }

  async returnPath(): Promise<string[] | undefined> {
    return (await this.records())["*.return-path.post.example.com"];
  }

  /** Returns all state that a run could have changed. */
  async everything(): Promise<Record<string, unknown>> {
    const { account, kept, worker } = this;
    const { databases, queues, secrets, deployments, sending, subscriptions } = account;
    const inAccount = { databases, queues, secrets, deployments, sending, subscriptions };
    const { teams, domains, emails } = worker;
    const records = await this.records();
    return structuredClone({ ...inAccount, kept, records, teams, domains, emails });
  }

  /**
   * Runs `npm run setup -- <args>` in this process, with `lines` typed in. A variable set to
   * undefined is removed from the environment.
   */
  async setup(
    args: readonly string[],
    environment: CommandEnvironment = {},
    lines: readonly string[] = [],
  ): Promise<Run> {
    return this.#run(setUp, args, environment, lines);
  }

  /** Runs `npm run setup -- --yes <flags>`. */
  async run(environment: CommandEnvironment = {}, ...flags: readonly string[]): Promise<Run> {
    return this.setup(["--yes", ...flags], environment);
  }

  /** Runs set-up while another process has locked its file. */
  async beside(run: () => Promise<Run>): Promise<Run> {
    mkdirSync(join(this.directory, "state"), { recursive: true });
    writeFileSync(`${this.#file}.lock`, String(process.ppid));
    return run();
  }

  async deploy(): Promise<Run> {
    return this.#run(deployVersion, [], {}, []);
  }

  /**
   * Runs a command. A killed run does not continue, because the call for which it waits never
   * returns.
   */
  async #run(
    command: SetupCommand,
    args: readonly string[],
    environment: CommandEnvironment,
    lines: readonly string[],
  ): Promise<Run> {
    const killed = Promise.withResolvers<null>();
    this.wrangler.killCaller = () => killed.resolve(null);
    let text = "";
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => ((text += String(chunk)), done()),
    });
    const ended = runCommand("setup", command, args, {
      root: SMALL_ROOT,
      environment: { ...this.environment, ...environment },
      input: Readable.from(lines.map((line) => `${line}\n`)),
      output,
      errors: output,
      clock: startedClock(),
      runWrangler: this.runWrangler,
    });
    const code = await Promise.race([ended, killed.promise]);
    return { code, text, steps: stepsIn(text) };
  }
}

function stepsIn(text: string): Record<string, string> {
  const lines = text.matchAll(
    /^ {2}(done|already|changed|would|skipped|unseen|FAILED) +(login|settings|zone|preflight|jurisdiction|queues|databases|secrets|records|deploy|health|programs|mailboxes|tracking hosts|team|email service|sending domain|message) /gm,
  );
  return Object.fromEntries([...lines].map(([, kind = "", step = ""]) => [step, kind]));
}
