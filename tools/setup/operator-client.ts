// Calls the deployed worker's API for set-up and the doctor: the operator API and /v1, only over
// HTTP.
import { type JsonResponse, call, member, NoHttpResponse, errorTextOf } from "./json-call.ts";
import { CallProblem } from "./setup-problem.ts";

export interface SetupTeam {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

export interface Domain {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly dns_records: readonly {
    readonly type: string;
    readonly name: string;
    readonly value: string;
  }[];
  readonly verification_failure: { readonly code: string; readonly message: string } | null;
  readonly tracking: { readonly status: string; readonly subdomain: string | null };
}

/** The body of GET /v1/domains/{id}/dns. */
export interface SeenDomain {
  readonly records: readonly {
    readonly type: string;
    readonly host: string;
    readonly expected: string | null;
    readonly purpose: string;
    readonly status: "ok" | "missing" | "mismatch" | "unknown";
    readonly found: readonly string[];
    readonly message: string;
  }[];
  readonly policies: Readonly<
    Record<
      string,
      {
        readonly status: "ok" | "warn" | "missing" | "wrong" | "unknown";
        readonly host: string;
        readonly message: string;
      }
    >
  >;
}

interface TimelineEvent {
  readonly type: string;
  readonly occurred_at: string;
  readonly smtp_response: string | null;
}

export interface SentEmail {
  readonly id: string;
  readonly recipients: readonly {
    readonly recipient: string;
    readonly status: string;
    readonly events: readonly TimelineEvent[];
  }[];
}

interface ReceivedReply {
  /** The addresses of the copy. The signed address is the first. */
  readonly to: readonly string[];
}

/** The team's courier if the worker's answer names no courier. */
const WITHOUT_MENTION = "gateway";

export class OperatorClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/$/, "");
  }

  async health(): Promise<JsonResponse | NoHttpResponse> {
    return call("GET", `${this.url}/healthz`);
  }

  async teams(adminToken: string): Promise<SetupTeam[]> {
    return this.#all<SetupTeam>("/admin/teams", adminToken);
  }

  async createTeam(
    adminToken: string,
    name: string,
  ): Promise<SetupTeam & { readonly api_key: { readonly key: string } }> {
    return this.#must("POST", "/admin/teams", adminToken, { name });
  }

  async removeTeam(adminToken: string, id: string): Promise<void> {
    await this.#must("DELETE", `/admin/teams/${id}`, adminToken);
  }

  async courier(key: string): Promise<string> {
    const said = await this.#must("GET", "/v1/whoami", key);
    const courier = member(said, "sending", "courier");
    return typeof courier === "string" ? courier : WITHOUT_MENTION;
  }

  async domains(key: string): Promise<Domain[]> {
    return this.#all<Domain>("/v1/domains", key);
  }

  async domainDns(key: string, id: string): Promise<SeenDomain> {
    return this.#must("GET", `/v1/domains/${id}/dns`, key);
  }

  async createDomain(key: string, name: string): Promise<Domain> {
    return this.#must("POST", "/v1/domains", key, { name });
  }

  async verifyDomain(key: string, id: string): Promise<Domain> {
    return this.#must("POST", `/v1/domains/${id}/verify`, key);
  }

  async send(
    key: string,
    idempotencyKey: string,
    message: Record<string, unknown>,
  ): Promise<{ readonly id: string }> {
    return this.#must("POST", "/v1/email", key, message, { "idempotency-key": idempotencyKey });
  }

  /**
   * Returns a message. Returns undefined if no message has this id, or if the message was deleted
   * because of its age.
   */
  async email(key: string, id: string): Promise<SentEmail | undefined> {
    const answer = await this.#ask("GET", `/v1/email/${encodeURIComponent(id)}`, key);
    if (answer.status === 404) return undefined;
    return this.#good(answer, `GET /v1/email/${id}`) as SentEmail;
  }

  /** Returns the newest replies to a message. */
  async replies(key: string, emailId: string): Promise<readonly ReceivedReply[]> {
    const path = `/v1/replies?email_id=${encodeURIComponent(emailId)}`;
    const page = await this.#must<{ readonly data: readonly ReceivedReply[] }>("GET", path, key);
    return page.data;
  }

  async #all<Row>(path: string, token: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let after = ""; ;) {
      const page = await this.#must<{ data: Row[]; has_more: boolean; next_cursor: string | null }>(
        "GET",
        `${path}?limit=100${after}`,
        token,
      );
      rows.push(...page.data);
      if (!page.has_more || page.next_cursor === null) return rows;
      after = `&after=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  async #must<Body>(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Body> {
    return this.#good(
      await this.#ask(method, path, token, body, headers),
      `${method} ${path}`,
    ) as Body;
  }

  #good(answer: JsonResponse, what: string): unknown {
    const isGood = answer.status >= 200 && answer.status < 300;
    if (isGood && (answer.json !== undefined || answer.text === "")) return answer.json;
    if (isGood)
      throw new CallProblem(
        `${what}: ${errorTextOf(answer)}`,
        `check that ${this.url} leads to the worker, then run this again`,
      );
    const isToken = answer.status === 401 || answer.status === 403;
    const mend = isToken
      ? "the worker does not accept that token: set " +
        `${what.includes("/admin/") ? "ADMIN_TOKEN" : "API_KEY"} to the token in use, which ` +
        "another person's run may have made"
      : "run this again: completed steps are kept";
    throw new CallProblem(`${what}: ${errorTextOf(answer)}`, mend);
  }

  async #ask(
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<JsonResponse> {
    const answer = await call(method, `${this.url}${path}`, { token, body, headers });
    if (!(answer instanceof NoHttpResponse)) return answer;
    throw new CallProblem(
      `${method} ${this.url}${path}: ${answer.message}`,
      "check that the worker is reachable there, then run this again",
    );
  }
}
