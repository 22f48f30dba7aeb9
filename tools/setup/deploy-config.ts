// Reads from wrangler.toml the objects that set-up has to create: the worker, the databases with
// their migrations, the bucket and the queues. A second deployment in the account has its own names
// (deployment-names.ts). For them, wrangler gets a configuration in the state directory.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "smol-toml";
import type { CommandEnvironment } from "./run-wrangler.ts";
import { deploymentProblem, namedConfig } from "./account/deployment-names.ts";
import type { SetupFile } from "./setup-file.ts";
import { SetupProblem } from "./setup-problem.ts";

/** The worker identifies its queues by the ends of their names. */
const EVENTS_END = "-email-events";

export interface Database {
  readonly binding: string;
  readonly name: string;
  /** Names of the migration files, in the order in which they are applied. */
  readonly migrations: readonly string[];
}

export interface DeployConfig {
  /** The path of the configuration for wrangler. Null: wrangler.toml. */
  readonly path: string | null;
  readonly worker: string;
  readonly databases: readonly Database[];
  /** If `jurisdiction` is undefined, wrangler.toml names none. */
  readonly bucket: { readonly name: string; readonly jurisdiction: string | undefined };
  /** The queues that the worker writes to, those that it reads from, and the dead-letter queues. */
  readonly queues: readonly string[];
  readonly eventsQueue: string;
  readonly variables: Readonly<Record<string, string>>;
  /** True: wrangler.toml has the binding that the courier `cloudflare` needs. */
  readonly bindsEmail: boolean;
}

/** The members that this file reads. Reading them through wrangler would take a second. */
interface WranglerConfig {
  readonly name?: string;
  readonly d1_databases?: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly migrations_dir?: string;
  }[];
  readonly r2_buckets?: readonly {
    readonly bucket_name?: string;
    readonly jurisdiction?: string;
  }[];
  readonly queues?: {
    readonly producers?: readonly { readonly queue?: string }[];
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly send_email?: readonly { readonly name?: string }[];
}

/**
 * Reads the configuration of a deployment. DEPLOYMENT names the deployment, in this run or in an
 * earlier one.
 */
export function readNamedConfig(
  root: string,
  environment: CommandEnvironment,
  { path: file, kept }: SetupFile,
): DeployConfig {
  const before = kept.settings["DEPLOYMENT"];
  const name = environment["DEPLOYMENT"]?.trim() || before;
  if (!name) return readDeployConfig(root);
  const problem = deploymentProblem(name);
  if (problem !== null) throw new SetupProblem(`DEPLOYMENT ${problem}`);
  if (kept.deployed !== undefined && name !== before)
    throw new SetupProblem(
      `DEPLOYMENT is ${name}, and set-up's file is for ${before ?? "the names in wrangler.toml"}: ` +
        "with other names, the deployment would lose its data",
      "unset DEPLOYMENT, or set POSTERN_STATE to another directory for a second deployment",
    );
  kept.settings["DEPLOYMENT"] = name;
  const config: WranglerConfig = namedConfig(shippedConfig(root), name, root);
  const path = join(dirname(file), "wrangler.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return { ...configFrom(config, root), path };
}

export function readDeployConfig(root: string): DeployConfig {
  return configFrom(shippedConfig(root), root);
}

function shippedConfig(root: string): Record<string, unknown> {
  return parse(readFileSync(join(root, "wrangler.toml"), "utf8"));
}

function configFrom(config: WranglerConfig, root: string): DeployConfig {
  const { producers = [], consumers = [] } = config.queues ?? {};
  const queues = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ].filter((queue) => queue !== undefined);
  const [{ bucket_name: bucket = "postern-content", jurisdiction } = {}] = config.r2_buckets ?? [];
  return {
    bucket: { name: bucket, jurisdiction },
    path: null,
    worker: config.name ?? "postern",
    databases: (config.d1_databases ?? []).map(
      ({ binding, database_name: name, migrations_dir: directory }) => {
        if (name === undefined)
          throw new SetupProblem(`wrangler.toml: the database ${binding} has no database_name`);
        return {
          binding,
          name,
          migrations: migrationsIn(resolve(root, directory ?? "migrations")),
        };
      },
    ),
    queues: [...new Set(queues)],
    eventsQueue: queues.find((queue) => queue.endsWith(EVENTS_END)) ?? `postern${EVENTS_END}`,
    bindsEmail: (config.send_email ?? []).some(({ name }) => name === "EMAIL"),
    variables: Object.fromEntries(
      Object.entries(config.vars ?? {}).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  };
}

/** Returns the databases that store what teams manage (decision 0032). */
export function coreDatabases({ databases }: Pick<DeployConfig, "databases">): Database[] {
  return databases.filter(({ binding }) => /^(?:DB|CORE_\d+)$/.test(binding));
}

/** Returns the URLs of the DNS. The environment's variables override those of wrangler.toml. */
export function dnsAddresses(
  { variables }: DeployConfig,
  environment: CommandEnvironment,
): Record<string, string> {
  return Object.fromEntries(
    ["DNS_API_URL", "DNS_RESOLVER_URL"].map((name) => [
      name,
      environment[name] || variables[name] || "",
    ]),
  );
}

export function migrationsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .toSorted();
}
