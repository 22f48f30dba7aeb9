// Checks the worker from this machine: whether it answers, its health, certificate and clock. If
// the ADMIN_TOKEN is known, it also checks the queues and settings.
import { call, member, NoHttpResponse, errorTextOf } from "../json-call.ts";
import { hostOf } from "../setting-prompts.ts";
import { judge, shakeHands } from "./tls-certificate.ts";
import { compareClocks, dateOf } from "./clock.ts";
import { critical, type CheckResult, ok, notKnown, warning } from "./check-result.ts";
import { judgedChecks } from "./judged-checks.ts";
import type { Target } from "./doctor-target.ts";

/** The body of GET /admin/deployment. */
export interface Deployment {
  readonly service_domain: string;
  readonly public_url: string;
  readonly outbound: string;
  /**
   * Null: the deployment has no jurisdiction. Absent, also for the next two members: the worker is
   * of an earlier version.
   */
  readonly jurisdiction?: string | null;
  /** The jurisdiction that one of the worker's objects reports. */
  readonly object_jurisdiction?: string | null;
  /** The number of teams whose ledgers are in another jurisdiction. */
  readonly teams_elsewhere?: number;
  /** Null: only keys sign in to the console. Absent: the worker is of an earlier version. */
  readonly access?: {
    readonly issuer: string;
    readonly audience: string;
    readonly console_url: string;
  } | null;
  /** The time by the worker's clock. */
  readonly time: string;
  readonly gateways: readonly { readonly url: string; readonly state: string }[];
}

export interface WorkerResults {
  readonly results: readonly CheckResult[];
  /** The worker's report about its deployment. Null: the report could not be read. */
  readonly deployment: Deployment | null;
}

const CLOCK = "worker.clock";
const NOT_REACHED =
  "check that the worker is deployed, and that its custom domain or route leads to it (npm " +
  "run setup)";

const REFUSALS: Readonly<Record<number, readonly [what: string, mend: string]>> = {
  401: [
    "the worker refuses this ADMIN_TOKEN",
    "use the token that set-up printed, or set another: npx wrangler secret put ADMIN_TOKEN",
  ],
  403: [
    "the worker blocks this address: too many wrong tokens",
    "wait some minutes, and use the right token",
  ],
  404: [
    "the worker has no ADMIN_TOKEN, so there is no /admin",
    "npm run setup, or npx wrangler secret put ADMIN_TOKEN",
  ],
};

export async function checkWorker(target: Target): Promise<WorkerResults> {
  const [reach, tls, operator] = await Promise.all([
    checkHealth(target),
    checkTls(target),
    checkOperator(target),
  ]);
  // Two responses can have the time. Cloudflare adds a date to every response, but a local workerd
  // adds none. Therefore GET /admin/deployment has the time too.
  const clocks = [...reach, ...operator.results].filter(({ check }) => check === CLOCK);
  const clock = clocks.find(({ status }) => status !== "unknown") ?? clocks[0];
  const others = [...reach, ...tls, ...operator.results].filter(({ check }) => check !== CLOCK);
  return { results: clock ? [...others, clock] : others, deployment: operator.deployment };
}

async function checkHealth({ url }: Target): Promise<CheckResult[]> {
  const sentAt = Date.now();
  try {
    const answer = await call("GET", `${url}/healthz`);
    const clock = compareClocks(CLOCK, url, dateOf(answer.headers.get("date")), sentAt, Date.now());
    const checks = member(answer.json, "checks");
    if (answer.status === 200 && checks !== undefined)
      return [ok("worker.health", `${url}: the worker and all its services answer`), clock];
    if (typeof checks !== "object" || checks === null)
      return [
        critical(
          "worker.health",
          `${url}/healthz is not Postern's: ${errorTextOf(answer)}`,
          NOT_REACHED,
        ),
        clock,
      ];
    const failing = Object.entries(checks).flatMap(([name, isWell]) =>
      isWell === true ? [] : [name],
    );
    return [
      critical("worker.health", `${url} is not well: ${failing.join(", ")}`, mendFor(failing)),
      clock,
    ];
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error;
    return [critical("worker.health", `${url} does not answer: ${error.message}`, NOT_REACHED)];
  }
}

function mendFor(failing: readonly string[]): string {
  if (failing.includes("settings"))
    return (
      "a setting is missing or malformed: npx wrangler tail names it (event unhealthy), and " +
      "npm run setup sets it"
    );
  return (
    "npx wrangler tail shows why (event unhealthy); then docs/troubleshooting.md, Sends are 500 " +
    "or 502"
  );
}

async function checkTls({ url }: Target): Promise<CheckResult[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:")
    return hostOf(url) === undefined
      ? []
      : [warning("worker.tls", `${url} is not https`, "give PUBLIC_URL an https URL")];
  const handshake = await shakeHands({ host: hostname, port: Number(port || 443) }, hostname);
  if (handshake.kind === "secure") handshake.socket.destroy();
  return judge("worker.tls", hostname, hostname, handshake, Date.now());
}

async function checkOperator({ url, adminToken }: Target): Promise<WorkerResults> {
  if (adminToken === undefined)
    return {
      results: [
        notKnown("worker.admin", "no ADMIN_TOKEN given: queues and gateways were not checked"),
      ],
      deployment: null,
    };
  const sentAt = Date.now();
  try {
    const [checks, deployment] = await Promise.all(
      ["checks", "deployment"].map((noun) =>
        call("GET", `${url}/admin/${noun}`, { token: adminToken }),
      ),
    );
    if (deployment?.status !== 200)
      return { results: [refused(deployment?.status ?? 0, url)], deployment: null };
    const known = typeof member(deployment.json, "service_domain") === "string";
    const told = known ? (deployment.json as Deployment) : null;
    const clock = told ? [compareClocks(CLOCK, url, dateOf(told.time), sentAt, Date.now())] : [];
    return {
      results: [
        ok("worker.admin", "the worker accepts the ADMIN_TOKEN"),
        ...(checks?.status === 200 ? judgedChecks(checks.json) : [notJudged(checks?.status ?? 0)]),
        ...clock,
      ],
      deployment: told,
    };
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error;
    return {
      results: [
        critical("worker.admin", `${url}/admin does not answer: ${error.message}`, NOT_REACHED),
      ],
      deployment: null,
    };
  }
}

/** Returns the result for a worker of an earlier version, which has no GET /admin/checks. */
function notJudged(status: number): CheckResult {
  return notKnown("worker.checks", `GET /admin/checks: HTTP ${status}, so no number is known`);
}

function refused(status: number, url: string): CheckResult {
  const [what, mend] = REFUSALS[status] ?? [
    `${url}/admin/deployment: HTTP ${status}`,
    "npx wrangler tail shows why (event fault)",
  ];
  return critical("worker.admin", what, mend);
}
