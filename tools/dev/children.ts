// Describes the two child processes of `npm start`, the worker and the gateway, with the settings
// that connect them to the local stack.
import { mkdirSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, HOST } from "./find-other-stack.ts";
import { selfSigned } from "../harness/smtp/self-signed.ts";
import type { Secrets } from "./dev-secrets.ts";
import { type Environment, mailHosts, type Ports, ROOT } from "./dev-settings.ts";
import type { ChildSpec } from "./processes/supervise.ts";
import { dotenv, SERVICE_DOMAIN, workerSettings } from "./worker-settings.ts";
import { warningIn } from "./worker-warnings.ts";
import { workerState, WRANGLER, wranglerEnvironment } from "./local-wrangler.ts";
import { writeWorkerEntry } from "./email-service/worker-entry.ts";
import { type PlatformSwitch, RUNTIME_SWITCHES } from "./platform/switches.ts";

const DRAIN_SECONDS = "2";
/** Wrangler's log level that omits reloads and the worker's console output. */
const QUIET = "warn";
const TALKATIVE = "log";
/** Matches the lines that wrangler repeats at every reload, and the stack's health checks. */
const NOISE =
  /^\s*$|^(?:Your Worker has access to|Binding +Resource|env\.|\[custom build\])|GET \/(?:healthz 200|gateway\/key 401)|POST \/__email-service\/events 204/;
/** Variables of `npm start` that the worker gets too. Demonstrations and tests set them. */
const HANDED_ON = [
  "RETRY_SPEEDUP",
  "LEASE_SPEEDUP",
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
  const mailPorts = [ports.SMTP_PORT, environment["SUBMISSION_PORTS"] ?? ""].join(",");
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
      // Ports 587 and 25 need a permission that many users do not have. Therefore they are opened
      // only if SUBMISSION_PORTS asks for them.
      SUBMISSION_PORTS: mailPorts,
      // The gateway accepts bounces and replies on its submission port. Other mail servers send
      // them to port 25, but no port 25 is open here.
      RETURN_PATH: "true",
      RETURN_PATH_PORTS: [mailPorts, environment["RETURN_PATH_PORTS"] ?? ""].join(","),
      SUBMISSION_CERTIFICATE: certificate.path,
      SUBMISSION_KEY: certificate.keyPath,
    },
    logPath: join(state, "log", "gateway.log"),
    healthUrl: `${at(ports.EGRESS_PORT)}/healthz`,
  };
}

/**
 * Returns the settings that send outgoing mail to the inbox. If MX_HOSTS is set, each domain's mail
 * goes to the IP address that the local DNS returns, always at the inbox's port.
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

/** The URL and token by which the worker reaches the double of the Email Service. */
export interface EmailDouble {
  readonly url: string;
  /** The worker and the double authenticate to each other with this token. */
  readonly token: string;
  /** The switches of docs/real-platform.md that are on. */
  readonly platform: readonly PlatformSwitch[];
}

/**
 * Describes the worker of `npm start`. withReloads() turns this description into that of `npm run
 * dev`. `frontUrl` is the front for the worker's own requests, or null without a front.
 */
export function worker(
  state: string,
  ports: Ports,
  secrets: Secrets,
  environment: Environment,
  double: EmailDouble | null,
  access: Readonly<Record<string, string>> = {},
  frontUrl: string | null = null,
): ChildSpec {
  const handedOn = HANDED_ON.flatMap((name) =>
    environment[name] ? [[name, environment[name]]] : [],
  );
  const addresses = { api: at(ports.PORT), egress: at(ports.EGRESS_PORT), dns: at(ports.DNS_PORT) };
  const variables = {
    ...workerSettings(secrets, addresses),
    ...access,
    ...(frontUrl !== null && { TRACKING_HOSTS: "custom_hostnames" }),
    ...Object.fromEntries(handedOn),
    ...(double && {
      EMAIL_SERVICE_URL: double.url,
      EMAIL_SERVICE_TOKEN: double.token,
      PLATFORM: double.platform.join(","),
    }),
    // The local DNS also answers calls of Cloudflare's API, and knows only this token.
    ...(double?.platform.includes("silent_destinations") && {
      EMAIL_API_TOKEN: secrets.DNS_API_TOKEN,
    }),
  };
  const isWrapped = double !== null || frontUrl !== null;
  const config = isWrapped
    ? writeWorkerEntry(join(state, "email-service", "worker"), {
        hasEmailService: double !== null,
        isLimited: RUNTIME_SWITCHES.some((name) => double?.platform.includes(name)),
        frontUrl,
      })
    : null;
  return wranglerDev(state, ports.PORT, config, variables);
}

/**
 * Describes a worker that wrangler runs. `config` is the path of its configuration; null means
 * wrangler.toml.
 */
export function wranglerDev(
  state: string,
  port: number,
  config: string | null,
  variables: Readonly<Record<string, string>>,
): ChildSpec {
  const path = join(state, "worker.env");
  mkdirSync(state, { recursive: true });
  writeFileSync(path, dotenv(variables), { mode: 0o600 });
  const listen = ["--ip", HOST, "--port", String(port), "--inspector-port", "0"];
  const quiet = ["--log-level", QUIET, "--show-interactive-dev-session", "false"];
  return {
    name: "the worker",
    args: [
      "--no-warnings",
      WRANGLER,
      "dev",
      ...(config === null ? [] : ["--config", config]),
      ...listen,
      ...quiet,
      "--persist-to",
      workerState(state),
      "--env-file",
      path,
    ],
    env: wranglerEnvironment(state),
    logPath: join(state, "log", "worker.log"),
    healthUrl: `${at(port)}/healthz`,
    // After a failed build, wrangler restarts its runtime but never answers again.
    isUnbuilt: (line) => /Build failed with \d+ errors?/.test(line),
    isFatal: (line) => line.includes("runtime crashed unexpectedly"),
    shown: warningIn,
  };
}

/**
 * Describes the worker of `npm run dev`. The terminal shows the worker's output and build messages.
 * While the sources do not build, wrangler delays every request. Therefore a worker that does not
 * answer is not restarted. It answers again when the sources are fixed.
 */
export function withReloads(spec: ChildSpec): ChildSpec {
  const args = spec.args.map((argument) => (argument === QUIET ? TALKATIVE : argument));
  return {
    ...spec,
    args,
    change: sourcesChange,
    shown: (line) => warningIn(line) ?? (NOISE.test(line) ? null : line),
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

/** Makes a new certificate for the local SMTP port. SMTP clients can trust the file at `path`. */
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
