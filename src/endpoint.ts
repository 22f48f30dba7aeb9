// An endpoint is one entry of a table: its method, path, permission, schemas and handler.
// api/app.ts mounts the entries. The contract tests and the OpenAPI document use the same table, so
// they always agree with the routes (docs/api.md §What keeps the document true).
import type * as z from "zod";
import type { AuditMark, Author } from "./audit.ts";
import type { ContentDays } from "./content-days.ts";
import type { MemberRights } from "./member-rights.ts";
import type { ShardSpan } from "./rpc/shard-types.ts";
import type { CallerLocation, FirstMail, Region } from "./regions.ts";
import type { CourierName, Settings } from "./settings.ts";
import type { Env } from "./env.ts";

/** A team with its current settings, as requests use them (resources/team-settings). */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** The team's number, from 1 to HIGHEST_TEAM_NUMBER. No second team ever gets the same number. */
  readonly number: number;
  /** The shards of the team's events, oldest first. */
  readonly shards: readonly ShardSpan[];
  readonly subscription: "active" | "inactive";
  readonly limits: TeamLimits;
  readonly labelCaps: LabelCaps;
  readonly eventRetentionDays: number;
  /**
   * The number of days for which the team chose to keep content (content-days.ts). Null: the team
   * has not chosen.
   */
  readonly contentDays: ContentDays | null;
  /**
   * The names of topics that recipients see, by topic in lower case. Null: the team has named no
   * topic.
   */
  readonly topicNames: Readonly<Record<string, string>> | null;
  readonly ipPools: readonly string[];
  /** The courier that carries the team's mail. Null: the deployment's courier (`OUTBOUND`). */
  readonly courier: CourierName | null;
  /** The operator's region for the team's ledger. Null: it is near the team's first sender. */
  readonly region: Region | null;
  /** The call that created the team's ledger. Null: the team never had mail and has no ledger. */
  readonly firstMail: FirstMail | null;
  /** The overage credits with which the ledger begins. */
  readonly startingCredits: number;
  /** When the settings last changed, in Unix milliseconds. */
  readonly changedAt: number;
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

/** An API key, as requests use it. */
export interface CallerKey {
  readonly id: string;
  readonly name: string;
  readonly permissions: "full" | "send_only";
  readonly allowedDomains: readonly string[] | null;
}

/** A member of the team who is signed in to the console. */
export interface Person extends MemberRights {
  /** The member's id, `member_<uuid>`. */
  readonly id: string;
  readonly email: string;
}

/** The caller of a request: the team, and either its presented key or its member. */
export interface Caller {
  readonly team: Team;
  readonly key: CallerKey | null;
  readonly person?: Person;
  /** The console session that the request uses. Null: the request presented a key. */
  readonly session: string | null;
}

/**
 * The requested part of a list: `limit` rows after the position `after`. The endpoint returned this
 * position as `next` with an earlier page. `after` null: the newest rows.
 */
export interface ListPage {
  readonly limit: number;
  readonly after: string | null;
}

/**
 * Response headers that warn about names. They list the names in the request that the service
 * ignored, or the names that the service needed and did not find (contract.md §Ignored members,
 * §Query parameters, §Template variables, §Attachments).
 */
export type WarningHeader =
  | "X-Ignored-Members"
  | "X-Ignored-Parameters"
  | "X-Missing-Variables"
  | "X-Unmatched-Content-Ids";

export interface NameInWarning {
  /** The path to the ignored or missing name, including the name at its end. */
  readonly path: readonly string[];
  /** The known names in the same object, of which the caller may have meant one. */
  readonly known: readonly string[];
}

export interface ApiRequest<Body = unknown, Query = unknown> {
  readonly env: Env;
  readonly settings: Settings;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** The `:id` of the path, well-formed or not. Empty if the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** The author of the request, for its entry of the trail. Null: the endpoint has no `audit`. */
  readonly author: Author | null;
  /** The requested page of a `paginated` endpoint. api/pagination.ts has checked its cursor. */
  readonly page: ListPage;
  /**
   * The body as it arrived, within the endpoint's limit. Only for endpoints with `admitsItself` or
   * `accepts`. Empty if the request has no body.
   */
  readonly bytes: Uint8Array;
  /** The body for an endpoint with `streams`. Absent for other endpoints, or without a body. */
  readonly stream?: ReadableStream<Uint8Array> | undefined;
  readonly method: string;
  readonly path: string;
  /** The client's original request, if this request is its translation. */
  readonly sent?: TranslatedRequest | undefined;
  /** The id of the request in the log and in the response's `X-Request-Id`. */
  readonly requestId: string;
  readonly headers: Headers;
  /**
   * Returns the URL that the request was sent to. It is a function, because reading the URL is a
   * call of the platform.
   */
  readonly url: () => string;
  /** Returns where the caller is. It is a function, because it calls the platform. */
  readonly location: () => CallerLocation;
  /** When the request arrived, in Unix milliseconds. */
  readonly now: number;
  /** Keeps the worker alive for work that may finish after the response was sent. */
  readonly defer: (work: Promise<unknown>) => void;
  /**
   * Warns of members that the endpoint's schema does not have. An endpoint with `admitsItself`
   * calls this with the body that it parsed. For other endpoints, the API makes the call.
   */
  readonly warnOfIgnored: (body: unknown) => void;
  /**
   * Puts the names into a header of the response, even if the response is an error. Without names,
   * the response gets no header.
   */
  readonly warn: (header: WarningHeader, names: Iterable<NameInWarning>) => void;
  /** Renders an error in the API's form, for each failed message of a bundle from the gateway. */
  readonly replyTo: (error: unknown) => HttpReply;
  /**
   * Names the operations that a caller may use. Handlers need this, because only the API knows the
   * table of endpoints.
   */
  readonly operationsOf: (caller: Caller) => readonly string[];
}

/** The parts of a request that a repetition with the same Idempotency-Key must match. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The client's request from which another request was translated. */
export interface TranslatedRequest extends SentRequest {
  /**
   * The translated body as a value. Serialising it and parsing it again would double the work for a
   * large body. Undefined: the translated request has no body.
   */
  readonly body: unknown;
}

export interface HttpReply {
  readonly status: number;
  /** Serialised JSON, so that a replay has the same bytes. Undefined: the reply has no body. */
  readonly body?: string;
  /** A body that the service produces while it sends it. Its type is the endpoint's `produces`. */
  readonly stream?: ReadableStream<Uint8Array>;
  /**
   * A page of a list, instead of a body. api/pagination.ts renders it as `{data, has_more,
   * next_cursor}`. Only the endpoint understands `next`.
   */
  readonly list?: { readonly data: readonly unknown[]; readonly next: string | null };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EndpointSpec<Body extends z.ZodType, Query extends z.ZodType> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path, in which `:name` stands for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** Adds details to the summary, as CommonMark, for the OpenAPI document. */
  readonly description?: string;
  /** Replaces the operation id that tools/openapi/names.ts derives from method and path. */
  readonly operationId?: string;
  /** Error statuses that cannot be derived from the shared checks or from this entry. */
  readonly errors?: readonly (400 | 404 | 409 | 422 | 503)[];
  /**
   * The required credential. `full`: a key with full permissions. `send`: any key. `owner`: an
   * owner's console session (member-rights.ts). `operator`: the ADMIN_TOKEN. `gateway`: only the
   * GATEWAY_TOKEN. `console`: the handler judges the credentials that a page of this origin
   * presents. For the last three, handlers must not read `caller`.
   */
  readonly permission: "full" | "send" | "owner" | "operator" | "gateway" | "console";
  /**
   * True: only the gateway may call the endpoint (docs/gateway-protocol.md). Other callers get 404,
   * requests do not count against the rate, and the published API does not show the endpoint.
   */
  readonly internal?: boolean;
  readonly body?: Body;
  /** True: a request without a body counts as a request with the body `{}`. */
  readonly optionalBody?: boolean;
  readonly query?: Query;
  /**
   * Aliases of query parameters that existing clients send, each with the parameter's name. An
   * alias is ignored if the request has the parameter itself.
   */
  readonly queryAliases?: Readonly<Record<string, string>>;
  /**
   * The largest body in bytes. By default it depends on the permission: OPEN_BODY_BYTES for
   * `console`, REQUEST_BODY_BYTES for all others.
   */
  readonly largestBody?: number;
  /** True: the handler reads `stream`, because the body may be too large for memory. */
  readonly streams?: boolean;
  /** The type of a body that is not JSON. The handler reads `bytes`. */
  readonly accepts?: "text/csv" | "application/octet-stream";
  /** The type of a successful answer that is not JSON. */
  readonly produces?: "text/csv" | "text/plain" | "application/octet-stream" | "message/rfc822";
  /**
   * The schemas of the answers, by status. Null: the body is empty. Error statuses that all
   * endpoints share are left out.
   */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /**
   * `read`: the answer has the resource's `ETag`. `write`: the answer has the `ETag`, and the
   * request may have `If-Match`. The handler sets and compares the tags (contract.md
   * §Preconditions).
   */
  readonly etag?: "read" | "write";
  /** Present if a change by this endpoint leaves an entry in the trail (docs/audit.md). */
  readonly audit?: AuditMark;
  /** True: the endpoint accepts `limit` and `after`, and answers with listPage(). */
  readonly paginated?: boolean;
  /**
   * True: the handler validates the body itself, and the ledger counts the request against the rate
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

/** Turns a path such as `/v1/domains/:id` into `/v1/domains/{id}`. */
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
 * A row's position in a list that is sorted newest first. Of rows with the same time, the one with
 * the higher id comes first.
 */
export interface RowPosition {
  /** When the row was created, in Unix milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/**
 * Answers with a page of a list that is sorted newest first. Asks `list` for one row more than the
 * page has. This row shows whether there is a next page. `present` renders each row.
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

/** Returns the position of a row, in the form that listRows() reads. */
export function rowPositionText({ createdAt, id }: RowPosition): string {
  return JSON.stringify({ createdAt, id } satisfies RowPosition);
}
