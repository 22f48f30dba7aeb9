// Calls the API as a client does, through the worker's own fetch handler, and creates teams by the
// operator API.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { app } from "../../src/api/app.ts";
import type { AuthFailures } from "../../src/api/auth-failures.ts";
import type { Env } from "../../src/env.ts";
import type { TeamLedger } from "../../src/ledger/team-ledger.ts";
import type { Visits } from "../../src/mail/feedback/visit-filter.ts";
import type { Metrics } from "../../src/resources/metrics/metrics.ts";
import type { RequestLog } from "../../src/resources/requests/request-log.ts";
import type { SuppressionImports } from "../../src/resources/suppressions/suppression-imports.ts";
import type { WebhookOutbox } from "../../src/resources/webhooks/outbox/webhook-outbox.ts";
import type { WebhookReplay } from "../../src/resources/webhooks/replay/webhook-replay.ts";
import { everyCore } from "./every-core.ts";
import { checkDescribed } from "./openapi-shapes.ts";
import { UNNOTED_FIRST_MAIL } from "../../src/regions.ts";

/** The Durable Objects by their classes. */
interface Objects {
  readonly TEAM_LEDGER: DurableObjectNamespace<TeamLedger>;
  readonly AUTH_FAILURES: DurableObjectNamespace<AuthFailures>;
  readonly VISITS: DurableObjectNamespace<Visits>;
  readonly SUPPRESSION_IMPORTS: DurableObjectNamespace<SuppressionImports>;
  readonly WEBHOOK_OUTBOX: DurableObjectNamespace<WebhookOutbox>;
  readonly WEBHOOK_REPLAY: DurableObjectNamespace<WebhookReplay>;
  readonly METRICS: DurableObjectNamespace<Metrics>;
  readonly REQUEST_LOG: DurableObjectNamespace<RequestLog>;
}

/**
 * The worker's bindings. The type Env has only an object's RPC methods. These types also let a test
 * run code inside the object.
 */
export type TestEnv = Omit<Env, keyof Objects> & Objects;

export const bindings = env as unknown as TestEnv;

export const ADMIN_TOKEN = "admin-token-for-tests-0123456789abcdef";

interface Call {
  readonly key?: string;
  readonly body?: unknown;
  /** A request body that is sent as it is. It replaces `body`. */
  readonly raw?: BodyInit;
  readonly headers?: Record<string, string>;
  /** The client's address. */
  readonly ip?: string;
}

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

/** Calls the API. Fails unless the response conforms to the OpenAPI document. */
export async function call(
  method: string,
  path: string,
  { key, body, raw, headers = {}, ip = "198.51.100.1" }: Call = {},
): Promise<Response> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await worker.fetch(`https://api.postern.test${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { "Content-Type": "application/json" }),
      "CF-Connecting-IP": ip,
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  await checkDescribed(method, path, response);
  return response;
}

/** Calls a deployment in which `parts` replace some of the tests' settings and bindings. */
export async function callDeployment(
  parts: object,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request<unknown, IncomingRequestCfProperties>(url, init as object);
  const response = await app.fetch(request, { ...bindings, ...parts }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Calls the API of a deployment with a key. */
export const askDeployment = (
  parts: object,
  method: string,
  path: string,
  key: string,
  body?: unknown,
): Promise<Response> =>
  callDeployment(parts, `https://api.postern.test${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Calls the API with one key. */
class Caller {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  get = (path: string) => call("GET", path, { key: this.key });
  post = (path: string, body?: unknown) => call("POST", path, { key: this.key, body });
  patch = (path: string, body: unknown) => call("PATCH", path, { key: this.key, body });
  delete = (path: string) => call("DELETE", path, { key: this.key });
}

export const operator = new Caller(ADMIN_TOKEN);

/** A team, which calls the API with its first key. */
export class TestTeam extends Caller {
  readonly id: string;
  readonly keyId: string;

  constructor(id: string, { id: keyId, key }: { readonly id: string; readonly key: string }) {
    super(key);
    this.id = id;
    this.keyId = keyId;
  }
}

/** Creates a team with generous limits, unless `settings` say otherwise. */
export async function makeTeam(settings: Record<string, unknown> = {}): Promise<TestTeam> {
  const made = operator.post("/admin/teams", { name: `Team ${crypto.randomUUID()}`, ...settings });
  const team = await ok<{ id: string; api_key: { id: string; key: string } }>(made, 201);
  return new TestTeam(team.id, team.api_key);
}

/** Creates a further key of the team, with full permissions unless `settings` say otherwise. */
export const makeKey = (team: TestTeam, settings: object = {}) =>
  ok<{ id: string; key: string }>(
    team.post("/v1/api-keys", { name: "A key", permissions: "full", ...settings }),
    201,
  );

/** Creates a team that has had mail, for tests that call its ledger themselves. */
export async function makeTeamWithLedger(
  settings: Record<string, unknown> = {},
): Promise<TestTeam> {
  const team = await makeTeam(settings);
  await pretendMail(team.id);
  return team;
}

/** Notes that the team has had mail. */
export async function pretendMail(teamId: string): Promise<void> {
  const note = JSON.stringify(UNNOTED_FIRST_MAIL);
  await statement("UPDATE teams SET first_mail = ? WHERE id = ?", note, teamId).run();
}

/** Prepares a statement for the core databases, with these values. */
export const statement = (sql: string, ...values: unknown[]) =>
  everyCore.prepare(sql).bind(...values);

/** Reads the number by which tokens name the team. */
export async function numberOf(teamId: string): Promise<number> {
  const read = statement("SELECT number FROM teams WHERE id = ?", teamId);
  const number = await read.first<number>("number");
  if (number === null) throw new Error(`no team: ${teamId}`);
  return number;
}

/** Matches a time as the API writes it. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly errors?: Record<string, string[]>;
  };
}

/** Creates a team whose request rate no test reaches. */
export const busyTeam = (): Promise<TestTeam> =>
  makeTeam({ limits: { requests_per_second: 10_000 } });

/** Returns the body of a response, which must have that status. */
export async function ok<Body>(
  response: Response | Promise<Response>,
  status = 200,
): Promise<Body> {
  const answer = await response;
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${await answer.text()}`);
  return answer.json<Body>();
}

/** Returns a response's status and its values of these headers. */
export const headOf = ({ status, headers }: Response, ...names: string[]) => [
  status,
  ...names.map((name) => headers.get(name)),
];

/** Returns the `errors` of a refusal, which must have that status. */
export async function errorsOf(
  response: Response | Promise<Response>,
  status = 422,
): Promise<Record<string, string[]>> {
  const { error } = await ok<ErrorBody>(response, status);
  const type = status === 404 ? "not_found" : "validation_error";
  if (error.type !== type) throw new Error(`${error.type} instead of ${type}`);
  return error.errors ?? {};
}

/** Returns the status of an answer, and the `errors` of a refusal. */
export async function refusalOf(
  response: Response | Promise<Response>,
): Promise<[status: number, errors: Record<string, string[]> | undefined]> {
  const answer = await response;
  const { error } = await answer.json<Partial<ErrorBody>>();
  return [answer.status, error?.errors];
}

/** Returns the names of the fields that a refusal is about. */
export const fieldsOf = async (
  response: Response | Promise<Response>,
  status = 422,
): Promise<string[]> => Object.keys(await errorsOf(response, status));

/** A page of a list (contract.md §Lists). */
export interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/**
 * Reads every page of the list at `path`, and returns all its items. `onPage` gets each page before
 * the next page is read.
 */
export async function everyPage<Item>(
  path: string,
  key: string,
  onPage?: (page: Page<Item>) => unknown,
): Promise<Item[]> {
  const seen: Item[] = [];
  const more = path + (path.includes("?") ? "&" : "?");
  for (let after: string | null = ""; after !== null;) {
    const page: Page<Item> = await ok(call("GET", after ? `${more}after=${after}` : path, { key }));
    if (page.has_more !== (page.next_cursor !== null))
      throw new Error("has_more and next_cursor disagree");
    seen.push(...page.data);
    await onPage?.(page);
    after = page.next_cursor;
  }
  return seen;
}
