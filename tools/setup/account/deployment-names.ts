// Gives a second deployment in an account its own names (DEPLOYMENT). wrangler finds queues and
// databases by name, and two deployments that share a queue deliver each other's mail. The worker
// identifies its queues by the ends of their names, so only the beginnings change. Pure.
import { resolve } from "node:path";

/** The prefix of all names in wrangler.toml. */
const SHIPPED = "postern-";
const NAMED = new Set(["database_name", "bucket_name", "queue", "dead_letter_queue"]);
/** A queue's name has at most 63 characters, and the longest end has 17. */
const NAME = /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/;

type Config = Readonly<Record<string, unknown>>;

/** Returns the problem as a text that follows the setting's name, or null. */
export function deploymentProblem(name: string): string | null {
  return NAME.test(name)
    ? null
    : "must be 2 to 40 lower-case letters, digits and hyphens, and begin with a letter";
}

/**
 * Returns the configuration with the deployment's names. Its paths are absolute, because it is
 * written outside the project's root. It has no build command, because only `wrangler dev` needs
 * the build.
 */
export function namedConfig(
  shipped: Config,
  deployment: string,
  root: string,
): Record<string, unknown> {
  const { build: _, ...config } = shipped;
  const { main, assets, d1_databases: databases } = config;
  const renamed = rename(config, deployment) as Config;
  return {
    ...renamed,
    name: deployment,
    main: resolve(root, String(main)),
    assets: {
      ...(assets as Config),
      directory: resolve(root, String((assets as Config)["directory"])),
    },
    d1_databases: (databases as readonly Config[]).map((database) => ({
      ...(rename(database, deployment) as Config),
      migrations_dir: resolve(root, String(database["migrations_dir"])),
    })),
  };
}

function rename(value: unknown, deployment: string): unknown {
  if (Array.isArray(value)) return value.map((one) => rename(one, deployment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      NAMED.has(key) && typeof member === "string" && member.startsWith(SHIPPED)
        ? `${deployment}-${member.slice(SHIPPED.length)}`
        : rename(member, deployment),
    ]),
  );
}
