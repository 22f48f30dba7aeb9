// How wrangler is run here: offline, silent about itself, never asking, and with its own files kept
// in the state directory.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Wrangler's program itself; its launcher would only start it as one more process. */
export const WRANGLER = fileURLToPath(import.meta.resolve("wrangler"));

/** Where wrangler keeps the databases, buckets and objects. */
export function workerState(state: string): string {
  return join(state, "worker");
}

export function wranglerEnvironment(state: string): Record<string, string> {
  return {
    CI: "1",
    DO_NOT_TRACK: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_LOG_PATH: join(state, "log", "wrangler"),
    WRANGLER_REGISTRY_PATH: join(state, "registry"),
    WRANGLER_CACHE_DIR: join(state, "cache"),
    // The location that requests are given in production; asked for over the network otherwise.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
    // The command that wrangler.toml runs before a build (prepare.mjs) has nothing to do then.
    POSTERN_PREPARED: "true",
  };
}
