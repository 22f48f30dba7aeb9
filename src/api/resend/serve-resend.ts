// Serves the table of Resend's endpoints (docs/from-resend.md) at the root of the host, because
// some client libraries drop the path of a base URL. Each request becomes requests to Postern's
// endpoints in the same process, by the same caller. So Postern's keys, rate, permissions,
// idempotency and order of checks apply.
import type { Context, Handler } from "hono";
import { type HttpReply, json } from "../../endpoint.ts";
import { sha256Hex } from "../../lib/crypto/crypto.ts";
import { runInTurn } from "../../lib/large-turns.ts";
import { listNames } from "../../lib/name-list.ts";
import { MEMBERS_NAMED } from "../../lib/members/unknown-members.ts";
import { IDEMPOTENCY_KEY_BYTES, REQUEST_BODY_BYTES } from "../../limits.ts";
import { EXACT_MEMBERS } from "../../resources/templates/variable-limits.ts";
import type { ApiContext } from "../api-context.ts";
import { authenticateKey } from "../authenticate.ts";
import { cursorAt } from "../pagination.ts";
import { JSON_TYPE } from "../errors.ts";
import { recordRequest } from "../observe/record-request.ts";
import { permit, refuseSpentRate, takeRate } from "../permit.ts";
import { requestAsCaller } from "../request-as-caller.ts";
import { markCounted, rememberSent } from "../translated-request.ts";
import { parseBody } from "../validators.ts";
import { wrapEndpoint } from "../middleware.ts";
import { toResendError } from "./error-names.ts";
import type { Ignore, OwnApi, OwnRequest, ResendEndpoint } from "./resend-endpoint.ts";

/**
 * Members in which numbers keep all their digits. They include `headers`, because Resend's API
 * allows numbers in headers, and Postern's does not.
 */
const EXACT_THERE: ReadonlySet<string> = new Set([...EXACT_MEMBERS, "headers"]);
/** A Resend Idempotency-Key may be one character longer than a Postern key. */
const KEY_CHARACTERS = 256;
/** Headers of Postern's answers that Resend's clients get too. */
const CARRIED = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "Idempotent-Replayed",
  "X-Ignored-Parameters",
  "X-Missing-Variables",
  "X-Unmatched-Content-Ids",
];

const IGNORED = "X-Ignored-Members";

type ResendContext = Context<ApiContext>;

/** Sends a request through the API's middleware and returns the response. */
type Answer = (request: Request, c: ResendContext) => Response | Promise<Response>;

/** An error of a Postern endpoint that becomes the answer to Resend's client. */
class OwnError extends Error {
  readonly reply: HttpReply;

  constructor(reply: HttpReply) {
    super(`answered ${reply.status}`);
    this.reply = reply;
  }
}

/** Returns the handler of a Resend endpoint. `answer` calls a Postern endpoint. */
export function serveResend(endpoint: ResendEndpoint, answer: Answer): Handler<ApiContext> {
  const readsBody = endpoint.method !== "GET";
  const serve = wrapEndpoint(
    {
      largest: REQUEST_BODY_BYTES,
      judges: [authenticateKey, permit({ permission: "full", ...endpoint }), refuseSpentRate],
      readsBody,
      steps: [],
    },
    (c) => replyTo(endpoint, c, answer),
  );
  return withResendErrors(serve, endpoint.memberNames);
}

/** Wraps a handler so that its errors have Resend's form. */
export function withResendErrors(
  serve: Handler<ApiContext>,
  memberNames?: Readonly<Record<string, string>>,
): Handler<ApiContext> {
  return async (c, next) => {
    c.set("recordsItself", true);
    const response = (await serve(c, next)) as Response;
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("X-Content-Type-Options", "nosniff");
    if (response.status < 400) {
      recordRequest(c, response.status);
      return response;
    }
    // Several client libraries read an error's name and message only from a response of type JSON.
    response.headers.set("Content-Type", JSON_TYPE);
    const body = new Uint8Array(await response.arrayBuffer());
    const error = toResendError(
      {
        status: response.status,
        body,
        hasRetryAfter: response.headers.has("Retry-After"),
        hasKey: c.req.header("Authorization") !== undefined,
      },
      memberNames,
    );
    recordRequest(c, error.statusCode, new TextDecoder().decode(body));
    return new Response(JSON.stringify(error), {
      status: error.statusCode,
      headers: response.headers,
    });
  };
}

async function replyTo(
  endpoint: ResendEndpoint,
  c: ResendContext,
  answer: Answer,
): Promise<HttpReply> {
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const own = new Calls(c, bytes, answer);
  try {
    const body = await endpoint.handle(
      {
        params: c.req.param(),
        query: new URL(c.req.url).searchParams,
        headers: c.get("headers"),
        body: await runInTurn(bytes.length, () => bodyOf(bytes)),
        now: c.get("now"),
      },
      own,
    );
    return json(endpoint.status ?? 200, body, own.headers());
  } catch (error) {
    if (!(error instanceof OwnError)) throw error;
    return error.reply;
  } finally {
    // A request that called none of Postern's endpoints also counts against the rate.
    if (!own.isCounted) await takeRate(c);
  }
}

function bodyOf(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? {} : parseBody(bytes, { exactIn: EXACT_THERE });
}

interface OwnReply {
  readonly status: number;
  readonly body: string;
}

/** Calls Postern's endpoints to answer one request to Resend's API. */
class Calls implements OwnApi {
  readonly #c: ResendContext;
  readonly #bytes: Uint8Array;
  readonly #answer: Answer;
  /**
   * Headers of Postern's answers. If several answers have the same header, the value of the last
   * answer stays.
   */
  readonly #carried: Record<string, string> = {};
  readonly #ignored = new Set<string>();
  #ignoredMore = 0;
  /** True: one of Postern's endpoints counted the request against the rate. */
  isCounted = false;

  constructor(c: ResendContext, bytes: Uint8Array, answer: Answer) {
    this.#c = c;
    this.#bytes = bytes;
    this.#answer = answer;
  }

  readonly ask = async <Body>(request: OwnRequest): Promise<Body> =>
    this.#bodyOf(await this.#reply(request)) as Body;

  readonly askUnless = async <Body>(
    refusal: 404 | 422,
    request: OwnRequest,
  ): Promise<Body | undefined> => {
    const reply = await this.#reply(request);
    return reply.status === refusal ? undefined : (this.#bodyOf(reply) as Body);
  };

  readonly askForAll = async <Body>(
    isAnswer: (body: unknown) => body is Body,
    request: OwnRequest,
  ): Promise<Body> => {
    const reply = await this.#reply(request);
    const body: unknown = JSON.parse(reply.body);
    return isAnswer(body) ? body : (this.#bodyOf(reply) as Body);
  };

  readonly ignore: Ignore = (paths, more = 0) => {
    this.#ignoredMore += more;
    for (const path of paths) {
      if (this.#ignored.size < MEMBERS_NAMED) this.#ignored.add(path.join("."));
      else this.#ignoredMore += 1;
    }
  };

  headers(): Record<string, string> {
    const paths = Array.from(this.#ignored, (member) => member.split("."));
    const ignored = listNames(paths, this.#ignoredMore);
    return { ...this.#carried, ...(ignored !== undefined && { [IGNORED]: ignored }) };
  }

  #bodyOf({ status, body }: OwnReply): unknown {
    if (status >= 400) throw new OwnError({ status, body, headers: this.headers() });
    return body === "" ? undefined : JSON.parse(body);
  }

  async #reply(request: OwnRequest): Promise<OwnReply> {
    const response = await this.#answer(await this.#requestTo(request), this.#c);
    this.isCounted ||= response.headers.has("RateLimit-Limit");
    for (const name of CARRIED) {
      const value = response.headers.get(name);
      if (value !== null) this.#carried[name] = value;
    }
    this.#ignoreListed(response.headers.get(IGNORED)?.split(", ") ?? []);
    return { status: response.status, body: await response.text() };
  }

  /**
   * Adds a list of ignored members from an answer. Its last entry may be the number of the omitted
   * members: `+2`.
   */
  #ignoreListed(names: readonly string[]): void {
    this.ignore(names.filter((name) => !name.startsWith("+")).map((name) => [name]));
    for (const name of names) if (name.startsWith("+")) this.#ignoredMore += Number(name);
  }

  readonly cursorAt = (listPath: string, position: string): Promise<string> =>
    cursorAt(this.#c, listPath, position);

  async #requestTo({ method, path, body, isRepeatable }: OwnRequest): Promise<Request> {
    const c = this.#c;
    const key = isRepeatable ? c.req.header("Idempotency-Key") : undefined;
    const request = requestAsCaller({ c, door: "resend" }, method, path, undefined, {
      ...(body !== undefined && { "Content-Type": JSON_TYPE }),
      ...(key !== undefined && { "Idempotency-Key": await ownKey(key) }),
    });
    if (this.isCounted) markCounted(request);
    rememberSent(request, { method: c.req.method, path: c.req.path, bytes: this.#bytes, body });
    return request;
  }
}

/**
 * Converts an Idempotency-Key to one that Postern accepts. A key that is too long for Postern
 * becomes its hash.
 */
async function ownKey(key: string): Promise<string> {
  return key.length > IDEMPOTENCY_KEY_BYTES && key.length <= KEY_CHARACTERS && /^[ -~]+$/.test(key)
    ? sha256Hex(new TextEncoder().encode(key))
    : key;
}
