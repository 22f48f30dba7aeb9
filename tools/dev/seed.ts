// Creates the objects in a new stack that a first curl command needs: a team with a full key, and
// the verified domain example.test. Like a customer and an operator, it uses only HTTP. It can run
// again, because it keeps existing objects.
import { join } from "node:path";
import { StartProblem } from "./dev-settings.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

const TEAM = {
  name: "Local development",
  limits: {
    daily: 1_000_000,
    monthly: 1_000_000,
    delivery_rate_per_minute: 60_000,
    requests_per_second: 1_000,
  },
};
/**
 * A registrable domain. The API gives the names of its records relative to the registrable domain,
 * so the full name of a record ends in DOMAIN.
 */
const DOMAIN = "example.test";
const REQUEST_TIMEOUT_MS = 30_000;

export interface SeededStack {
  readonly apiUrl: string;
  readonly dnsUrl: string;
  /** URL of the Email Service's double. Absent if the gateway carries the mail. */
  readonly emailServiceUrl?: string;
  readonly adminToken: string;
  /** The state directory, where the team's key is stored. */
  readonly state: string;
}

export interface SeededTeam {
  readonly team_id: string;
  readonly api_key: string;
}

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly dns_records: readonly {
    readonly type: string;
    readonly name: string;
    readonly value: string;
  }[];
  readonly verification_failure: { readonly code: string; readonly message: string } | null;
}

/** Creates the objects. Throws a StartProblem that names the failed request. */
export async function seed(stack: SeededStack): Promise<SeededTeam> {
  const team = (await knownTeam(stack)) ?? (await createTeam(stack));
  await verifiedDomain(stack, team.api_key);
  return team;
}

/** Returns the last start's team, or null if its key does not work in this database. */
async function knownTeam(stack: SeededStack): Promise<SeededTeam | null> {
  const team = readStateFile(teamFile(stack)) as SeededTeam | undefined;
  if (!team) return null;
  const response = await request("GET", `${stack.apiUrl}/v1/whoami`, team.api_key);
  return response.status === 200 ? team : null;
}

async function createTeam(stack: SeededStack): Promise<SeededTeam> {
  const created = await expectOk<{ id: string; api_key: { key: string } }>(
    "POST",
    `${stack.apiUrl}/admin/teams`,
    stack.adminToken,
    TEAM,
  );
  const team = { team_id: created.id, api_key: created.api_key.key };
  writeStateFile(teamFile(stack), team);
  return team;
}

/** Creates a link that signs in to the team's console. The link works once. */
export async function consoleLink(stack: SeededStack, team: SeededTeam): Promise<string> {
  const links = `${stack.apiUrl}/admin/console-links`;
  const body = { team_id: team.team_id };
  return (await expectOk<{ url: string }>("POST", links, stack.adminToken, body)).url;
}

async function verifiedDomain(stack: SeededStack, key: string): Promise<void> {
  if (stack.emailServiceUrl !== undefined)
    await expectOk("POST", `${stack.emailServiceUrl}/domains`, null, { name: DOMAIN });
  const domains = `${stack.apiUrl}/v1/domains`;
  const { data } = await expectOk<{ data: Domain[] }>("GET", `${domains}?limit=100`, key);
  const domain =
    data.find(({ name }) => name === DOMAIN) ??
    (await expectOk<Domain>("POST", domains, key, { name: DOMAIN }));
  if (domain.status === "verified") return;
  await expectOk("PUT", `${stack.dnsUrl}/records`, null, {
    name: `_dmarc.${DOMAIN}`,
    type: "TXT",
    data: `v=DMARC1; p=reject; rua=mailto:postmaster@${DOMAIN}`,
  });
  for (const { type, name, value } of domain.dns_records) {
    await expectOk("PUT", `${stack.dnsUrl}/records`, null, {
      name: `${name}.${DOMAIN}`,
      type,
      data: value,
    });
  }
  const { status, verification_failure: failure } = await expectOk<Domain>(
    "POST",
    `${domains}/${domain.id}/verify`,
    key,
  );
  if (status !== "verified")
    throw new StartProblem(`${DOMAIN} was not verified: ${failure?.code} (${failure?.message})`);
}

function teamFile(stack: SeededStack): string {
  return join(stack.state, "team.json");
}

async function expectOk<Body>(
  method: string,
  url: string,
  token: string | null,
  body?: unknown,
): Promise<Body> {
  const response = await request(method, url, token, body);
  const text = await response.text();
  if (!response.ok)
    throw new StartProblem(`${method} ${url} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

function request(
  method: string,
  url: string,
  token: string | null,
  body?: unknown,
): Promise<Response> {
  const headers: Record<string, string> =
    body === undefined ? {} : { "content-type": "application/json" };
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  const payload = body === undefined ? null : JSON.stringify(body);
  return fetch(url, {
    method,
    headers,
    body: payload,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}
