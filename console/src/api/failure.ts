// A request fails by an answer of the API that is not a success, with everything that it said, or
// by no answer at all.

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
  /** The API's own type, such as `validation_error`; null: the answer was not the API's. */
  readonly type: string | null;
  /** The problems by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;
  /** Time after which the service asks to try again; null: it does not say. */
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

  /** True if the same request may succeed later. */
  get mayPass(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** The service gave no answer. The same request is made again by itself (connection.ts). */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}
