// An endpoint of Resend's API (docs/from-resend.md). It turns each request into requests to
// Postern's endpoints, and the endpoints' answers into Resend's answer.
import type { JsonObject } from "../../mail/accept/fields.ts";

export interface ResendRequest {
  /** The `:name` parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The parsed JSON of the body. A request without a body has `{}`. */
  readonly body: unknown;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface OwnRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** True: this request carries the caller's Idempotency-Key. */
  readonly isRepeatable?: boolean;
}

/**
 * Calls Postern's endpoints on behalf of the caller, with the caller's key, rate and permissions.
 */
export interface OwnApi {
  /** Returns the JSON of a success. An error ends the request and becomes its answer. */
  readonly ask: <Body>(request: OwnRequest) => Promise<Body>;
  /** Like `ask`, but returns undefined if the endpoint answers with the status `status`. */
  readonly askUnless: <Body>(status: 404 | 422, request: OwnRequest) => Promise<Body | undefined>;
  /** Like `ask`, but also returns the JSON of an error that `isAnswer` accepts. */
  readonly askForAll: <Body>(
    isAnswer: (body: unknown) => body is Body,
    request: OwnRequest,
  ) => Promise<Body>;
  /** Names members of the request in X-Ignored-Members, as Postern's endpoints do. */
  readonly ignore: (members: readonly string[]) => void;
  /** Makes a cursor of a position in a Postern list (contract.md §Lists). */
  readonly cursorAt: (listPath: string, position: string) => Promise<string>;
}

export interface ResendEndpoint {
  readonly method: OwnRequest["method"];
  readonly path: string;
  /** The required key: one with `full` permissions, or any key. */
  readonly permission: "full" | "send";
  /** The status of a success; 200 by default. */
  readonly status?: 201;
  /** Postern's names of members → Resend's names, for the error messages. */
  readonly memberNames?: Readonly<Record<string, string>>;
  /** Returns the JSON of a success. Throws refusals. */
  readonly handle: (request: ResendRequest, own: OwnApi) => Promise<JsonObject>;
}

/** Returns the JSON object without its absent and null members. */
export function membersGiven(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null),
  );
}
