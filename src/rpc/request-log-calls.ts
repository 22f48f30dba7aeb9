// The calls of the object that keeps a team's last requests, with their arguments and results
// (docs/storage.md §The log of requests).

/** Requests of one kind are the same to a reader, and share a row. */
export interface RequestKind {
  readonly method: string;
  /** The matched route, such as `/v1/email/{id}`. Null: no route has the request's path. */
  readonly route: string | null;
  readonly status: number;
  /** The error's type. Null: the request succeeded. */
  readonly error: string | null;
  /** The paths of the members that were refused. */
  readonly fields: readonly string[];
}

export interface SeenRequest {
  /** `req_<uuidv7>`, as in the response's `X-Request-Id`. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly keyId: string;
  /** The id in the path, or the address in it, masked. Null: neither. */
  readonly target: string | null;
  /** The time from the request's arrival to its response, in milliseconds. */
  readonly ms: number;
  readonly agent: string | null;
}

/** Requests of one kind: how many there were, and the newest of them. */
export interface SeenRequests {
  readonly kind: RequestKind;
  readonly count: number;
  /** The time of the first request, Unix milliseconds. */
  readonly firstAt: number;
  /** Newest first, at most NEWEST_REQUESTS. */
  readonly newest: readonly SeenRequest[];
}

export interface RequestFilters {
  /** `422`, or `4xx` for a class of statuses. */
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly keyId?: string | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
}

/** A row of the log: a kind of requests, and the newest of them that matches the filters. */
export interface RequestRow extends Omit<SeenRequests, "newest"> {
  readonly request: SeenRequest;
}

export interface RequestSearch {
  readonly filters: RequestFilters;
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: { readonly createdAt: number; readonly id: string } | null;
}

/**
 * Keeps the last requests of one team, and which of its console links were used. The object's name
 * is the team's id.
 */
export interface RequestRecorder {
  /**
   * Adds what an isolate saw. Returns the milliseconds for which the isolate must not call again,
   * by which the object bounds how often all isolates together call it.
   */
  tell(seen: readonly SeenRequests[]): number;
  /** Adds what the reader's isolate saw, and lists rows, newest first. */
  list(seen: readonly SeenRequests[], page: RequestSearch): readonly RequestRow[];
  /** Adds what the reader's isolate saw, and finds a request by its id. */
  find(seen: readonly SeenRequests[], id: string): RequestRow | null;
  /** Marks a sign-in link of the console as used. Returns whether this is its first use. */
  useLink(id: string, expiresAt: number, now: number): Promise<boolean>;
  /** Removes everything, because the team was deleted. */
  forget(): Promise<void>;
}
