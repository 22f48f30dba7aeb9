// Checks what people need to sign in to the console (docs/people.md). The console's own host leads
// to the worker. An Access application protects the console's path and has the audience that the
// worker expects. If a request has no assertion, Access answers it, not the worker. An assertion
// that Access did not sign is refused.
import { generateKeyPairSync, sign } from "node:crypto";
import { call, type JsonResponse, member, NoHttpResponse } from "../json-call.ts";
import { type AccessApplication, needsRight } from "../account-api.ts";
import type { LogIn } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import type { Deployment } from "./check-worker.ts";
import { critical, type CheckResult, type CheckResults, ok, notKnown } from "./check-result.ts";

const APPLICATION = "access.application";
const HOST = "access.host";
const FRONT = "access.front";
const FORGED = "access.forged";
const PATH = "/console";
const READ_APPS = needsRight("Account · Access: Apps and Policies · Read");
const PAGE = "docs/people.md §Setting it up";
const HOUR_SECONDS = 3_600;

type AccessFacts = NonNullable<Deployment["access"]>;

/**
 * Runs the checks. Returns no results if people do not sign in to the deployment. `url` is the URL
 * of the worker. The console is there if it has no host of its own.
 */
export async function checkAccess(
  deployment: Deployment | null,
  url: string,
  isInAccount: boolean,
  login: LogIn,
): Promise<CheckResults> {
  const access = deployment?.access;
  if (!access) return [];
  const isAtPublicUrl = new URL(deployment.public_url).origin === access.console_url;
  const reached = isAtPublicUrl ? { ...access, console_url: url } : access;
  const groups = await Promise.all([
    isAtPublicUrl ? [] : checkHost(access),
    isInAccount ? checkApplication(access, login) : [],
    checkFront(reached),
    checkForged(reached),
  ]);
  return groups.flat();
}

async function checkApplication(
  { console_url: url, audience }: AccessFacts,
  login: LogIn,
): Promise<CheckResults> {
  const found = await login();
  if (found.kind === "out") return notKnown(APPLICATION, `${found.reason} (npx wrangler login)`);
  return unlessRefused(APPLICATION, async () => {
    const applications = await found.api.accessApplications(READ_APPS);
    return judgeApplications(applications, new URL(url).host, audience);
  });
}

function judgeApplications(
  applications: readonly AccessApplication[],
  host: string,
  audience: string,
): CheckResult {
  const place = host + PATH;
  const inFront = applications.filter((one) => placesOf(one).some((its) => covers(its, place)));
  const [first] = inFront;
  if (first === undefined)
    return critical(
      APPLICATION,
      `no Access application is in front of ${place}`,
      `make one of the type self-hosted for this host and path (${PAGE})`,
    );
  const exact = inFront.find(({ aud }) => aud === audience);
  if (exact === undefined)
    return critical(
      APPLICATION,
      `the application ${first.name} in front of ${place} has another audience than ` +
        "ACCESS_AUDIENCE, so the worker refuses its assertions",
      `set ACCESS_AUDIENCE to the application's audience tag, ${first.aud}, and deploy`,
    );
  const wide = placesOf(exact).find((its) => covers(its, `${host}/v1`));
  if (wide !== undefined)
    return critical(
      APPLICATION,
      `the application ${exact.name} is also in front of ${host}/v1, where programs send keys`,
      `give the application the path console (${PAGE})`,
    );
  return ok(APPLICATION, `${exact.name} is in front of ${place}, with the worker's audience`);
}

function placesOf({ domain, self_hosted_domains: more, destinations }: AccessApplication) {
  const uris = (destinations ?? []).flatMap(({ uri }) => uri ?? []);
  return [...new Set([...(domain ? [domain] : []), ...(more ?? []), ...uris])];
}

/**
 * Tells whether an Access application protects a path. `place` is the application's host and path.
 * Its host may begin with `*.`, and its path may end with `*`.
 */
function covers(place: string, path: string): boolean {
  const bare = place.replace(/\/?\*?$/, "");
  if (bare === path || path.startsWith(`${bare}/`)) return true;
  return bare.startsWith("*.") && covers(path.slice(0, path.indexOf(".")) + bare.slice(1), path);
}

/**
 * Access may answer even for a host that leads to no worker. So this check requests a path that
 * Access does not protect.
 */
async function checkHost({ console_url: url }: AccessFacts): Promise<CheckResult> {
  const answer = await call("GET", `${url}/healthz`);
  if (!(answer instanceof NoHttpResponse) && member(answer.json, "checks") !== undefined)
    return ok(HOST, `${url} leads to the worker`);
  return critical(
    HOST,
    `${url}, the host of CONSOLE_URL, does not lead to the worker`,
    "npm run setup makes the host a custom domain of the worker if it is in the service's zone; " +
      "otherwise give the worker the domain in the dashboard",
  );
}

/** Requests the console as a browser without a sign-in does. */
async function checkFront({ console_url: url, issuer }: AccessFacts): Promise<CheckResult> {
  const answer = await call("GET", url + PATH, { headers: { accept: "text/html" } });
  if (answer instanceof NoHttpResponse) return notKnown(FRONT, `${url}${PATH} does not answer`);
  const to = answer.headers.get("location") ?? "";
  if (isLogin(answer, issuer)) return ok(FRONT, `${url}${PATH} leads to the sign-in of ${issuer}`);
  const meets = to === "" ? `is answered by HTTP ${answer.status}` : `leads to ${to}`;
  return critical(
    FRONT,
    `a request without an assertion to ${url}${PATH} ${meets}, not the sign-in of ${issuer}`,
    `put an Access application of ${issuer} in front of ${url}${PATH}, or remove ` +
      `ACCESS_ISSUER (${PAGE})`,
  );
}

/** Sends an assertion with the right issuer and audience, signed by a key of the doctor. */
async function checkForged({ console_url: url, ...access }: AccessFacts): Promise<CheckResult> {
  const headers = {
    "cf-access-jwt-assertion": forge(access),
    origin: url,
    "content-type": "application/json",
  };
  const body = { access: true };
  const answer = await call("POST", `${url}${PATH}/session`, { headers, body });
  if (answer instanceof NoHttpResponse)
    return notKnown(FORGED, `${url}${PATH}/session does not answer`);
  if (isLogin(answer, access.issuer))
    return ok(FORGED, "Access stops a request with a forged assertion");
  if (answer.status === 401) return ok(FORGED, "the worker refuses a forged assertion");
  if (answer.status === 503)
    return critical(
      FORGED,
      `the worker can't read the keys of ${access.issuer}, so no person can sign in`,
      "check ACCESS_ISSUER, and that the team's /cdn-cgi/access/certs answers",
    );
  return critical(
    FORGED,
    `an assertion that Access did not sign gets HTTP ${answer.status}, not 401`,
    "deploy the current version of the worker (npm run deploy)",
  );
}

function isLogin({ status, headers }: JsonResponse, issuer: string): boolean {
  const to = headers.get("location") ?? "";
  return status >= 300 && status < 400 && to.startsWith(`${issuer}/`);
}

function forge({ issuer, audience }: Pick<AccessFacts, "issuer" | "audience">): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: [audience],
    sub: "doctor",
    email: "doctor@example.invalid",
    type: "app",
    iat: now,
    exp: now + HOUR_SECONDS,
  };
  const text = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}
