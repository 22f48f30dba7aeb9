// Reads from wrangler.toml the objects that set-up has to create: the worker, the databases with
// their migrations, and the queues.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import type { CommandEnvironment } from "./run-wrangler.ts";
import { SetupProblem } from "./setup-problem.ts";

export interface Database {
  readonly binding: string;
  readonly name: string;
  /** Names of the migration files, in the order in which they are applied. */
  readonly migrations: readonly string[];
}

export interface DeployConfig {
  readonly worker: string;
  readonly databases: readonly Database[];
  /** The queues that the worker writes to, those that it reads from, and the dead-letter queues. */
  readonly queues: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** True: wrangler.toml has the binding that the courier `cloudflare` needs. */
  readonly bindsEmail: boolean;
}

/**
 * The members of wrangler.toml that this file reads. The file does not load wrangler for this,
 * because that would take a second each time.
 */
interface WranglerConfig {
  readonly name?: string;
  readonly d1_databases?: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly migrations_dir?: string;
  }[];
  readonly queues?: {
    readonly producers?: readonly { readonly queue?: string }[];
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly send_email?: readonly { readonly name?: string }[];
}

export function readDeployConfig(root: string): DeployConfig {
  const config = parse(readFileSync(join(root, "wrangler.toml"), "utf8")) as WranglerConfig;
  const { producers = [], consumers = [] } = config.queues ?? {};
  const queues = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ].filter((queue) => queue !== undefined);
  return {
    worker: config.name ?? "postern",
    databases: (config.d1_databases ?? []).map(
      ({ binding, database_name: name, migrations_dir: directory }) => {
        if (name === undefined)
          throw new SetupProblem(`wrangler.toml: the database ${binding} has no database_name`);
        return { binding, name, migrations: migrationsIn(join(root, directory ?? "migrations")) };
      },
    ),
    queues: [...new Set(queues)],
    bindsEmail: (config.send_email ?? []).some(({ name }) => name === "EMAIL"),
    variables: Object.fromEntries(
      Object.entries(config.vars ?? {}).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  };
}

/**
 * Returns the URLs of the DNS resolver and the DNS API. A variable of the environment overrides the
 * one in wrangler.toml.
 */
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

function migrationsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .toSorted();
}
