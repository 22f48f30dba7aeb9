// Runs wrangler for the local stack: offline, without notices or questions, and with its files in
// the state directory.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Wrangler's main script. Wrangler's launcher would start it in one more process. */
export const WRANGLER = fileURLToPath(import.meta.resolve("wrangler"));

/**
 * Returns the directory where wrangler keeps the data of databases, buckets and Durable Objects.
 */
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
    // Stops wrangler from asking the network for the location data that production requests have.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
    // If this variable is set, the build command of wrangler.toml (prepare.mjs) does nothing.
    POSTERN_PREPARED: "true",
  };
}
