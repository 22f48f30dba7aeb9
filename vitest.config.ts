// The inner ring (CONTRIBUTING.md §The rings): every rule of the product in a few shared processes.
// `worker` runs inside workerd against real D1, Durable Objects and queues: its files run one after
// the other in a few workerds, and test/support/setup.ts gives each file an empty store. `node` runs
// what lives beside the worker (gateway, local stack, set-up), and starts no program. The stacks
// ring has a configuration of its own, test/rings/stacks.config.ts.
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { LIMITS, WAITS } from "./test/rings/test-limits.ts";
import { Tally } from "./test/rings/tally.ts";
import { LongestFirst } from "./test/support/longest-first.ts";

/**
 * Libraries of many files, in one file each: a workerd asks for the files of its modules one by
 * one.
 */
const BUNDLED = [
  "@hono/zod-validator",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "entities/decode",
  "hono",
  "hono/factory",
  "hono/http-exception",
  "hono/route",
  "isbot",
  "markdown-it",
  "mimetext/browser",
  "standardwebhooks",
  "tldts",
  "zod",
];

// Vitest and a workerd send each other every module and result by a WebSocket of this machine. To
// compress those costs both sides more than all else that they do for it.
subscribe("http.client.request.created", (message) => {
  const { request } = message as { request: ClientRequest };
  request.removeHeader("Sec-WebSocket-Extensions");
});

/**
 * Replaces types by spaces, so that each line stays at its place and needs no source map. Vitest
 * would make a map of each module and send it to every workerd.
 */
const STRIPPED = {
  name: "strip-types",
  enforce: "pre" as const,
  transform(code: string, id: string) {
    if (!id.endsWith(".ts") || id.includes("/node_modules/")) return undefined;
    return { code: stripTypeScriptTypes(code), map: { mappings: "" } };
  },
};

/** The worker with the settings and bindings of every test of it. */
async function worker() {
  return cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    // Workerd would print what it thinks of each request that a test lets fail.
    verbose: false,
    miniflare: {
      bindings: {
        TEST_CORE_MIGRATIONS: await readD1Migrations("./migrations/core"),
        TEST_SHARD_MIGRATIONS: await readD1Migrations("./migrations/shard"),
        SERVICE_DOMAIN: "postern.test",
        PUBLIC_URL: "",
        OUTBOUND: "gateway",
        WEBHOOK_ALLOW_PRIVATE: "",
        CONTENT_DAYS: "0",
        ADMIN_TOKEN: "admin-token-for-tests-0123456789abcdef",
        GATEWAY_TOKEN: "gateway-token-for-tests",
        SIGNING_KEY: "signing-key-for-tests-0123456789abcdef",
        KEY_ENCRYPTION_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        DNS_API_TOKEN: "dns-token-for-tests",
        DNS_ZONE_ID: "zone-for-tests",
        TRACKING_HOSTS: "direct",
        EGRESS_URL: "http://egress.test",
        DNS_RESOLVER_URL: "http://dns.test/dns-query",
        DNS_API_URL: "http://dns.test/client/v4",
        // No relay listens there. The couriers' own tests bring one.
        SMTP_RELAY_HOST: "127.0.0.1",
        SMTP_RELAY_PORT: "1",
        SMTP_RELAY_USERNAME: "postern",
        SMTP_RELAY_PASSWORD: "relay-password-for-tests",
        LOG_LEVEL: "warning",
        METRICS_FLUSH_SECONDS: "0.05",
        SHARDS_FOR_NEW_TEAMS: "0",
      },
      // A second shard, for the tests that name it: no team is put there by itself. Teams are on
      // the two core databases in turn.
      d1Databases: { SHARD_1: "postern-shard-1", CORE_1: "postern-core-1" },
      // The Email Service writes to this queue. Here the tests do.
      queueProducers: { EMAIL_EVENTS: { queueName: "postern-email-events" } },
      queueConsumers: {
        "postern-deliver": {
          maxBatchTimeout: 0.05,
          maxRetries: 5,
          deadLetterQueue: "postern-deliver-dead",
        },
        "postern-dns-cleanup": {
          maxBatchTimeout: 0.05,
          maxRetries: 20,
          deadLetterQueue: "postern-dns-cleanup-dead",
        },
        "postern-webhook": {
          maxBatchTimeout: 0.05,
          maxRetries: 3,
          deadLetterQueue: "postern-webhook-dead",
        },
        "postern-email-events": { maxBatchTimeout: 0.05, maxRetries: 100 },
        "postern-deliver-dead": { maxBatchTimeout: 0.05, maxRetries: 100 },
        "postern-dns-cleanup-dead": { maxBatchTimeout: 0.05, maxRetries: 100 },
        "postern-webhook-dead": { maxBatchTimeout: 0.05, maxRetries: 100 },
      },
    },
  });
}

export default defineConfig({
  test: {
    // A passing run prints a line for each file. The logs of a test that fails are shown.
    silent: "passed-only",
    slowTestThreshold: 600_000,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new Tally()],
    projects: [
      {
        plugins: [STRIPPED, await worker()],
        oxc: false,
        test: {
          name: "worker",
          include: [
            "test/unit/**/*.test.ts",
            "test/api/**/*.test.ts",
            "test/pipeline/**/*.test.ts",
          ],
          isolate: false,
          setupFiles: [WAITS, "./test/support/setup.ts"],
          deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
          ...LIMITS,
        },
      },
      {
        plugins: [STRIPPED],
        oxc: false,
        test: {
          name: "node",
          environment: "node",
          // Vitest's workers would print Node's warning of node:v8's queryObjects.
          execArgv: ["--disable-warning=ExperimentalWarning"],
          include: [
            "test/tidy.test.ts",
            "test/gateway/**/*.test.ts",
            "test/dev/**/*.test.ts",
            "test/setup/**/*.test.ts",
            "test/node/**/*.test.ts",
          ],
          // A process of its own costs each small file more than its tests.
          isolate: false,
          setupFiles: [WAITS, "./test/support/node-setup.ts"],
          ...LIMITS,
        },
      },
    ],
  },
});
