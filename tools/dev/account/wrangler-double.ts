// A wrangler without a network. It answers the commands of set-up in wrangler 4.155's words,
// changes the account's double, and records every call with its arguments and its input. A test can
// make a command fail, or kill set-up before or after a command. With an AccountMachine, a
// deployment starts a worker.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";
import {
  type Account,
  lacks,
  LOGIN_TOKEN,
  takeFault,
  type TokenRight,
} from "./cloudflare-account.ts";

/** The result of one of wrangler's commands, as set-up gets it. */
export interface WranglerResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type WranglerEnvironment = Readonly<Record<string, string | undefined>>;

export interface AccountMachine {
  /** Applies the missing migrations to the database of a binding. */
  migrate(binding: string): Promise<void>;
  /** Runs the worker of the configuration at the path `config`, and stops the previous worker. */
  deploy(account: Account, config: string): Promise<void>;
}

/** The part of the configuration whose databases, queues and buckets a deployment creates. */
interface Bound {
  readonly name?: string;
  readonly d1_databases: readonly { readonly binding: string; readonly database_name: string }[];
  readonly r2_buckets?: readonly { readonly bucket_name: string }[];
  readonly queues: {
    readonly producers: readonly { readonly queue: string }[];
    readonly consumers: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
}

type Reply = { readonly out?: string; readonly error?: string; readonly code?: number };

/** One command, with the data that its answer needs. */
interface Command {
  readonly account: Account;
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly token: string;
  readonly config: Bound;
  readonly reportPath: string;
}

export class WranglerDouble {
  account: Account;
  readonly calls: { readonly argv: readonly string[]; readonly stdin: string }[] = [];
  /** Ends the program that called wrangler. The call never returns. */
  killCaller: () => void = () => undefined;
  readonly #machine: AccountMachine | null;

  /** `machine` runs each deployment. Null: a deployment is only recorded. */
  constructor(account: Account, machine: AccountMachine | null = null) {
    this.account = account;
    this.#machine = machine;
  }

  change(change: Partial<Account>): void {
    this.account = { ...this.account, ...change };
  }

  readonly run = async (
    argv: readonly string[],
    stdin: string,
    environment: WranglerEnvironment,
    root: string,
  ): Promise<WranglerResult> => {
    const { account } = this;
    this.calls.push({ argv, stdin });
    const fault = takeFault(account, argv.join(" "));
    if (fault?.kind === "refuse") return resultOf({ error: fault.says ?? "it failed" });
    if (fault?.kind === "print") return resultOf({ out: fault.says ?? "" });
    if (fault?.kind !== "kill_before") {
      const path = resolve(root, valuesOf(argv, "--config")[0] ?? "wrangler.toml");
      const token = environment["CLOUDFLARE_API_TOKEN"] || LOGIN_TOKEN;
      const reportPath = environment["WRANGLER_OUTPUT_FILE_PATH"] ?? "";
      const command = { account, argv, stdin, token, config: readConfig(path), reportPath };
      const ran = resultOf(answer(command));
      if (ran.code === 0) await this.#runMachine(command, path);
      if (!fault) return ran;
    }
    this.killCaller();
    return new Promise(() => undefined);
  };

  async #runMachine({ account, argv, config }: Command, path: string): Promise<void> {
    const [noun, verb] = argv;
    const isDeployed = Object.values(account.readers).includes(config.name ?? "");
    if (noun === "d1" && verb === "migrations") await this.#machine?.migrate(argv[3] ?? "");
    if (noun === "deploy" || (noun === "secret" && verb === "bulk" && isDeployed))
      await this.#machine?.deploy(account, path);
  }
}

function readConfig(path: string): Bound {
  const text = readFileSync(path, "utf8");
  return (path.endsWith(".json") ? JSON.parse(text) : parse(text)) as Bound;
}

function valuesOf(argv: readonly string[], flag: string): string[] {
  return argv.flatMap((argument, index) => (argument === flag ? [argv[index + 1] ?? ""] : []));
}

function resultOf({ out = "", error, code = error === undefined ? 0 : 1 }: Reply): WranglerResult {
  return { code, stdout: out, stderr: error === undefined ? "" : `\n✘ [ERROR] ${error}\n\n` };
}

/** The right that a command needs, by the command's first word. */
const NEEDED: Readonly<Record<string, TokenRight>> = {
  d1: "D1",
  queues: "Queues",
  secret: "Workers Scripts",
  deployments: "Workers Scripts",
  deploy: "Workers Scripts",
};

const failed = (error: string): Reply => ({ error });
const NO_RIGHT = failed(
  "A request to the Cloudflare API failed.\n  Authentication error [code: 10000]",
);

function answer(command: Command): Reply {
  const { account, argv, stdin, token } = command;
  const [noun = "", verb] = argv;
  if (noun === "whoami") return whoami(account);
  if (noun === "auth") return authToken(account, token);
  if (!account.loggedIn)
    return failed(
      "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN " +
        "environment variable for wrangler to work.",
    );
  const needed = NEEDED[noun];
  if (needed !== undefined && lacks(account, token, needed)) return NO_RIGHT;
  const place = argv[argv.indexOf("--jurisdiction") + 1];
  if (argv.includes("--jurisdiction") && place !== undefined)
    account.jurisdictions[argv[noun === "r2" ? 3 : 2] ?? ""] = place;
  if (noun === "r2") {
    account.buckets.push(argv[3] ?? "");
    return { out: `✅ Created bucket '${argv[3]}'\n` };
  }
  if (noun === "d1") return d1(command);
  if (noun === "queues")
    return verb === "list" ? queueTable(account, argv) : createQueue(account, argv[2] ?? "");
  if (noun === "secret")
    return verb === "list"
      ? listSecrets(account)
      : putSecrets(account, JSON.parse(stdin) as Record<string, string>);
  if (noun === "deployments") return deploymentStatus(account);
  if (noun === "deploy") return deploy(command);
  return { error: `Unknown arguments: ${argv.join(", ")}` };
}

const inJson = (value: unknown): Reply => ({ out: `${JSON.stringify(value, null, 2)}\n` });

function whoami({ loggedIn, accounts }: Account): Reply {
  if (!loggedIn) return { out: '{"loggedIn":false}\n', code: 1 };
  const user = { loggedIn: true, authType: "OAuth Token", email: "operator@example.com" };
  return inJson({ ...user, accounts, tokenPermissions: [] });
}

function authToken({ loggedIn }: Account, token: string): Reply {
  if (!loggedIn) return { error: "Not logged in. Please run `wrangler login` to authenticate." };
  return { out: `${JSON.stringify({ type: "oauth", token }, null, 4)}\n` };
}

function d1({ account, argv, config }: Command): Reply {
  const [, verb, subject = "", third = ""] = argv;
  if (verb === "list")
    return inJson(Object.keys(account.databases).map((name) => ({ uuid: randomUUID(), name })));
  if (verb === "create") {
    if (account.databases[subject]) return { error: "A database with that name already exists" };
    account.databases[subject] = [];
    const words = "in region EEUR\nCreated your new D1 database.";
    return { out: `✅ Successfully created DB '${subject}' ${words}\n` };
  }
  const binding = verb === "migrations" ? third : subject;
  const database = config.d1_databases.find((one) => one.binding === binding);
  const name = database?.database_name ?? binding;
  const applied = account.databases[name];
  if (!applied)
    return failed(
      `Couldn't find a D1 DB named '${name}' (bound as '${subject}') in the API. Run ` +
        `'wrangler d1 create ${name}' to create it.`,
    );
  if (verb === "execute") return execute(account, name, valuesOf(argv, "--command")[0] ?? "");
  const pending = migrationsIn(binding).filter((migration) => !applied.includes(migration));
  applied.push(...pending);
  if (pending.length === 0) return { out: "✅ No migrations to apply!\n" };
  return { out: `Migrations to be applied:\n${pending.join("\n")}\n` };
}

function execute(account: Account, name: string, command: string): Reply {
  const applied = account.databases[name] ?? [];
  if (applied.length === 0)
    return { error: "no such table: d1_migrations: SQLITE_ERROR [code: 7500]" };
  const results = command.includes("sealed")
    ? [{ sealed: account.sealed[name] ?? 0 }]
    : command.includes("mailed")
      ? [{ mailed: account.mailed }]
      : applied.map((migration) => ({ name: migration }));
  return inJson([{ results, success: true, meta: { duration: 0.2 } }]);
}

function migrationsIn(binding: string): string[] {
  const files = readdirSync(join("migrations", binding.startsWith("SHARD_") ? "shard" : "core"));
  return files.filter((file) => file.endsWith(".sql")).toSorted();
}

function queueTable({ queues }: Account, argv: readonly string[]): Reply {
  const page = Number(argv[argv.indexOf("--page") + 1] ?? 1);
  const names = queues.slice((page - 1) * 3, page * 3);
  const id = () => randomUUID().replaceAll("-", "");
  const rows = names.map((name) => `│ ${id()} │ ${name} │ 2026-11-21T09:30:00Z │ 1 │ 1 │\n`);
  const head = "┌─┐\n│ id │ name │ created_on │ producers │ consumers │\n";
  return { out: `${head}${rows.join("")}└─┘\n` };
}

function createQueue(account: Account, name: string): Reply {
  if (account.queues.includes(name))
    return failed(
      `A request to the Cloudflare API (/accounts/1/queues) failed.\n  Queue name '${name}' ` +
        "is already taken. [code: 11009]",
    );
  account.queues.push(name);
  return { out: `🌀 Creating queue '${name}'\n✅ Created queue '${name}'\n` };
}

function listSecrets({ secrets }: Account): Reply {
  if (!secrets)
    return failed(
      'Worker "postern" not found.\n\nIf this is a new Worker, run `wrangler deploy` first ' +
        "to create it.",
    );
  return inJson(Object.keys(secrets).map((name) => ({ name, type: "secret_text" })));
}

function putSecrets(account: Account, values: Record<string, string>): Reply {
  // Cloudflare creates a draft of a missing worker when a secret is uploaded. The draft counts as a
  // deployment.
  if (!account.secrets)
    account.deployments.push({ version: randomUUID(), variables: {}, domains: [] });
  account.secrets = { ...account.secrets, ...values };
  return { out: `✨ ${Object.keys(values).length} secrets successfully created\n` };
}

function deploymentStatus({ deployments }: Account): Reply {
  const live = deployments.at(-1);
  if (!live) return { error: "This Worker does not exist on your account. [code: 10007]" };
  const versions = [{ version_id: live.version, percentage: 100 }];
  return inJson({ id: randomUUID(), strategy: "percentage", versions });
}

function deploy({ account, argv, token, config, reportPath }: Command): Reply {
  const needsR2 = (config.r2_buckets ?? []).length > 0;
  if (needsR2 && account.disabled.includes("R2"))
    return failed(
      "A request to the Cloudflare API (/accounts/acc1/r2/buckets) failed.\n  Please enable R2 " +
        "through the Cloudflare Dashboard. [code: 10042]",
    );
  if (needsR2 && lacks(account, token, "Workers R2 Storage")) return NO_RIGHT;
  // Wrangler creates everything that the configuration binds. It does not create a queue that has
  // only a consumer.
  const { name = "postern", d1_databases: databases, queues } = config;
  for (const { database_name: database } of databases) account.databases[database] ??= [];
  for (const { bucket_name: bucket } of config.r2_buckets ?? [])
    if (!account.buckets.includes(bucket)) account.buckets.push(bucket);
  account.queues = [...new Set([...account.queues, ...queues.producers.map(({ queue }) => queue)])];
  const missing = queues.consumers
    .flatMap(({ queue, dead_letter_queue: dead = queue }) => [queue, dead])
    .find((queue) => !account.queues.includes(queue));
  if (missing)
    return failed(
      `Queue "${missing}" does not exist. To create it, run: wrangler queues create ${missing}`,
    );
  const taken = queues.consumers.find(({ queue }) => (account.readers[queue] ?? name) !== name);
  if (taken)
    return failed(
      "A request to the Cloudflare API failed.\n  Queue already has a consumer: " +
        `${taken.queue} [code: 11004]`,
    );
  for (const { queue } of queues.consumers) account.readers[queue] = name;
  return noteDeployment(account, argv, name, reportPath);
}

function noteDeployment(
  account: Account,
  argv: readonly string[],
  worker: string,
  reportPath: string,
): Reply {
  const pairs = valuesOf(argv, "--var").map((pair) => /^([^:]*):([^]*)$/.exec(pair) ?? []);
  const variables = Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
  const deployment = { version: randomUUID(), variables, domains: valuesOf(argv, "--domain") };
  account.deployments.push(deployment);
  account.secrets ??= {};
  const targets = [
    `https://${worker}.example-account.workers.dev`,
    ...deployment.domains.map((domain) => `${domain} (custom domain)`),
    "schedule: 17 * * * *",
    "Consumer for postern-deliver",
  ];
  const about = { type: "deploy", version: 2, worker_name: worker };
  const report = { ...about, version_id: deployment.version, targets };
  const lines = [{ type: "wrangler-session", version: 1 }, report];
  writeFileSync(reportPath, lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return { out: `Uploaded ${worker}\nCurrent Version ID: ${deployment.version}\n` };
}
