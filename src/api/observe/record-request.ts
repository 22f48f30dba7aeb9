// Records requests of a team's programs for the log of requests (contract.md §Log of requests):
// each failed request, and one in SAMPLED of the others. A record has the matched route instead of
// the path, masked addresses, and no values.
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { templatedPath } from "../../endpoint.ts";
import { isJsonObject } from "../../lib/json.ts";
import { maskAddress, redact } from "../../lib/redact.ts";
import { shorten } from "../../refusal.ts";
import {
  rememberRequest,
  rememberUnattributed,
  tellSoon,
} from "../../resources/requests/isolate-requests.ts";
import type { RequestKind } from "../../rpc/request-log-calls.ts";
import type { ApiContext } from "../api-context.ts";
import { sentOf } from "../translated-request.ts";

const SAMPLED = 100;
const METHOD_CHARACTERS = 20;
const AGENT_CHARACTERS = 120;
const ERROR_TYPE_CHARACTERS = 60;
const FIELDS = 10;
const FIELD_CHARACTERS = 100;
/** Maximum length of a body in which the error is read. */
const BODY_CHARACTERS = 32 * 1024;
/** Matches the routes that read the log. */
const READERS = /^(?:\/v1\/requests|\/logs)\b/;
const NO_ERROR = { error: null, fields: [] };
/** A request with this status belongs to no team. */
const UNAUTHENTICATED = 401;
/**
 * The status of a request whose key was valid. The key is in `caller` if it was cached, and is
 * unknown otherwise.
 */
const FORBIDDEN = 403;
/** Matches the ids of the service, with and without their prefix. */
const ID = /^(?:[a-z]{1,10}_)?[0-9a-f-]{32,48}$/i;

let successes = 0;

/**
 * Records a response. `body`: the text of its error. Does not record requests of the console or the
 * gateway, requests that read the log, and requests that Postern made itself to answer a request of
 * Resend's API.
 */
export function recordRequest(c: Context<ApiContext>, status: number, body?: string): void {
  if (status < 400 && !isSampled(c)) return;
  const route = routeOf(c);
  if (c.get("isGateway") === true || sentOf(c.req.raw) || READERS.test(route ?? "")) return;
  const caller = c.get("caller") as ApiContext["Variables"]["caller"] | undefined;
  const secret = /^Bearer +(\S+) *$/i.exec(c.get("headers").get("Authorization") ?? "")?.[1];
  if (caller ? caller.session !== null : secret === undefined || status === UNAUTHENTICATED) return;
  const now = c.get("now");
  const agent = c.get("headers").get("User-Agent");
  const seen = {
    kind: {
      method: c.req.method.slice(0, METHOD_CHARACTERS),
      route,
      status,
      ...(status < 400 ? NO_ERROR : errorIn(body)),
    },
    count: 1,
    firstAt: now,
    newest: [
      {
        id: c.get("requestId"),
        at: now,
        keyId: caller?.key?.id ?? "",
        target: targetOf(c.req.param()),
        ms: Date.now() - now,
        agent: agent === null ? null : redact(shorten(agent, AGENT_CHARACTERS)),
      },
    ],
  };
  if (caller) rememberRequest(caller.team.id, seen);
  else rememberUnattributed(secret ?? "", seen, now, status !== FORBIDDEN);
  tellSoon(c.env, (work) => c.executionCtx.waitUntil(work));
}

/** Tells whether this isolate records this success. It records one in SAMPLED. */
function isSampled(c: Context<ApiContext>): boolean {
  if ((c.get("caller") as unknown) === undefined) return false;
  successes += 1;
  return successes % SAMPLED === 0;
}

/** Returns the matched route, such as `/v1/email/{id}`. Null: no endpoint has the path. */
function routeOf(c: Context<ApiContext>): string | null {
  const route = matchedRoutes(c).at(-1)?.path ?? "*";
  return route.includes("*") ? null : templatedPath(route);
}

/**
 * Reads the error's type and the paths of its fields. Supports both of Postern's forms of errors,
 * and Resend's form.
 */
function errorIn(body = ""): Pick<RequestKind, "error" | "fields"> {
  if (body === "" || body.length > BODY_CHARACTERS) return NO_ERROR;
  const { error, name } = JSON.parse(body) as { readonly error?: unknown; readonly name?: unknown };
  const { type, errors } = isJsonObject(error) ? error : { type: error ?? name, errors: undefined };
  return {
    error: typeof type === "string" ? type.slice(0, ERROR_TYPE_CHARACTERS) : null,
    fields: Object.keys(isJsonObject(errors) ? errors : {})
      .slice(0, FIELDS)
      .map((path) => redact(shorten(path, FIELD_CHARACTERS))),
  };
}

/** Returns the first parameter of the path that is an id or an address. Other texts are dropped. */
function targetOf(parameters: Readonly<Record<string, string>>): string | null {
  for (const value of Object.values(parameters)) {
    const target = ID.test(value) ? value : maskAddress(value);
    if (target !== undefined) return target;
  }
  return null;
}
