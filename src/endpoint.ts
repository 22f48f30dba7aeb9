// An endpoint is one entry of a table: its method, path, permission, schemas and handler.
// api/app.ts mounts the entries. The contract tests and the OpenAPI document are made from the same
// table, so that neither can drift from the routes (docs/api.md §What keeps it true).
import type * as z from "zod";
import type { ShardSpan } from "./rpc/shard-types.ts";
import type { CourierName, Settings } from "./settings.ts";
import type { Env } from "./env.ts";

/** A team with its settings in force, as requests need it. resources/team-settings reads it. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** A number from 1 to HIGHEST_TEAM_NUMBER, never given to a second team. */
  readonly number: number;
  /** Oldest first. */
  readonly shards: readonly ShardSpan[];
  readonly subscription: "active" | "inactive";
  readonly limits: TeamLimits;
  readonly labelCaps: LabelCaps;
  readonly eventRetentionDays: number;
  readonly ipPools: readonly string[];
  /** The courier that carries its mail; null: the deployment's (`OUTBOUND`). */
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

/** The caller of a request: the team, and the key that was presented. */
export interface Caller {
  readonly team: Team;
  readonly key: {
    readonly id: string;
    readonly permissions: "full" | "send_only";
    readonly allowedDomains: readonly string[] | null;
  };
  /** The console session that stands for the key; null: the key itself was presented. */
  readonly session: string | null;
}

/**
 * The part of a list that is asked for: `limit` rows after the position `after`, which the same
 * endpoint gave out as `next`. null: the newest rows.
 */
export interface ListPage {
  readonly limit: number;
  readonly after: string | null;
}

/**
 * The headers that list names which the request had and the service ignored, or which the service
 * needed and did not find (contract.md §Ignored members, §Query parameters, §Template variables).
 */
export type WarningHeader = "X-Ignored-Members" | "X-Ignored-Parameters" | "X-Missing-Variables";

export interface NameInWarning {
  /** The name with the path to it. */
  readonly path: readonly string[];
  /** The known names in the same place, one of which may have been meant. */
  readonly known: readonly string[];
}

export interface ApiRequest<Body = unknown, Query = unknown> {
  readonly env: Env;
  readonly settings: Settings;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The `:id` of the path, well-formed or not. Empty where the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** The requested page of a `paginated` endpoint. api/pagination.ts has checked its cursor. */
  readonly page: ListPage;
  /**
   * The body as it arrived, at most the endpoint's largest, for endpoints with `admitsItself` or
   * `accepts`. Empty when the request has none.
   */
  readonly bytes: Uint8Array;
  readonly method: string;
  readonly path: string;
  /** The client's request, where this one is a translation of it. */
  readonly sent?: SentRequest | undefined;
  /** The id of the request in the log and in the response's `X-Request-Id`. */
  readonly requestId: string;
  readonly headers: Headers;
  /** Returns the URL that the request was sent to, which is a call of the platform. */
  readonly url: () => string;
  /** Unix milliseconds, read once at arrival. */
  readonly now: number;
  /** Keeps the worker alive for work that may finish after the response has left. */
  readonly defer: (work: Promise<unknown>) => void;
  /**
   * Warns of the members that the endpoint's schema does not know. An endpoint with `admitsItself`
   * calls it with the body that it parsed. For other endpoints the API has done so.
   */
  readonly warnOfIgnored: (body: unknown) => void;
  /** Puts the names into that header of the response, also of an error. No names: no header. */
  readonly warn: (header: WarningHeader, names: Iterable<NameInWarning>) => void;
  /** Renders an error as the API would: for requests that contain several others. */
  readonly replyTo: (error: unknown) => HttpReply;
}

/** The parts of a request that a repetition under the same Idempotency-Key must match. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface HttpReply {
  readonly status: number;
  /** Serialised JSON, so that a replay has the same bytes; undefined: no body. */
  readonly body?: string;
  /** A body that is produced while it is sent, of the endpoint's `produces` type. */
  readonly stream?: ReadableStream<Uint8Array>;
  /**
   * A page of a list, instead of a body. api/pagination.ts renders it as
   * `{data, has_more, next_cursor}`. Only the endpoint understands `next`.
   */
  readonly list?: { readonly data: readonly unknown[]; readonly next: string | null };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EndpointSpec<Body extends z.ZodType, Query extends z.ZodType> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** A path in which `:name` stands for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** More than the summary says, as CommonMark, for the OpenAPI document. */
  readonly description?: string;
  /** Replaces the name that is made from method and path (tools/openapi/names.ts). */
  readonly operationId?: string;
  /** Error statuses that follow neither from the shared checks nor from the shape of this entry. */
  readonly errors?: readonly (400 | 404 | 409 | 422 | 502 | 503)[];
  /**
   * The credential that is needed. `full`: a key with full permissions. `send`: any key.
   * `operator`: the ADMIN_TOKEN. `gateway`: only the GATEWAY_TOKEN. `console`: the handler judges
   * what a page of this origin presents. `caller` must not be read for the last three.
   */
  readonly permission: "full" | "send" | "operator" | "gateway" | "console";
  /**
   * True: only the gateway may call it (docs/gateway-protocol.md). Other callers get 404, requests
   * do not count against the rate, and the published API does not show it.
   */
  readonly internal?: boolean;
  readonly body?: Body;
  /** True: a request without a body is treated as one with `{}`. */
  readonly optionalBody?: boolean;
  readonly query?: Query;
  /**
   * Other names of query parameters that existing clients send → the parameter's name. An alias is
   * ignored when the parameter itself is given.
   */
  readonly queryAliases?: Readonly<Record<string, string>>;
  /**
   * The largest body in bytes, where it is not that of its permission: REQUEST_BODY_BYTES, or
   * OPEN_BODY_BYTES for `console`.
   */
  readonly largestBody?: number;
  /** The type of a body that is not JSON. The handler reads `bytes`. */
  readonly accepts?: "text/csv" | "application/octet-stream";
  /** The type of a successful answer that is not JSON. */
  readonly produces?: "text/csv" | "text/plain";
  /**
   * Status → the schema of its JSON; null: the body is empty. Error statuses that all endpoints
   * share are not repeated here.
   */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** True: the endpoint takes `limit` and `after`, and answers with listPage(). */
  readonly paginated?: boolean;
  /**
   * True: the handler validates the body and takes the request's rate itself, in the ledger
   * (contract.md §Order of checks).
   */
  readonly admitsItself?: boolean;
  readonly handle: (request: ApiRequest<z.output<Body>, z.output<Query>>) => Promise<HttpReply>;
}

/** An entry of the table: an endpoint without its type parameters. */
export type Endpoint = EndpointSpec<z.ZodType, z.ZodType>;

export function endpoint<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(spec: EndpointSpec<Body, Query>): Endpoint {
  return spec;
}

/** Turns `/v1/domains/:id` into `/v1/domains/{id}`. */
export function templatedPath(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

export function takesBody({ body, accepts, admitsItself }: Endpoint): boolean {
  return Boolean(body ?? accepts) || admitsItself === true;
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
 * A row's position in a list that is sorted newest first. Older rows come after it, and rows of the
 * same age with a lower id.
 */
export interface RowPosition {
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/**
 * Answers a page of a list that is sorted newest first. `list` is asked for one row more than the
 * page has, so that no page promises a next page that would be empty. `present` renders each row.
 */
export async function listRows<Row extends RowPosition>(
  { limit, after }: ListPage,
  list: (limit: number, after: RowPosition | null) => Promise<readonly Row[]>,
  present: (row: Row) => unknown,
): Promise<HttpReply> {
  const rows = await list(limit + 1, after === null ? null : (JSON.parse(after) as RowPosition));
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return listPage(
    await Promise.all(page.map((row) => present(row))),
    last ? rowPositionText(last) : null,
  );
}

/** The position behind a row, as listRows() reads it. */
export function rowPositionText({ createdAt, id }: RowPosition): string {
  return JSON.stringify({ createdAt, id } satisfies RowPosition);
}
