// An endpoint of Resend's API (docs/from-resend.md): how a request of it becomes requests to our
// own endpoints, and how their answers become its answer.
import type { JsonObject } from "../../mail/accept/fields.ts";

export interface ResendRequest {
  /** The `:name` parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parsed JSON; empty: the request has no body. */
  readonly body: unknown;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface OwnRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** True: the caller's Idempotency-Key is that of this request. */
  readonly isRepeatable?: boolean;
}

/** Calls our own endpoints on behalf of the caller, with the caller's key, rate and permissions. */
export interface OwnApi {
  /** Answers the JSON of a success. An error ends the request, and is its answer. */
  readonly ask: <Body>(request: OwnRequest) => Promise<Body>;
  /** Answers undefined instead, where our endpoint refuses with that status. */
  readonly askUnless: <Body>(status: 404 | 422, request: OwnRequest) => Promise<Body | undefined>;
  /** Answers the JSON of an error too, where it has the shape of an answer. */
  readonly askForAll: <Body>(
    isAnswer: (body: unknown) => body is Body,
    request: OwnRequest,
  ) => Promise<Body>;
  /** Names members of the request in X-Ignored-Members, as our own endpoints do. */
  readonly ignore: (members: readonly string[]) => void;
  /** A position of one of our lists as its cursor (contract.md §Lists). */
  readonly cursorAt: (listPath: string, position: string) => Promise<string>;
}

export interface ResendEndpoint {
  readonly method: OwnRequest["method"];
  readonly path: string;
  /** The key that is needed: `full` permissions, or any. */
  readonly permission: "full" | "send";
  /** The status of a success; 200 by default. */
  readonly status?: 201;
  /** Our names of members → its names, for the errors. */
  readonly memberNames?: Readonly<Record<string, string>>;
  /** Answers the JSON of a success. Throws refusals. */
  readonly handle: (request: ResendRequest, own: OwnApi) => Promise<JsonObject>;
}

/** The JSON object without the members that are absent or null. */
export function membersGiven(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null),
  );
}
