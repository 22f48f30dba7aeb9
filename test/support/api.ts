// The API as a client sees it: requests through the worker's own fetch handler, and teams made by
// the operator API.
import { env, exports } from "cloudflare:workers";
import type { TestEnv } from "./bindings.ts";
import { checkDescribed } from "./openapi-shapes.ts";

export const bindings = env as unknown as TestEnv;

export const ADMIN_TOKEN = "admin-token-for-tests-0123456789abcdef";

interface Call {
  readonly key?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit;
  readonly headers?: Record<string, string>;
  /** The client's address. */
  readonly ip?: string;
}

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

/** Fails unless the response is as the OpenAPI document has it. */
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

export interface TestTeam {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
}

/** A new team with generous limits, unless `settings` say otherwise. */
export async function makeTeam(settings: Record<string, unknown> = {}): Promise<TestTeam> {
  const response = await call("POST", "/admin/teams", {
    key: ADMIN_TOKEN,
    body: { name: `Team ${crypto.randomUUID()}`, ...settings },
  });
  if (response.status !== 201)
    throw new Error(`no team: ${response.status} ${await response.text()}`);
  const team = await response.json<{ id: string; api_key: { id: string; key: string } }>();
  return { id: team.id, key: team.api_key.key, keyId: team.api_key.id };
}

/** By which tokens name the team. */
export async function numberOf(teamId: string): Promise<number> {
  const number = await bindings.DB.prepare("SELECT number FROM teams WHERE id = ?")
    .bind(teamId)
    .first<number>("number");
  if (number === null) throw new Error(`no team: ${teamId}`);
  return number;
}

export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly errors?: Record<string, string[]>;
  };
}
