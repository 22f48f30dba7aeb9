// A wrangler without a network. It answers the commands of set-up in wrangler 4.155's words, keeps
// an account, and records every call with its arguments and its input. A test can make it fail, or
// make it kill set-up before or after a command.
import { readdirSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CommandResult, RunWrangler } from "../../tools/setup/run-wrangler.ts";

export interface Account {
  loggedIn: boolean;
  accounts: { id: string; name: string }[];
  databases: Record<string, string[]>;
  /** Number of rows in each database that are encrypted with KEY_ENCRYPTION_KEY. */
  sealed: Record<string, number>;
  queues: string[];
  /** The worker's secrets by name. Null: the worker does not exist. */
  secrets: Record<string, string> | null;
  deployments: { version: string; variables: Record<string, string>; domains: string[] }[];
  zones: { id: string; name: string }[];
  /** The domains that are onboarded to the Email Service. */
  sending: { name: string; zone_id: string; enabled: boolean; tag: string }[];
  subscriptions: {
    id: string;
    name: string;
    enabled: boolean;
    events: string[];
    source: { type: string; zone_id: string; domain: string };
    destination: { type: string; queue_id: string };
  }[];
  limits: {
    quota: { value: number; unit: string } | null;
    usage: { sent: number; over_quota: boolean; resets_at: string | null } | null;
  };
  fault: WranglerFault | null;
}

/** The token with which the login calls Cloudflare's API (fake-account-api.ts). */
export const LOGIN_TOKEN = "login-token";

const UNUSED = { sent: 0, over_quota: false, resets_at: null };

/** An account with one zone, in which nothing is set up. */
export function emptyAccount(zone: { readonly id: string; readonly name: string }): Account {
  return {
    loggedIn: true,
    accounts: [{ id: "acc1", name: "Example" }],
    databases: {},
    sealed: {},
    queues: [],
    secrets: null,
    deployments: [],
    zones: [{ id: zone.id, name: zone.name }],
    sending: [],
    subscriptions: [],
    limits: { quota: { value: 200, unit: "day" }, usage: { ...UNUSED, sent: 3 } },
    fault: null,
  };
}

/**
 * A planted fault of wrangler. It concerns the first command that begins with `at`: the command
 * fails with the text `says`, or set-up is killed before or after the command takes effect.
 */
export interface WranglerFault {
  readonly at: string;
  readonly kind: "fail" | "kill_before" | "kill_after";
  readonly says?: string;
}

type Reply = { readonly out?: string; readonly error?: string; readonly code?: number };

/** Finds a database by its binding. */
function databaseOf(binding: string): [name: string, directory: string] {
  const shard = /^SHARD_(\d+)$/.exec(binding)?.[1];
  return shard === undefined ? ["postern-core", "core"] : [`postern-shard-${shard}`, "shard"];
}

/** Queues that deploying the worker does not create. */
const READ_ONLY_QUEUES = [
  "postern-deliver-dead",
  "postern-dns-cleanup-dead",
  "postern-webhook-dead",
  "postern-email-events",
];

export class FakeWrangler {
  account: Account;
  /** The calls so far. */
  readonly calls: { readonly argv: readonly string[]; readonly stdin: string }[] = [];
  /** Ends the command that called wrangler. Its call never returns. */
  killCaller: () => void = () => undefined;

  constructor(account: Account) {
    this.account = account;
  }

  change(change: Partial<Account>): void {
    this.account = { ...this.account, ...change };
  }

  /** Answers one command, and changes the account. */
  readonly run: RunWrangler = async (argv, stdin, { WRANGLER_OUTPUT_FILE_PATH: report = "" }) => {
    const { account } = this;
    this.calls.push({ argv, stdin });
    const fault =
      account.fault !== null && argv.join(" ").startsWith(account.fault.at) ? account.fault : null;
    if (fault) account.fault = null;
    if (fault?.kind === "fail") return resultOf({ error: fault.says ?? "it failed" });
    if (fault?.kind !== "kill_before") {
      const ran = resultOf(answer(account, argv, stdin, report));
      if (!fault) return ran;
    }
    this.killCaller();
    return new Promise(() => undefined);
  };
}

function resultOf({ out = "", error, code = error === undefined ? 0 : 1 }: Reply): CommandResult {
  return { code, stdout: out, stderr: error === undefined ? "" : `\n✘ [ERROR] ${error}\n\n` };
}

function answer(
  account: Account,
  argv: readonly string[],
  stdin: string,
  reportPath: string,
): Reply {
  const [noun, verb] = argv;
  if (noun === "whoami") return whoami(account);
  if (noun === "auth") return authToken(account);
  if (!account.loggedIn)
    return {
      error:
        "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN " +
        "environment variable for wrangler to work.",
    };
  if (noun === "d1") return d1(account, argv);
  if (noun === "queues")
    return verb === "list" ? queueTable(account, argv) : createQueue(account, argv[2] ?? "");
  if (noun === "secret")
    return verb === "list"
      ? listSecrets(account)
      : putSecrets(account, JSON.parse(stdin) as Record<string, string>);
  if (noun === "deployments") return deploymentStatus(account);
  if (noun === "deploy") return deploy(account, argv, reportPath);
  return { error: `Unknown arguments: ${argv.join(", ")}` };
}

const inJson = (value: unknown): Reply => ({ out: `${JSON.stringify(value, null, 2)}\n` });
function whoami({ loggedIn, accounts }: Account): Reply {
  if (!loggedIn) return { out: '{"loggedIn":false}\n', code: 1 };
  const user = { loggedIn: true, authType: "OAuth Token", email: "operator@example.com" };
  return inJson({ ...user, accounts, tokenPermissions: [] });
}

function authToken({ loggedIn }: Account): Reply {
  if (!loggedIn) return { error: "Not logged in. Please run `wrangler login` to authenticate." };
  return { out: `${JSON.stringify({ type: "oauth", token: LOGIN_TOKEN }, null, 4)}\n` };
}

function d1(account: Account, argv: readonly string[]): Reply {
  const [, verb, subject = "", third = ""] = argv;
  if (verb === "list")
    return inJson(Object.keys(account.databases).map((name) => ({ uuid: randomUUID(), name })));
  if (verb === "create") {
    if (account.databases[subject]) return { error: "A database with that name already exists" };
    account.databases[subject] = [];
    const out = `✅ Successfully created DB '${subject}' in region EEUR\nCreated your new D1 database.\n`;
    return { out };
  }
  const [name, directory] = databaseOf(verb === "migrations" ? third : subject);
  const applied = account.databases[name];
  if (!applied)
    return {
      error:
        `Couldn't find a D1 DB named '${name}' (bound as '${subject}') in the API. Run ` +
        `'wrangler d1 create ${name}' to create it.`,
    };
  if (verb === "execute") return execute(account, name, argv.at(-1) ?? "");
  const pending = migrationsIn(directory).filter((migration) => !applied.includes(migration));
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
    : applied.map((migration) => ({ name: migration }));
  return inJson([{ results, success: true, meta: { duration: 0.2 } }]);
}

function migrationsIn(directory: string): string[] {
  const files = readdirSync(join("migrations", directory));
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
    return {
      error:
        `A request to the Cloudflare API (/accounts/1/queues) failed.\n  Queue name '${name}' ` +
        "is already taken. [code: 11009]",
    };
  account.queues.push(name);
  return { out: `🌀 Creating queue '${name}'\n✅ Created queue '${name}'\n` };
}

function listSecrets({ secrets }: Account): Reply {
  if (!secrets)
    return {
      error:
        'Worker "postern" not found.\n\nIf this is a new Worker, run `wrangler deploy` first ' +
        "to create it.",
    };
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

function deploy(account: Account, argv: readonly string[], reportPath: string): Reply {
  const missing = READ_ONLY_QUEUES.find((queue) => !account.queues.includes(queue));
  if (missing)
    return {
      error: `Queue "${missing}" does not exist. To create it, run: wrangler queues create ${missing}`,
    };
  const valuesOf = (flag: string): string[] =>
    argv.flatMap((argument, index) => (argument === flag ? [argv[index + 1] ?? ""] : []));
  const pairs = valuesOf("--var").map((pair) => /^([^:]*):([^]*)$/.exec(pair) ?? []);
  const variables = Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
  const deployment = { version: randomUUID(), variables, domains: valuesOf("--domain") };
  account.deployments.push(deployment);
  account.secrets ??= {};
  const targets = [
    "https://postern.example-account.workers.dev",
    ...deployment.domains.map((domain) => `${domain} (custom domain)`),
    "schedule: 17 * * * *",
    "Consumer for postern-deliver",
  ];
  const about = { type: "deploy", version: 2, worker_name: "postern" };
  const report = { ...about, version_id: deployment.version, targets };
  const lines = [{ type: "wrangler-session", version: 1 }, report].map((one) =>
    JSON.stringify(one),
  );
  writeFileSync(reportPath, `${lines.join("\n")}\n`);
  return { out: `Uploaded postern\nCurrent Version ID: ${deployment.version}\n` };
}
