// An endpoint of Resend's API (docs/from-resend.md). It turns each request into requests to
// Postern's endpoints, and the endpoints' answers into Resend's answer.
import { MEMBERS_NAMED } from "../../lib/members/unknown-members.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";

export interface ResendRequest {
  /** The values of the path's `:name` parts. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The parsed JSON of the body. A request without a body has `{}`. */
  readonly body: unknown;
  /** The time of the request, in Unix milliseconds. */
  readonly now: number;
}

export interface OwnRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** True: this request has the caller's Idempotency-Key. */
  readonly isRepeatable?: boolean;
}

/**
 * Calls Postern's endpoints on behalf of the caller, with the caller's key, rate and permissions.
 */
export interface OwnApi {
  /**
   * Returns the JSON of a successful answer. An error ends the request and becomes the answer to
   * it.
   */
  readonly ask: <Body>(request: OwnRequest) => Promise<Body>;
  /** Asks like `ask`, but returns undefined if the endpoint answers with the status `status`. */
  readonly askUnless: <Body>(status: 404 | 422, request: OwnRequest) => Promise<Body | undefined>;
  /** Asks like `ask`, but also returns the JSON of an error that `isAnswer` accepts. */
  readonly askForAll: <Body>(
    isAnswer: (body: unknown) => body is Body,
    request: OwnRequest,
  ) => Promise<Body>;
  /** Names members of the request in X-Ignored-Members, as Postern's endpoints do. */
  readonly ignore: Ignore;
  /** Makes a cursor of a position in a Postern list (contract.md §Lists). */
  readonly cursorAt: (listPath: string, position: string) => Promise<string>;
}

export interface ResendEndpoint {
  readonly method: OwnRequest["method"];
  readonly path: string;
  /** The endpoint takes any key. Undefined: it takes only a key with `full` permissions. */
  readonly permission?: "send";
  /** The status of a successful answer; 200 by default. */
  readonly status?: 201;
  /** Resend's names of members by Postern's names, for the error messages. */
  readonly memberNames?: Readonly<Record<string, string>>;
  /** Returns the JSON of a successful answer. Throws refusals. */
  readonly handle: (request: ResendRequest, own: OwnApi) => Promise<JsonObject>;
}

/**
 * Reports ignored members by their paths. A path is a list of segments. `more`: the number of
 * further members, which are only counted.
 */
export type Ignore = (paths: readonly (readonly string[])[], more?: number) => void;

/**
 * Returns the members of an object that have one of the names and are not null. Ignores all other
 * members, and does not copy them, because a body may have 400,000 members. `place`: the object's
 * path.
 */
export function membersGiven(
  input: JsonObject,
  names: ReadonlySet<string>,
  ignore: Ignore,
  place: readonly string[] = [],
): JsonObject {
  ignoreOthers(input, names, ignore, place);
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value !== undefined && value !== null) given[name] = value;
  }
  return given;
}

/** Reports as ignored the members of an object that have none of the names. */
export function ignoreOthers(
  input: JsonObject,
  names: ReadonlySet<string>,
  ignore: Ignore,
  place: readonly string[] = [],
): void {
  const others: string[][] = [];
  let more = 0;
  for (const name of Object.keys(input)) {
    if (names.has(name)) continue;
    if (others.length < MEMBERS_NAMED) others.push([...place, name]);
    else more += 1;
  }
  ignore(others, more);
}
