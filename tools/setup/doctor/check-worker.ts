// Checks the worker from this machine: whether it answers, its health, certificate and clock. If
// the ADMIN_TOKEN is known, it also checks the queues and settings.
import { call, type JsonResponse, member, NoHttpResponse, errorTextOf } from "../json-call.ts";
import { hostOf } from "../setting-prompts.ts";
import { judgeServer } from "./tls-certificate.ts";
import { compareClocks, dateOf } from "./clock.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";
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
  readonly time: string;
  readonly gateways: readonly { readonly url: string; readonly state: string }[];
}

export interface WorkerResults {
  readonly results: readonly CheckResult[];
  /** The worker's report about its deployment. Null: the report could not be read. */
  readonly deployment: Deployment | null;
}

const HEALTH = "worker.health";
const ADMIN = "worker.admin";
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
  const all = [reach, tls, operator.results].flat();
  const clocks = all.filter(({ check }) => check === CLOCK);
  const clock = clocks.find(({ status }) => status !== "unknown") ?? clocks[0];
  const others = all.filter(({ check }) => check !== CLOCK);
  return { results: clock ? [...others, clock] : others, deployment: operator.deployment };
}

async function checkHealth({ url }: Target): Promise<CheckResults> {
  const sentAt = Date.now();
  const answer = await call("GET", `${url}/healthz`);
  if (answer instanceof NoHttpResponse)
    return critical(HEALTH, `${url} does not answer: ${answer.message}`, NOT_REACHED);
  const clock = compareClocks(CLOCK, url, dateOf(answer.headers.get("date")), sentAt, Date.now());
  return [judgeHealth(url, answer), clock];
}

function judgeHealth(url: string, answer: JsonResponse): CheckResult {
  const checks = member(answer.json, "checks");
  if (answer.status === 200 && checks !== undefined)
    return ok(HEALTH, `${url}: the worker and all its services answer`);
  if (typeof checks !== "object" || checks === null) {
    const what = `${url}/healthz is not Postern's: ${errorTextOf(answer)}`;
    return critical(HEALTH, what, NOT_REACHED);
  }
  const failing = Object.entries(checks).flatMap(([name, isWell]) =>
    isWell === true ? [] : [name],
  );
  return critical(HEALTH, `${url} is not well: ${failing.join(", ")}`, mendFor(failing));
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

async function checkTls({ url }: Target): Promise<CheckResults> {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return judgeServer("worker.tls", hostname, url);
  return hostOf(url) === undefined
    ? []
    : warning("worker.tls", `${url} is not https`, "give PUBLIC_URL an https URL");
}

async function checkOperator({ url, adminToken }: Target): Promise<WorkerResults> {
  const without = (result: CheckResult) => ({ results: [result], deployment: null });
  if (adminToken === undefined)
    return without(notKnown(ADMIN, "no ADMIN_TOKEN given: queues and gateways were not checked"));
  const sentAt = Date.now();
  const ask = (noun: string) => call("GET", `${url}/admin/${noun}`, { token: adminToken });
  const [checks, deployment] = await Promise.all([ask("checks"), ask("deployment")]);
  const silent = ({ message }: NoHttpResponse) =>
    without(critical(ADMIN, `${url}/admin does not answer: ${message}`, NOT_REACHED));
  if (checks instanceof NoHttpResponse) return silent(checks);
  if (deployment instanceof NoHttpResponse) return silent(deployment);
  if (deployment.status !== 200) return without(refused(deployment.status, url));
  const known = typeof member(deployment.json, "service_domain") === "string";
  const told = known ? (deployment.json as Deployment) : null;
  const results = [
    ok(ADMIN, "the worker accepts the ADMIN_TOKEN"),
    checks.status === 200 ? judgedChecks(checks.json) : notJudged(checks.status),
    told ? compareClocks(CLOCK, url, dateOf(told.time), sentAt, Date.now()) : [],
  ];
  return { results: results.flat(), deployment: told };
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
  return critical(ADMIN, what, mend);
}
