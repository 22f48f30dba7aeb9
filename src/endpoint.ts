// An endpoint is one entry that carries its method, path, permission, schemas and handler.
// api/app.ts mounts the entries, and the same table drives the contract tests and the OpenAPI
// document, so that neither can drift from the routes (docs/api.md §What keeps it true).
import type * as z from "zod";
import type { ShardSpan } from "./contracts/shard-types.ts";
import type { CourierName, Settings } from "./settings.ts";
import type { Env } from "./env.ts";

/** A team as the request path needs it: its settings in force. Source: resources/teams/store. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** 1 to HIGHEST_TEAM_NUMBER; no other team has it or gets it. */
  readonly number: number;
  /** Oldest first. */
  readonly shards: readonly ShardSpan[];
  readonly subscription: "active" | "inactive";
  readonly limits: TeamLimits;
  readonly labelCaps: LabelCaps;
  readonly eventRetentionDays: number;
  readonly ipPools: readonly string[];
  /** What carries its mail; null: the deployment's (`OUTBOUND`). */
  readonly courier: CourierName | null;
}

interface TeamLimits {
  readonly daily: number;
  readonly monthly: number;
  readonly deliveryRatePerMinute: number;
  readonly requestsPerSecond: number;
}

interface LabelCaps {
  readonly tagsPerHour: number;
  readonly topicPerHour: number;
  readonly campaignPerHour: number;
  readonly campaignPer72Hours: number;
}

/** Who is calling: the team, and the key that was presented. */
export interface Caller {
  readonly team: Team;
  readonly key: {
    readonly id: string;
    readonly permissions: "full" | "send_only";
    readonly allowedDomains: readonly string[] | null;
  };
}

/**
 * Where a list is to go on: `limit` rows after `after`, the position that the same endpoint gave
 * out as `next`; null: from the newest.
 */
export interface ListPage {
  readonly limit: number;
  readonly after: string | null;
}

/**
 * The headers that name what a request held and the service did not use, or missed (contract.md
 * §Ignored members, §Query parameters, §Template variables).
 */
export type NoteHeader = "X-Ignored-Members" | "X-Ignored-Parameters" | "X-Missing-Variables";

export interface NotedName {
  /** The name with the path to it. */
  readonly path: readonly string[];
  /** The names in the same place that it may be a slip for. */
  readonly known: readonly string[];
}

export interface ApiRequest<Body = unknown, Query = unknown> {
  readonly env: Env;
  readonly settings: Settings;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Parsed for endpoints with `paginated`; api/pagination.ts has checked the cursor. */
  readonly page: ListPage;
  /**
   * For endpoints with `admitsItself` or `accepts`: the body's bytes as they came, at most
   * REQUEST_BODY_BYTES; empty when there is none.
   */
  readonly bytes: Uint8Array;
  readonly method: string;
  readonly path: string;
  /** What the log knows the request by, and the response's `X-Request-Id` says. */
  readonly requestId: string;
  readonly headers: Headers;
  /** Unix milliseconds, read once at arrival. */
  readonly now: number;
  /** Work that may finish after the response has left. */
  readonly defer: (work: Promise<unknown>) => void;
  /**
   * Names the members that the endpoint's schema does not know. An endpoint with `admitsItself`
   * calls it with the body that it parsed; the API has called it for the others.
   */
  readonly noteIgnored: (body: unknown) => void;
  /** Puts the names on the response as that header, an error's too. Adds nothing for no names. */
  readonly note: (header: NoteHeader, names: Iterable<NotedName>) => void;
  /** How the API answers what an endpoint threw: for requests that hold several others. */
  readonly replyTo: (error: unknown) => HttpReply;
}

export interface HttpReply {
  readonly status: number;
  /** Serialised JSON, so that a replay is the same bytes; undefined: no body. */
  readonly body?: string;
  /** A body that is made while it is sent, in the endpoint's `produces` type. */
  readonly stream?: ReadableStream<Uint8Array>;
  /**
   * A list page instead of a body: api/pagination.ts makes it `{data, has_more, next_cursor}`.
   * `next` is opaque to everyone but the endpoint.
   */
  readonly list?: { readonly data: readonly unknown[]; readonly next: string | null };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EndpointSpec<Body extends z.ZodType, Query extends z.ZodType> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** What the summary leaves out, as CommonMark; for the OpenAPI document, as are the next two. */
  readonly description?: string;
  /** Where method and path make a poor name (api/openapi-names.ts). */
  readonly operationId?: string;
  /** Error statuses that neither the way in nor the shape of this entry explains. */
  readonly errors?: readonly (400 | 404 | 409 | 422 | 503)[];
  /**
   * `full`: a full key only. `send`: any key. `operator`: the ADMIN_TOKEN, `gateway`: the
   * GATEWAY_TOKEN alone (then `caller` must not be read).
   */
  readonly permission: "full" | "send" | "operator" | "gateway";
  /**
   * True: for the gateway alone (docs/gateway-protocol.md). Not there without its token; takes no
   * request rate; no part of the published API.
   */
  readonly internal?: boolean;
  readonly body?: Body;
  /** True: a request without a body is one with `{}`. */
  readonly optionalBody?: boolean;
  readonly query?: Query;
  /**
   * Other names that clients in use send a query parameter by → the parameter's name. It is ignored
   * where the parameter itself is given.
   */
  readonly queryAliases?: Readonly<Record<string, string>>;
  /** The body's type where it is not JSON; the handler reads `bytes`. */
  readonly accepts?: "text/csv" | "application/octet-stream";
  /** The type of a success's body where it is not JSON. */
  readonly produces?: "text/csv" | "text/plain";
  /**
   * Status → the schema of its JSON, null for an empty body. Error statuses that every endpoint
   * shares are not repeated.
   */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** True: takes `limit` and `after`, and replies with listPage(). */
  readonly paginated?: boolean;
  /**
   * True: the handler validates the body and takes the request's rate itself, in the ledger
   * (contract.md §Order of checks).
   */
  readonly admitsItself?: boolean;
  readonly handle: (request: ApiRequest<z.output<Body>, z.output<Query>>) => Promise<HttpReply>;
}

/** An endpoint with its type parameters forgotten: what the table holds. */
export type Endpoint = EndpointSpec<z.ZodType, z.ZodType>;

export function endpoint<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(spec: EndpointSpec<Body, Query>): Endpoint {
  return spec;
}

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return { status, body: JSON.stringify(value), headers };
}

export function listPage(data: readonly unknown[], next: string | null): HttpReply {
  return { status: 200, list: { data, next } };
}

/**
 * A row's place in a list that is newest first: what is older, or as old with a lower id, comes
 * after it.
 */
export interface RowPosition {
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/**
 * A page of a list that is newest first. `list` is asked for one row more than the page has, so
 * that none promises a next page that would be empty; each row of the page comes as `present` shows
 * it.
 */
export async function listRows<Row extends RowPosition>(
  { limit, after }: ListPage,
  list: (limit: number, after: RowPosition | null) => Promise<readonly Row[]>,
  present: (row: Row) => unknown,
): Promise<HttpReply> {
  const rows = await list(limit + 1, after === null ? null : (JSON.parse(after) as RowPosition));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last
    ? JSON.stringify({ createdAt: last.createdAt, id: last.id } satisfies RowPosition)
    : null;
  return listPage(await Promise.all(shown.map((row) => present(row))), next);
}
