// The two ways in which a request fails: the API answers with an error, or no answer comes.

interface ErrorBody {
  readonly error?: {
    readonly type?: string;
    readonly message?: string;
    readonly errors?: Readonly<Record<string, readonly string[]>>;
    readonly request_id?: string;
  };
}

export class ApiFailure extends Error {
  readonly status: number;
  /** The API's error type, such as `validation_error`. Null: the answer was not from the API. */
  readonly type: string | null;
  /** The problems of each field of the request. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;
  /** The wait that the service asks for before a retry. Null: the service asks for none. */
  readonly retryAfterMs: number | null;

  constructor(response: Response, body: unknown) {
    const { error } = (typeof body === "object" && body !== null ? body : {}) as ErrorBody;
    super(error?.message ?? `The service answered with HTTP ${response.status}.`);
    this.name = "ApiFailure";
    this.status = response.status;
    this.type = error?.type ?? null;
    this.fields = error?.errors ?? {};
    this.requestId = error?.request_id ?? response.headers.get("X-Request-Id");
    const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
    this.retryAfterMs = Number.isNaN(seconds) ? null : 1_000 * seconds;
  }

  /** True: the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** The service gave no answer. connection.ts repeats the request. */
export class NoResponse extends Error {
  override readonly name = "NoResponse";
}
