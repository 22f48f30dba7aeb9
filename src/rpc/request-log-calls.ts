// The calls of the object that stores a team's latest requests, with their arguments and results
// (docs/storage.md §The log of requests).

/** The facts by which the log groups requests. Requests with the same facts share a row. */
export interface RequestKind {
  readonly method: string;
  /** The matched route, such as `/v1/email/{id}`. Null: no route has the request's path. */
  readonly route: string | null;
  readonly status: number;
  /** The error's type. Null: the request succeeded. */
  readonly error: string | null;
  /** The JSON paths of the request's members that were refused. */
  readonly fields: readonly string[];
}

export interface SeenRequest {
  /** `req_<uuidv7>`, as in the response's `X-Request-Id`. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly keyId: string;
  /**
   * The id in the request's path, or the masked address in it. Null: the path has no id and no
   * address.
   */
  readonly target: string | null;
  /** The time from the request's arrival to its response, in milliseconds. */
  readonly ms: number;
  readonly agent: string | null;
}

/** The number of requests of one kind, and the newest of these requests. */
export interface SeenRequests {
  readonly kind: RequestKind;
  readonly count: number;
  /** The time of the first request, Unix milliseconds. */
  readonly firstAt: number;
  /** Newest first, at most NEWEST_REQUESTS. */
  readonly newest: readonly SeenRequest[];
}

export interface RequestFilters {
  /** A status such as `422`, or a class of statuses such as `4xx`. */
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly keyId?: string | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
}

/**
 * A row of the log: a kind of requests, and the newest request of this kind that matches the
 * filters.
 */
export interface RequestRow extends Omit<SeenRequests, "newest"> {
  readonly request: SeenRequest;
}

export interface RequestSearch {
  readonly filters: RequestFilters;
  readonly limit: number;
  /** The last row of the previous page. */
  readonly after: { readonly createdAt: number; readonly id: string } | null;
}

/**
 * Stores the latest requests of one team, and its used sign-in links of the console. The object's
 * name is the team's id.
 */
export interface RequestRecorder {
  /**
   * Adds the requests of an isolate. Returns the milliseconds for which the isolate must not call
   * again. This delay limits the calls of all isolates together.
   */
  tell(seen: readonly SeenRequests[]): number;
  /** Adds the requests of the caller's isolate, and lists rows, newest first. */
  list(seen: readonly SeenRequests[], page: RequestSearch): readonly RequestRow[];
  /** Adds the requests of the caller's isolate, and finds a request by its id. */
  find(seen: readonly SeenRequests[], id: string): RequestRow | null;
  /** Marks a sign-in link of the console as used. Returns whether this is its first use. */
  useLink(id: string, expiresAt: number, now: number): Promise<boolean>;
  /** Deletes all data of a deleted team. */
  forget(): Promise<void>;
}
