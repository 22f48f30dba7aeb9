// The two programs that `npm start` runs as processes of their own, with the settings that point
// them at the local stack: the worker and the gateway.
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "./neighbours.ts";
import { selfSigned } from "./inbox/self-signed.ts";
import type { Secrets } from "./dev-secrets.ts";
import { type Environment, mailHosts, type Ports, ROOT } from "./dev-settings.ts";
import type { ChildSpec } from "./processes/supervise.ts";
import { dotenv, SERVICE_DOMAIN, workerSettings } from "./worker-settings.ts";
import { noteIn } from "./worker-notes.ts";
import { workerState, WRANGLER, wranglerEnvironment } from "./local-wrangler.ts";

const HOST = "127.0.0.1";
const DRAIN_SECONDS = "2";
/**
 * Wrangler's log levels. Below the second it is silent about reloads and what the worker writes to
 * the console.
 */
const QUIET = "warn";
const TALKATIVE = "log";
/** Lines that wrangler repeats at every reload, and the health probes of the stack itself. */
const NOISE =
  /^\s*$|^(?:Your Worker has access to|Binding +Resource|env\.|\[custom build\])|GET \/(?:healthz 200|gateway\/key 401)/;
/** Variables of the worker that are handed on when they are set: for demonstrations and tests. */
const HANDED_ON = [
  "RETRY_SPEEDUP",
  "OUTBOUND",
  "SMTP_RELAY_HOST",
  "SMTP_RELAY_PORT",
  "SMTP_RELAY_USERNAME",
  "SMTP_RELAY_PASSWORD",
  "CRASH_POINT_URL",
] as const;

export function gateway(
  state: string,
  ports: Ports,
  secrets: Secrets,
  environment: Environment,
): ChildSpec {
  const certificate = makeCertificate(state);
  return {
    name: "the gateway",
    args: ["smtp-gateway/src/main.ts"],
    env: {
      EGRESS_HOST: HOST,
      EGRESS_PORT: String(ports.EGRESS_PORT),
      ...mailServers(ports, environment),
      EGRESS_STATE: join(state, "egress"),
      EGRESS_DRAIN_SECONDS: environment["EGRESS_DRAIN_SECONDS"] ?? DRAIN_SECONDS,
      GATEWAY_TOKEN: secrets.GATEWAY_TOKEN,
      GATEWAY_HOSTNAME: `gateway.${SERVICE_DOMAIN}`,
      WORKER_URL: at(ports.PORT),
      SUBMISSION_HOST: HOST,
      // 587 and 25 need a permission that not everybody has: they are opened where they are asked
      // for.
      SUBMISSION_PORTS: [ports.SMTP_PORT, environment["SUBMISSION_PORTS"] ?? ""].join(","),
      // Bounces by hand: the port 25 that mail servers would take them to is not open here.
      SUBMISSION_BOUNCES: "true",
      SUBMISSION_CERTIFICATE: certificate.path,
      SUBMISSION_KEY: certificate.keyPath,
    },
    logPath: join(state, "log", "gateway.log"),
    healthUrl: `${at(ports.EGRESS_PORT)}/healthz`,
  };
}

/**
 * Where mail goes: all of it to the inbox; or, with MX_HOSTS, where the local DNS says, always to
 * the inbox's port.
 */
function mailServers(ports: Ports, environment: Environment): Record<string, string> {
  if (!mailHosts(environment)) return { EGRESS_ROUTES: `*=${HOST}:${ports.MX_PORT}` };
  return {
    EGRESS_ROUTES: "",
    EGRESS_DNS: `${HOST}:${ports.DNS_PORT}`,
    EGRESS_SMTP_PORT: String(ports.MX_PORT),
    EGRESS_ALLOW_PRIVATE: "true",
  };
}

/** The worker, for those who use it; reloading() makes it one for those who change it. */
export function worker(
  state: string,
  ports: Ports,
  secrets: Secrets,
  environment: Environment,
): ChildSpec {
  const handedOn = HANDED_ON.flatMap((name) =>
    environment[name] ? [[name, environment[name]]] : [],
  );
  const addresses = { api: at(ports.PORT), egress: at(ports.EGRESS_PORT), dns: at(ports.DNS_PORT) };
  const variables = { ...workerSettings(secrets, addresses), ...Object.fromEntries(handedOn) };
  const path = join(state, "worker.env");
  mkdirSync(state, { recursive: true });
  writeFileSync(path, dotenv(variables), { mode: 0o600 });
  const listen = ["--ip", HOST, "--port", String(ports.PORT), "--inspector-port", "0"];
  const quiet = ["--log-level", QUIET, "--show-interactive-dev-session", "false"];
  return {
    name: "the worker",
    args: [
      "--no-warnings",
      WRANGLER,
      "dev",
      ...listen,
      ...quiet,
      "--persist-to",
      workerState(state),
      "--env-file",
      path,
    ],
    env: wranglerEnvironment(state),
    logPath: join(state, "log", "worker.log"),
    healthUrl: `${at(ports.PORT)}/healthz`,
    // Wrangler would start its runtime again by itself, and then answers nothing for as long as one
    // waits.
    isFatal: (line) => line.includes("runtime crashed unexpectedly"),
    shown: noteIn,
  };
}

/**
 * The worker of `npm run dev`: what it and its builds say is shown. Wrangler holds every request
 * back while an edit does not build, so that silence is no reason to start it again: it answers
 * when the edit is mended.
 */
export function reloading(spec: ChildSpec): ChildSpec {
  const args = spec.args.map((argument) => (argument === QUIET ? TALKATIVE : argument));
  return {
    ...spec,
    args,
    change: sourcesChange,
    shown: (line) => noteIn(line) ?? (NOISE.test(line) ? null : line),
  };
}

function sourcesChange(): Promise<void> {
  return new Promise((changed) => {
    const watcher = watch(join(ROOT, "src"), { recursive: true }, () => {
      watcher.close();
      changed();
    });
  });
}

/**
 * Where the certificate of the local SMTP port is: made anew at each start, for clients to trust by
 * its path.
 */
function makeCertificate(state: string): { path: string; keyPath: string } {
  const directory = join(state, "smtp");
  const paths = { path: join(directory, "cert.pem"), keyPath: join(directory, "key.pem") };
  const { key, cert } = selfSigned([
    HOST,
    "localhost",
    `gateway.${SERVICE_DOMAIN}`,
    `mx.${SERVICE_DOMAIN}`,
  ]);
  mkdirSync(directory, { recursive: true });
  writeFileSync(paths.keyPath, key, { mode: 0o600 });
  writeFileSync(paths.path, cert);
  return paths;
}
